      * SPDX-License-Identifier: Apache-2.0
      * Writes and reads an indexed file with two alternate keys and
      * records of 30 to 60 bytes, and a relative file of 20 bytes.
      *   keyed WRITE n   records n, n-1, ... 1
      *   keyed READ      all records by each key, as lines
      *   keyed RWRITE    relative records 3, 7 and 8
      *   keyed RREAD     relative records as lines
       IDENTIFICATION DIVISION.
       PROGRAM-ID. KEYED.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT KEYED ASSIGN TO "KEYED" ORGANIZATION INDEXED
               ACCESS DYNAMIC RECORD KEY NUMBER-KEY
               ALTERNATE RECORD KEY NAME-KEY
               ALTERNATE RECORD KEY GROUP-KEY WITH DUPLICATES
               FILE STATUS FS.
           SELECT NUMBERED ASSIGN TO "NUMBERED" ORGANIZATION RELATIVE
               ACCESS DYNAMIC RELATIVE KEY RECORD-NUMBER
               FILE STATUS FS.
       DATA DIVISION.
       FILE SECTION.
       FD KEYED RECORD VARYING FROM 30 TO 60 DEPENDING ON KEYED-LENGTH.
       01 KEYED-RECORD.
           05 GROUP-KEY PIC 9(3).
           05 NUMBER-KEY PIC 9(8).
           05 NAME-KEY PIC X(9).
           05 REST PIC X(40).
       FD NUMBERED.
       01 NUMBERED-RECORD PIC X(20).
       WORKING-STORAGE SECTION.
       01 FS PIC XX.
       01 KEYED-LENGTH PIC 9(4) COMP.
       01 RECORD-NUMBER PIC 9(6).
       01 ARGUMENTS PIC X(40).
       01 VERB PIC X(8).
       01 COUNT-TEXT PIC X(8).
       01 N PIC 9(8) COMP-5.
       01 SHOWN-LENGTH PIC 99.
       PROCEDURE DIVISION.
           ACCEPT ARGUMENTS FROM COMMAND-LINE
           UNSTRING ARGUMENTS DELIMITED BY SPACE
               INTO VERB COUNT-TEXT
           EVALUATE VERB
           WHEN "WRITE"
               MOVE FUNCTION NUMVAL(COUNT-TEXT) TO N
               PERFORM WRITE-ALL
           WHEN "READ"
               OPEN INPUT KEYED PERFORM CHECK-STATUS
               PERFORM SHOW-ALL
               MOVE LOW-VALUES TO NAME-KEY
               START KEYED KEY NOT LESS NAME-KEY
               PERFORM CHECK-STATUS PERFORM SHOW-ALL
               MOVE LOW-VALUES TO GROUP-KEY
               START KEYED KEY NOT LESS GROUP-KEY
               PERFORM CHECK-STATUS PERFORM SHOW-ALL
               CLOSE KEYED
           WHEN "RWRITE"
               OPEN OUTPUT NUMBERED PERFORM CHECK-STATUS
               MOVE 3 TO RECORD-NUMBER PERFORM WRITE-NUMBERED
               MOVE 8 TO RECORD-NUMBER PERFORM WRITE-NUMBERED
               MOVE 7 TO RECORD-NUMBER PERFORM WRITE-NUMBERED
               CLOSE NUMBERED
           WHEN "RREAD"
               OPEN INPUT NUMBERED PERFORM CHECK-STATUS
               READ NUMBERED NEXT
               PERFORM UNTIL FS NOT = "00"
                   DISPLAY RECORD-NUMBER " " NUMBERED-RECORD
                   READ NUMBERED NEXT
               END-PERFORM
               CLOSE NUMBERED
           END-EVALUATE
           STOP RUN.
       WRITE-ALL.
           OPEN OUTPUT KEYED PERFORM CHECK-STATUS
           PERFORM UNTIL N = 0
               MOVE SPACES TO KEYED-RECORD
               MOVE N TO NUMBER-KEY
               STRING "N" FUNCTION REVERSE(NUMBER-KEY)
                   DELIMITED BY SIZE INTO NAME-KEY
               COMPUTE GROUP-KEY = FUNCTION MOD(N, 997)
               COMPUTE KEYED-LENGTH = 30 + FUNCTION MOD(N, 31)
               MOVE ALL "x" TO REST(1:KEYED-LENGTH - 20)
               WRITE KEYED-RECORD
               PERFORM CHECK-STATUS
               SUBTRACT 1 FROM N
           END-PERFORM
           CLOSE KEYED.
       SHOW-ALL.
           READ KEYED NEXT
           PERFORM UNTIL FS > "05"
               MOVE KEYED-LENGTH TO SHOWN-LENGTH
               DISPLAY SHOWN-LENGTH " " KEYED-RECORD(1:KEYED-LENGTH)
               READ KEYED NEXT
           END-PERFORM.
       WRITE-NUMBERED.
           STRING "number " RECORD-NUMBER "       " DELIMITED BY SIZE
               INTO NUMBERED-RECORD
           WRITE NUMBERED-RECORD
           PERFORM CHECK-STATUS.
       CHECK-STATUS.
           IF FS > "05"
               DISPLAY "file status " FS
               MOVE 16 TO RETURN-CODE
               STOP RUN
           END-IF.
