# SPDX-License-Identifier: Apache-2.0
"""remade.py FILE: makes and executes code of its own all the time, which finds room where the last lay, with other lines;
at SIGUSR1 it writes the stack of this very instruction to FILE, which is there when it is ready."""
import faulthandler
import json
import os
import signal
import sys


def evaluate(i):
    blank = chr(10) * (i % 7)
    exec(compile(f"def f(x):\n{blank} return sum(range(x % 100))\nf({i})", "<string>", "exec"), {})


def main():
    i = signal.alarm(300)  # 0: there was none
    while True:
        i += 1
        # so that not everything keeps its address
        [json.loads(json.dumps({"a": [i, y]})) for y in range(i % 5)]
        evaluate(i)


with open(sys.argv[1] + ".new", "w", encoding="utf-8") as out:
    faulthandler.register(signal.SIGUSR1, file=out, all_threads=False)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    main()
