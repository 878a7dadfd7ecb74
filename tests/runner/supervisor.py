# SPDX-License-Identifier: Apache-2.0
"""One start of one file of tests, in a process of its own that reaps all that the tests start.

Whatever they write goes into this process's pipe. A test that passes its limit is shown (processes, states, stacks) and
ended with all that it started; what is still there a moment after its test is named, ended, and fails it."""

import json
import os
import re
import select
import shutil
import signal
import subprocess
import tempfile
import time

import plan
import processes

GRACE = 1.5             # seconds in which a process may still end after its test
STUBBORN = float(os.environ.get('STUBBORN_SECONDS') or 15)      # for a test's own shell, when all that it had started was ended
KEPT_LINES = 400        # of one test's output


class Result:
    """One test's verdict as lines of the report get it. verdict: ok, not ok, skip."""

    def __init__(self, number, name, began):
        self.number, self.name, self.began = number, name, began
        self.verdict, self.reason, self.seconds, self.cpu, self.lines = None, '', 0.0, 0.0, []
        self.ended = None       # since boot
        self.over = False       # it passed its limit

    def fail(self, *lines):
        self.verdict = 'not ok'
        self.lines += lines

    def told(self):
        lines = self.lines if len(self.lines) <= KEPT_LINES else \
            self.lines[:KEPT_LINES // 2] + ['# ...'] + self.lines[-KEPT_LINES // 2:]
        return {'number': self.number, 'name': self.name, 'verdict': self.verdict, 'reason': self.reason,
                'seconds': round(self.seconds, 3), 'cpu': round(self.cpu, 2), 'lines': lines}


class Supervisor:
    def __init__(self, run, environment, command, folder, tell):
        """tell(dict) hands a verdict on. command is what run.command became for its user; folder is its TMPDIR."""
        self.run, self.command, self.environment, self.folder, self.tell = run, command, environment, folder, tell
        self.root = os.getpid()
        self.current = None         # the test under way
        self.waiting = []           # results whose leftovers have not been looked for
        self.numbers_told = 0
        self.spoken = []            # lines that belong to no test yet
        self.allowed = None         # what setup_file started
        self.planned = None
        self.last_end = None        # when the last verdict came, since boot
        self.cpu_told = 0.0         # CPU seconds up to the last verdict
        self.status = None
        self.ended_by_us = ''
        self.ended = set()          # (pid, start) of what was left behind and killed

    # What the tests print

    def take(self, line):
        line = line.rstrip('\n')
        begin = re.match(r'begin (\d+) (.*)', line)
        verdict = re.match(r'(ok|not ok) (\d+)\b ?(?:- )?(.*)', line)
        if begin:
            if self.allowed is None:
                self.allowed = set(processes.descendants(self.root))
            self.current = Result(int(begin[1]), begin[2], processes.since_boot())
            self.current.lines += self.spoken
            self.spoken = []
        elif verdict:
            self.take_verdict(verdict[1], int(verdict[2]), verdict[3])
        elif re.match(r'1\.\.\d+', line):
            self.planned = int(re.match(r'1\.\.(\d+)', line)[1])
            skip = re.match(r'1\.\.0\s*# *skip\s*(.*)', line, re.I)
            if skip:
                self.skip_all(skip[1])
        elif re.match(r'suite /', line):
            pass
        else:
            self.take_words(line if line.startswith('#') else '# ' + line)

    def take_words(self, line):
        """bats explains a verdict behind it. cmocka says what was wrong before it, and where behind it."""
        behind = self.run.file.kind == 'bats' and not self.current or \
            self.run.file.kind == 'program' and re.match(r'# \S+\.[ch]:\d+: (error|note)', line)
        (self.waiting[-1].lines if behind and self.waiting else self.spoken).append(line)

    def take_verdict(self, word, number, text):
        now = processes.since_boot()
        result = self.current if self.current and self.current.number == number else None
        if result is None:
            result = Result(number, text, self.last_end or self.began)
        result.lines += self.spoken
        self.spoken = []
        skip = re.search(r'\s*(?:^|\s)# *skip\b ?(.*)$', text, re.I)
        if skip:
            result.verdict, result.reason = 'skip', skip[1]
            text = text[:skip.start()]
        elif result.verdict is None:
            result.verdict = word
        # cmocka names a skipped test after the word
        result.name = re.sub(r' in \d+ ?ms$', '', text.strip()) or (result.reason if skip else result.name)
        result.ended, result.seconds = now, now - result.began
        self.last_end = now
        cpu = processes.cpu_of_all(self.root)
        result.cpu, self.cpu_told = max(cpu - self.cpu_told, 0.0), cpu
        if result.over and result.verdict == 'ok':
            result.fail()
        self.current = None
        self.waiting.append(result)

    def skip_all(self, reason):
        result = Result(1, self.run.file.name, self.began)
        result.verdict, result.reason, result.ended = 'skip', reason, processes.since_boot()
        self.waiting.append(result)
        self.planned = 1

    # Processes that tests leave behind

    def orphans(self, result=None):
        """Those of the tests' processes that no living part of bats has started, and that are not setup_file's: those of
        this test and the tests before it, or all. bats tells each process its test's number; of one that has no such
        word any more the start says it, to 10 ms."""
        allowed = (self.allowed or set()) | {self.child.pid}
        # Mostly there is none, and reading all of /proc to find out would cost more than many a test does.
        if processes.children(self.root) <= allowed:
            return {}
        there = processes.descendants(self.root)

        def is_due(pid, head):
            if result is None:
                return True
            number = there[pid].variable('BATS_TEST_NUMBER')
            return int(number) <= result.number if number.isdigit() else \
                head in there and there[head].start <= result.ended
        heads = {pid: processes.below(there, self.root, pid) for pid in there}
        # A process that was ended exists until it gets the CPU to end on; it has been reported.
        return {pid: there[pid] for pid, head in heads.items()
                if head not in allowed and (pid, there[pid].start) not in self.ended and is_due(pid, head)
                and not there[pid].is_ending()}

    def settle(self, result):
        """A test has been over for a moment: what is left of it is ended, and told."""
        left = self.orphans(result)
        if left and self.run.file.kind == 'bats':
            result.fail('# left behind by this test, and ended:',
                        *['#   ' + line for process in left.values() for line in processes.describe(process)])
            processes.kill(left)
            self.ended |= {(pid, process.start) for pid, process in left.items()}
        self.pass_on(result)

    def pass_on(self, result):
        self.numbers_told += 1
        self.tell(result.told())

    def settle_due(self):
        """A verdict waits for what its test leaves behind, and for the words that follow it."""
        while self.waiting and (len(self.waiting) > 1 or self.current) and \
                (self.run.file.kind != 'bats' or processes.since_boot() - self.waiting[0].ended > GRACE):
            self.settle(self.waiting.pop(0))

    # Time limits

    def limit(self):
        """Seconds for what is under way, and since when it is."""
        if self.current:
            for index, test in enumerate(self.run.tests, 1):
                if index == self.current.number:
                    return test.tags.limit, self.current.began
        if self.run.file.kind == 'bats':
            return self.run.file.tags.file_limit, self.began
        return self.run.file.tags.limit, self.last_end or self.began

    def portrait(self, words):
        """What there is to see of a test that is to be ended."""
        there = processes.descendants(self.root)
        lines = [words] + [line for pid in sorted(there) for line in processes.describe(there[pid])]
        for path in self.outputs():
            tail = processes.text_lines(path)[-20:]
            if tail:
                lines += [f'the last it wrote ({os.path.basename(path)}):'] + ['    ' + line[:300] for line in tail]
        return ['# ' + line for line in lines]

    def outputs(self):
        """Where bats keeps the output of the test under way."""
        if not self.current:
            return []
        found = []
        for folder, _, names in os.walk(self.folder):
            if os.path.basename(folder).startswith('bats-run-'):
                found += [os.path.join(folder, 'test', name) for name in (f'{self.current.number}.out',)]
                break
        return [path for path in found if os.path.exists(path)]

    def watch_limits(self):
        limit, since = self.limit()
        now = processes.since_boot()
        file_limit = self.run.file.tags.file_limit
        if self.current and not self.current.over and now - since > limit:
            self.current.over = True
            self.current.lines += self.portrait(f'over its limit of {limit} s')
            self.end_test()
        elif self.current and self.current.over and now - since > limit + STUBBORN:
            self.end_file(f'the test did not end within {limit} s, nor when what it had started was ended')
        elif not self.current and self.run.file.kind != 'bats' and now - since > limit:
            self.end_file(f'over its limit of {limit} s')
        elif now - self.began > file_limit:
            self.end_file(f'the file is over its limit of {file_limit} s')

    def end_test(self):
        """Ends what the test under way has started; its own shell stays, so that its teardown is carried out."""
        there = processes.descendants(self.root)
        services = self.allowed or set()

        def is_bats(process):
            words = process.command()
            above = there.get(process.parent)
            return 'bats-exec-test' not in words and '/bats-core/' in words or \
                'bats-exec-test' in words and above is not None and 'bats-exec-file' in above.command()
        processes.kill(pid for pid, process in there.items() if not is_bats(process) and
                       pid not in services and processes.below(there, self.root, pid) not in services - {self.child.pid})

    def end_file(self, words):
        if not self.ended_by_us:
            self.ended_by_us = words
            self.spoken += self.portrait(words)
        self.status = processes.end_all(self.root).get(self.child.pid, self.status)

    # From start to end

    def carry_out(self):
        processes.prctl(processes.PR_SET_CHILD_SUBREAPER, 1)
        signal.signal(signal.SIGTERM, self.asked_to_end)
        processes.prctl(processes.PR_SET_PDEATHSIG, signal.SIGTERM)
        self.began = processes.since_boot()
        self.child = subprocess.Popen(self.command, env=self.environment, cwd=self.cwd(), stdin=subprocess.DEVNULL,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        self.read_to_the_end()
        self.finish()

    def cwd(self):
        return self.environment['VIGIL_BUILD'] if self.run.file.kind == 'program' else self.folder

    def asked_to_end(self, *_):
        self.end_file('the run was ended from outside')

    def read_to_the_end(self):
        """Until the file has ended; what still holds the pipe then is left behind by it."""
        pipe, rest, looked = self.child.stdout.fileno(), b'', 0.0
        os.set_blocking(pipe, False)
        while self.status is None:
            select.select([pipe], [], [], 0.1)
            rest = self.read_lines(pipe, rest)
            self.status = processes.reap().get(self.child.pid, self.status)
            if time.monotonic() - looked > 0.2:
                looked = time.monotonic()
                self.settle_due()
                if self.status is None:
                    self.watch_limits()
        rest = self.read_lines(pipe, rest)
        if rest:
            self.take(rest.decode(errors='replace'))

    def read_lines(self, pipe, rest):
        while True:
            try:
                piece = os.read(pipe, 1 << 16)
            except BlockingIOError:
                return rest
            if not piece:
                return rest
            *lines, rest = (rest + piece).split(b'\n')
            for line in lines:
                self.take(line.decode(errors='replace'))

    def finish(self):
        """The file has ended: its last verdicts, what it left, and tests that were planned and never told."""
        until = time.monotonic() + GRACE
        while time.monotonic() < until and processes.descendants(self.root):
            time.sleep(0.05)
            processes.reap()
        left = {pid: process for pid, process in processes.descendants(self.root).items() if not process.is_ending()}
        words = [line for process in left.values() for line in processes.describe(process)]
        processes.end_all(self.root)
        if left and self.waiting and not self.ended_by_us:
            self.waiting[-1].fail('# left behind, and ended:', *['#   ' + line for line in words])
        if self.current:
            self.current.fail(*self.spoken)
            self.spoken = []
            self.current.ended = processes.since_boot()
            self.current.seconds = self.current.ended - self.current.began
            self.waiting.append(self.current)
        elif self.waiting and self.run.file.kind == 'bats':
            self.waiting[-1].lines += self.spoken
            self.spoken = []
        worst = self.waiting[-1].verdict if self.waiting else None
        for result in self.waiting:
            self.pass_on(result)
        self.waiting = []
        self.tell_the_missing(worst)

    def tell_the_missing(self, worst):
        """Tests without a verdict, and an end that no verdict explains."""
        expected = self.planned if self.planned is not None else self.numbers_told + 1
        if self.run.file.kind == 'bats':
            expected = max(len(self.run.tests), self.planned or 0)
        for number in range(self.numbers_told + 1, expected + 1):
            name = self.run.tests[number - 1].name if number <= len(self.run.tests) else f'test {number}'
            missing = Result(number, name, self.began)
            missing.fail(*self.spoken, f'# no verdict: {self.ended_by_us or self.how_it_ended()}')
            self.spoken = []
            self.pass_on(missing)
        code = os.waitstatus_to_exitcode(self.status) if self.status is not None else None
        self.tell({'end': True, 'status': code, 'lines': self.spoken, 'seconds': processes.since_boot() - self.began,
                   'cpu': processes.cpu_of_all(self.root), 'ended': self.ended_by_us})

    def how_it_ended(self):
        code = os.waitstatus_to_exitcode(self.status) if self.status is not None else None
        return 'it was not told how the file ended' if code is None else \
            f'killed by signal {-code}' if code < 0 else f'the file ended with status {code}'


def supervise(run, environment, command, folder, write_end):
    """In a new process: carries out run, writes a JSON line for each verdict to write_end, and ends the process."""
    out = os.fdopen(write_end, 'w')

    def tell(what):
        out.write(json.dumps(what) + '\n')
        out.flush()
    try:
        Supervisor(run, environment, command, folder, tell).carry_out()
        out.close()
        status = 0
    except BaseException as error:      # the run must be told, whatever it was
        processes.end_all(os.getpid())
        tell({'number': 0, 'name': run.file.name, 'verdict': 'not ok', 'reason': '', 'seconds': 0.0,
              'cpu': 0.0, 'lines': [f'# the runner itself failed: {error!r}']})
        tell({'end': True, 'status': None, 'lines': [], 'seconds': 0.0, 'cpu': 0.0, 'ended': 'runner'})
        status = 1
    os._exit(status)


def new_folder(owner):
    """A TMPDIR of one run; its name is short, as sockets' names are."""
    folder = tempfile.mkdtemp(prefix='vt-', dir='/tmp')
    if owner is not None:
        os.chown(folder, *owner)
    os.chmod(folder, 0o755)
    return folder


def remove_folder(folder):
    if os.path.ismount(folder) or any(folder in line for line in processes.text_lines('/proc/self/mounts')):
        for line in reversed(processes.text_lines('/proc/self/mounts')):
            if line.split(' ')[1].startswith(folder):
                subprocess.run(['umount', '-l', line.split(' ')[1]], stderr=subprocess.DEVNULL, check=False)
    subprocess.run(['chmod', '-R', 'u+rwX', folder], stderr=subprocess.DEVNULL, check=False)
    shutil.rmtree(folder, ignore_errors=True)
