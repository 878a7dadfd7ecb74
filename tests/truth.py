#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make truth: whether the rows of profiles hold the truth within the margins that they print.

Programs that know by their own clocks (tests/truth/truth.h) what each of their functions used and how long it waited are measured
TRUTH_RUNS times (default 200), as root and as an ordinary user where root runs this, with TRUTH_SECONDS each (default 2) and one
random seed after the other from TRUTH_SEED (default 1). For each run the listing's rows of these functions are compared:

    CPU     CHARGED of the function in Most Intensively Executed Procedures, percent, with its margin
    wait    the time that tasks waited there in Attribution of CPU Wait Time, with its margin where it prints one; without one the
            row says that it is exact: to a hundredth of a second, and half a percent
    kernel  of "brief": the share of the kernel: at least what the functions did not use, and at most what they did not need for their
            loops, as an interrupt's time is theirs by their clocks
    sums    CPU TIME that the step's own rusage knows, and the same by samples, with what the listing says to be in no report

A function that has no row must be smaller than what looks may have failed to meet: the run's margin, of waits the least margin of
the other functions, as that is never smaller than the margin of a share of none. TRUTH_KINDS chooses kinds (comma), TRUTH_USERS
who measures (root, nobody), TRUTH_LOAD=N keeps N busy processes beside, TRUTH_VERBOSE=1 shows the rows that do not hold, TRUTH_ROWS
is a file to which all rows are added. The last table is the result; at least 95 of 100 rows should hold. Exit 0 when they do.
BIAS is the mean of the errors and SPREAD the root of the mean of their squares, both in margins: 0 and up to 0.51 when all is well.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

BUILD = os.environ["VIGIL_BUILD"]
SOURCE = os.path.join(os.environ["VIGIL_SOURCE"], "tests", "truth")
RUNS = int(os.environ.get("TRUTH_RUNS", "200"))
SECONDS = os.environ.get("TRUTH_SECONDS", "2")
SEED = int(os.environ.get("TRUTH_SEED", "1"))
VIGIL = os.path.join(BUILD, "vigil")
C_KINDS = ("cpu", "periodic", "loop", "wait-0.2", "wait-1", "wait-5", "wait-50", "sleep", "turns", "pipe", "condition", "fsync", "mixed",
           "child-1", "child-5", "child-50", "children", "brief", "threads")
# A listing is rounded to this.
PERCENT = 0.005
NANOSECONDS = 10_000_000


class Kind:
    def __init__(self, name, command):
        self.name = name
        self.command = command


def compile_programs(folder):
    """Returns the kinds that this machine can run."""
    mix = os.path.join(folder, "mix")
    subprocess.run(["cc", "-O1", "-g", "-pthread", "-o", mix, f"{SOURCE}/mix.c", f"{SOURCE}/truth.c", "-lm"], check=True)
    kinds = [Kind(name, [mix, name, SECONDS]) for name in C_KINDS]
    shutil.copy(f"{SOURCE}/mix.py", folder)
    kinds.append(Kind("python", ["python3", os.path.join(folder, "mix.py"), SECONDS]))
    cobc = os.environ.get("COBC") or "cobc"
    if shutil.which(cobc):
        program = os.path.join(folder, "TRUTHMIX")
        subprocess.run([cobc, "-x", "-g", "-O", "-I", SOURCE, "-o", program, f"{SOURCE}/TRUTHMIX.cob", f"{SOURCE}/marks.c",
                        f"{SOURCE}/truth.c", "-Q", "-lm"], check=True, cwd=folder)
        kinds.append(Kind("cobol", [program]))
    chosen = os.environ.get("TRUTH_KINDS")
    return [kind for kind in kinds if not chosen or kind.name in chosen.split(",")]


