      * SPDX-License-Identifier: Apache-2.0
      * The business date and the number of the night.
       01  CONTROL-RECORD.
           05  CONTROL-DATE         PIC 9(8).
           05  CONTROL-NIGHT        PIC 9(4).
           05  FILLER               PIC X(68).
