#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Runs every fuzz target in turns: "make fuzz". The targets are built with clang in the folder fuzz of the build
(../configure CC=clang --enable-fuzzers). Each begins with the inputs in tests/corpus/TARGET, where what was found
before is kept, the decks of the examples and tables, and what earlier runs of this folder gathered
(fuzz/corpus-TARGET).

FUZZ_SECONDS (3600): how long each target runs, in turns of FUZZ_TURN (600) seconds, so that a run that is cut short has
tried all of them. FUZZ_INPUTS: a target that had so many inputs, those of earlier runs of this folder included, has had enough.
FUZZ_TARGETS: names of the targets to run, parted by blanks. Two targets never run at once.

The table is in fuzz/table after each turn, and printed at the end; the exit status is 1 when an input
failed: it is in fuzz/TARGET-crash-... What is kept of it belongs into tests/corpus/TARGET.
"""
import glob
import os
import re
import subprocess
import sys
import time

BUILD, SOURCE = os.environ['VIGIL_BUILD'], os.path.abspath(os.environ['VIGIL_SOURCE'])
SECONDS = int(os.environ.get('FUZZ_SECONDS', '3600'))
TURN = min(SECONDS, int(os.environ.get('FUZZ_TURN', '600')))
INPUTS = int(os.environ.get('FUZZ_INPUTS', '0'))
WORK = BUILD + '/fuzz'
# Options that cost time and find nothing are off: stacks of every allocation, and much memory in quarantine.
SANITIZERS = 'malloc_context_size=0:quarantine_size_mb=1:thread_local_quarantine_size_kb=64'
# Bytes of an input. Input that is read line by line need not be long.
LONGEST = {'dataset': 4000, 'reports': 4000, 'exports': 4000, 'names': 6000, 'cfi': 6000, 'btree': 4096}


def kind_of(name):
    return os.path.basename(name)[5:]


def targets():
    """The fuzz targets: folder/fuzz-NAME, from their sources."""
    sources = glob.glob(SOURCE + '/**/fuzz-*.c', recursive=True)
    found = [os.path.relpath(path, SOURCE)[:-2] for path in sources]
    wanted = os.environ.get('FUZZ_TARGETS', '').split()
    return sorted(path for path in found if not path.startswith('build') and not path.endswith('fuzz-driver') and
                  (not wanted or kind_of(path) in wanted))


def build(names):
    if not os.path.exists(WORK + '/Makefile'):
        os.makedirs(WORK, exist_ok=True)
        subprocess.run([SOURCE + '/configure', 'CC=clang', '--enable-fuzzers'], cwd=WORK, check=True,
                       stdout=subprocess.DEVNULL)
    subprocess.run(['make', '-s', '-j%d' % (os.cpu_count() or 1), *names], cwd=WORK, check=True)


def seeds(name):
    """Folders of inputs to begin with."""
    kind = kind_of(name)
    folders = [SOURCE + '/tests/corpus/' + kind]
    written = '%s/seeds-%s' % (WORK, kind)
    os.makedirs(written, exist_ok=True)
    for table in glob.glob('%s/tests/%s/*.tsv' % (SOURCE, kind)):
        for number, line in enumerate(open(table, errors='replace')):
            text = line.split('\t')[0].replace('\\n', '\n').replace('\\t', '\t')
            if not line.startswith('#') and len(text) <= 3000:
                open('%s/%s-%d' % (written, os.path.basename(table), number), 'w').write(text)
    folders.append(written)
    if kind == 'jcl':
        folders.append(SOURCE + '/jcl-examples')
    return [folder for folder in folders if os.path.isdir(folder)]


class Target:
    """A target, and what came of it so far. What earlier runs came to is in fuzz/inputs-TARGET."""

    def __init__(self, name):
        self.name, self.kind = name, kind_of(name)
        self.count = '%s/inputs-%s' % (WORK, self.kind)
        self.inputs = int(open(self.count).read()) if os.path.exists(self.count) else 0
        self.rate, self.left, self.failed = 0, SECONDS, 0
        self.seeds = seeds(name)

    def enough(self):
        return self.left <= 0 or 0 < INPUTS <= self.inputs

    def turn(self):
        """Fuzz it for a turn."""
        corpus = '%s/corpus-%s' % (WORK, self.kind)
        os.makedirs(corpus, exist_ok=True)
        log = '%s/log-%s' % (WORK, self.kind)
        command = [WORK + '/' + self.name, '-max_total_time=%d' % min(TURN, self.left), '-timeout=20', '-entropic=0',
                   '-reload=0', '-max_len=%d' % LONGEST.get(self.kind, 800), '-print_final_stats=1',
                   '-artifact_prefix=%s/%s-' % (WORK, self.kind), corpus, *self.seeds]
        if INPUTS:
            command.insert(1, '-runs=%d' % max(INPUTS - self.inputs, 1))
        start = time.monotonic()
        with open(log, 'w', errors='replace') as output:
            status = subprocess.run(command, stdout=output, stderr=subprocess.STDOUT, cwd=WORK, check=False,
                                    env=dict(os.environ, ASAN_OPTIONS=SANITIZERS)).returncode
        self.left -= TURN
        units = re.findall(r'number_of_executed_units:\s*(\d+)', open(log, errors='replace').read())
        done = int(units[-1]) if units else 0
        self.rate = done / (time.monotonic() - start)
        self.inputs += done
        open(self.count, 'w').write('%d\n' % self.inputs)
        if status != 0:
            self.failed += 1
            os.replace(log, '%s-failed-%d' % (log, self.failed))

    def line(self):
        ending = 'survived' if not self.failed else '%d FAILED: see fuzz/log-%s-failed-1' % (self.failed, self.kind)
        return '%-36s %12d %10.0f %s' % (self.name, self.inputs, self.rate, ending)


def table(every):
    return '\n'.join(['%-36s %12s %10s' % ('target', 'inputs', 'a second'), *(target.line() for target in every), ''])


def main():
    names = targets()
    build(names)
    every = [Target(name) for name in names]
    while not all(target.enough() for target in every):
        for target in every:
            if not target.enough():
                target.turn()
                print(target.line(), flush=True)
                open(WORK + '/table', 'w').write(table(every))
    print('\n' + table(every), end='')
    return 1 if any(target.failed for target in every) else 0


if __name__ == '__main__':
    sys.exit(main())
