      * SPDX-License-Identifier: Apache-2.0
      * Looks for a price in a table, from its start on. With SEARCH ALL
      * it looks at ten entries each time.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PRICES.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  PRICE-LIST.
           05  PRICE-ENTRY OCCURS 1000 TIMES
                 ASCENDING KEY IS ARTICLE INDEXED BY IX.
               10  ARTICLE  PIC X(6).
               10  AMOUNT   PIC S9(7) COMP-5.
       01  N                PIC 9(6) COMP-5.
       01  SHOWN            PIC 9(6).
       01  WANTED           PIC X(6).
       01  TOTAL            PIC S9(9) COMP-5 VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 1000
              MOVE N TO SHOWN
              MOVE SHOWN TO ARTICLE (N)
              MOVE N TO AMOUNT (N)
           END-PERFORM.
           PERFORM FIND-PRICE 80000 TIMES.
           DISPLAY TOTAL.
           STOP RUN.
       FIND-PRICE.
           MOVE "000800" TO WANTED.
           SET IX TO 1.
           SEARCH PRICE-ENTRY
              AT END
                 DISPLAY "NOT THERE"
              WHEN ARTICLE (IX)
                 = WANTED
                 ADD AMOUNT (IX) TO TOTAL
           END-SEARCH.
