# SPDX-License-Identifier: Apache-2.0
"""The one runner of all tests: python3 tests/runner [--tiers exact,live] [--filter WORDS] [FILE...].

It prints TAP as the verdicts come, each line with its time, and a table at the end. Exact tests run side by side, live
ones and trials alone, and one of these that fails is tried twice more. HACKING, "Tests", says how a test is added.
Environment: VIGIL_BUILD, VIGIL_SOURCE; RUN_REST, seconds for which it waits before it tries a test again if a hypervisor has
taken time (10; RUN_STAT is /proc/stat); RUN_MINUTES is the limit of the whole run (20;
90 where trials or slow tests belong to it)."""

import argparse
import json
import os
import pwd
import re
import select
import shutil
import signal
import sys
import tempfile
import time

import plan
import supervisor
import verdicts
from machine import Machine
from user_copy import UserCopy

ATTEMPTS = 3


class Active:
    """A run that is under way: its process, what it tells, its folder."""

    def __init__(self, run, pid, pipe, folder):
        self.run, self.pid, self.pipe, self.folder = run, pid, pipe, folder
        self.rest, self.told, self.failed = b'', [], []


class Runner:
    def __init__(self, chosen, report, copy, compiled, tiers):
        self.chosen, self.report, self.copy, self.compiled = chosen, report, copy, compiled
        self.is_root = os.getuid() == 0
        self.build, self.source = os.environ['VIGIL_BUILD'], os.environ['VIGIL_SOURCE']
        self.active = []
        usual = 20 if set(tiers) <= {'exact', 'live'} else 90
        self.until = time.monotonic() + 60 * float(os.environ.get('RUN_MINUTES') or usual)
        self.stopped = ''
        self.machine = Machine()
        self.began = self.machine.begin()
        self.bats = os.environ.get('BATS') or shutil.which('bats')

    # Environment and user

    def environment(self, run, folder):
        """Nothing of the caller's tools comes along: a test has its own HOME and TMPDIR. What says how the runner itself works
        (RUN_MINUTES, STEADY_ON) is not for a runner that a test starts."""
        build, source, names = self.build, self.source, os.path.join(self.build, 'tests', 'names')
        compiled = self.compiled
        user = pwd.getpwuid(os.getuid()).pw_name
        if self.is_root and run.who == 'user':
            build, source, names, user = self.copy.build, self.copy.source, self.copy.names, 'nobody'
            compiled = self.copy.compiled
        environment = {key: value for key, value in os.environ.items()
                       if key not in ('MAKEFLAGS', 'MAKELEVEL', 'MFLAGS', 'XDG_RUNTIME_DIR', 'VIGIL_SPOOL', 'BATS')
                       and not key.startswith(('RUN_', 'STEADY_'))}
        environment.update(VIGIL_BUILD=build, VIGIL_SOURCE=source, VIGIL_NAMES_CACHE=names, TMPDIR=folder,
                           RUN_COMPILED=compiled, HOME=os.path.join(folder, 'home'), USER=user, LOGNAME=user,
                           CMOCKA_MESSAGE_OUTPUT='TAP')
        # Where python3 is a script that searches for the real one, it costs ten times as much as its start.
        own = os.path.realpath(sys.executable)
        if self.is_root and run.who != 'user' and os.path.realpath(shutil.which('python3') or own) != own:
            environment['PATH'] = os.path.dirname(own) + os.pathsep + environment['PATH']
        return environment

    def command(self, run):
        command = run.command
        if command[0] == 'bats':
            command = [self.bats] + command[1:]
        if self.is_root and run.who == 'user':
            command = [word.replace(self.source, self.copy.source, 1) if word.startswith(self.source + '/') else word
                       for word in command]
            group = pwd.getpwnam('nobody').pw_gid
            command = ['setpriv', '--reuid=nobody', f'--regid={group}', '--clear-groups', '--inh-caps=-all',
                       '--bounding-set=-all'] + command
        return command

    def start(self, run):
        owner = None
        if self.is_root and run.who == 'user':
            nobody = pwd.getpwnam('nobody')
            owner = (nobody.pw_uid, nobody.pw_gid)
        folder = supervisor.new_folder(owner)
        os.mkdir(os.path.join(folder, 'home'))
        if owner:
            os.chown(os.path.join(folder, 'home'), *owner)
        read_end, write_end = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read_end)
            for other in self.active:
                os.close(other.pipe)
            supervisor.supervise(run, self.environment(run, folder), self.command(run), folder, write_end)
        os.close(write_end)
        os.set_blocking(read_end, False)
        self.active.append(Active(run, pid, read_end, folder))

    # Results

    def step(self):
        """Takes what active runs have told; those that are over leave the list. The runs that ended."""
        ready, _, _ = select.select([active.pipe for active in self.active], [], [], 0.5)
        ended = []
        for active in [active for active in self.active if active.pipe in ready]:
            piece = os.read(active.pipe, 1 << 20)
            *lines, active.rest = (active.rest + piece).split(b'\n')
            for line in lines:
                self.take(active, json.loads(line))
            if not piece:
                self.end(active)
                ended.append(active)
        self.watch_time()
        return ended

    def take(self, active, told):
        run = active.run
        if told.get('end'):
            active.told.append(told)
            self.report.file_ended(run, told)
            if told['status'] not in (0, None) and not active.failed or told['ended']:
                self.take(active, {'number': 0, 'name': 'the file ends as it should', 'verdict': 'not ok', 'reason': '',
                                   'seconds': told['seconds'], 'cpu': 0.0, 'lines': told['lines'] +
                                   [f"# status {told['status']}" + (': ' + told['ended'] if told['ended'] else '')]})
            return
        failed = told['verdict'] == 'not ok'
        if failed:
            active.failed.append(told)
        if run.wanted is not None and told['name'] not in run.wanted:
            # A program is run again as a whole: these tests have their verdict already.
            if failed:
                self.report.verdict(run, dict(told, name=told['name'] + ' (which has passed)'), final=False)
            return
        again = failed and run.tier in ('live', 'trial') and run.attempt < ATTEMPTS and not self.stopped
        self.report.verdict(run, told, final=not again)

    def end(self, active):
        self.active.remove(active)
        os.close(active.pipe)
        os.waitpid(active.pid, 0)
        supervisor.remove_folder(active.folder)
        if not any(told.get('end') for told in active.told):
            self.report.verdict(active.run, {'name': 'the runner of this file ended too early', 'verdict': 'not ok',
                                             'lines': [], 'seconds': 0.0, 'cpu': 0.0, 'reason': ''})

    def watch_time(self):
        if time.monotonic() > self.until and not self.stopped:
            self.stop('the whole run is over its limit')

    def stop(self, words):
        """Ends what is under way, and starts nothing more."""
        self.stopped = words
        for active in self.active:
            try:
                os.kill(active.pid, signal.SIGTERM)
            except OSError:
                pass

    # The tiers

    def carry_out(self, tier):
        began = time.monotonic()
        self.carry_out_runs(tier)
        self.report.row(tier)[4] += time.monotonic() - began

    def carry_out_runs(self, tier):
        runs = [run for file in self.chosen for run in plan.runs_of(file, tier, self.is_root)]
        if tier != 'exact':
            self.rest(self.began)
            for run in runs:
                self.alone(run)
            return
        # A test waits for more than half of its time.
        streams = int(os.environ.get('RUN_STREAMS') or 3 * os.cpu_count())
        runs.sort(key=self.weight, reverse=True)
        while (runs or self.active) and not (self.stopped and not self.active):
            while runs and len(self.active) < streams and not self.stopped:
                self.start(runs.pop(0))
            self.step()
        self.not_run(runs)

    @staticmethod
    def weight(run):
        """The longest first: those with a larger limit, then those with more tests."""
        return run.file.tags.file_limit, len(run.tests)

    def not_run(self, runs):
        for run in runs:
            self.report.verdict(run, {'name': f'{len(run.tests) or 1} tests were not run: {self.stopped}', 'lines': [],
                                      'verdict': 'not ok', 'seconds': 0.0, 'cpu': 0.0, 'reason': ''})

    def rest(self, since):
        """Waits, if a hypervisor took time since then."""
        seconds, lost = self.machine.rest_wanted(since)
        if seconds:
            self.report.say(f'# a hypervisor has taken {lost:.2f} s of processor time: a rest of {seconds:g} s')
        until = time.monotonic() + seconds
        while time.monotonic() < until and not self.stopped:
            time.sleep(min(0.2, seconds))
            self.watch_time()

    def alone(self, run):
        """One run with nothing beside it; tests of it that fail are tried again one by one."""
        if self.stopped:
            self.not_run([run])
            return
        since = self.machine.begin()
        self.start(run)
        failed = []
        while self.active:
            for ended in self.step():
                failed = ended.failed
        if not failed or run.attempt >= ATTEMPTS or self.stopped:
            return
        self.rest(since)
        if run.file.kind != 'bats':
            again = plan.Run(run.file, run.tier, run.who, [], run.attempt + 1)
            again.wanted = {told['name'] for told in failed if run.wanted is None or told['name'] in run.wanted}
            if again.wanted:
                self.alone(again)
            return
        for told in failed:
            tests = run.tests[told['number'] - 1:told['number']] if told['number'] else []
            if tests:
                self.alone(plan.Run(run.file, run.tier, run.who, tests, run.attempt + 1))


