      * SPDX-License-Identifier: Apache-2.0
      * Paragraphs that perform a common one, and a program that is called.
      *   MORNING > REST-A-WHILE   20 waits of 5 ms
      *   EVENING > REST-A-WHILE   10 waits of 5 ms
      *   CALCULATE > CALLTRE2     CPU time
       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLTREE.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(9) COMP-5.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM MORNING 20 TIMES
           PERFORM EVENING 10 TIMES
           PERFORM CALCULATE
           STOP RUN.
       MORNING.
           PERFORM REST-A-WHILE.
       EVENING.
           PERFORM REST-A-WHILE.
       REST-A-WHILE.
           CALL "CBL_GC_NANOSLEEP" USING BY CONTENT "5000000".
       CALCULATE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 40
               CALL "CALLTRE2"
           END-PERFORM.
       END PROGRAM CALLTREE.

       IDENTIFICATION DIVISION.
       PROGRAM-ID. CALLTRE2.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 N PIC 9(9) COMP-5.
       01 TOTAL PIC S9(15)V99 COMP-3 VALUE 0.
       PROCEDURE DIVISION.
       ADD-UP.
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 20000
               COMPUTE TOTAL = TOTAL + N * 1.01
           END-PERFORM
           GOBACK.
       END PROGRAM CALLTRE2.
