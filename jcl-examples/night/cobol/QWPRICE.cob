      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWPRICE.
      * Bills the customers that have used enough water, with the
      * demand that is expected of them in the days to come.
      * PARM='litres,days': five digits each.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           COPY QWMASTER.
           SELECT HISTORY-FILE ASSIGN TO HISTORY
               ORGANIZATION IS SEQUENTIAL.
           SELECT TARIFF-FILE ASSIGN TO TARIFF
               ORGANIZATION IS SEQUENTIAL.
           SELECT BILL-FILE ASSIGN TO BILLS
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER-FILE.
           COPY QWCUST.
       FD  HISTORY-FILE RECORDING MODE IS F.
       01  HISTORY-RECORD.
           05  HISTORY-CUSTOMER     PIC 9(8).
           05  HISTORY-LITRES       PIC 9(9).
           05  HISTORY-COUNT        PIC 9(4) COMP.
           05  FILLER               PIC X.
       FD  TARIFF-FILE RECORDING MODE IS F.
       01  TARIFF-RECORD.
           05  TARIFF-CODE          PIC X.
           05  FILLER               PIC X.
           05  TARIFF-STANDING      PIC 9(3)V99.
           05  FILLER               PIC X.
           05  TARIFF-RATE          PIC 9V9(4).
           05  FILLER               PIC X(67).
       FD  BILL-FILE RECORDING MODE IS F.
       01  BILL-RECORD.
           05  BILL-ROUTE           PIC X(4).
           05  BILL-CUSTOMER        PIC 9(8).
           05  BILL-NAME            PIC X(24).
           05  BILL-TARIFF          PIC X.
           05  BILL-LITRES          PIC 9(9).
           05  BILL-NET             PIC S9(7)V99 COMP-3.
           05  BILL-VAT             PIC S9(7)V99 COMP-3.
           05  BILL-DEMAND          PIC 9(9)V9.
           05  FILLER               PIC X(14).
       WORKING-STORAGE SECTION.
       01  SWITCHES.
           05  MASTER-STATUS        PIC XX.
           05  MASTER-END           PIC X VALUE "N".
           05  HISTORY-END          PIC X VALUE "N".
           05  TARIFF-END           PIC X VALUE "N".
       01  BOUNDS.
           05  LEAST-LITRES         PIC 9(5).
           05  DAYS-AHEAD           PIC 9(5).
       01  COUNTERS.
           05  T                    PIC 9(4) COMP VALUE 0.
           05  TARIFFS              PIC 9(4) COMP VALUE 0.
           05  DAY-NUMBER           PIC 9(5) COMP.
           05  SEASON               PIC 9(4) COMP.
           05  BILLED               PIC 9(7) COMP VALUE 0.
           05  SHOWN                PIC ZZZ,ZZ9.
       01  TARIFF-TABLE.
           05  TARIFF-ENTRY OCCURS 10 TIMES.
               10  ENTRY-CODE       PIC X.
               10  ENTRY-STANDING   PIC S9(3)V99 COMP-3.
               10  ENTRY-RATE       PIC S9V9(4)  COMP-3.
      * Shares of a month in the water of a year, per mille.
       01  SEASONS.
           05  FILLER               PIC X(36) VALUE
               "071068074080088097108105089079072069".
       01  FILLER REDEFINES SEASONS.
           05  SEASON-SHARE         PIC 9(3) OCCURS 12 TIMES.
       01  AMOUNTS.
           05  PAST-LITRES          PIC S9(9)     COMP-3.
           05  DEMAND               PIC S9(9)V9(4) COMP-3.
           05  EXPECTED             PIC S9(9)V9(4) COMP-3.
           05  FINE                 PIC S9(9)V9(8) COMP-3.
           05  NET                  PIC S9(7)V99  COMP-3.
           05  VAT                  PIC S9(7)V99  COMP-3.
           05  TOTAL-NET            PIC S9(9)V99  COMP-3 VALUE 0.
           05  SHOWN-NET            PIC Z,ZZZ,ZZ9.99.
       LINKAGE SECTION.
       01  PARM-AREA.
           05  PARM-LENGTH          PIC S9(4) COMP.
           05  PARM-LITRES          PIC 9(5).
           05  FILLER               PIC X.
           05  PARM-DAYS            PIC 9(5).
       PROCEDURE DIVISION USING PARM-AREA.
       MAIN-LINE.
           IF PARM-LENGTH NOT = 11
               DISPLAY "QWPRICE: PARM IS NOT 'LITRES,DAYS'"
               MOVE 16 TO RETURN-CODE
               GOBACK
           END-IF
           MOVE PARM-LITRES TO LEAST-LITRES
           MOVE PARM-DAYS TO DAYS-AHEAD
           PERFORM LOAD-TARIFFS
           OPEN INPUT HISTORY-FILE I-O MASTER-FILE OUTPUT BILL-FILE
           PERFORM NEXT-HISTORY
           PERFORM NEXT-CUSTOMER
           PERFORM UNTIL MASTER-END = "Y"
               PERFORM MATCH-HISTORY
               IF CUST-LITRES NOT < LEAST-LITRES
                   PERFORM FORECAST-DEMAND
                   PERFORM PRICE-WATER
                   PERFORM WRITE-BILL
               END-IF
               PERFORM NEXT-CUSTOMER
           END-PERFORM
           CLOSE HISTORY-FILE MASTER-FILE BILL-FILE
           MOVE BILLED TO SHOWN
           MOVE TOTAL-NET TO SHOWN-NET
           DISPLAY "QWPRICE: BILLS " SHOWN ", NET " SHOWN-NET
           GOBACK.
       LOAD-TARIFFS.
           OPEN INPUT TARIFF-FILE
           READ TARIFF-FILE AT END MOVE "Y" TO TARIFF-END END-READ
           PERFORM UNTIL TARIFF-END = "Y"
               IF TARIFF-CODE NOT = "*"
                   ADD 1 TO TARIFFS
                   MOVE TARIFF-CODE TO ENTRY-CODE(TARIFFS)
                   MOVE TARIFF-STANDING TO ENTRY-STANDING(TARIFFS)
                   MOVE TARIFF-RATE TO ENTRY-RATE(TARIFFS)
               END-IF
               READ TARIFF-FILE AT END MOVE "Y" TO TARIFF-END END-READ
           END-PERFORM
           CLOSE TARIFF-FILE.
       NEXT-CUSTOMER.
           READ MASTER-FILE NEXT RECORD
               AT END MOVE "Y" TO MASTER-END
           END-READ.
       NEXT-HISTORY.
           READ HISTORY-FILE
               AT END
                   MOVE "Y" TO HISTORY-END
                   MOVE 99999999 TO HISTORY-CUSTOMER
           END-READ.
      * What the customer used in the days of which readings are kept.
       MATCH-HISTORY.
           MOVE ZERO TO PAST-LITRES
           PERFORM UNTIL HISTORY-END = "Y"
                   OR HISTORY-CUSTOMER > CUST-NUMBER
               IF HISTORY-CUSTOMER = CUST-NUMBER
                   MOVE HISTORY-LITRES TO PAST-LITRES
               END-IF
               PERFORM NEXT-HISTORY
           END-PERFORM.
      * Smoothed from day to day; this is where the time goes.
       FORECAST-DEMAND.
           MOVE PAST-LITRES TO DEMAND
           MOVE ZERO TO EXPECTED
           MOVE 1 TO SEASON
           PERFORM VARYING DAY-NUMBER FROM 1 BY 1
                   UNTIL DAY-NUMBER > DAYS-AHEAD
               COMPUTE FINE = DEMAND * 0.9875
                   + CUST-LITRES * SEASON-SHARE(SEASON) * 0.0001
               COMPUTE DEMAND ROUNDED = FINE
               MOVE DEMAND TO FINE
               COMPUTE FINE = EXPECTED + FINE * 0.01
               COMPUTE EXPECTED ROUNDED = FINE
               ADD 1 TO SEASON
               IF SEASON > 12 MOVE 1 TO SEASON END-IF
           END-PERFORM.
       PRICE-WATER.
           PERFORM VARYING T FROM 1 BY 1 UNTIL T > TARIFFS
                   OR ENTRY-CODE(T) = CUST-TARIFF
               CONTINUE
           END-PERFORM
           COMPUTE FINE = ENTRY-STANDING(T)
               + CUST-LITRES * ENTRY-RATE(T) * 0.01
           COMPUTE NET ROUNDED = FINE
           CALL "QWVAT" USING NET VAT
           ADD NET TO TOTAL-NET.
       WRITE-BILL.
           ADD 1 TO BILLED
           MOVE SPACES TO BILL-RECORD
           MOVE CUST-ROUTE TO BILL-ROUTE
           MOVE CUST-NUMBER TO BILL-CUSTOMER
           MOVE CUST-NAME TO BILL-NAME
           MOVE CUST-TARIFF TO BILL-TARIFF
           MOVE CUST-LITRES TO BILL-LITRES
           MOVE NET TO BILL-NET
           MOVE VAT TO BILL-VAT
           COMPUTE BILL-DEMAND ROUNDED = EXPECTED
           WRITE BILL-RECORD
           ADD NET VAT TO CUST-BALANCE
           MOVE ZERO TO CUST-LITRES
           REWRITE CUST-RECORD.
