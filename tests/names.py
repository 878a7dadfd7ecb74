# SPDX-License-Identifier: Apache-2.0
"""Compares what a report says of lines and functions with the sources: names.py CSV CHECK..."""
import csv
import os
import sys


def tables(path):
    rows, header = [], None
    for row in csv.reader(open(path, encoding="utf-8", newline="")):
        if row[:1] == ["report"]:
            header = row
        else:
            rows.append(dict(zip(header, row)))
    return rows


ROWS = tables(sys.argv[1])
STATEMENTS = [row for row in ROWS if row["table"] in ("program", "statements_charged", "callers")
              and row["row"] == "detail" and row.get("line")]


def shown(text):
    """A line as reports show it, as far as it can be compared: blanks at its ends do not count."""
    return text.strip()[:40].strip()


def wrong_lines():
    """Rows whose text is not that of the line of their file."""
    wrong = []
    for row in STATEMENTS:
        if not os.path.exists(row["file"]):
            continue
        lines = open(row["file"], encoding="utf-8").read().split("\n")
        if shown(row["text"]) not in lines[int(row["line"]) - 1]:
            wrong.append((row["file"], row["line"], row["text"]))
    return wrong


def files(section):
    """Base names of the files that lines of a section are of."""
    return {os.path.basename(row["file"]) for row in STATEMENTS if row["section"] == section}


def procedures(section):
    return {row["procedure"] for row in ROWS if row["table"] == "procedures_charged"
            and row["row"] == "detail" and row["section"] == section}


def samples(section, *words):
    return sum(int(row["charged_samples"]) for row in ROWS
               if row["table"] == "procedures_charged" and row["row"] == "detail"
               and row["section"] == section and all(word in row["procedure"] for word in words))


def rows(section, *words):
    return sum(1 for name in procedures(section) if all(word in name for word in words))


def both(less, more):
    return samples(*less) + samples(*more)


def shared(less, more, truth):
    """Whether the samples of two places are to one another as their ns of CPU time: so many of n are binomial, within 4.9 deviations."""
    part, whole = samples(*more), both(less, more)
    share = truth[1] / (truth[0] + truth[1])
    print(f"{more}: {part} of {whole}, expected {share}")
    return whole > 0 and abs(part - share * whole) <= 4.9 * (share * (1 - share) * whole) ** 0.5 + 1


failed = 0
for check in sys.argv[2:]:
    if not eval(check):
        failed = 1
        print("does not hold:", check)
        print(sorted({(r["section"], r["procedure"], r["file"], r["line"]) for r in STATEMENTS}))
        print(wrong_lines())
sys.exit(failed)
