      *> SPDX-License-Identifier: Apache-2.0
      *> A program that calls three subprograms, which work 40, 60 and 100 units a call.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XPROF.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(7) COMP-5.
       01 N PIC 9(7) COMP-5.
       01 T PIC 9(12) COMP-5.
       PROCEDURE DIVISION.
       MAIN-PARA.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 400
               MOVE 40 TO N
               CALL "XSUB1" USING N T
               MOVE 60 TO N
               CALL "XSUB2" USING N T
               MOVE 100 TO N
               CALL "XSUB3" USING N T
           END-PERFORM
           DISPLAY T
           STOP RUN.
       END PROGRAM XPROF.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XSUB1.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 J PIC 9(7) COMP-5.
       01 D PIC S9(13)V99 COMP-3 VALUE 1.
       LINKAGE SECTION.
       01 N PIC 9(7) COMP-5.
       01 T PIC 9(12) COMP-5.
       PROCEDURE DIVISION USING N T.
       WORK-PARA.
           PERFORM VARYING J FROM 1 BY 1 UNTIL J > N
               ADD J TO T
               COMPUTE D ROUNDED = D * 1.01 + 1
               IF D > 100000 MOVE 1 TO D END-IF
           END-PERFORM
           GOBACK.
       END PROGRAM XSUB1.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XSUB2.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 J PIC 9(7) COMP-5.
       01 D PIC S9(13)V99 COMP-3 VALUE 1.
       LINKAGE SECTION.
       01 N PIC 9(7) COMP-5.
       01 T PIC 9(12) COMP-5.
       PROCEDURE DIVISION USING N T.
       WORK-PARA.
           PERFORM VARYING J FROM 1 BY 1 UNTIL J > N
               ADD J TO T
               COMPUTE D ROUNDED = D * 1.01 + 2
               IF D > 100000 MOVE 1 TO D END-IF
           END-PERFORM
           GOBACK.
       END PROGRAM XSUB2.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. XSUB3.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 J PIC 9(7) COMP-5.
       01 D PIC S9(13)V99 COMP-3 VALUE 1.
       LINKAGE SECTION.
       01 N PIC 9(7) COMP-5.
       01 T PIC 9(12) COMP-5.
       PROCEDURE DIVISION USING N T.
       WORK-PARA.
           PERFORM VARYING J FROM 1 BY 1 UNTIL J > N
               ADD J TO T
               COMPUTE D ROUNDED = D * 1.01 + 3
               IF D > 100000 MOVE 1 TO D END-IF
           END-PERFORM
           GOBACK.
       END PROGRAM XSUB3.
