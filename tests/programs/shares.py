# SPDX-License-Identifier: Apache-2.0
"""shares.py SECONDS: three functions that use the processor for 50, 30 and 20 % of its time, called by two others.

The shares are made by the CPU clock, so they hold on a busy machine too. Prints how much each had, in percent of the three, and how
many seconds there were from the first statement to the last.
"""
import sys
import time

began = time.process_time()
spent = {}


def half(until):
    start = time.process_time()
    total = 0
    while time.process_time() < until:
        for number in range(200):
            total += number * number  # half's line
    spent["half"] = spent.get("half", 0) + time.process_time() - start


def third(until):
    start = time.process_time()
    total = 0
    while time.process_time() < until:
        for number in range(200):
            total += number * number  # third's line
    spent["third"] = spent.get("third", 0) + time.process_time() - start


def fifth(until):
    start = time.process_time()
    total = 0
    while time.process_time() < until:
        for number in range(200):
            total += number * number  # fifth's line
    spent["fifth"] = spent.get("fifth", 0) + time.process_time() - start


def small(at):
    third(at + 0.08)
    fifth(at + 0.1)


def main():
    total = float(sys.argv[1])
    start = at = time.process_time()
    while at < start + total:
        half(at + 0.05)
        small(at)
        at += 0.1
    for name, seconds in spent.items():
        print(name, round(100 * seconds / sum(spent.values()), 2))
    print("inside", round(time.process_time() - began, 3))


main()
