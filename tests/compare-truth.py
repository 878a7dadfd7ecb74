#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make compare-truth: what vigil compare says of programs whose differences are known.

Programs with a fixed amount of work (tests/compare/: eight procedures in C, six paragraphs in COBOL, four waits) are measured in two
builds: as they are, and with one procedure or wait that does 10 % more; in turns, so that both have the same weather; as root in both
ways of measuring (full, and user as everybody has it), else as user. A run has some 12,000 samples, or 100 waits at each place.
Measuring ends after COMPARE_RUNS of each (default 30) or COMPARE_MINUTES (default 40), whichever comes first. Then COMPARE_PAIRS times
(default 200) runs are drawn at random, one and COMPARE_SIDE (default 5) on each side, and compared; where a quarter of an hour does not
suffice for all comparisons, each line has as many of them as there was time for, 20 at least. So all ends within an hour.

    SAME    both sides of the same build: how many of the rows claim a difference, and how many comparisons have any claim
    SLOWER  the other side of the slower build: how often the procedure or wait that is slower is named first (claimed or not: the
            fact "surest" of the report), how often it claims to be slower, and in how many it stands first of its table
    SEEN    the median of the smallest difference of the largest row that the reports say can be seen

COMPARE_FOLDER keeps the measurements: those that are there already are used. COMPARE_LOAD=N keeps N busy processes beside.
COMPARE_SEED chooses the draws. Exit 0 when at most 5 % of the rows of equal runs claim a difference in each line, and with several
runs a side at least 95 % name what is slower first; of the C program with one, too. The waits are judged so by full only: by user
their places are known by looks.
"""
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.environ["VIGIL_BUILD"]
SOURCE = os.path.join(os.environ["VIGIL_SOURCE"], "tests", "compare")
VIGIL = os.path.join(BUILD, "vigil")
RUNS = int(os.environ.get("COMPARE_RUNS", "30"))
MINUTES = float(os.environ.get("COMPARE_MINUTES", "40"))
PAIRS = int(os.environ.get("COMPARE_PAIRS", "200"))
SIDE = int(os.environ.get("COMPARE_SIDE", "5"))
LOAD = int(os.environ.get("COMPARE_LOAD", "0"))
WAYS = ("full", "user") if os.geteuid() == 0 else ("user",)
EXTRA = 10
COMPARING = 15 * 60 # seconds


class Program:
    def __init__(self, name, arguments, table, slower, alone):
        self.name, self.arguments, self.table, self.slower, self.alone = name, arguments, table, slower, alone

    def command(self, folder, extra):
        return [os.path.join(folder, str(extra), self.name)] + self.arguments(extra)


PROGRAMS = [
    Program("work", lambda extra: ["1300"], "procedures", "post", True),
    Program("CMPWORK", lambda extra: ["50000", str(100 + extra)], "procedures", "POST-LEDGER", False),
    Program("pauses", lambda extra: ["100"], "waiting_procedures", "post_ledger", False),
]


def compile_programs(folder):
    """Returns the programs that this machine can run."""
    programs = []
    for extra in (0, EXTRA):
        os.makedirs(os.path.join(folder, str(extra)), exist_ok=True)
    for program in PROGRAMS:
        for extra in (0, EXTRA):
            target = os.path.join(folder, str(extra), program.name)
            source = os.path.join(SOURCE, program.name)
            if os.path.exists(source + ".c"):
                subprocess.run(["cc", "-O1", "-g", f"-DEXTRA={extra}", "-o", target, source + ".c"], check=True)
            elif shutil.which(os.environ.get("COBC") or "cobc"):
                subprocess.run([os.environ.get("COBC") or "cobc", "-x", "-g", "-O", "-o", target, source + ".cob"], check=True,
                               cwd=os.path.dirname(target))
        if os.path.exists(program.command(folder, EXTRA)[0]):
            programs.append(program)
    return programs


def path_of(folder, way, program, extra, number):
    return os.path.join(folder, f"{program.name}-{way}-{extra}-{number}.vprf")


def is_measured(folder, programs, number):
    return all(os.path.exists(path_of(folder, way, program, extra, number)) for way in WAYS for program in programs for extra in (0, EXTRA))


def measure(folder, programs):
    """Returns the numbers of the rounds in which all were measured."""
    end = time.monotonic() + 60 * MINUTES
    for number in range(RUNS):
        for way in WAYS:
            for program in programs:
                for extra in (0, EXTRA):
                    path = path_of(folder, way, program, extra, number)
                    if not os.path.exists(path) and time.monotonic() < end:
                        subprocess.run([VIGIL, "run", "-q", "--rate", "4999", "--samples", "30000", "--cost", "30", "--privilege", way, "-o", path, "--"]
                                       + program.command(folder, extra), check=True, stdout=subprocess.DEVNULL)
    return [number for number in range(RUNS) if is_measured(folder, programs, number)]


def compare(base, other):
    command = [VIGIL, "compare", "--all", "--format", "json"]
    for path in base:
        command += ["--base", path]
    done = subprocess.run(command + other, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
    if done.returncode >= 8:
        raise RuntimeError(done.stderr.decode(errors="replace"))
    report = json.loads(done.stdout)["reports"][0]
    return report["facts"]["comparison"], {table["table"]: table["rows"] for table in report["tables"]}


class Draw:
    """Runs of one program in one way of measuring, drawn at random."""

    def __init__(self, folder, way, program, numbers, seconds):
        self.seconds = seconds
        self.folder, self.way, self.program, self.numbers = folder, way, program, numbers
        self.rng = random.Random(f"{os.environ.get('COMPARE_SEED', '1')} {way} {program.name}")

    def pair(self, side, extra):
        drawn = self.rng.sample(self.numbers, 2 * side)
        paths = [path_of(self.folder, self.way, self.program, 0, number) for number in drawn[:side]]
        return compare(paths, [path_of(self.folder, self.way, self.program, extra, number) for number in drawn[side:]])

    def pairs(self, side, extra):
        """As many comparisons as were asked for, or as there is time for."""
        end = time.monotonic() + self.seconds
        for number in range(PAIRS):
            if number >= 20 and time.monotonic() > end:
                break
            yield self.pair(side, extra)

    def same(self, side):
        rows = claims = pairs = count = 0
        for _, tables in self.pairs(side, 0):
            count += 1
            found = [row for name, table in tables.items() if name != "differences" for row in table]
            rows += len(found)
            claims += sum(bool(row["verdict"]) for row in found)
            pairs += any(row["verdict"] for row in found)
        return 100 * claims / rows, 100 * pairs / count

    def slower(self, side):
        first = claimed = heads = 0
        seen = []
        for facts, tables in self.pairs(side, EXTRA):
            rows = tables.get(self.program.table, [])
            first += self.program.slower in facts.get("surest", "")
            claimed += any(row["procedure"] == self.program.slower and row["verdict"] == "SLOWER" for row in rows)
            heads += bool(rows) and rows[0]["procedure"] == self.program.slower
            seen.append(facts.get("least_percent") or 1000)
        return len(seen), 100 * first / len(seen), 100 * claimed / len(seen), 100 * heads / len(seen), statistics.median(seen)


def is_judged(way, program, side):
    if program.table == "procedures":
        return side > 1 or program.alone
    return side > 1 and way == "full"


def table(folder, programs, numbers):
    good = True
    print(f"{len(numbers)} runs of each, {PAIRS} pairs a line at most, load {os.getloadavg()[0]:.1f}")
    print("                                        SAME                     SLOWER")
    print("PROGRAM  MEASURED  RUNS A SIDE  PAIRS  ROWS CLAIM  PAIRS CLAIM  NAMED FIRST  CLAIMED  FIRST OF TABLE  SEEN FROM")
    for program in programs:
        for way in WAYS:
            draw = Draw(folder, way, program, numbers, COMPARING / (4 * len(programs) * len(WAYS)))
            for side in (1, SIDE):
                rows, pairs = draw.same(side)
                count, first, claimed, heads, seen = draw.slower(side)
                bad = rows > 5 or (is_judged(way, program, side) and first < 95)
                print(f"{program.name:<8} {way:<8} {side:12}  {count:5}  {rows:8.2f} %  {pairs:9.1f} %  {first:9.1f} %  {claimed:5.1f} %  {heads:12.1f} %  {seen:7.1f} %"
                      f"{'  BAD' if bad else ''}", flush=True)
                good = good and not bad
    return good


def main():
    folder = os.environ.get("COMPARE_FOLDER") or tempfile.mkdtemp(prefix="vigil-compare-")
    load = []
    try:
        os.makedirs(folder, exist_ok=True)
        programs = compile_programs(folder)
        load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(LOAD)]
        numbers = measure(folder, programs)
        if len(numbers) < 2 * SIDE:
            sys.exit(f"only {len(numbers)} runs of each were measured in {MINUTES:.0f} minutes: {2 * SIDE} are needed")
        good = table(folder, programs, numbers)
    finally:
        for one in load:
            one.kill()
        if not os.environ.get("COMPARE_FOLDER"):
            shutil.rmtree(folder)
    sys.exit(0 if good else 1)


main()
