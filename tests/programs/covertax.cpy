           COMPUTE WS-TAX = WS-GROSS * 0.2 *> yes
           IF WS-TAX > 1000 *> yes
              MOVE 1000 TO WS-TAX *> no
           END-IF.
