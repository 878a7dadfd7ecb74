      * SPDX-License-Identifier: Apache-2.0
      * Adds a record to the file of UPDATES, which then has 20,002.
      *   ledger ABEND    abends (U0012) before it closes the file
      *   ledger DATA     uses data that are not numeric before that
      *   ledger CLOSED   abends when it has closed the file
      *   ledger CODE     closes it, and ends with code 8
      *   ledger OPEN     ends without CLOSE
      *   ledger COUNT    adds nothing
      *   ledger LOADING  makes the file anew, and is killed before
      *                   it closes it
       IDENTIFICATION DIVISION.
       PROGRAM-ID. LEDGER.
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
       01 SHELL PIC X(20) VALUE "kill -9 $PPID".
       01 CODE-12 PIC S9(9) COMP-5 VALUE 12.
       01 TIMING PIC S9(9) COMP-5 VALUE 0.
       01 LETTERS PIC X(4) VALUE "WORD".
       01 DIGITS REDEFINES LETTERS PIC 9(4).
       PROCEDURE DIVISION.
           ACCEPT VERB FROM COMMAND-LINE
           IF VERB = "LOADING"
               OPEN OUTPUT KEYED
           ELSE
               OPEN I-O KEYED
           END-IF
           IF FS NOT = "00"
               DISPLAY "open " FS
               STOP RUN
           END-IF
           IF VERB NOT = "COUNT"
               MOVE SPACES TO KEYED-RECORD
               MOVE 30000 TO NUMBER-KEY
               MOVE 5 TO GROUP-KEY
               MOVE 0 TO CHANGES
               WRITE KEYED-RECORD
           END-IF
           EVALUATE VERB
           WHEN "ABEND"
               CALL "CEE3ABD" USING CODE-12 TIMING
           WHEN "DATA"
               ADD 1 TO DIGITS
           WHEN "CLOSED"
               CLOSE KEYED
               CALL "CEE3ABD" USING CODE-12 TIMING
           WHEN "CODE"
               CLOSE KEYED
               MOVE 8 TO RETURN-CODE
           WHEN "LOADING"
               CALL "SYSTEM" USING SHELL
           WHEN "COUNT"
               CLOSE KEYED
           END-EVALUATE
           STOP RUN.
