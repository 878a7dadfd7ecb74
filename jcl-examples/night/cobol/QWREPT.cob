      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWREPT.
      * Prints what each route owes, by the master's alternate key, a
      * page a route, with ASA control characters; and a line a route
      * for the library of reports.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           COPY QWMASTER.
           SELECT CONTROL-FILE ASSIGN TO BUSDATE
               ORGANIZATION IS SEQUENTIAL.
           SELECT PRINT-FILE ASSIGN TO LISTING
               ORGANIZATION IS SEQUENTIAL.
           SELECT ROUTE-FILE ASSIGN TO ROUTES
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER-FILE.
           COPY QWCUST.
       FD  CONTROL-FILE RECORDING MODE IS F.
           COPY QWCTL.
       FD  PRINT-FILE RECORDING MODE IS F.
       01  PRINT-RECORD             PIC X(133).
       FD  ROUTE-FILE RECORDING MODE IS F.
       01  ROUTE-RECORD             PIC X(80).
       WORKING-STORAGE SECTION.
       01  MASTER-STATUS            PIC XX.
       01  MASTER-END               PIC X VALUE "N".
       01  ROUTE                    PIC X(4) VALUE SPACES.
       01  TOTALS.
           05  ROUTE-COUNT          PIC 9(5)     COMP-3.
           05  ROUTE-OWED           PIC S9(9)V99 COMP-3.
           05  ALL-OWED             PIC S9(9)V99 COMP-3 VALUE 0.
           05  PAGE-NUMBER          PIC 9(5)     COMP-3 VALUE 0.
       01  HEAD-LINE.
           05  FILLER               PIC X VALUE "1".
           05  FILLER               PIC X(30) VALUE
               "QUAYSIDE WATER   OPEN ACCOUNTS".
           05  FILLER               PIC X(10) VALUE "    ROUTE ".
           05  HEAD-ROUTE           PIC X(4).
           05  FILLER               PIC X(12) VALUE "    DATE    ".
           05  HEAD-DATE            PIC 9(4)/99/99.
           05  FILLER               PIC X(9) VALUE "    PAGE ".
           05  HEAD-PAGE            PIC ZZ9.
           05  FILLER               PIC X(54) VALUE SPACES.
       01  COLUMN-LINE.
           05  FILLER               PIC X VALUE "0".
           05  FILLER               PIC X(26) VALUE
               "CUSTOMER  NAME".
           05  FILLER               PIC X(18) VALUE
               "          READINGS".
           05  FILLER               PIC X(13) VALUE
               "     BALANCE ".
           05  FILLER               PIC X(75) VALUE
               "        PAID ".
       01  DETAIL-LINE.
           05  FILLER               PIC X VALUE " ".
           05  DETAIL-NUMBER        PIC 9(8).
           05  FILLER               PIC XX VALUE SPACES.
           05  DETAIL-NAME          PIC X(24).
           05  DETAIL-READINGS      PIC Z(9)9.
           05  DETAIL-BALANCE       PIC Z,ZZZ,ZZ9.99-.
           05  DETAIL-PAID          PIC Z,ZZZ,ZZ9.99-.
           05  FILLER               PIC X(62) VALUE SPACES.
       01  TOTAL-LINE.
           05  TOTAL-CONTROL        PIC X.
           05  TOTAL-TEXT           PIC X(34).
           05  TOTAL-COUNT          PIC Z(9)9.
           05  TOTAL-OWED           PIC Z,ZZZ,ZZ9.99-.
           05  FILLER               PIC X(75) VALUE SPACES.
       01  ROUTE-LINE.
           05  LINE-DATE            PIC 9(8).
           05  FILLER               PIC X VALUE SPACE.
           05  LINE-ROUTE           PIC X(4).
           05  LINE-COUNT           PIC Z(5)9.
           05  LINE-OWED            PIC Z,ZZZ,ZZ9.99-.
       PROCEDURE DIVISION.
       MAIN-LINE.
           OPEN INPUT CONTROL-FILE
           READ CONTROL-FILE
           CLOSE CONTROL-FILE
           MOVE CONTROL-DATE TO HEAD-DATE LINE-DATE
           OPEN INPUT MASTER-FILE OUTPUT PRINT-FILE ROUTE-FILE
           MOVE LOW-VALUES TO CUST-ROUTE
           START MASTER-FILE KEY IS NOT LESS THAN CUST-ROUTE
               INVALID KEY MOVE "Y" TO MASTER-END
           END-START
           PERFORM NEXT-CUSTOMER
           PERFORM UNTIL MASTER-END = "Y"
               PERFORM NEW-ROUTE
               PERFORM UNTIL MASTER-END = "Y" OR CUST-ROUTE NOT = ROUTE
                   PERFORM PRINT-CUSTOMER
                   PERFORM NEXT-CUSTOMER
               END-PERFORM
               PERFORM END-ROUTE
           END-PERFORM
           MOVE "-" TO TOTAL-CONTROL
           MOVE "ALL ROUTES" TO TOTAL-TEXT
           MOVE PAGE-NUMBER TO TOTAL-COUNT
           MOVE ALL-OWED TO TOTAL-OWED
           WRITE PRINT-RECORD FROM TOTAL-LINE
           CLOSE MASTER-FILE PRINT-FILE ROUTE-FILE
           STOP RUN.
       NEXT-CUSTOMER.
           IF MASTER-END = "N"
               READ MASTER-FILE NEXT RECORD
                   AT END MOVE "Y" TO MASTER-END
               END-READ
           END-IF.
       NEW-ROUTE.
           MOVE CUST-ROUTE TO ROUTE HEAD-ROUTE
           ADD 1 TO PAGE-NUMBER
           MOVE PAGE-NUMBER TO HEAD-PAGE
           MOVE ZERO TO ROUTE-COUNT ROUTE-OWED
           WRITE PRINT-RECORD FROM HEAD-LINE
           WRITE PRINT-RECORD FROM COLUMN-LINE.
       PRINT-CUSTOMER.
           ADD 1 TO ROUTE-COUNT
           ADD CUST-BALANCE TO ROUTE-OWED ALL-OWED
           MOVE CUST-NUMBER TO DETAIL-NUMBER
           MOVE CUST-NAME TO DETAIL-NAME
           MOVE CUST-READINGS TO DETAIL-READINGS
           MOVE CUST-BALANCE TO DETAIL-BALANCE
           MOVE CUST-PAID TO DETAIL-PAID
           WRITE PRINT-RECORD FROM DETAIL-LINE.
       END-ROUTE.
           MOVE "0" TO TOTAL-CONTROL
           MOVE "TOTAL OF THE ROUTE" TO TOTAL-TEXT
           MOVE ROUTE-COUNT TO TOTAL-COUNT
           MOVE ROUTE-OWED TO TOTAL-OWED
           WRITE PRINT-RECORD FROM TOTAL-LINE
           MOVE ROUTE TO LINE-ROUTE
           MOVE ROUTE-COUNT TO LINE-COUNT
           MOVE ROUTE-OWED TO LINE-OWED
           WRITE ROUTE-RECORD FROM ROUTE-LINE.
