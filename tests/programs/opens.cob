      *> SPDX-License-Identifier: Apache-2.0
      *> Opens and closes a file again and again, so that an agent of vigil takes part.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. OPENS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT CARDS ASSIGN TO "CARDS" ORGANIZATION LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD CARDS.
       01 CARD PIC X(80).
       WORKING-STORAGE SECTION.
       01 I PIC 9(8) COMP-5.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 40000
               OPEN INPUT CARDS
               READ CARDS AT END CONTINUE END-READ
               CLOSE CARDS
           END-PERFORM
           STOP RUN.
