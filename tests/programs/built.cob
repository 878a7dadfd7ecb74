      * SPDX-License-Identifier: Apache-2.0
      * Builds a line of words: each looks for the end of the line, and
      * copies all of it. WITH POINTER, STRING goes on where it was.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. BUILT.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  LINE-BUILT     PIC X(32000) VALUE SPACES.
       01  LINE-END       PIC 9(8) COMP-5.
       01  WORD-NUMBER    PIC 9(8) COMP-5.
       01  SOME-WORD      PIC X(7) VALUE "ACCOUNT".
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM 30 TIMES
              MOVE SPACES TO LINE-BUILT
              MOVE 1 TO LINE-END
              PERFORM ADD-WORD VARYING WORD-NUMBER FROM 1 BY 1
                 UNTIL WORD-NUMBER > 4000
           END-PERFORM.
           DISPLAY LINE-BUILT (1:20).
           STOP RUN.
       ADD-WORD.
           STRING FUNCTION TRIM (LINE-BUILT)
              "," SOME-WORD
              DELIMITED BY SIZE INTO LINE-BUILT.
