      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. PAYCALC.
      * The payroll: for each time transaction reads the employee,
      * computes gross pay, tax and pension, and writes a register
      * sorted by department and employee.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT MASTER-FILE ASSIGN TO MASTER
               ORGANIZATION IS INDEXED ACCESS MODE IS RANDOM
               RECORD KEY IS MASTER-NUMBER
               FILE STATUS IS MASTER-STATUS.
           SELECT TRANS-FILE ASSIGN TO TRANS
               ORGANIZATION IS SEQUENTIAL.
           SELECT REGISTER-FILE ASSIGN TO REGISTER
               ORGANIZATION IS LINE SEQUENTIAL.
           SELECT SORT-FILE ASSIGN TO SORTWK01.
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
       FD  REGISTER-FILE.
       01  REGISTER-LINE            PIC X(100).
       SD  SORT-FILE.
       01  SORT-RECORD.
           05  SORT-DEPARTMENT      PIC 9(3).
           05  SORT-NUMBER          PIC 9(6).
           05  SORT-DAY             PIC 9(2).
           05  SORT-NAME            PIC X(24).
           05  SORT-GROSS           PIC S9(7)V99 COMP-3.
           05  SORT-TAX             PIC S9(7)V99 COMP-3.
           05  SORT-PENSION         PIC S9(7)V99 COMP-3.
           05  SORT-NET             PIC S9(7)V99 COMP-3.
       WORKING-STORAGE SECTION.
       01  SWITCHES.
           05  MASTER-STATUS        PIC XX.
           05  TRANS-END            PIC X VALUE "N".
           05  SORT-END             PIC X VALUE "N".
       01  COUNTERS.
           05  TRANS-COUNT          PIC 9(9) COMP-5 VALUE 0.
           05  MISSING-COUNT        PIC 9(9) COMP-5 VALUE 0.
           05  SAVE-COUNT           PIC 9(4) COMP-5 VALUE 0.
           05  K                    PIC 9(4) COMP-5.
       01  AMOUNTS.
           05  FACTOR               PIC S9(3)V9(6) COMP-3.
           05  GROSS                PIC S9(7)V99   COMP-3.
           05  TAXABLE              PIC S9(7)V9(4) COMP-3.
           05  TAX                  PIC S9(7)V9(4) COMP-3.
           05  PENSION              PIC S9(7)V9(4) COMP-3.
           05  NET                  PIC S9(7)V99   COMP-3.
           05  FUND                 PIC S9(9)V9(4) COMP-3.
           05  TOTAL-FUND           PIC S9(11)V99  COMP-3 VALUE 0.
           05  TOTAL-NET            PIC S9(11)V99  COMP-3 VALUE 0.
       01  TAX-TABLE.
           05  TAX-BRACKET OCCURS 12 TIMES.
               10  BRACKET-FLOOR    PIC S9(7)V99   COMP-3.
               10  BRACKET-RATE     PIC S9V9(6)    COMP-3.
       01  REGISTER-DETAIL.
           05  DETAIL-DEPARTMENT    PIC 9(3).
           05  FILLER               PIC X VALUE SPACE.
           05  DETAIL-NUMBER        PIC 9(6).
           05  FILLER               PIC X VALUE SPACE.
           05  DETAIL-NAME          PIC X(24).
           05  DETAIL-GROSS         PIC Z,ZZZ,ZZ9.99-.
           05  DETAIL-TAX           PIC Z,ZZZ,ZZ9.99-.
           05  DETAIL-PENSION       PIC Z,ZZZ,ZZ9.99-.
           05  DETAIL-NET           PIC Z,ZZZ,ZZ9.99-.
       PROCEDURE DIVISION.
       MAIN-LINE SECTION.
       START-UP.
           PERFORM BUILD-TAX-TABLE
           OPEN INPUT TRANS-FILE
           OPEN I-O MASTER-FILE
           SORT SORT-FILE
               ON ASCENDING KEY SORT-DEPARTMENT SORT-NUMBER SORT-DAY
               INPUT PROCEDURE IS CALCULATE
               OUTPUT PROCEDURE IS PRINT-REGISTER
           CLOSE TRANS-FILE MASTER-FILE
           DISPLAY "PAYCALC: " TRANS-COUNT " TRANSACTIONS, "
               MISSING-COUNT " WITHOUT EMPLOYEE"
           DISPLAY "PAYCALC: NET PAY " TOTAL-NET
           DISPLAY "PAYCALC: FUNDS   " TOTAL-FUND
           STOP RUN.
       BUILD-TAX-TABLE.
           PERFORM VARYING K FROM 1 BY 1 UNTIL K > 12
               COMPUTE BRACKET-FLOOR(K) = (K - 1) * 35.5
               COMPUTE BRACKET-RATE(K) = 0.011 * K
           END-PERFORM.

       CALCULATE SECTION.
       CALCULATE-ALL.
           PERFORM READ-TRANSACTION
           PERFORM UNTIL TRANS-END = "Y"
               PERFORM FIND-EMPLOYEE
               IF MASTER-STATUS = "00"
                   PERFORM COMPUTE-GROSS
                   PERFORM COMPUTE-TAX
                   PERFORM COMPUTE-PENSION
                   PERFORM PROJECT-PENSION
                   PERFORM RELEASE-LINE
               ELSE
                   ADD 1 TO MISSING-COUNT
               END-IF
               PERFORM READ-TRANSACTION
           END-PERFORM
           GO TO CALCULATE-EXIT.
       READ-TRANSACTION.
           READ TRANS-FILE
               AT END MOVE "Y" TO TRANS-END
               NOT AT END ADD 1 TO TRANS-COUNT
           END-READ.
       FIND-EMPLOYEE.
           MOVE TRANS-NUMBER TO MASTER-NUMBER
           READ MASTER-FILE
               INVALID KEY CONTINUE
           END-READ.
       COMPUTE-GROSS.
           EVALUATE TRANS-KIND
               WHEN "O" MOVE 1.5 TO FACTOR
               WHEN "H" MOVE 2.0 TO FACTOR
               WHEN OTHER MOVE 1.0 TO FACTOR
           END-EVALUATE
           COMPUTE GROSS ROUNDED = TRANS-HOURS * MASTER-RATE * FACTOR
           ADD GROSS TO MASTER-YEAR-GROSS
           REWRITE MASTER-RECORD.
       COMPUTE-TAX.
           MOVE ZERO TO TAX
           PERFORM VARYING K FROM 1 BY 1 UNTIL K > 12
               IF GROSS > BRACKET-FLOOR(K)
                   COMPUTE TAXABLE = GROSS - BRACKET-FLOOR(K)
                   COMPUTE TAX ROUNDED = TAX +
                       TAXABLE * BRACKET-RATE(K) / 1.19 *
                       (1 + MASTER-TAX-CLASS / 100)
               END-IF
           END-PERFORM.
       COMPUTE-PENSION.
           COMPUTE PENSION ROUNDED = GROSS * 0.0925 *
               (1 + MASTER-TAX-CLASS / 1000) ** 2
           COMPUTE NET ROUNDED = GROSS - TAX - PENSION
           ADD NET TO TOTAL-NET.
      * What the pension paid in today is worth in forty years.
       PROJECT-PENSION.
           MOVE PENSION TO FUND
           PERFORM VARYING K FROM 1 BY 1 UNTIL K > 40
               COMPUTE FUND ROUNDED =
                   FUND * (1 + 0.0275 / (1 + K / 250)) + PENSION / K
           END-PERFORM
           ADD FUND TO TOTAL-FUND.
       RELEASE-LINE.
           MOVE MASTER-DEPARTMENT TO SORT-DEPARTMENT
           MOVE MASTER-NUMBER TO SORT-NUMBER
           MOVE TRANS-DAY TO SORT-DAY
           MOVE MASTER-NAME TO SORT-NAME
           MOVE GROSS TO SORT-GROSS
           MOVE TAX TO SORT-TAX
           MOVE PENSION TO SORT-PENSION
           MOVE NET TO SORT-NET
           RELEASE SORT-RECORD.
       CALCULATE-EXIT.
           EXIT.

       PRINT-REGISTER SECTION.
       PRINT-ALL.
           OPEN OUTPUT REGISTER-FILE
           PERFORM NEXT-SORTED
           PERFORM UNTIL SORT-END = "Y"
               PERFORM PRINT-LINE
               PERFORM SAVE-POINT
               PERFORM NEXT-SORTED
           END-PERFORM
           CLOSE REGISTER-FILE
           GO TO PRINT-EXIT.
       NEXT-SORTED.
           RETURN SORT-FILE
               AT END MOVE "Y" TO SORT-END
           END-RETURN.
       PRINT-LINE.
           MOVE SORT-DEPARTMENT TO DETAIL-DEPARTMENT
           MOVE SORT-NUMBER TO DETAIL-NUMBER
           MOVE SORT-NAME TO DETAIL-NAME
           MOVE SORT-GROSS TO DETAIL-GROSS
           MOVE SORT-TAX TO DETAIL-TAX
           MOVE SORT-PENSION TO DETAIL-PENSION
           MOVE SORT-NET TO DETAIL-NET
           WRITE REGISTER-LINE FROM REGISTER-DETAIL.
      * The register is safe on disk after each 1000 lines.
       SAVE-POINT.
           ADD 1 TO SAVE-COUNT
           IF SAVE-COUNT >= 1000
               MOVE ZERO TO SAVE-COUNT
               COMMIT
           END-IF.
       PRINT-EXIT.
           EXIT.
