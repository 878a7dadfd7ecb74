# SPDX-License-Identifier: Apache-2.0
"""stacks.py FILE: changes its call stack all the time; at SIGUSR1 it writes the stack of this very instruction to FILE,
which is there when it is ready."""
import faulthandler
import json
import os
import signal
import sys


def deep(n):
    if n:
        return deep(n - 1)
    return sum(i * i for i in range(200))


class Größe:
    def méthode(self, x):
        return [json.loads(json.dumps({"a": [x, y]})) for y in range(20)]

    @staticmethod
    def 钥匙(x):
        return -x


def generate(n):
    if n:
        yield from generate(n - 1)
    for i in range(5):
        yield i


def evaluate(i):
    blank = chr(10) * (i % 7)
    exec(compile(f"def f(x):\n{blank} return sum(range(x % 100))\nf({i})", "<string>", "exec"), {})


def main():
    i = signal.alarm(300)  # 0: there was none
    size = Größe()
    while True:
        i += 1
        deep(i % 90)
        size.méthode(i)
        sorted(range(100), key=size.钥匙)
        list(generate(i % 20))
        evaluate(i)
        try:
            raise ValueError
        except ValueError:
            pass


with open(sys.argv[1] + ".new", "w", encoding="utf-8") as out:
    faulthandler.register(signal.SIGUSR1, file=out, all_threads=False)
    os.rename(sys.argv[1] + ".new", sys.argv[1])
    main()
