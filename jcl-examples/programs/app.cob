      * SPDX-License-Identifier: Apache-2.0
      * An application of events.jcl, compiled under several names: it
      * adds numbers in a paragraph, and calls nobody.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. APPNAME.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  TOTAL                PIC S9(9) COMP VALUE 0.
       01  I                    PIC S9(9) COMP.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM ADD-ONE VARYING I FROM 1 BY 1 UNTIL I > 1000.
           DISPLAY "APPNAME: " TOTAL.
           STOP RUN.
       ADD-ONE.
           ADD I TO TOTAL.
