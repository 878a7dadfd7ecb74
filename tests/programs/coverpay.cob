      *> SPDX-License-Identifier: Apache-2.0
      *> Statements of which some are executed: those with yes are, those with no are not.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYROLL.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 WS-I PIC 9(4).
       01 WS-GROSS PIC 9(6)V99.
       01 WS-TAX PIC 9(6)V99.
       01 WS-KIND PIC X.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM CALC-PARA VARYING WS-I FROM 1 BY 1 *> yes
              UNTIL WS-I > 3
           IF WS-I = 99 *> yes
              DISPLAY "NEVER" *> no
           ELSE
              DISPLAY "ALWAYS" *> yes
           END-IF
           PERFORM TAX-PARA *> yes
           GO TO END-PARA. *> yes
       DEAD-PARA.
           DISPLAY "DEAD".
       CALC-PARA.
           MOVE "A" TO WS-KIND *> yes
           EVALUATE WS-KIND *> yes
              WHEN "B" *> yes
                 DISPLAY "B" *> no
              WHEN "A" *> yes
                 ADD 1 TO WS-GROSS *> yes
              WHEN OTHER
                 DISPLAY "OTHER" *> no
           END-EVALUATE
           IF WS-I = 77 DISPLAY "SEVEN" END-IF. *> partly
       TAX-PARA.
           COPY covertax.
       END-PARA.
           DISPLAY WS-GROSS *> yes
           STOP RUN. *> yes
