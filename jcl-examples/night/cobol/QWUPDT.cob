      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWUPDT.
      * Adds the day's litres of each customer to the master.
      * Return code 4: readings of customers that nobody knows.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           COPY QWMASTER.
           SELECT TOTAL-FILE ASSIGN TO TOTALS
               ORGANIZATION IS SEQUENTIAL.
           SELECT UNKNOWN-FILE ASSIGN TO UNKNOWN
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER-FILE.
           COPY QWCUST.
       FD  TOTAL-FILE RECORDING MODE IS F.
       01  TOTAL-RECORD.
           05  TOTAL-CUSTOMER       PIC 9(8).
           05  TOTAL-DATE           PIC 9(8).
           05  TOTAL-LITRES         PIC S9(7) COMP-3.
           05  TOTAL-COUNT          PIC 9(4)  COMP.
           05  TOTAL-MARK           PIC X(6).
       FD  UNKNOWN-FILE RECORDING MODE IS F.
       01  UNKNOWN-RECORD           PIC X(28).
       WORKING-STORAGE SECTION.
       01  MASTER-STATUS            PIC XX.
       01  FILE-END                 PIC X VALUE "N".
       01  UPDATED                  PIC 9(7) COMP VALUE 0.
       01  UNKNOWN-COUNT            PIC 9(7) COMP VALUE 0.
       01  SHOWN                    PIC ZZZ,ZZ9.
       PROCEDURE DIVISION.
       MAIN-LINE.
           OPEN INPUT TOTAL-FILE I-O MASTER-FILE OUTPUT UNKNOWN-FILE
           IF MASTER-STATUS NOT = "00"
               DISPLAY "QWUPDT: MASTER, STATUS " MASTER-STATUS
               MOVE 16 TO RETURN-CODE
               STOP RUN
           END-IF
           PERFORM NEXT-TOTAL
           PERFORM UNTIL FILE-END = "Y"
               PERFORM UPDATE-CUSTOMER
               PERFORM NEXT-TOTAL
           END-PERFORM
           CLOSE TOTAL-FILE MASTER-FILE UNKNOWN-FILE
           MOVE UPDATED TO SHOWN
           DISPLAY "QWUPDT: UPDATED   " SHOWN
           MOVE UNKNOWN-COUNT TO SHOWN
           DISPLAY "QWUPDT: UNKNOWN   " SHOWN
           IF UNKNOWN-COUNT > 0 MOVE 4 TO RETURN-CODE END-IF
           STOP RUN.
       NEXT-TOTAL.
           READ TOTAL-FILE AT END MOVE "Y" TO FILE-END END-READ.
       UPDATE-CUSTOMER.
           MOVE TOTAL-CUSTOMER TO CUST-NUMBER
           READ MASTER-FILE
               INVALID KEY
                   ADD 1 TO UNKNOWN-COUNT
                   WRITE UNKNOWN-RECORD FROM TOTAL-RECORD
                   END-WRITE
               NOT INVALID KEY
                   ADD 1 TO UPDATED
                   ADD TOTAL-LITRES TO CUST-LITRES
                   ADD TOTAL-COUNT TO CUST-READINGS
                   MOVE TOTAL-DATE TO CUST-READ-ON
                   REWRITE CUST-RECORD
           END-READ.
