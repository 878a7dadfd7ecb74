#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile.py FILE EXPRESSION...: whether each Python expression holds for the profile of a sample data set.

In the expressions:
    fact(NAME)                  a number or text of Measurement Session Data ("samples_taken", "exec_ns", ...)
    rows(REPORT, TABLE)         the detail rows of a table, as dictionaries, with what stands above the table
    total(REPORT, TABLE)        its total row
    share(PROCEDURE)            percent of CPU time charged to a procedure
    module(NAME)                samples of a module, or of a section of .SYSTEM
    transaction(NAME)           percent of CPU time of a transaction
    unanswered(NAME)            samples and waits of which a data collector said nothing
    collector(NAME)             the row of a data collector, its calls and answers counted
    waited(REASON)              ns that tasks waited for a reason; waits(REASON) how many waits
    transaction_row(NAME)       the row of a transaction ("cpu_total_percent", "elapsed_ns", "count", ...), zeros when there is none
    line_share(SECTION, LINE)   percent of CPU time charged to a line
    line_waited(SECTION, LINE)  ns that tasks waited there; of all lines with None
    notes()                     the message ids of all notes
    ties()                      "" when all additive columns add up in every table, else what does not
Exit 0 when all hold; otherwise 1, and the values are shown.
"""
import ast
import json
import os
import subprocess
import sys

ADDITIVE = ("samples", "charged_samples", "wait_charged_ns", "wait_total_ns", "moved_bytes", "cpu_ns")


class Profile:
    def __init__(self, path):
        vigil = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
        text = subprocess.run([vigil, "report", "--format", "json", "--all", path], stdout=subprocess.PIPE, check=False).stdout
        self.reports = {report["code"]: report for report in json.loads(text)["reports"]}

    def fact(self, name):
        for group in self.reports["MSD"]["facts"].values():
            if name in group:
                return group[name]
        raise KeyError(name)

    def table(self, report, name):
        return [{**table["context"], **row} for table in self.reports[report]["tables"] if table["table"] == name
                for row in table["rows"]]

    def rows(self, report, name):
        return [row for row in self.table(report, name) if row["row"] == "detail"]

    def total(self, report, name):
        return [row for row in self.table(report, name) if row["row"] == "total"][-1]

    def share(self, procedure):
        return sum(row["cpu_charged_percent"] for row in self.rows("MEP", "procedures_charged")
                   if row.get("procedure") == procedure)

    def module(self, name):
        return sum(row["samples"] for row in self.rows("PSU", "sections")
                   if name in (row["module"], row["section"]))

    def transaction(self, name):
        return sum(row["cpu_total_percent"] for row in self.rows("TUS", "transactions") if row["transaction"] == name)

    def unanswered(self, name):
        row = self.collector(name)
        return row["late"] + row["calls"] - row["answers"]

    def collector(self, name):
        return [row for row in self.rows("MSD", "collector_calls") if row["collector"] == name][0]

    def waited(self, reason):
        return sum(row["wait_total_ns"] for row in self.rows("WTM", "reasons") if row["reason"] == reason)

    def waits(self, reason):
        return sum(row["waits"] for row in self.rows("WTM", "reasons") if row["reason"] == reason)

    def transaction_row(self, name):
        rows = [row for row in self.rows("TUS", "transactions") if row["transaction"] == name]
        return rows[0] if rows else {"cpu_total_percent": 0, "elapsed_ns": 0, "count": 0, "samples": 0}

    def line_share(self, section, line):
        return sum(row["cpu_charged_percent"] for row in self.rows("MEP", "statements_charged")
                   if row["section"] == section and row.get("line") == line)

    def line_waited(self, section, line):
        return sum(row["wait_total_ns"] for row in self.rows("ACW", "callers")
                   if row["section"] == section and line in (None, row.get("line")))

    def notes(self):
        return [note["id"] for report in self.reports.values() for note in report.get("notes", [])]

    def ties(self):
        wrong = []
        for report in self.reports.values():
            for table in report["tables"]:
                totals = [row for row in table["rows"] if row["row"] == "total"]
                for column in ADDITIVE:
                    if len(totals) != 1 or column not in totals[0]:
                        continue
                    details = sum(row.get(column, 0) for row in table["rows"] if row["row"] in ("detail", "other"))
                    if details != totals[0][column]:
                        wrong.append(f"{report['code']} {table['table']} {column}: {details} != {totals[0][column]}")
        return "; ".join(wrong)


def explain(expression, names):
    """Print what an expression that does not hold is made of: what was compared, what the functions gave."""
    print(f"does not hold: {expression}")
    shown = {}
    for node in ast.walk(ast.parse(expression, mode="eval")):
        parts = [node.left, *node.comparators] if isinstance(node, ast.Compare) else [node]
        for part in parts:
            if isinstance(node, (ast.Compare, ast.Call)):
                shown.setdefault(ast.get_source_segment(expression, part))
    for text in shown:
        try:
            value = repr(eval(text, names))  # pylint: disable=eval-used
        except NameError:
            continue  # a variable of a comprehension
        if value != text:
            print(f"    {text} is {value}"[:1000])


def main():
    profile = Profile(sys.argv[1])
    names = {name: getattr(profile, name)
             for name in ("fact", "rows", "total", "share", "module", "transaction", "collector", "unanswered", "waited", "waits",
                          "transaction_row", "line_share", "line_waited", "notes", "ties")}
    failed = 0
    for expression in sys.argv[2:]:
        if not eval(expression, names):  # pylint: disable=eval-used
            failed = 1
            explain(expression, names)
    return failed


if __name__ == "__main__":
    sys.exit(main())
