#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""profile.py [--until] FILE EXPRESSION...: whether each Python expression holds for the profile of a sample data set.
With --until: waits until they hold of one that is being written, 20 seconds at most.

In the expressions:
    fact(NAME)                  a number or text of Measurement Session Data ("samples_taken", "exec_ns", ...)
    rows(REPORT, TABLE)         the detail rows of a table, as dictionaries, with what stands above the table
    total(REPORT, TABLE)        its total row
    share(PROCEDURE)            percent of CPU time charged to a procedure
    module(NAME)                samples of a module, or of a section of .SYSTEM
    transaction(NAME)           percent of CPU time of a transaction
    charged(NAME)               samples charged to a procedure, of a module where one is given: charged(NAME, MODULE)
    charged_at(NAME, LINE)      the same of a line of it
    own(NAME, MODULE)           samples of the instructions of a module (its name in full or with * at both ends), of a procedure
                                unless that is None
    near(PART, PERCENT)         whether so many samples are that percentage of all. The model: each of n samples falls there with that
                                probability, apart from the others; the bound is 4.9 standard deviations of their number (2.5 of
                                the margins that the listing prints), which chance exceeds once in a million, so that a test may
                                ask ten times; and one more for each sample of which the listing says that it does not know who
                                called (broken())
    near(PART, PERCENT, WHOLE, UNKNOWN) the same of so many samples, UNKNOWN of them known to nobody
    least(PART, PERCENT, WHOLE, UNKNOWN) the same for "at least": only what is missing counts
    broken()                    samples whose stack broke, whose caller is not known (.NOCALLER), or which the kernel lost
    uncalled(SERVICE...)        samples in these services that no stack brings to the program, beyond stacks that are said to be broken
    silent()                    broken(), and where there are data collectors the samples to which none gave an answer: torn, late,
                                outside, or not asked
    late()                      those of silent() that a data collector was asked of too late. That is the machine's doing and no
                                matter of the place, so near() and least() without WHOLE leave them out of the whole and of
                                UNKNOWN; PART may have them, at its previous place
    stolen()                    samples that the CPU time of the step would have, of which the listing says that a hypervisor gave it to
                                others: the step's own clocks have it, and no sample lies in it
    unanswered(NAME)            samples and waits of which a data collector said nothing
    collector(NAME)             the row of a data collector, its calls and answers counted
    waited(REASON)              ns that tasks waited for a reason; waits(REASON) how many waits
    transaction_row(NAME)       the row of a transaction ("cpu_total_percent", "elapsed_ns", "count", ...), zeros when there is none
    line_share(SECTION, LINE)   percent of CPU time charged to a line
    line_waited(SECTION, LINE)  ns that tasks waited there; of all lines with None
    notes()                     the message ids of all notes
    ties()                      "" when all additive columns add up in every table, else what does not
    void()                      "" when the model of near() holds for this run, else why it does not: too few samples, samples lost, or
                                stacks that broke or collectors without an answer for more than 10 percent of them; late() may be
                                more by what a hypervisor took from the machine meanwhile, if the test leaves them out (STOLEN_MS
                                of the environment)
