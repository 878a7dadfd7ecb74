      *> SPDX-License-Identifier: Apache-2.0
      *> Ten paragraphs of random weights that calculate, known by the clocks of
      *> marks.c: each tells when it begins (MARK of its number) and ends (-1).
       IDENTIFICATION DIVISION.
       PROGRAM-ID. TRUTHMIX.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  PART-NUMBER         PIC S9(9) COMP-5.
       01  TURNS               PIC S9(9) COMP-5.
       01  TURN                PIC S9(9) COMP-5.
       01  NO-PART             PIC S9(9) COMP-5 VALUE -1.
       01  AMOUNT              PIC S9(9)V99 COMP-3 VALUE 0.
       01  FACTOR              PIC S9(5)V9(4) COMP-3 VALUE 1.0271.
       PROCEDURE DIVISION.
       MAIN-LINE.
           CALL "truth_next" USING PART-NUMBER TURNS END-CALL
           PERFORM UNTIL PART-NUMBER < 0
             EVALUATE PART-NUMBER
               WHEN 0 PERFORM PART-0
               WHEN 1 PERFORM PART-1
               WHEN 2 PERFORM PART-2
               WHEN 3 PERFORM PART-3
               WHEN 4 PERFORM PART-4
               WHEN 5 PERFORM PART-5
               WHEN 6 PERFORM PART-6
               WHEN 7 PERFORM PART-7
               WHEN 8 PERFORM PART-8
               WHEN 9 PERFORM PART-9
             END-EVALUATE
             CALL "truth_next" USING PART-NUMBER TURNS END-CALL
           END-PERFORM
           STOP RUN.
       PART-0.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 0 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-1.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 1 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-2.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 2 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-3.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 3 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-4.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 4 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-5.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 5 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-6.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 6 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-7.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 7 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-8.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 8 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
       PART-9.
           CALL "truth_mark" USING PART-NUMBER END-CALL
           PERFORM VARYING TURN FROM 1 BY 1 UNTIL TURN > TURNS
             COMPUTE AMOUNT ROUNDED = AMOUNT * FACTOR + TURN
             IF AMOUNT > 900000
               MOVE 9 TO AMOUNT
             END-IF
           END-PERFORM
           CALL "truth_mark" USING NO-PART END-CALL
           .
