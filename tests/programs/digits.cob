      * SPDX-License-Identifier: Apache-2.0
      * Adds and compares items stored as digits. With COMP-5 in place of
      * DISPLAY and PACKED-DECIMAL it does the same in binary.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DIGITS.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  WORK-AREA USAGE DISPLAY.
           05  ROUNDS       PIC S9(9)    VALUE 0.
           05  PIECES       PIC S9(7)    VALUE 12.
           05  MONEY.
               10  TOTAL    PIC S9(11)V99 VALUE 0.
               10  PRICE    PIC S9(5)V99 VALUE 3.25.
       01  STOCK            PIC S9(9) USAGE PACKED-DECIMAL VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM ONE-PIECE VARYING ROUNDS FROM 1 BY 1
              UNTIL ROUNDS > 3000000.
           DISPLAY "DONE " TOTAL " " STOCK.
           STOP RUN.
       ONE-PIECE.
           ADD PRICE OF MONEY
              TO TOTAL OF MONEY.
           ADD PIECES TO STOCK.
           IF STOCK > 900000000
              MOVE 0 TO STOCK.
