      * SPDX-License-Identifier: Apache-2.0
      * TORTURE WHAT: 50 calls, what torture-ends.c does, and 50 calls
      * more, if there still is a program.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TORTURE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WHAT            PIC X(8).
       01  NUMBER-OF-CALLS PIC 9(9) COMP-5 VALUE 0.
       PROCEDURE DIVISION.
       MAIN-SECTION SECTION.
       FIRST-PARAGRAPH.
           ACCEPT WHAT FROM COMMAND-LINE.
           PERFORM CALL-PARAGRAPH 50 TIMES.
           CALL "ends" USING WHAT.
           PERFORM CALL-PARAGRAPH 50 TIMES.
           IF WHAT = "stop"
               MOVE 1000 TO NUMBER-OF-CALLS
               CALL "INNER" USING NUMBER-OF-CALLS.
           STOP RUN.
       CALL-PARAGRAPH.
           CALL "INNER" USING NUMBER-OF-CALLS.
       END PROGRAM TORTURE.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. INNER.
       DATA DIVISION.
       LINKAGE SECTION.
       01  NUMBER-OF-CALLS PIC 9(9) COMP-5.
       PROCEDURE DIVISION USING NUMBER-OF-CALLS.
       INNER-PARAGRAPH.
           ADD 1 TO NUMBER-OF-CALLS.
           IF NUMBER-OF-CALLS > 1000
               STOP RUN.
           EXIT PROGRAM.
       END PROGRAM INNER.
