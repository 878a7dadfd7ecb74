      * SPDX-License-Identifier: Apache-2.0
      * Calls a program and cancels it, again and again.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. AGAIN.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  N PIC S9(9) COMP-5 VALUE 0.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM ONE-CALL 20000 TIMES.
           DISPLAY N.
           STOP RUN.
       ONE-CALL.
           CALL "ANEW" USING N.
           CANCEL "ANEW".
