#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""
Runs every fuzz target for FUZZ_SECONDS (3600) each: "make fuzz". The targets are built with clang in the folder fuzz of
the build (../configure CC=clang --enable-fuzzers). Each begins with the inputs in tests/corpus/TARGET, where what was
found before is kept, the decks of the examples and tables, and what earlier runs of this folder gathered
(fuzz/corpus-TARGET). The last lines are a table; the exit status is 1 when an input failed: it is in fuzz/.
"""
import glob
import os
import re
import subprocess
import sys

BUILD, SOURCE = os.environ['VIGIL_BUILD'], os.path.abspath(os.environ['VIGIL_SOURCE'])
SECONDS = int(os.environ.get('FUZZ_SECONDS', '3600'))
WORK = BUILD + '/fuzz'


def targets():
    """The fuzz targets: folder/fuzz-NAME, from their sources."""
    sources = glob.glob(SOURCE + '/**/fuzz-*.c', recursive=True)
    found = [os.path.relpath(path, SOURCE)[:-2] for path in sources]
    return sorted(path for path in found if not path.startswith('build') and not path.endswith('fuzz-driver'))


def build(names):
    if not os.path.exists(WORK + '/Makefile'):
        os.makedirs(WORK, exist_ok=True)
        subprocess.run([SOURCE + '/configure', 'CC=clang', '--enable-fuzzers'], cwd=WORK, check=True,
                       stdout=subprocess.DEVNULL)
    subprocess.run(['make', '-s', '-j%d' % (os.cpu_count() or 1), *names], cwd=WORK, check=True)


def seeds(name):
    """Folders of inputs to begin with."""
    kind = os.path.basename(name)[5:]
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


def run(name):
    """Fuzz one target; how many inputs it got, and its exit status."""
    kind = os.path.basename(name)[5:]
    corpus = '%s/corpus-%s' % (WORK, kind)
    os.makedirs(corpus, exist_ok=True)
    with open('%s/log-%s' % (WORK, kind), 'w+', errors='replace') as log:
        status = subprocess.run([WORK + '/' + name, '-max_total_time=%d' % SECONDS, '-timeout=20', '-max_len=6000',
                                 '-print_final_stats=1', '-artifact_prefix=%s/%s-' % (WORK, kind), corpus, *seeds(name)],
                                stdout=log, stderr=subprocess.STDOUT, cwd=WORK).returncode
        log.seek(0)
        units = re.findall(r'number_of_executed_units:\s*(\d+)', log.read())
    return int(units[-1]) if units else 0, status


def main():
    names, failed, lines = targets(), 0, []
    build(names)
    for name in names:
        inputs, status = run(name)
        failed += status != 0
        lines.append('%-32s %12d %s' % (name, inputs, 'survived' if status == 0 else 'FAILED: see fuzz/log-%s'
                                        % os.path.basename(name)[5:]))
        print(lines[-1], flush=True)
    print('\n%-32s %12s' % ('target, %d seconds each' % SECONDS, 'inputs'))
    print('\n'.join(lines))
    return 1 if failed else 0


if __name__ == '__main__':
    sys.exit(main())
