# SPDX-License-Identifier: Apache-2.0
"""make steady: the gate again and again: python3 tests/runner/steady.py RUNNER-ARGUMENT...

Every second run has busy processes (STEADY_BUSY, two) and one that writes to disk beside it. After each run it prints the table of those
tests that have failed or were unsteady so far; what each run said and its verdicts stay in tests/steady of the build folder.
Exit status 0: no run was red. Environment: STEADY_RUNS (30), STEADY_BUSY; STEADY_ON=1 goes on behind the runs that are
there, of a machine that was switched off in between; VIGIL_BUILD, VIGIL_SOURCE and what the runner takes."""

import ctypes
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time

PR_SET_PDEATHSIG = 1
WRITTEN = 64 << 20      # bytes of the file that is written anew again and again


def dies_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


class Load:
    """A context: what runs beside a busy run. It ends with the context, and with this process whatever becomes of it."""

    def __init__(self, wanted):
        self.wanted, self.pids, self.folder = wanted, [], None

    def start(self, work):
        pid = os.fork()
        if pid == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_DFL)
            dies_with_parent()
            while True:
                work()
        self.pids.append(pid)

    def write(self):
        """One file, of a bounded size, each time through to the disk."""
        with open(os.path.join(self.folder, 'written'), 'wb') as file:
            for _ in range(WRITTEN >> 20):
                file.write(bytes(1 << 20))
            file.flush()
            os.fsync(file.fileno())

    def __enter__(self):
        if self.wanted:
            self.folder = tempfile.mkdtemp(prefix='vigil-steady-')
            for _ in range(int(os.environ.get('STEADY_BUSY', '2'))):
                self.start(lambda: sum(range(100000)))
            self.start(self.write)
        return self

    def __exit__(self, *_):
        for pid in self.pids:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        if self.folder:
            shutil.rmtree(self.folder, ignore_errors=True)


class Tally:
    """What all runs so far said of each test."""

    def __init__(self):
        self.tests = {}         # name: [runs, failed, unsteady, longest]
        self.runs = []          # (passed, busy, seconds)

    def add(self, path, busy, status, seconds):
        ended = False
        for line in open(path, encoding='utf-8') if os.path.exists(path) else ():
            told = json.loads(line)
            ended = ended or 'run' in told
            if 'test' in told:
                row = self.tests.setdefault(told['test'], [0, 0, 0, 0.0])
                row[0] += 1
                row[1] += told['verdict'] == 'failed'
                row[2] += told['verdict'] == 'unsteady'
                row[3] = max(row[3], told['seconds'])
        self.runs.append((status == 0 and ended, busy, seconds))

    def lines(self):
        yield f'{"runs":>5} {"failed":>7} {"unsteady":>9} {"longest":>8}  test'
        marked = [(name, row) for name, row in self.tests.items() if row[1] or row[2]]
        for name, row in sorted(marked, key=lambda pair: (-pair[1][1], -pair[1][2], pair[0])):
            yield f'{row[0]:5} {row[1]:7} {row[2]:9} {row[3]:6.1f} s  {name}'
        yield f'{len(marked)} of {len(self.tests)} tests failed or were unsteady at least once'

    def longest(self):
        yield 'The ten longest:'
        for name, row in sorted(self.tests.items(), key=lambda pair: -pair[1][3])[:10]:
            yield f'{row[3]:8.1f} s  {name}'

    def totals(self):
        for busy, word in ((False, 'quiet'), (True, 'busy')):
            of_kind = [run for run in self.runs if run[1] == busy]
            if of_kind:
                yield (f'{len(of_kind)} {word} runs, {sum(not run[0] for run in of_kind)} of them red, '
                       f'{sum(run[2] for run in of_kind) / len(of_kind) / 60:.1f} minutes each, '
                       f'the longest {max(run[2] for run in of_kind) / 60:.1f}')


def say(lines):
    for line in lines:
        print(line, flush=True)


def why_red(log):
    """The tests that failed, or the last that the run said."""
    with open(log, encoding='utf-8', errors='replace') as file:
        lines = file.read().splitlines()
    return [line for line in lines if line.startswith('# failed: ')] or lines[-5:]


def one_run(number, busy, arguments, kept):
    """The runner once; its status, and the seconds that it took."""
    began = time.monotonic()
    record = os.path.join(os.environ['VIGIL_BUILD'], 'tests', 'verdicts')
    if os.path.exists(record):
        os.unlink(record)
    with Load(busy), open(f'{kept}/{number}.log', 'wb') as log:
        run = subprocess.Popen([sys.executable, '-B', os.path.dirname(os.path.abspath(__file__))] + arguments,
                               stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT)
        try:
            status = run.wait()
        except BaseException:       # asked to end: so is the run, which ends what its tests started
            run.terminate()
            run.wait()
            raise
    if os.path.exists(record):
        shutil.copy(record, f'{kept}/{number}.verdicts')
    return status, time.monotonic() - began


def whole_runs(kept):
    """The runs that are there and came to their end, from the first on: status and seconds of each."""
    number = 1
    while os.path.exists(f'{kept}/{number}.ended'):
        with open(f'{kept}/{number}.ended', encoding='utf-8') as file:
            yield number, json.load(file)
        number += 1


def main():
    runs = int(os.environ.get('STEADY_RUNS', '30'))
    kept = os.path.join(os.environ['VIGIL_BUILD'], 'tests', 'steady')
    if not os.environ.get('STEADY_ON'):
        shutil.rmtree(kept, ignore_errors=True)
    os.makedirs(kept, exist_ok=True)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    tally, done = Tally(), 0
    for done, (status, seconds) in whole_runs(kept):
        tally.add(f'{kept}/{done}.verdicts', done % 2 == 0, status, seconds)
    for number in range(done + 1, runs + 1):
        busy = number % 2 == 0
        status, seconds = one_run(number, busy, sys.argv[1:], kept)
        with open(f'{kept}/{number}.ended', 'w', encoding='utf-8') as file:
            json.dump((status, seconds), file)
        tally.add(f'{kept}/{number}.verdicts', busy, status, seconds)
        if not tally.runs[-1][0]:
            say(why_red(f'{kept}/{number}.log'))
        say([f'run {number} of {runs}{", busy" if busy else ""}: {"passed" if tally.runs[-1][0] else "RED"} after '
             f'{seconds / 60:.1f} minutes'])
        say(tally.lines())
    say(tally.longest())
    say(tally.totals())
    return 0 if all(run[0] for run in tally.runs) else 1


sys.exit(main())
