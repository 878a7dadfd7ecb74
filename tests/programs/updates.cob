      * SPDX-License-Identifier: Apache-2.0
      * Updates an indexed file of 20,001 records with an alternate key.
      *   updates LOAD    writes the records, each with count 0
      *   updates COUNT   says how many records there are
      *   updates CHANGE  adds 1 to the count of each record, and
      *                   writes new ones, until something ends it
       IDENTIFICATION DIVISION.
       PROGRAM-ID. UPDATES.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT KEYED ASSIGN TO "KEYED" ORGANIZATION INDEXED
               ACCESS DYNAMIC RECORD KEY NUMBER-KEY
               ALTERNATE RECORD KEY GROUP-KEY WITH DUPLICATES
               FILE STATUS FS.
       DATA DIVISION.
       FILE SECTION.
       FD KEYED.
       01 KEYED-RECORD.
           05 NUMBER-KEY PIC 9(8).
           05 GROUP-KEY PIC 9(4).
           05 CHANGES PIC 9(8).
           05 FILLER PIC X(80).
       WORKING-STORAGE SECTION.
       01 FS PIC XX.
       01 VERB PIC X(8).
       01 N PIC 9(8) COMP-5 VALUE 0.
       01 ROUND PIC 9(8) COMP-5 VALUE 0.
       PROCEDURE DIVISION.
           ACCEPT VERB FROM COMMAND-LINE
           EVALUATE VERB
           WHEN "LOAD"
               OPEN OUTPUT KEYED
               PERFORM VARYING N FROM 1 BY 1 UNTIL N > 20001
                   MOVE SPACES TO KEYED-RECORD
                   MOVE N TO NUMBER-KEY
                   COMPUTE GROUP-KEY = FUNCTION MOD(N, 997)
                   MOVE 0 TO CHANGES
                   WRITE KEYED-RECORD
               END-PERFORM
               CLOSE KEYED
           WHEN "COUNT"
               OPEN INPUT KEYED
               DISPLAY "open " FS
               READ KEYED NEXT
               PERFORM UNTIL FS NOT = "00"
                   ADD 1 TO N
                   READ KEYED NEXT
               END-PERFORM
               DISPLAY "records " N " status " FS
               CLOSE KEYED
           WHEN OTHER
               OPEN I-O KEYED
               DISPLAY "open " FS UPON SYSERR
               PERFORM CHANGE-ALL UNTIL FS > "09"
               DISPLAY "status " FS
               MOVE 16 TO RETURN-CODE
           END-EVALUATE
           STOP RUN.
       CHANGE-ALL.
           ADD 1 TO ROUND
           PERFORM VARYING N FROM 1 BY 1 UNTIL N > 20001 OR FS > "09"
               MOVE N TO NUMBER-KEY
               READ KEYED
               ADD 1 TO CHANGES
               COMPUTE GROUP-KEY = FUNCTION MOD(N + CHANGES, 997)
               REWRITE KEYED-RECORD
               IF N = 500 AND ROUND = 1
                   DISPLAY "500 changed" UPON SYSERR
               END-IF
               IF ROUND < 400
                   COMPUTE NUMBER-KEY = N + ROUND * 20001
                   WRITE KEYED-RECORD
               END-IF
           END-PERFORM.
