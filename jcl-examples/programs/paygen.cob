      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYGEN.
      * Makes the payroll's input: an indexed master file of 5,000
      * employees and a file of 100,003 time transactions.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MASTER-FILE ASSIGN TO MASTER
               ORGANIZATION IS INDEXED ACCESS MODE IS SEQUENTIAL
               RECORD KEY IS MASTER-NUMBER.
           SELECT TRANS-FILE ASSIGN TO TRANS
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER-FILE.
       01  MASTER-RECORD.
           05  MASTER-NUMBER        PIC 9(6).
           05  MASTER-NAME          PIC X(24).
           05  MASTER-DEPARTMENT    PIC 9(3).
           05  MASTER-RATE          PIC S9(5)V9(4) COMP-3.
           05  MASTER-TAX-CLASS     PIC 9.
           05  MASTER-YEAR-GROSS    PIC S9(9)V99 COMP-3.
           05  FILLER               PIC X(35).
       FD  TRANS-FILE.
       01  TRANS-RECORD.
           05  TRANS-NUMBER         PIC 9(6).
           05  TRANS-DAY            PIC 9(2).
           05  TRANS-KIND           PIC X.
           05  TRANS-HOURS          PIC 9(2)V99.
           05  FILLER               PIC X(67).
       WORKING-STORAGE SECTION.
       01  COUNTERS.
           05  I                    PIC 9(9) COMP-5.
           05  SEED                 PIC 9(18) COMP-5 VALUE 20261120.
           05  PICK                 PIC 9(9) COMP-5.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM MAKE-MASTER
           PERFORM MAKE-TRANSACTIONS
           DISPLAY "PAYGEN: 5000 EMPLOYEES, 100003 TRANSACTIONS"
           STOP RUN.
       MAKE-MASTER.
           OPEN OUTPUT MASTER-FILE
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 5000
               MOVE SPACES TO MASTER-RECORD
               COMPUTE MASTER-NUMBER = I * 7
               STRING "EMPLOYEE " MASTER-NUMBER DELIMITED BY SIZE
                   INTO MASTER-NAME
               COMPUTE MASTER-DEPARTMENT = FUNCTION MOD(I 23) + 100
               COMPUTE MASTER-RATE = 18.5 + FUNCTION MOD(I 311) / 10
               COMPUTE MASTER-TAX-CLASS = FUNCTION MOD(I 5) + 1
               MOVE ZERO TO MASTER-YEAR-GROSS
               WRITE MASTER-RECORD
           END-PERFORM
           CLOSE MASTER-FILE.
       MAKE-TRANSACTIONS.
           OPEN OUTPUT TRANS-FILE
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 100003
               MOVE SPACES TO TRANS-RECORD
               PERFORM NEXT-NUMBER
               COMPUTE TRANS-NUMBER = (FUNCTION MOD(PICK 5000) + 1) * 7
               COMPUTE TRANS-DAY = FUNCTION MOD(I 30) + 1
               PERFORM NEXT-NUMBER
               COMPUTE TRANS-HOURS = FUNCTION MOD(PICK 1200) / 100
               EVALUATE FUNCTION MOD(I 10)
                   WHEN 7 MOVE "O" TO TRANS-KIND
                   WHEN 9 MOVE "H" TO TRANS-KIND
                   WHEN OTHER MOVE "N" TO TRANS-KIND
               END-EVALUATE
               WRITE TRANS-RECORD
           END-PERFORM
           CLOSE TRANS-FILE.
       NEXT-NUMBER.
           COMPUTE SEED =
               FUNCTION MOD(SEED * 1103515245 + 12345 2147483648)
           COMPUTE PICK = SEED / 65536.
