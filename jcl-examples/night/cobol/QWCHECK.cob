      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWCHECK.
      * Checks the day's readings: good ones go on in packed form, the
      * others to a file of variable records with the reason.
      * Return code 4: some were rejected. 8: the count is wrong.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT CONTROL-FILE ASSIGN TO BUSDATE
               ORGANIZATION IS SEQUENTIAL.
           SELECT READING-FILE ASSIGN TO READINGS
               ORGANIZATION IS SEQUENTIAL.
           SELECT ACCEPT-FILE ASSIGN TO ACCEPTED
               ORGANIZATION IS SEQUENTIAL.
           SELECT REJECT-FILE ASSIGN TO REJECTED
               ORGANIZATION IS SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  CONTROL-FILE RECORDING MODE IS F.
           COPY QWCTL.
       FD  READING-FILE RECORDING MODE IS F.
           COPY QWREAD.
       FD  ACCEPT-FILE RECORDING MODE IS F.
       01  ACCEPT-RECORD.
           05  ACCEPT-CUSTOMER      PIC 9(8).
           05  ACCEPT-METER         PIC X(8).
           05  ACCEPT-DATE          PIC 9(8).
           05  ACCEPT-KIND          PIC X.
           05  ACCEPT-LITRES        PIC S9(7) COMP-3.
           05  ACCEPT-COUNT         PIC 9(4)  COMP.
           05  FILLER               PIC X(9).
       FD  REJECT-FILE RECORDING MODE IS V
           RECORD IS VARYING FROM 12 TO 91 CHARACTERS
           DEPENDING ON REJECT-LENGTH.
       01  REJECT-RECORD.
           05  REJECT-REASON        PIC X(4).
           05  REJECT-NUMBER        PIC 9(6).
           05  FILLER               PIC X.
           05  REJECT-TEXT          PIC X(80).
       WORKING-STORAGE SECTION.
       01  COUNTERS.
           05  REJECT-LENGTH        PIC 9(4) COMP.
           05  RECORD-NUMBER        PIC 9(7) COMP VALUE 0.
           05  DETAILS              PIC 9(7) COMP VALUE 0.
           05  GOOD                 PIC 9(7) COMP VALUE 0.
           05  BAD                  PIC 9(7) COMP VALUE 0.
           05  EXPECTED             PIC 9(7) COMP VALUE 0.
       01  REASON                   PIC X(4).
       01  FILE-END                 PIC X VALUE "N".
       01  SHOWN                    PIC ZZZ,ZZ9.
       PROCEDURE DIVISION.
       MAIN-LINE.
           OPEN INPUT CONTROL-FILE
           READ CONTROL-FILE
           CLOSE CONTROL-FILE
           OPEN INPUT READING-FILE OUTPUT ACCEPT-FILE REJECT-FILE
           PERFORM NEXT-READING
           PERFORM UNTIL FILE-END = "Y"
               EVALUATE READING-TYPE
                   WHEN "HD" CONTINUE
                   WHEN "TR" ADD TRAILER-COUNT TO EXPECTED
                   WHEN OTHER PERFORM CHECK-READING
               END-EVALUATE
               PERFORM NEXT-READING
           END-PERFORM
           CLOSE READING-FILE ACCEPT-FILE REJECT-FILE
           PERFORM TELL
           STOP RUN.
       NEXT-READING.
           READ READING-FILE
               AT END MOVE "Y" TO FILE-END
               NOT AT END ADD 1 TO RECORD-NUMBER
           END-READ.
       CHECK-READING.
           ADD 1 TO DETAILS
           EVALUATE TRUE
               WHEN READING-TYPE NOT = "RD" MOVE "TYPE" TO REASON
               WHEN READING-CUSTOMER NOT NUMERIC MOVE "CUST" TO REASON
               WHEN READING-LITRES NOT NUMERIC MOVE "AMNT" TO REASON
               WHEN READING-DATE NOT = CONTROL-DATE
                   MOVE "DATE" TO REASON
               WHEN READING-KIND NOT = "N" AND NOT = "C" AND NOT = "E"
                   MOVE "KIND" TO REASON
               WHEN OTHER MOVE SPACES TO REASON
           END-EVALUATE
           IF REASON = SPACES
               PERFORM ACCEPT-READING
           ELSE
               PERFORM REJECT-READING
           END-IF.
       ACCEPT-READING.
           ADD 1 TO GOOD
           MOVE SPACES TO ACCEPT-RECORD
           MOVE READING-CUSTOMER TO ACCEPT-CUSTOMER
           MOVE READING-METER TO ACCEPT-METER
           MOVE READING-DATE TO ACCEPT-DATE
           MOVE READING-KIND TO ACCEPT-KIND
           MOVE READING-LITRES TO ACCEPT-LITRES
           MOVE 1 TO ACCEPT-COUNT
           WRITE ACCEPT-RECORD.
       REJECT-READING.
           ADD 1 TO BAD
           MOVE SPACES TO REJECT-RECORD
           MOVE REASON TO REJECT-REASON
           MOVE RECORD-NUMBER TO REJECT-NUMBER
           MOVE READING-RECORD TO REJECT-TEXT
           MOVE 91 TO REJECT-LENGTH
           PERFORM UNTIL REJECT-LENGTH = 12
                   OR REJECT-RECORD(REJECT-LENGTH:1) NOT = SPACE
               SUBTRACT 1 FROM REJECT-LENGTH
           END-PERFORM
           WRITE REJECT-RECORD.
       TELL.
           MOVE GOOD TO SHOWN
           DISPLAY "QWCHECK: ACCEPTED " SHOWN
           MOVE BAD TO SHOWN
           DISPLAY "QWCHECK: REJECTED " SHOWN
           IF BAD > 0 MOVE 4 TO RETURN-CODE END-IF
           IF EXPECTED NOT = DETAILS
               DISPLAY "QWCHECK: TRAILERS SAY " EXPECTED
                   " READINGS, THERE ARE " DETAILS
               MOVE 8 TO RETURN-CODE
           END-IF.