def main():
    options = argparse.ArgumentParser(usage=__doc__)
    options.add_argument('--tiers', default='exact,live')
    options.add_argument('--filter', default='')
    options.add_argument('--list', action='store_true', help='name the tests with their tiers, run none')
    options.add_argument('files', nargs='+')
    asked = options.parse_args()
    tiers = asked.tiers.split(',')
    files = [plan.read_file(re.sub(r'^(\.\./)+', '', name), os.environ['VIGIL_BUILD'], os.environ['VIGIL_SOURCE'])
             for name in asked.files]
    if asked.filter:
        for file in files:
            file.choose(asked.filter)
    if asked.list:
        for file in files:
            for test in file.tests or [plan.Test(file.name, file.tags)]:
                print(f'{test.tags.tier}\t{test.tags.who}\t{file.name}: {test.name}')
        return 0
    build = os.environ['VIGIL_BUILD']
    os.makedirs(os.path.join(build, 'tests'), exist_ok=True)
    with open(os.path.join(build, 'tests', 'log'), 'w', encoding='utf-8') as log, \
            open(os.path.join(build, 'tests', 'verdicts'), 'w', encoding='utf-8') as record:
        report = verdicts.Report(verdicts.Unsteady(os.path.join(os.environ['VIGIL_SOURCE'], 'tests', 'unsteady')),
                                 sys.stdout, log, record)
        with UserCopy(build, os.environ['VIGIL_SOURCE'], wanted=any(file.kind == 'bats' for file in files)) as copy, \
                tempfile.TemporaryDirectory(prefix='vigil-compiled-') as compiled:
            runner = Runner(files, report, copy, compiled, tiers)
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, lambda number, _: runner.stop(f'signal {number}'))
            for tier in tiers:
                runner.carry_out(tier)
        report.table(tiers)
    return 1 if report.failed or runner.stopped or not report.count else 0


sys.exit(main())
