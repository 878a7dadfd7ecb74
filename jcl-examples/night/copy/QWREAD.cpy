      * SPDX-License-Identifier: Apache-2.0
      * Readings as they come in: a header, details, a trailer.
       01  READING-RECORD.
           05  READING-TYPE         PIC XX.
           05  READING-DETAIL.
               10  READING-CUSTOMER PIC 9(8).
               10  READING-DATE     PIC 9(8).
               10  READING-METER    PIC X(8).
               10  READING-LITRES   PIC 9(7).
               10  READING-KIND     PIC X.
               10  FILLER           PIC X(46).
           05  READING-HEADER REDEFINES READING-DETAIL.
               10  HEADER-DATE      PIC 9(8).
               10  HEADER-SOURCE    PIC X(12).
               10  FILLER           PIC X(58).
           05  READING-TRAILER REDEFINES READING-DETAIL.
               10  TRAILER-COUNT    PIC 9(7).
               10  FILLER           PIC X(71).
