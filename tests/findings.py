#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""findings.py EXPRESSION...: whether each holds of two runs, bad.json and good.json, reports of their profiles.

bad and good are these runs. findings(bad) has its findings by code, rows(bad, "DSC", "files") the detail rows of a table,
facts(bad, "input_output") facts of MSD, evidence(bad, CODE) the rows that show a finding, {report: text}. run(bad) is how
long it executed and waited, in ns, ready(bad) how long it was ready while others had the processors, cpu(bad) its CPU
time as rusage has it. saved(CODE, bad_amount, good_amount): what one run took less than the other is what the finding
said, but for margins; saved(..., least=0): it is not more; saved(..., most=inf): it is not less than half.
"""
import json
import re
import sys
from math import inf


class Run:
    def __init__(self, name):
        with open(name + ".json") as file:
            self.reports = {report["code"]: report for report in json.load(file)["reports"]}


def rows(run, code, name=None):
    return [{**table["context"], **row} for table in run.reports.get(code, {"tables": []})["tables"]
            if name in (None, table["table"]) for row in table["rows"] if row["row"] == "detail"]


def facts(run, group):
    return run.reports["MSD"]["facts"][group]


def findings(run):
    return {row["code"]: row for row in rows(run, "MSD", "findings")}


def evidence(run, code):
    return dict(part.split(": ", 1) for part in findings(run)[code]["evidence"].split("; "))


def line(run, code):
    return int(findings(run)[code]["where"].split(" line ")[1].split()[0])


def at(run, code, report, table):
    """The rows of a report at the line that a finding names."""
    return [row for row in rows(run, report, table) if row.get("line") == line(run, code)]


def waits(of, code, reason):
    """Waits for a reason that ACW has at the line that a finding names, and how much of the run is laid at them."""
    found = [row for row in at(of, code, "ACW", "callers") if row["reason"] == reason]
    return {key: sum(row[key] for row in found) for key in ("waits", "wait_charged_ns")}


def charged(run, line, via):
    """CPU samples of Attribution of CPU Execution Time at a line, of calls of functions that a pattern matches."""
    return sum(row["samples"] for row in rows(run, "ACE")
               if row.get("line") == line and re.fullmatch(via, row["via"].split("@")[0]))


def at_line(run, line):
    """CPU samples that Program Usage by Procedure charges to a line."""
    return sum(row["charged_samples"] for row in rows(run, "PUP") if row.get("line") == line)


def used(run, procedure):
    """CPU samples that Program Usage by Procedure charges to a procedure."""
    return sum(row["charged_samples"] for row in rows(run, "PUP") if row.get("procedure") == procedure)


def seen(run, code, via):
    """Whether the rows that a finding names are those of the reports. A function's row also has samples whose stack
    does not reach a statement: hardly any."""
    named = re.findall(r"(ACE|PUP): [^;]*? line ([0-9]+)[^;]*?, ([0-9]+) CPU samples(?: of ([^ :]+))?",
                       findings(run)[code]["evidence"])
    return len(named) > 0 and all(
        charged(run, int(line), via) == int(samples) if report == "ACE" else 0 <= used(run, procedure) - int(samples) <= 2
        for report, line, samples, procedure in named)


def below(of, *names):
    """CPU samples of calls whose names begin so, and of all that these call, as the call tree has them."""
    return sum(row["samples"] for row in rows(of, "CTR", "calls")
               if any(part.startswith(names) for part in row["path"].split(";")))


def held(of):
    """Where most holders of the lock that a finding is of were seen, as the table of locks has it: "post line 40"."""
    places = {}
    for row in at(of, "LOCK-CONVOY", "ACW", "locks"):
        if row["holder_procedure"]:
            place = row["holder_procedure"] + (" line %d" % row["holder_line"] if row.get("holder_line") else "")
            places[place] = places.get(place, 0) + row["waits"]
    return [place for place, waits in places.items() if waits == max(places.values())]


def answers():
    return [row for row in at(bad, "CHATTY-DATABASE", "ACW", "callers") if row["via_module"].startswith("libpq.so") and
            row["reason"] in ("SOCKET", "POLL")]


def sure(report, table, reasons, share=0.3):
    """Whether a run's waits for some reasons are known well enough: with too much other work on the machine they are not."""
    found = [row for row in rows(bad, report, table) if row["reason"] in reasons]
    return sum(row["wait_margin_ns"] for row in found) <= share * sum(row["wait_total_ns"] for row in found)


def unknown(of):
    """How much of a run is laid at waits of which no look tells the place."""
    return sum(row["wait_charged_ns"] for row in rows(of, "WTM", "reasons") if row["reason"] == "UNKNOWN")


def run(of):
    times = facts(of, "session_times")
    return times["exec_ns"] + times["wait_ns"]


def ready(of):
    return facts(of, "session_times")["stretch_ns"]


def elapsed(of):
    return facts(of, "session_times")["session_ns"]


def cpu(of):
    return facts(of, "cpu_times")["cpu_rusage_ns"]


def saved(code, before, after, least=0.5, most=1):
    """A margin is 1.96 standard deviations; 2.5 of it, and a tenth for what two runs of one program differ by, in all."""
    said = findings(bad)[code]
    unsure = 2.5 * said["saves_margin_ns"] + 0.1 * (after + said["saves_ns"])
    return least * said["saves_ns"] - unsure <= before - after <= most * said["saves_ns"] + unsure


bad, good = Run("bad"), Run("good")
wrong = 0
for expression in sys.argv[1:]:
    try:
        holds = eval(expression)
    except (KeyError, IndexError, ValueError) as problem:
        holds = False
        print("cannot tell:", repr(problem))
    if not holds:
        print("not so:", expression)
        wrong = 1
if wrong:
    for name, of in ("bad", bad), ("good", good):
        print(name, "run", run(of) / 1e6, "CPU", cpu(of) / 1e6, json.dumps(list(findings(of).values()), indent=1))
sys.exit(wrong)