def read_truth(path):
    truth = {"cpu": {}, "wait": {}, "total": 0, "user": 0}
    with open(path, encoding="ascii") as file:
        for line in file:
            words = line.split()
            if words[0] in ("total", "user"):
                truth[words[0]] = int(words[1])
            else:
                truth[words[0]][int(words[1])] = int(words[2])
    return truth


class Run:
    """One measured run: what it printed, and what is true."""

    def __init__(self, kind, seed, user, folder):
        self.kind, self.user, self.seed = kind, user, seed
        began = time.monotonic()
        truth = os.path.join(folder, "truth.txt")
        profile = os.path.join(folder, "truth.vprf")
        environment = dict(os.environ, TRUTH_SEED=str(seed), TRUTH_FILE=truth, TRUTH_SECONDS=SECONDS, TRUTH_FOLDER=folder,
                           HOME=folder, TMPDIR=folder)
        command = [VIGIL, "run", "-q", "-o", profile, "--"] + kind.command
        if user == "nobody":
            command = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"] + command
        done = subprocess.run(command, env=environment, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        if done.returncode:
            raise RuntimeError(f"{kind.name}: exit {done.returncode}: {done.stdout.decode(errors='replace')}")
        self.truth = read_truth(truth)
        text = subprocess.run([VIGIL, "report", "--format", "json", "--all", "--margins", profile], stdout=subprocess.PIPE, check=True).stdout
        self.reports = {report["code"]: report for report in json.loads(text)["reports"]}
        self.took = time.monotonic() - began

    def rows(self, report, name):
        return [{**table["context"], **row} for table in self.reports.get(report, {"tables": []})["tables"] if table["table"] == name
                for row in table["rows"] if row["row"] == "detail"]

    def fact(self, name):
        for group in self.reports["MSD"]["facts"].values():
            if name in group:
                return group[name]
        return None

    def part_name(self, stem, number):
        return f"PART-{number}" if self.kind.name == "cobol" else f"{stem}_{number}"

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
        printed = (self.fact("cpu_user_ns") or 0) + (self.fact("cpu_system_ns") or 0)
        yield "CPU by rusage", true, printed, true / 50 + 2 * NANOSECONDS
        margin = (self.fact("margin_percent") or 0) / 100 * true
        printed = (self.fact("cpu_samples_ns") or 0) + (self.fact("cpu_missing_ns") or 0)
        yield "CPU by samples", true, printed, margin + true / 50 + NANOSECONDS

    def compare_kernel(self):
        """The kernel's share in percent of the CPU time: no less than what no function used, no more than what none calculated."""
        if self.kind.name != "brief":
            return
        total = max(self.truth["total"], 1)
        least = 100 - 100 * sum(self.truth["cpu"].values()) / total
        most = 100 - 100 * self.truth["user"] / total
        kernel = (self.fact("samples_kernel") or 0) + (self.fact("samples_kernel_estimated") or 0)
        printed = 100 * kernel / max(self.fact("samples_in_reports") or 0, 1)
        yield "kernel", min(max(printed, least), max(most, least)), printed, (self.fact("margin_percent") or 0) + PERCENT

    def compare(self):
        for what, how in (("cpu", self.compare_cpu), ("wait", self.compare_waits), ("kernel", self.compare_kernel),
                          ("sums", self.compare_sums)):
            for name, true, printed, margin in how():
                yield what, name, true, printed, margin


class Count:
    """What came of rows of one sort: how many hold, and how far off they are, in their margins."""

    def __init__(self):
        self.rows = self.held = 0
        self.errors = self.squares = 0.0

    def add(self, error, margin):
        self.rows += 1
        self.held += abs(error) <= margin
        self.errors += error / margin
        self.squares += (error / margin) ** 2

    def join(self, other):
        for name in ("rows", "held", "errors", "squares"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def text(self):
        rows = max(self.rows, 1)
        return f"{self.held:>7}{self.rows:>7}{100 * self.held / rows:>9.1f}{self.errors / rows:>8.2f}{(self.squares / rows) ** 0.5:>8.2f}"


class Table:
    def __init__(self):
        self.counts = {}
        self.times = {}
        path = os.environ.get("TRUTH_ROWS")
        self.file = open(path, "a", encoding="utf-8") if path else None  # pylint: disable=consider-using-with

    def add(self, run, verbose):
        kind, rung = run.kind.name, run.fact("privilege")
        self.times.setdefault((kind, run.user), []).append(run.took)
        for what, name, true, printed, margin in run.compare():
            self.counts.setdefault((kind, run.user, rung, what), Count()).add(printed - true, margin)
            if self.file:
                print(kind, run.user, rung, run.seed, what, name, true, printed, margin, sep="\t", file=self.file, flush=True)
            if verbose and abs(true - printed) > margin:
                print(f"#   {kind} {run.user} {run.seed} {name}: true {true:.2f}, printed {printed:.2f}, margin {margin:.2f}", flush=True)

    def print(self):
        print(f"{'kind':<12}{'user':<8}{'rung':<6}{'rows of':<8}{'held':>7}{'rows':>7}{'percent':>9}{'bias':>8}{'spread':>8}")
        every, of = Count(), {}
        for (kind, user, rung, what), count in sorted(self.counts.items()):
            print(f"{kind:<12}{user:<8}{rung:<6}{what:<8}{count.text()}")
            every.join(count)
            of.setdefault(("all", user, rung, ""), Count()).join(count)
            of.setdefault(("all", "", "", what), Count()).join(count)
        for (kind, user, rung, what), count in sorted(of.items()):
            print(f"{kind:<12}{user:<8}{rung:<6}{what:<8}{count.text()}")
        print(f"{'all':<34}{every.text()}")
        print("a run, seconds: " + ", ".join(f"{kind} {user} {sum(times) / len(times):.1f}" for (kind, user), times in sorted(self.times.items())))
        return every.rows > 0 and every.held >= 0.95 * every.rows


def make_folders(folder):
    """Who measures, each with the only folder that is its own."""
    us = "root" if os.getuid() == 0 else "user"
    folders = {us: os.path.join(folder, us)}
    os.mkdir(folders[us])
    if us == "root" and shutil.which("setpriv"):
        os.chmod(folder, 0o755)
        folders["nobody"] = os.path.join(folder, "nobody")
        os.mkdir(folders["nobody"])
        shutil.chown(folders["nobody"], "nobody", "nogroup")
    chosen = os.environ.get("TRUTH_USERS")
    return {user: path for user, path in folders.items() if not chosen or user in chosen.split(",")}


def measure(number, kinds, folders, table):
    """One run. Returns whether it could be made."""
    users = list(folders)
    kind = kinds[number // len(users) % len(kinds)]
    user = users[number % len(users)]
    for name in os.listdir(folders[user]):
        shutil.rmtree(os.path.join(folders[user], name), ignore_errors=True)
        if os.path.exists(os.path.join(folders[user], name)):
            os.unlink(os.path.join(folders[user], name))
    try:
        table.add(Run(kind, SEED + number // len(users) // len(kinds), user, folders[user]), os.environ.get("TRUTH_VERBOSE"))
    except (RuntimeError, OSError, ValueError) as error:
        print(f"# run {number} failed: {error}", file=sys.stderr)
        return False
    return True


def main():
    load = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(int(os.environ.get("TRUTH_LOAD", "0")))]
    folder = tempfile.mkdtemp(prefix="vigil-truth-")
    table, failed = Table(), 0
    try:
        folders = make_folders(folder)
        kinds = compile_programs(folder)
        for number in range(RUNS):
            failed += not measure(number, kinds, folders, table)
    finally:
        for busy in load:
            busy.send_signal(signal.SIGKILL)
            busy.wait()
        shutil.rmtree(folder, ignore_errors=True)
    good = table.print()
    if failed:
        print(f"{failed} runs failed")
    return 0 if good and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
