#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""server-times.py LOG MARK...: CPU milliseconds that a PostgreSQL server counted for the statements with each mark.

LOG is its log, written with log_statement_stats on: for each statement a line "! 0.12 s user, 0.01 s system, ...", then
the statement's text. The sums are printed in the order of the marks.
"""
import re
import sys


def main():
    sums = dict.fromkeys(sys.argv[2:], 0.0)
    spent = 0.0
    with open(sys.argv[1], encoding="utf-8") as log:
        for line in log:
            found = re.search(r"!\s+([0-9.]+) s user, ([0-9.]+) s system, [0-9.]+ s elapsed", line)
            if found:
                spent = 1000 * (float(found.group(1)) + float(found.group(2)))
            elif "STATEMENT:" in line:
                for mark in sums:
                    if mark in line:
                        sums[mark] += spent
    print(*(round(spent) for spent in sums.values()))


main()