Exit 0 when all hold, and no table has two rows that look the same (twin_rows.py); otherwise 1, and what is wrong is shown.
"""
import contextlib
import fnmatch
import io
import json
import math
import os
import sys
import time

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
import twin_rows  # noqa: E402  pylint: disable=wrong-import-position

ADDITIVE = ("samples", "charged_samples", "wait_charged_ns", "wait_total_ns", "moved_bytes", "cpu_ns")
# The listing's margin of error is 1.96 standard deviations, and holds for 95 of 100 shares; 2.5 of it holds for all
# but one in a million.
TIMES = 2.5
VOID_SHARE = 0.10
VOID_SAMPLES = 100
# Late may be two of three samples, and as many as were taken in this part of what the machine lost: of a pause of 100 ms
# (the one processor executes the step, the other one should execute vigil) /proc/stat shows 40 to 100.
VOID_LATE = 1 / 3
LATE_OF_STOLEN = 2.5


def printed_by(command):
    """What a command prints. Hundreds of tests start this program: the module subprocess is a fifth of what that costs."""
    back, front = os.pipe()
    child = os.posix_spawn(command[0], command, os.environ, file_actions=[(os.POSIX_SPAWN_DUP2, front, 1)])
    os.close(front)
    with open(back, "rb") as printed:
        text = printed.read()
    os.waitpid(child, 0)
    return text


class Profile:
    def __init__(self, path):
        vigil = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
        text = printed_by([vigil, "report", "--format", "json", "--all", path])
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

    def charged(self, procedure, module=None):
        return sum(row["charged_samples"] for row in self.rows("MEP", "procedures_charged")
                   if row.get("procedure") == procedure and module in (None, row["module"]))

    def own(self, procedure, module):
        return sum(row["samples"] for row in self.rows("MEP", "procedures_own")
                   if procedure in (None, row.get("procedure")) and fnmatch.fnmatch(row["module"], module))

    def charged_at(self, procedure, line):
        return sum(row["charged_samples"] for row in self.rows("MEP", "statements_charged")
                   if row.get("procedure") == procedure and row.get("line") == line)

    def uncalled(self, *services):
        """Samples in services that no stack brings to the program, beyond stacks that are said to be broken."""
        unreached = sum(row["samples"] for row in self.rows("ACE", "callers")
                        if row.get("module") == ".NOCALLER" and row["service"] in services)
        return max(unreached - self.fact("stacks_broken"), 0)

    def broken(self):
        unreached = sum(row["charged_samples"] for row in self.table("MEP", "procedures_charged")
                        if row.get("module") == ".NOCALLER")
        return max(self.fact("stacks_broken"), unreached) + self.fact("samples_lost")

    def silent(self):
        calls = self.rows("MSD", "collector_calls")
        if not calls:
            return self.broken()
        asked = max(row["calls"] for row in calls)
        return (self.broken() + sum(row["torn"] + row["late"] + row["outside"] for row in calls) +
                max(self.fact("samples_processed") - self.estimated() - asked, 0))

    def late(self):
        return max([row["late"] for row in self.rows("MSD", "collector_calls")], default=0)

    def estimated(self):
        """Samples that are sums: nobody asks for their stack, they get the places of the samples around them."""
        return self.fact("samples_kernel_estimated") + self.fact("samples_residue")

    def stolen(self):
        facts = {name: value for group in self.reports["MSD"]["facts"].values() for name, value in group.items()}
        return self.fact("samples_in_reports") * facts.get("cpu_stolen_ns", 0) / max(self.fact("exec_ns"), 1)

    def allowed(self, percent, whole):
        """Samples that a share may differ by: the margin in the listing is that of 50 percent of all samples."""
        share = min(max(percent / 100, 0), 1)
        margin = (self.fact("margin_percent") * math.sqrt(self.fact("samples_in_reports") / max(whole, 1)) *
                  2 * math.sqrt(share * (1 - share)))
        return TIMES * margin / 100 * whole + 1

    def judged(self, whole, unknown):
        """How many samples are judged, how many of them nobody knows, and how many of a part are not among them."""
        unknown = self.broken() if unknown is None else unknown
        if whole is not None:
            return whole, unknown, 0
        late = self.late()
        return self.fact("samples_in_reports") - late, max(unknown - late, 0), late

    def near(self, part, percent, whole=None, unknown=None):
        whole, unknown, beside = self.judged(whole, unknown)
        true, allowed = percent / 100 * whole, self.allowed(percent, whole) + unknown
        return whole > 0 and true - allowed <= part <= true + allowed + beside

    def least(self, part, percent, whole=None, unknown=None):
        whole, unknown, _ = self.judged(whole, unknown)
        return whole > 0 and part >= percent / 100 * whole - self.allowed(percent, whole) - unknown

    def void(self):
        samples, late = self.fact("samples_in_reports"), self.late()
        stolen = LATE_OF_STOLEN * float(os.environ.get("STOLEN_MS", "0")) * samples / max(self.fact("exec_ns") / 1e6, 1)
        if samples - late < max(VOID_SAMPLES, VOID_LATE * samples):
            return f"{samples} samples only, {late} of them late"
        if late > VOID_SHARE * samples + stolen:
            return f"of {samples} samples {late} were late"
        if self.silent() - late > VOID_SHARE * (samples - late):
            return f"of {samples - late} samples {self.silent() - late} were lost, broken or without an answer"
        return ""

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

    def twins(self):
        return [f"{code} {table}: two rows of {key}" for code, report in self.reports.items()
                for table, key in twin_rows.twins(report)]


def explain(expression, names):
    """Print what an expression that does not hold is made of: what was compared, what the functions gave."""
    import ast  # only here: it takes long  # pylint: disable=import-outside-toplevel

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
    if sys.argv[1] != "--until":
        return judge(sys.argv[1], sys.argv[2:])
    end = time.monotonic() + 20
    while time.monotonic() < end:
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                if judge(sys.argv[2], sys.argv[3:]) == 0:
                    return 0
        except (IndexError, KeyError, ValueError):  # not so much is written yet
            pass
        time.sleep(0.05)
    print("never: " + " ".join(sys.argv[3:]))
    return 1


def judge(path, expressions):
    profile = Profile(path)
    names = {name: getattr(profile, name)
             for name in ("fact", "rows", "total", "share", "module", "transaction", "collector", "unanswered", "waited", "waits",
                          "transaction_row", "charged", "charged_at", "own", "near", "least", "broken", "uncalled", "silent", "late", "stolen", "line_share", "line_waited", "notes", "ties", "void")}
    failed = 0
    for words in profile.twins():
        failed = 1
        print(words)
    for expression in expressions:
        if not eval(expression, names):  # pylint: disable=eval-used
            failed = 1
            explain(expression, names)
    return failed


if __name__ == "__main__":
    sys.exit(main())
