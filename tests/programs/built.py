# SPDX-License-Identifier: Apache-2.0
"""built.py add|keep N: a text of N lines, to which each is added; or their list, joined once."""
import sys


class Report:
    def __init__(self):
        self.text = ""
        self.lines = []

    def add(self, line):
        self.text += line

    def keep(self, line):
        self.lines.append(line)


def main(way, count):
    report = Report()
    put = report.add if way == "add" else report.keep
    for number in range(count):
        put("record %8d of the master file of all accounts\n" % number)
    print(len(report.text or "".join(report.lines)))


main(sys.argv[1], int(sys.argv[2]))
