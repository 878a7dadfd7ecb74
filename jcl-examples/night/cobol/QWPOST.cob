      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWPOST.
      * Posts payments to the master. With PARM='STOP' a wrong check
      * digit is abend U0777 (and an amount that is no number S0C7);
      * with PARM='SKIP' such payments go to suspense, return code 4.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           COPY QWMASTER.
           SELECT PAY-FILE ASSIGN TO PAYMENTS
               ORGANIZATION IS SEQUENTIAL.
           SELECT POSTED-FILE ASSIGN TO POSTED
               ORGANIZATION IS SEQUENTIAL.
           SELECT SUSPENSE-FILE ASSIGN TO SUSPENSE
               ORGANIZATION IS SEQUENTIAL.
           SELECT BAD-FILE ASSIGN TO BADREC
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  MASTER-FILE.
           COPY QWCUST.
       FD  PAY-FILE RECORDING MODE IS F.
           COPY QWPAY.
       FD  POSTED-FILE RECORDING MODE IS F.
       01  POSTED-RECORD.
           05  POSTED-CUSTOMER      PIC 9(8).
           05  POSTED-DATE          PIC 9(8).
           05  POSTED-AMOUNT        PIC S9(7)V99 COMP-3.
           05  POSTED-BALANCE       PIC S9(9)V99 COMP-3.
           05  FILLER               PIC X(13).
       FD  SUSPENSE-FILE RECORDING MODE IS F.
       01  SUSPENSE-RECORD.
           05  SUSPENSE-REASON      PIC X(6).
           05  SUSPENSE-PAYMENT     PIC X(34).
       FD  BAD-FILE RECORDING MODE IS F.
       01  BAD-RECORD               PIC X(80).
       WORKING-STORAGE SECTION.
       01  SWITCHES.
           05  MASTER-STATUS        PIC XX.
           05  FILE-END             PIC X VALUE "N".
           05  REASON               PIC X(6).
           05  WAY                  PIC X(4) VALUE "STOP".
       01  COUNTERS.
           05  POSTED               PIC 9(7) COMP VALUE 0.
           05  SUSPENDED            PIC 9(7) COMP VALUE 0.
           05  SHOWN                PIC ZZZ,ZZ9.
           05  CHECK-SUM            PIC 9(4) COMP.
           05  CHECK-DIGIT          PIC 9(4) COMP.
           05  QUOTIENT             PIC 9(4) COMP.
       01  DIGITS.
           05  DIGIT                PIC 9 OCCURS 8 TIMES.
       01  ABEND-CODE               PIC S9(9) COMP VALUE 777.
       01  ABEND-CLEANUP            PIC S9(9) COMP VALUE 1.
       LINKAGE SECTION.
       01  PARM-AREA.
           05  PARM-LENGTH          PIC S9(4) COMP.
           05  PARM-TEXT            PIC X(4).
       PROCEDURE DIVISION USING PARM-AREA.
       MAIN-LINE.
           IF PARM-LENGTH = 4 MOVE PARM-TEXT TO WAY END-IF
           OPEN INPUT PAY-FILE I-O MASTER-FILE
               OUTPUT POSTED-FILE SUSPENSE-FILE BAD-FILE
           PERFORM NEXT-PAYMENT
           PERFORM UNTIL FILE-END = "Y"
               PERFORM CHECK-PAYMENT
               IF REASON = SPACES
                   PERFORM POST-PAYMENT
               ELSE
                   PERFORM SUSPEND-PAYMENT
               END-IF
               PERFORM NEXT-PAYMENT
           END-PERFORM
           CLOSE PAY-FILE MASTER-FILE POSTED-FILE SUSPENSE-FILE BAD-FILE
           MOVE POSTED TO SHOWN
           DISPLAY "QWPOST: POSTED    " SHOWN
           MOVE SUSPENDED TO SHOWN
           DISPLAY "QWPOST: SUSPENDED " SHOWN
           IF SUSPENDED > 0 MOVE 4 TO RETURN-CODE END-IF
           GOBACK.
       NEXT-PAYMENT.
           READ PAY-FILE AT END MOVE "Y" TO FILE-END END-READ.
       CHECK-PAYMENT.
           MOVE SPACES TO REASON
           MOVE PAY-CUSTOMER TO DIGITS
           COMPUTE CHECK-SUM = DIGIT(1) + DIGIT(2) * 3 + DIGIT(3)
               + DIGIT(4) * 3 + DIGIT(5) + DIGIT(6) * 3 + DIGIT(7)
               + DIGIT(8) * 3
           DIVIDE CHECK-SUM BY 10 GIVING QUOTIENT REMAINDER CHECK-DIGIT
           IF CHECK-DIGIT NOT = PAY-DIGIT
               IF WAY = "STOP" PERFORM GIVE-UP END-IF
               MOVE "DIGIT" TO REASON
           ELSE
               IF WAY = "SKIP" AND PAY-AMOUNT NOT NUMERIC
                   MOVE "AMOUNT" TO REASON
               END-IF
           END-IF
           IF REASON = SPACES
               MOVE PAY-CUSTOMER TO CUST-NUMBER
               READ MASTER-FILE
                   INVALID KEY MOVE "NOBODY" TO REASON
               END-READ
           END-IF.
       GIVE-UP.
           WRITE BAD-RECORD FROM PAY-RECORD
           CLOSE BAD-FILE MASTER-FILE
           DISPLAY "QWPOST: WRONG CHECK DIGIT, CUSTOMER " PAY-CUSTOMER
           CALL "CEE3ABD" USING ABEND-CODE ABEND-CLEANUP.
       POST-PAYMENT.
           ADD 1 TO POSTED
           SUBTRACT PAY-AMOUNT FROM CUST-BALANCE
           ADD PAY-AMOUNT TO CUST-PAID
           REWRITE CUST-RECORD
           MOVE SPACES TO POSTED-RECORD
           MOVE PAY-CUSTOMER TO POSTED-CUSTOMER
           MOVE PAY-DATE TO POSTED-DATE
           MOVE PAY-AMOUNT TO POSTED-AMOUNT
           MOVE CUST-BALANCE TO POSTED-BALANCE
           WRITE POSTED-RECORD.
       SUSPEND-PAYMENT.
           ADD 1 TO SUSPENDED
           MOVE REASON TO SUSPENSE-REASON
           MOVE PAY-RECORD TO SUSPENSE-PAYMENT
           WRITE SUSPENSE-RECORD.
