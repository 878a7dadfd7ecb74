      * SPDX-License-Identifier: Apache-2.0
      * Three kinds of transactions: BUY 50 % of the CPU time, SELL 30,
      * MOVE 20. BUY and MOVE are worked on by the subprogram COBTRANB,
      * SELL by this program. The argument says how many times, 0 is 25.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COBTRAN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WS-ROUND            PIC 9(4) COMP.
       01  WS-ROUNDS           PIC 9(4) VALUE 0.
       01  WS-CONTROL.
           05  WS-MARK         PIC X(3) VALUE "***".
           05  WS-TRAN.
               10  WS-TRAN-CODE    PIC X(4) VALUE SPACES.
               10  WS-TRAN-NUMBER  PIC 9(5).
               10  WS-TRAN-PACKED  PIC S9(5)V99 COMP-3.
               10  WS-TRAN-BINARY  PIC S9(4) COMP.
       01  WS-UNTIL            PIC 9(9) COMP-5.
       01  WS-WORK             PIC S9(9) COMP-5.
       PROCEDURE DIVISION.
       MAIN-PARAGRAPH.
           ACCEPT WS-ROUNDS FROM COMMAND-LINE.
           IF WS-ROUNDS = 0
               MOVE 25 TO WS-ROUNDS.
           PERFORM VARYING WS-ROUND FROM 1 BY 1
                   UNTIL WS-ROUND > WS-ROUNDS
               MOVE "BUY" TO WS-TRAN-CODE
               MOVE 101 TO WS-TRAN-NUMBER
               MOVE -1.5 TO WS-TRAN-PACKED
               MOVE -7 TO WS-TRAN-BINARY
               MOVE 50 TO WS-UNTIL
               CALL "COBTRANB" USING WS-UNTIL
               MOVE "SELL" TO WS-TRAN-CODE
               MOVE 202 TO WS-TRAN-NUMBER
               MOVE 20.25 TO WS-TRAN-PACKED
               MOVE 8 TO WS-TRAN-BINARY
               MOVE 30 TO WS-UNTIL
               CALL "spend" USING BY VALUE WS-UNTIL RETURNING WS-WORK
               MOVE "MOVE" TO WS-TRAN-CODE
               MOVE 303 TO WS-TRAN-NUMBER
               MOVE 0 TO WS-TRAN-PACKED
               MOVE 9999 TO WS-TRAN-BINARY
               MOVE 20 TO WS-UNTIL
               CALL "COBTRANB" USING WS-UNTIL
           END-PERFORM.
           STOP RUN.
       END PROGRAM COBTRAN.
