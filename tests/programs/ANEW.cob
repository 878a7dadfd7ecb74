      * SPDX-License-Identifier: Apache-2.0
      * Is called by AGAIN, and sets up its storage at each first call.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. ANEW.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  CALLS PIC 9(7) COMP-5 VALUE 0.
       01  BIG.
           05  LINES-OF PIC X(80) OCCURS 200 TIMES.
       LINKAGE SECTION.
       01  L-N PIC S9(9) COMP-5.
       PROCEDURE DIVISION USING L-N.
           ADD 1 TO CALLS.
           ADD 3 TO L-N.
           GOBACK.
