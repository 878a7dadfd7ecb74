#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rows of a profile beside the truth: what a program of tests/truth measured itself (truth.h), and what the listing prints.

    CPU     CHARGED of the function in Most Intensively Executed Procedures, percent, with its margin
    wait    the time that tasks waited there in Attribution of CPU Wait Time, with its margin where it prints one; without one the
            row says that it is exact: to a hundredth of a second, and half a percent
    kernel  of "brief": the share of the kernel: at least nine tenths of the time in which it was asked to work (the calls themselves
            may be the program's), and at most what the functions did not need for their loops, as an interrupt's time is theirs by
            their clocks
    sums    CPU TIME that the step's own rusage knows, and the same by samples, with what the listing says to be in no report; not
            where the program was not measured from its begin ("partial" in the truth)

A function that has no row must be smaller than what looks may have failed to meet: the run's margin, of waits the least margin of
the other functions, as that is never smaller than the margin of a share of none.
"""
import json

# A listing is rounded to this.
PERCENT = 0.005
NANOSECONDS = 10_000_000


def read_truth(path):
    """Reads what a program wrote; of a recording also its kind, and what else holds."""
    truth = {"cpu": {}, "wait": {}, "total": 0, "user": 0, "kernel": 0, "partial": 0, "kind": "", "holds": []}
    with open(path, encoding="ascii") as file:
        for line in file:
            word, rest = line.split(maxsplit=1)
            if word == "holds":
                truth[word].append(rest.strip())
            elif word == "kind":
                truth[word] = rest.strip()
            elif isinstance(truth.get(word), dict):
                part, ns = rest.split()
                truth[word][int(part)] = int(ns)
            elif word != "#":
                truth[word] = int(rest)
    return truth


class Profile:
    """What a listing (report --format json --all --margins) of a kind of program printed, and what is true."""

    def __init__(self, kind, truth, text):
        self.kind, self.truth = kind, truth
        self.reports = {report["code"]: report for report in json.loads(text)["reports"]}

    def rows(self, report, name):
        return [{**table["context"], **row} for table in self.reports.get(report, {"tables": []})["tables"] if table["table"] == name
                for row in table["rows"] if row["row"] == "detail"]

    def fact(self, name):
        for group in self.reports["MSD"]["facts"].values():
            if name in group:
                return group[name]
        return None

    def part_name(self, stem, number):
        return {"cobol": "PART-", "go": f"main.{stem}_"}.get(self.kind, f"{stem}_") + str(number)

    def same(self, row, name):
        return row.get("procedure") in (name, name.replace("_", "-").upper())

    def compare_cpu(self):
        """Yields what, true, printed and margin of each function, in percent of the CPU time."""
        rows = self.rows("MEP", "procedures_charged")
        default = self.fact("margin_percent") or 0
        for number, ns in sorted(self.truth["cpu"].items()):
            name = self.part_name("part", number)
            found = [row for row in rows if self.same(row, name)]
            true = 100 * ns / max(self.truth["total"], 1)
            margin = max((row.get("cpu_margin_percent", 0) for row in found), default=default)
            yield name, true, sum(row["cpu_charged_percent"] for row in found), margin + PERCENT

    def compare_waits(self):
        """The same of waits, in ns."""
        rows = [row for row in self.rows("ACW", "callers") if row.get("reason") != "DISPATCH DELAY"]
        parts = []
        for number, ns in sorted(self.truth["wait"].items()):
            name = self.part_name("wait", number)
            found = [row for row in rows if self.same(row, name)]
            margins = [row["wait_margin_ns"] for row in found if row.get("wait_margin_ns")]
            parts.append((name, ns, found, sum(value * value for value in margins) ** 0.5))
        unmet = min((margin for _, _, _, margin in parts if margin), default=0)
        for name, ns, found, margin in parts:
            printed = sum(row["wait_total_ns"] for row in found)
            yield name, ns, printed, NANOSECONDS + (margin or (ns / 200 if found else max(unmet, ns / 200)))

    def compare_sums(self):
        """The CPU time of the step, in ns: as rusage has it, and by samples with what the listing says to be in no report."""
        true = self.truth["total"]
        if self.truth["partial"]:
            return
        printed = (self.fact("cpu_user_ns") or 0) + (self.fact("cpu_system_ns") or 0)
        yield "CPU by rusage", true, printed, true / 50 + 2 * NANOSECONDS
        margin = (self.fact("margin_percent") or 0) / 100 * true
        printed = (self.fact("cpu_samples_ns") or 0) + (self.fact("cpu_missing_ns") or 0)
        yield "CPU by samples", true, printed, margin + true / 50 + NANOSECONDS

    def compare_kernel(self):
        """The kernel's share in percent of the CPU time: no less than it was asked for, no more than what no function calculated."""
        if self.kind != "brief":
            return
        total = max(self.truth["total"], 1)
        least = 90 * self.truth["kernel"] / total
        most = 100 - 100 * self.truth["user"] / total
        kernel = (self.fact("samples_kernel") or 0) + (self.fact("samples_kernel_estimated") or 0)
        printed = 100 * kernel / max(self.fact("samples_in_reports") or 0, 1)
        yield "kernel", min(max(printed, least), max(most, least)), printed, (self.fact("margin_percent") or 0) + PERCENT

    def compare(self):
        for what, how in (("cpu", self.compare_cpu), ("wait", self.compare_waits), ("kernel", self.compare_kernel),
                          ("sums", self.compare_sums)):
            for name, true, printed, margin in how():
                yield what, name, true, printed, margin
