      *> SPDX-License-Identifier: Apache-2.0
       OF-THE-BOOK.
           COMPUTE B ROUNDED = B * 1.01 + A / 7
           IF B > 100000 MOVE 1 TO B.
