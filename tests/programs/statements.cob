      *> SPDX-License-Identifier: Apache-2.0
      *> statements N: executes eleven statements N times, one of them
      *> the loop's own; prints the ns of CPU time of each, and 0.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. statements.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  ARGUMENT      PIC X(12).
       01  LOOPS         BINARY-LONG.
       01  USED-BEFORE   BINARY-LONG.
       01  USED          BINARY-LONG.
       01  COST          PIC Z(5)9.99.
       01  SUMS.
           05  SUM-1     BINARY-LONG VALUE 0.
           05  SUM-2     BINARY-LONG VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           ACCEPT ARGUMENT FROM ARGUMENT-VALUE
           COMPUTE LOOPS = FUNCTION NUMVAL (ARGUMENT)
           CALL "clock" RETURNING USED-BEFORE
           PERFORM LOOPS TIMES
               MOVE 1 TO SUM-1
               MOVE 2 TO SUM-2
               MOVE 3 TO SUM-1
               MOVE 4 TO SUM-2
               MOVE 5 TO SUM-1
               MOVE 6 TO SUM-2
               MOVE 7 TO SUM-1
               MOVE 8 TO SUM-2
               MOVE 9 TO SUM-1
               MOVE 10 TO SUM-2
           END-PERFORM
           CALL "clock" RETURNING USED
           COMPUTE COST ROUNDED =
               (USED - USED-BEFORE) * 1000 / (LOOPS * 10)
           DISPLAY COST " 0"
           STOP RUN.
