      * SPDX-License-Identifier: Apache-2.0
      * A customer: key 0,8; by route 8,4; by meter 37,8.
       01  CUST-RECORD.
           05  CUST-NUMBER          PIC 9(8).
           05  CUST-ROUTE           PIC X(4).
           05  CUST-NAME            PIC X(24).
           05  CUST-TARIFF          PIC X.
           05  CUST-METER           PIC X(8).
           05  CUST-LITRES          PIC S9(9)    COMP-3.
           05  CUST-BALANCE         PIC S9(9)V99 COMP-3.
           05  CUST-READINGS        PIC 9(5).
           05  CUST-READ-ON         PIC 9(8).
           05  CUST-PAID            PIC S9(9)V99 COMP-3.
           05  FILLER               PIC X(45).
