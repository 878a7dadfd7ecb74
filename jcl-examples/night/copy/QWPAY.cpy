      * SPDX-License-Identifier: Apache-2.0
      * A payment as the bank sends it.
       01  PAY-RECORD.
           05  PAY-TYPE             PIC XX.
           05  PAY-CUSTOMER         PIC 9(8).
           05  PAY-DATE             PIC 9(8).
           05  PAY-AMOUNT           PIC 9(7)V99.
           05  PAY-METHOD           PIC X(4).
           05  PAY-DIGIT            PIC 9.
           05  FILLER               PIC X(48).
