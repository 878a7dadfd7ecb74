      * SPDX-License-Identifier: Apache-2.0
      * Items of all kinds that STRBCOBO calculates, each used so that
      * the compiler makes a cob_field of it.
       IDENTIFICATION DIVISION.
       PROGRAM-ID. COBITEMS.
       ENVIRONMENT DIVISION.
       INPUT-OUTPUT SECTION.
       FILE-CONTROL.
           SELECT IN-FILE ASSIGN TO "INFILE"
               ORGANIZATION IS LINE SEQUENTIAL.
       DATA DIVISION.
       FILE SECTION.
       FD  IN-FILE.
       01  IN-REC.
           05  IN-A              PIC X(5).
           05  IN-B              PIC X(5).
       WORKING-STORAGE SECTION.
       01  A-FLAG                PIC X(3).
           88  A-YES             VALUE "Y", "YES".
           88  A-NO              VALUE "N".
       01  FILLER                PIC X(4) VALUE "PIC.".
       01  A-PACKED              PIC S9(7)V99 COMP-3.
       01  A-SAME REDEFINES A-PACKED
                                 PIC X(5).
       78  A-CONSTANT            VALUE 5.
       01  B-TABLES.
           05  B-HEAD            PICTURE IS 9(3).
           05  B-ROW OCCURS 3 TIMES INDEXED BY B-IX, B-IY.
               10  B-KEY         PIC X(2).
               10  B-SUM         PIC S9(5)V9(2)
                                 USAGE IS COMP-3.
           05  B-TAIL            PIC X(2).
       66  B-NAME RENAMES B-TAIL.
       01  C-NUMBERS.
           05  C-ONE             PIC 9 COMP.
           05  C-FOUR            PIC S9(4) COMP.
           05  C-NINE            PIC S9(9) BINARY.
           05  C-TEN             PIC 9(10) COMP-4.
           05  C-FIVE            PIC S9(9) COMP-5.
           05  C-LONG            USAGE BINARY-LONG.
           05  C-FLOATS.
               10  C-SINGLE      COMP-1.
               10  C-DOUBLE      COMP-2.
           05  C-EVEN            PIC 9(6) PACKED-DECIMAL.
           05  C-SIGNED          PIC S9(4) SIGN IS LEADING
                                 SEPARATE CHARACTER.
           05  C-OVER            PIC S9(4).
           05  C-EDITED          PIC -ZZ,ZZ9.99.
           05  C-LAST            PIC X.
       01  D-UNIONS.
           05  D-DATE            PIC 9(8).
           05  D-PARTS REDEFINES D-DATE.
               10  D-YEAR        PIC 9(4).
               10  D-MONTH       PIC 99.
               10  D-DAY         PIC 99.
           05  D-WIDE REDEFINES D-DATE PIC X(6).
           05  D-AFTER           PIC X(2).
       01  E-GROUP USAGE COMP-3.
           05  E-ONE             PIC 9(3).
           05  E-TWO             PIC S9(8).
       COPY cobitem2.
       01  G-LAST                PIC X(7).
       LOCAL-STORAGE SECTION.
       01  L-ITEM                PIC X(3).
       PROCEDURE DIVISION.
       MAIN-PARAGRAPH.
           DISPLAY A-FLAG A-PACKED A-SAME B-TABLES B-HEAD B-KEY (1)
               B-SUM (2) B-TAIL C-NUMBERS C-ONE C-FOUR C-NINE C-TEN
               C-FIVE C-LONG C-FLOATS C-SINGLE C-DOUBLE C-EVEN
               C-SIGNED C-OVER C-EDITED C-LAST D-UNIONS D-DATE
               D-PARTS D-YEAR D-MONTH D-DAY D-WIDE D-AFTER E-GROUP
               E-ONE E-TWO F-COPIED F-ITEM G-LAST L-ITEM.
           STOP RUN.
