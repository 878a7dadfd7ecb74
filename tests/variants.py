#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
make variants: replays damaged and disordered variants of small recordings, on all processors, hours long. A variant must not crash
or go on for ever, and no sum of it may pass what rusage says (session/measure/replay-variants).

The recordings are made first: programs of tests/truth that run some milliseconds, as an ordinary user, and as root if root makes them.
They stay in tests/variants of the build with the number of pieces that were tried of each (a piece is PIECE variants of one seed), so
that another "make variants" goes on from there.

VARIANTS (10000000): variants of all recordings together, those of earlier runs included. VARIANTS_SECONDS: end after about so long.
VARIANTS_RECORDINGS: names, separated by commas. The table is in tests/variants/table after each piece and printed at the end; the exit
status is 1 if a piece failed. The table tells the seed: "replay-variants RECORDING SEED PIECE OUTPUT" does the same again.
"""
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
BUILD, SOURCE = os.environ["VIGIL_BUILD"], os.path.abspath(os.environ["VIGIL_SOURCE"])
sys.path.insert(0, SOURCE + "/tests/recordings")
import make  # noqa: E402 pylint: disable=wrong-import-position

WORK = BUILD + "/tests/variants"
VARIANTS = int(os.environ.get("VARIANTS", "10000000"))
SECONDS = float(os.environ.get("VARIANTS_SECONDS", "inf"))
CHOSEN = os.environ.get("VARIANTS_RECORDINGS")
PIECE = 1000
# Seconds that the programs run, and their kinds: each leads the sampler another way.
BRIEF = 0.01
KINDS = ("cpu", "calls-20", "wait-1", "turns", "pipe", "condition", "fsync", "clients", "children", "brief", "threads", "deep", "jit")


def record(kind, user, command, folder):
    """Makes the recording of a kind of program, if it is not there."""
    path = f"{WORK}/{kind}-{user}.vrec"
    if not os.path.exists(path):
        shutil.move(make.record(make.Plan(kind, kind, BRIEF), user, command, folder) + "/x.vrec", path)


class Recording:
    """A recording, and what became of its variants."""

    def __init__(self, name):
        self.name, self.state = name, f"{WORK}/{name}.state"
        # Pieces that were begun, variants that were replayed, seconds that it took, seeds of pieces that failed.
        self.begun, self.done, self.seconds, self.failed = 0, 0, 0.0, []
        if os.path.exists(self.state):
            with open(self.state, encoding="ascii") as file:
                self.begun, self.done, self.seconds, self.failed = json.load(file)

    def replay(self, seed, size):
        """Replays a piece; returns its seconds and whether it failed."""
        with tempfile.TemporaryDirectory(prefix="vigil-variants-") as folder:
            start = time.monotonic()
            with open(f"{folder}/log", "wb") as log:
                status = subprocess.run([BUILD + "/session/measure/replay-variants", f"{WORK}/{self.name}.vrec", str(seed), str(size),
                                         folder + "/x.vprf"], stdout=log, stderr=log, cwd=folder, check=False).returncode
            if status:
                os.replace(f"{folder}/log", f"{WORK}/{self.name}-failed-{seed}")
            return time.monotonic() - start, status

    def note(self, seed, size, seconds, status):
        self.seconds += seconds
        if status:
            self.failed.append([seed, status])
        else:
            self.done += size
        with open(self.state, "w", encoding="ascii") as file:
            json.dump([self.begun, self.done, self.seconds, self.failed], file)

    def line(self):
        failures = ", ".join(f"seed {seed}: exit status {status}" for seed, status in self.failed)
        return f"{self.name:<20} {self.done:12,} {self.done / max(self.seconds, 1e-9):10.0f} {failures or 'all is well'}"


class Variants:
    """All recordings; whose variants took the least time so far is next."""

    def __init__(self, names):
        self.recordings = [Recording(name) for name in names]
        self.left = VARIANTS - sum(recording.done for recording in self.recordings)
        self.until, self.lock = time.monotonic() + SECONDS, threading.Lock()
        self.expected = {recording.name: recording.seconds for recording in self.recordings}

    def table(self):
        total = sum(recording.done for recording in self.recordings)
        return "\n".join([f"{'recording':<20} {'variants':>12} {'a second':>10}", *(recording.line() for recording in self.recordings),
                          f"{'all':<20} {total:12,}", ""])

    def next(self):
        """Returns a recording, a seed and the size of a piece; None: that is all."""
        with self.lock:
            if self.left <= 0 or time.monotonic() > self.until:
                return None
            chosen = min(self.recordings, key=lambda recording: self.expected[recording.name])
            # Until it is known how long it takes, it counts as a second.
            self.expected[chosen.name] += 1
            chosen.begun += 1
            size = min(PIECE, self.left)
            self.left -= size
            return chosen, chosen.begun, size

    def work(self):
        while (piece := self.next()) is not None:
            recording, seed, size = piece
            seconds, status = recording.replay(seed, size)
            with self.lock:
                recording.note(seed, size, seconds, status)
                self.expected[recording.name] += seconds - 1
                with open(WORK + "/table", "w", encoding="ascii") as file:
                    file.write(self.table())

    def run(self):
        count = os.cpu_count() or 1
        with concurrent.futures.ThreadPoolExecutor(count) as pool:
            for worker in [pool.submit(self.work) for _ in range(count)]:
                worker.result()
        return any(recording.failed for recording in self.recordings)


def main():
    os.makedirs(WORK, exist_ok=True)
    users = ("root", "user") if os.geteuid() == 0 else ("user",)
    chosen = CHOSEN.split(",") if CHOSEN else [f"{kind}-{user}" for kind in KINDS for user in users]
    with tempfile.TemporaryDirectory(prefix="vigil-variants-") as folder:
        os.chmod(folder, 0o755)
        commands = make.compile_programs(folder)
        for name in chosen:
            kind, user = name.rsplit("-", 1)
            record(kind, user, commands[kind], folder)
    variants = Variants(chosen)
    failed = variants.run()
    print(variants.table(), end="")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
