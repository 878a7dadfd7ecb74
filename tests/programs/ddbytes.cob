      * SPDX-License-Identifier: Apache-2.0
      * Writes and reads files of every organization: what is moved in
      * each of them is known to who counts the calls.
      *   SEQIN   SEQOUT   fixed records of 100 bytes, copied
      *   LINEOUT          the same as lines
      *   LINEIN           lines, read
      *   RELFILE          relative, 50 bytes, every third rewritten
      *   KEYFILE          indexed, written, then read by key
       IDENTIFICATION DIVISION.
       PROGRAM-ID. DDBYTES.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT SEQIN ASSIGN TO "SEQIN".
           SELECT SEQOUT ASSIGN TO "SEQOUT".
           SELECT LINEOUT ASSIGN TO "LINEOUT"
               ORGANIZATION LINE SEQUENTIAL.
           SELECT LINEIN ASSIGN TO "LINEIN"
               ORGANIZATION LINE SEQUENTIAL.
           SELECT RELFILE ASSIGN TO "RELFILE"
               ORGANIZATION RELATIVE ACCESS DYNAMIC
               RELATIVE KEY REL-KEY.
           SELECT KEYFILE ASSIGN TO "KEYFILE"
               ORGANIZATION INDEXED ACCESS DYNAMIC
               RECORD KEY KEY-NUMBER.
       DATA DIVISION.
       FILE SECTION.
       FD SEQIN.
       01 SEQIN-RECORD PIC X(100).
       FD SEQOUT.
       01 SEQOUT-RECORD PIC X(100).
       FD LINEOUT.
       01 LINEOUT-RECORD PIC X(100).
       FD LINEIN.
       01 LINEIN-RECORD PIC X(100).
       FD RELFILE.
       01 RELFILE-RECORD PIC X(50).
       FD KEYFILE.
       01 KEYFILE-RECORD.
           05 KEY-NUMBER PIC 9(8).
           05 KEY-REST PIC X(92).
       WORKING-STORAGE SECTION.
       01 REL-KEY PIC 9(8).
       01 N PIC 9(8) COMP-5.
       01 AT-END PIC 9 VALUE 0.
       PROCEDURE DIVISION.
           OPEN INPUT SEQIN OUTPUT SEQOUT LINEOUT RELFILE KEYFILE
           PERFORM UNTIL AT-END = 1
               READ SEQIN AT END MOVE 1 TO AT-END
               NOT AT END
                   ADD 1 TO N
                   WRITE SEQOUT-RECORD FROM SEQIN-RECORD
                   WRITE LINEOUT-RECORD FROM SEQIN-RECORD
                   MOVE N TO REL-KEY
                   WRITE RELFILE-RECORD FROM SEQIN-RECORD
                   MOVE N TO KEY-NUMBER
                   MOVE SEQIN-RECORD TO KEY-REST
                   WRITE KEYFILE-RECORD
               END-READ
           END-PERFORM
           CLOSE SEQIN SEQOUT LINEOUT RELFILE KEYFILE
           OPEN INPUT LINEIN I-O RELFILE KEYFILE
           MOVE 0 TO AT-END
           PERFORM UNTIL AT-END = 1
               READ LINEIN AT END MOVE 1 TO AT-END END-READ
           END-PERFORM
           PERFORM VARYING REL-KEY FROM 1 BY 3 UNTIL REL-KEY > N
               READ RELFILE
               REWRITE RELFILE-RECORD
           END-PERFORM
           PERFORM VARYING KEY-NUMBER FROM N BY -7
               UNTIL KEY-NUMBER < 8
               READ KEYFILE
               MOVE "CHANGED" TO KEY-REST
               REWRITE KEYFILE-RECORD
           END-PERFORM
           CLOSE LINEIN RELFILE KEYFILE
           DISPLAY N " RECORDS"
           STOP RUN.
