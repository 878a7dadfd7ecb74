#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make truth: whether the rows of profiles hold the truth within the margins that they print.

Programs that know by their own clocks (tests/truth/truth.h) what each of their functions used and how long it waited are measured
TRUTH_RUNS times (default 200), as root and as an ordinary user where root runs this, with TRUTH_SECONDS each (default 2) and one
random seed after the other from TRUTH_SEED (default 1). For each run the listing's rows of these functions are compared
(truth_rows.py). TRUTH_KINDS chooses kinds (comma), TRUTH_USERS who measures (root, nobody), TRUTH_LOAD=N keeps N busy processes
beside, TRUTH_VERBOSE=1 shows the rows that do not hold, TRUTH_ROWS is a file to which all rows are added. The last table is the
result; at least 95 of 100 rows should hold. Exit 0 when they do.
BIAS is the mean of the errors and SPREAD the root of the mean of their squares, both in margins: 0 and up to 0.51 when all is well.
"""
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
from truth_rows import Profile, read_truth  # noqa: E402  pylint: disable=wrong-import-position

BUILD = os.environ["VIGIL_BUILD"]
SOURCE = os.path.join(os.environ["VIGIL_SOURCE"], "tests", "truth")
RUNS = int(os.environ.get("TRUTH_RUNS", "200"))
SECONDS = os.environ.get("TRUTH_SECONDS", "2")
SEED = int(os.environ.get("TRUTH_SEED", "1"))
VIGIL = os.path.join(BUILD, "vigil")
C_KINDS = ("cpu", "calls-2", "calls-20", "pages", "periodic", "loop", "wait-0.2", "wait-1", "wait-5", "wait-50", "sleep", "turns", "pipe", "condition", "fsync", "mixed",
           "child-1", "child-5", "child-50", "children", "brief", "threads", "clients", "deep")


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
    shutil.copy(f"{SOURCE}/native.py", folder)
    kinds.append(Kind("python", ["python3", os.path.join(folder, "mix.py"), SECONDS]))
    kinds.append(Kind("native", ["python3", os.path.join(folder, "native.py"), SECONDS]))
    cobc = os.environ.get("COBC") or "cobc"
    if shutil.which(cobc):
        program = os.path.join(folder, "TRUTHMIX")
        subprocess.run([cobc, "-x", "-g", "-O", "-I", SOURCE, "-o", program, f"{SOURCE}/TRUTHMIX.cob", f"{SOURCE}/marks.c",
                        f"{SOURCE}/truth.c", "-Q", "-lm"], check=True, cwd=folder)
        kinds.append(Kind("cobol", [program]))
    chosen = os.environ.get("TRUTH_KINDS")
    return [kind for kind in kinds if not chosen or kind.name in chosen.split(",")]


class Run(Profile):
    """One measured run: what it printed, and what is true."""

    def __init__(self, kind, seed, user, folder):
        self.user, self.seed = user, seed
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
        text = subprocess.run([VIGIL, "report", "--format", "json", "--all", "--margins", profile], stdout=subprocess.PIPE, check=True).stdout
        super().__init__(kind.name, read_truth(truth), text)
        self.took = time.monotonic() - began


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
        kind, rung = run.kind, run.fact("privilege")
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
