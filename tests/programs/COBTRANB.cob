      * SPDX-License-Identifier: Apache-2.0
      * A subprogram that cobtran calls: uses as many ms of CPU time as
      * it is told.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COBTRANB.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  SUB-NOTE            PIC X(8) VALUE "SUBNOTE".
       01  SUB-WORK            PIC S9(9) COMP-5.
       LINKAGE SECTION.
       01  LK-MILLISECONDS     PIC 9(9) COMP-5.
       PROCEDURE DIVISION USING LK-MILLISECONDS.
       MAIN-PARAGRAPH.
           MOVE "BUSY" TO SUB-NOTE.
           CALL "spend" USING BY VALUE LK-MILLISECONDS
               RETURNING SUB-WORK.
           MOVE "IDLE" TO SUB-NOTE.
           GOBACK.
       END PROGRAM COBTRANB.
