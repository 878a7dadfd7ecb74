      * SPDX-License-Identifier: Apache-2.0
      * Six paragraphs with a fixed amount of work each, for tests of the
      * comparison. POSTING is how often POST-LEDGER does its work in a
      * round: 100, or what the parameter says.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CMPWORK.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-PARAMETERS            PIC X(20).
       01  WS-ROUNDS                PIC 9(6) COMP VALUE 100.
       01  WS-POSTING               PIC 9(6) COMP VALUE 100.
       01  WS-ROUND                 PIC 9(6) COMP.
       01  WS-I                     PIC S9(9) COMP.
       01  WS-AMOUNT                PIC S9(9)V99 COMP-3 VALUE 12.34.
       01  WS-TOTAL                 PIC S9(13)V99 COMP-3 VALUE 0.
       01  WS-COUNT                 PIC S9(9) COMP VALUE 0.
       01  WS-TEXT                  PIC X(60).
       01  WS-NUMBER                PIC 9(9).
       01  WS-EDITED                PIC ZZZ,ZZZ,ZZ9.99.
       PROCEDURE DIVISION.
       MAIN-LINE.
           ACCEPT WS-PARAMETERS FROM COMMAND-LINE.
           UNSTRING WS-PARAMETERS DELIMITED BY SPACE
               INTO WS-ROUNDS WS-POSTING.
           PERFORM ONE-ROUND VARYING WS-ROUND FROM 1 BY 1
               UNTIL WS-ROUND > WS-ROUNDS.
           STOP RUN.
       ONE-ROUND.
           PERFORM READ-MASTER VARYING WS-I FROM 1 BY 1
               UNTIL WS-I > 60.
           PERFORM POST-LEDGER VARYING WS-I FROM 1 BY 1
               UNTIL WS-I > WS-POSTING.
           PERFORM EDIT-LINE VARYING WS-I FROM 1 BY 1
               UNTIL WS-I > 50.
           PERFORM COUNT-RECORDS VARYING WS-I FROM 1 BY 1
               UNTIL WS-I > 150.
           PERFORM BUILD-TEXT VARYING WS-I FROM 1 BY 1
               UNTIL WS-I > 30.
       READ-MASTER.
           MOVE WS-I TO WS-NUMBER.
           COMPUTE WS-AMOUNT = WS-NUMBER / 3 + 1.
       POST-LEDGER.
           COMPUTE WS-TOTAL = WS-TOTAL + WS-AMOUNT * 1.05.
           SUBTRACT WS-AMOUNT FROM WS-TOTAL.
       EDIT-LINE.
           MOVE WS-TOTAL TO WS-EDITED.
       COUNT-RECORDS.
           ADD 1 TO WS-COUNT.
           IF WS-COUNT > 1000000
               MOVE 0 TO WS-COUNT
           END-IF.
       BUILD-TEXT.
           MOVE SPACES TO WS-TEXT.
           STRING "LINE " WS-NUMBER " OF " WS-EDITED
               DELIMITED BY SIZE INTO WS-TEXT.
