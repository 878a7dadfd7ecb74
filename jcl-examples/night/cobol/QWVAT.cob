      * SPDX-License-Identifier: Apache-2.0
       IDENTIFICATION DIVISION.
       PROGRAM-ID. QWVAT.
      * The tax on water.
       DATA DIVISION.
       WORKING-STORAGE SECTION.
       01  FINE                     PIC S9(7)V9(4) COMP-3.
       LINKAGE SECTION.
       01  NET                      PIC S9(7)V99 COMP-3.
       01  VAT                      PIC S9(7)V99 COMP-3.
       PROCEDURE DIVISION USING NET VAT.
           COMPUTE FINE = NET * 0.07
           COMPUTE VAT ROUNDED = FINE
           GOBACK.
