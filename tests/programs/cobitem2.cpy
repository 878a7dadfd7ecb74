      * SPDX-License-Identifier: Apache-2.0
       01  F-COPIED.
           05  FILLER            PIC X(3).
           05  F-ITEM            PIC X(4).
