      *> SPDX-License-Identifier: Apache-2.0
      *> Half of its time passes in a copybook.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. NAMED.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01 I PIC 9(8) COMP-5.
       01 A PIC 9(9)V99 COMP-3 VALUE 1.
       01 B PIC 9(9)V99 COMP-3 VALUE 1.
       PROCEDURE DIVISION.
       MAIN-LINE.
           PERFORM VARYING I FROM 1 BY 1 UNTIL I > 300000
               PERFORM OF-THE-SOURCE
               PERFORM OF-THE-BOOK
           END-PERFORM
           STOP RUN.
       OF-THE-SOURCE.
           COMPUTE A ROUNDED = A * 1.01 + B / 7
           IF A > 100000 MOVE 1 TO A.
       COPY "namedcpy.cpy".
