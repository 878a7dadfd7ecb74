#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""call-tree.py FILE: whether the call tree of a sample data set is that which its records make.

The records are read with vigil extract and folded here, by another way than the program's: from each stack a list of names, from
these sums by path. They are compared with the rows of CTR in JSON: own and cumulative samples, waits and their times, of every
path, to the last sample and ns. Exit 0 when all are equal; otherwise 1, and what differs is shown.
call-tree.py --perf FILE TEXT NAME...: whether the shares of procedures agree with those in the output of perf script.
"""
import collections
import json
import math
import os
import re
import subprocess
import sys

VIGIL = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
PERIOD = 8
NAMED = 6  # kind of an object that a data collector named
PLACES_FIRST = 1 << 46
BLOCK = 64
OWN = ("samples", "waits", "wait_total_ns", "wait_charged_ns")
COLUMNS = tuple(f"cumulative_{column}" for column in OWN)


def is_library(path):
    return path.startswith(("/lib", "/usr/lib")) or path.startswith("[")


class Records:
    def __init__(self, path):
        self.tables = collections.defaultdict(dict)
        self.names = {}
        self.samples = []
        self.waits = []
        run = subprocess.run([VIGIL, "extract", "-t", "JSON", path], stdout=subprocess.PIPE, check=True)
        for line in run.stdout.decode("utf-8", "replace").splitlines():
            self.take(json.loads(line))

    def take(self, line):
        kind, items = line["record"], line["items"]
        if kind in ("object", "frame", "stack"):
            self.tables[kind][items[kind]] = items
        elif kind == "name":
            self.names[items["frame"], items["depth"]] = items
        elif kind == "sample":
            self.samples.append((items["stack"], (1, 0, 0, 0)))
        elif kind == "wait":
            self.waits.append((items["stack"], (0, items["count"], items["total"], items["charged"])))

    def frame(self, number):
        """The procedures of a frame from the outermost to the innermost: what tells each, and what it is called."""
        frame = self.tables["frame"][number]
        thing = self.tables["object"].get(frame["object"], {"path": "", "kind": 0})
        is_place = thing["kind"] == NAMED and frame["offset"] >= PLACES_FIRST
        thing = thing["path"]
        names = []
        for depth in range(32):
            name = self.names.get((number, depth))
            if not name or (depth and not name["procedure"]):
                break
            label = name["procedure"]
            if depth == 0 and not label:
                if is_place and name["line"]:
                    label = "(no procedure)"
                else:
                    break
            section = "" if is_library(thing) else name["section"]
            names.insert(0, ((os.path.basename(thing), section, label), label))
        if not names:
            offset = 0 if is_place else frame["offset"]
            label = f"+{offset // BLOCK * BLOCK:X}" if offset else "(place not known)"
            names = [((thing, "", label), label)]
        return names

    def stack(self, number):
        frames = []
        while number:
            frames.append(self.frame(self.tables["stack"][number]["frame"]))
            number = self.tables["stack"][number]["parent"]
        places = []
        for frame in reversed(frames):
            for place in frame:
                places.append(place)
                for period in range(1, PERIOD + 1):
                    told = [one for one, label in places]
                    if len(told) >= 2 * period and told[-period:] == told[-2 * period:-period]:
                        del places[-period:]
                        break
        return tuple(label for one, label in places) or ("(place not known)",)


def add(sums, path, amounts):
    sums[path] = tuple(map(sum, zip(sums.get(path, (0, 0, 0, 0)), amounts)))


def fold(records):
    """Own and cumulative amounts by path, a text."""
    own, cumulative, stacks = {}, {}, {}
    for stack, amounts in records.samples + records.waits:
        if stack not in stacks:
            stacks[stack] = records.stack(stack)
        path = stacks[stack]
        add(own, ";".join(path), amounts)
        for end in range(1, len(path) + 1):
            add(cumulative, ";".join(path[:end]), amounts)
    return own, cumulative


def report(path, *options):
    run = subprocess.run([VIGIL, "report", "-f", "json", "-r", "CTR", "--all", *options, path], stdout=subprocess.PIPE, check=True)
    return json.loads(run.stdout)["reports"][0]["tables"]


def listed(tables):
    own, cumulative = {}, {}
    for table in tables:
        for row in table["rows"]:
            if table["table"] == "calls" and row["row"] == "detail":
                add(own, row["path"], [row[column] for column in OWN])
                add(cumulative, row["path"], [row[column] for column in COLUMNS])
    return {path: amounts for path, amounts in own.items() if any(amounts)}, cumulative


def compare(what, expected, got):
    differing = [path for path in sorted(set(expected) | set(got)) if expected.get(path) != got.get(path)]
    for path in differing[:10]:
        print(f"{what} of {path}: records make {expected.get(path)}, the report has {got.get(path)}")
    return len(differing)


def check(path):
    records = Records(path)
    own, cumulative = fold(records)
    wrong = 0
    for options in ((), ("--by", "thread"), ("--by", "transaction")):
        got_own, got_cumulative = listed(report(path, *options))
        wrong += compare(f"{options} own", own, got_own) + compare(f"{options} cumulative", cumulative, got_cumulative)
    total = [row for table in report(path) for row in table["rows"] if row["row"] == "total"][0]
    if total["samples"] != len(records.samples) or total["cumulative_samples"] != len(records.samples):
        print(f"the total is {total}, there are {len(records.samples)} samples")
        wrong += 1
    print(f"{len(own)} paths, {len(records.samples)} samples, {len(records.waits)} waits, {wrong} differ")
    return wrong != 0 or not own


def shares_of_perf(text, names):
    """The samples in whose call chain each procedure is, and all."""
    counts, total = collections.Counter(), 0
    for block in re.split(r"\n\s*\n", text):
        procedures = set(re.findall(r"^\s+[0-9a-f]+ (\S+?)(?:\+0x[0-9a-f]+)? \(", block, re.M))
        if not procedures:
            continue
        total += 1
        counts.update(name for name in names if name in procedures)
    return counts, total


def check_perf(path, text, names):
    counts, total = shares_of_perf(open(text, encoding="utf-8", errors="replace").read(), names)
    rows = [row for table in report(path) for row in table["rows"] if row["row"] == "detail"]
    whole = [row for table in report(path) for row in table["rows"] if row["row"] == "total"][0]["samples"]
    wrong = 0
    for name in names:
        ours = sum(row["cumulative_samples"] for row in rows if row["procedure"] == name and name not in row["path"].split(";")[:-1]) / whole
        theirs = counts[name] / max(total, 1)
        # Two samples: all but one in a million of the differences are within this bound, and two chains in a hundred
        # may be broken.
        bound = 4.9 * math.sqrt(ours * (1 - ours) / whole + theirs * (1 - theirs) / max(total, 1)) + 0.02
        print(f"{name}: {100 * ours:.1f} % of {whole}, by perf {100 * theirs:.1f} % of {total}, within {100 * bound:.1f}")
        wrong += abs(ours - theirs) > bound
    return wrong != 0 or total < 100


if __name__ == "__main__":
    sys.exit(check_perf(sys.argv[2], sys.argv[3], sys.argv[4:]) if sys.argv[1] == "--perf" else check(sys.argv[1]))
