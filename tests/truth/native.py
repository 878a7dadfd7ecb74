# SPDX-License-Identifier: Apache-2.0
"""native.py SECONDS: four functions that call native code of libraries, known by their own clocks (truth.h)."""
import hashlib
import os
import random
import resource
import sys
import time
import zlib

chance = random.Random(int(os.environ.get("TRUTH_SEED", "1")))
data = chance.randbytes(1 << 16)
values = [chance.random() for _ in range(1500)]
spent = {}


def part_0(rounds):
    for _ in range(rounds * 3):
        hashlib.sha256(data).digest()


def part_1(rounds):
    for _ in range(rounds * 30):
        zlib.crc32(data)


def part_2(rounds):
    for _ in range(rounds):
        sorted(values)


def part_3(rounds):
    for _ in range(rounds):
        repr(values)


parts = [part_0, part_1, part_2, part_3]
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    part = chance.randrange(4)
    before = time.thread_time_ns()
    parts[part](int(chance.expovariate(1 / 2)) + 1)
    spent[part] = spent.get(part, 0) + time.thread_time_ns() - before
with open(os.environ["TRUTH_FILE"], "w", encoding="ascii") as file:
    for part, ns in spent.items():
        file.write(f"cpu {part} {ns}\n")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    file.write(f"total {int((usage.ru_utime + usage.ru_stime) * 1e9)}\n")
