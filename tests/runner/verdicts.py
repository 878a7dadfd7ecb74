# SPDX-License-Identifier: Apache-2.0
"""What is printed: TAP with the time in each line, and the table at the end; and what programs read, tests/verdicts in the
build folder, a JSON object a line: each test's verdict, then the run."""

import datetime
import json
import os
import time


class Unsteady:
    """tests/unsteady: those tests that may fail once and pass when run again. A line: until, name, cause and date."""

    def __init__(self, path):
        self.until = {}
        with open(path, encoding='utf-8') as file:
            for number, line in enumerate(file, 1):
                line = line.strip()
                if not line or line.startswith('#'):
                    continue
                parts = [part.strip() for part in line.split('|')]
                if len(parts) != 4:
                    raise ValueError(f'{path}:{number}: "until | name | since | cause" is expected')
                self.until[parts[1]] = datetime.date.fromisoformat(parts[0])
                datetime.date.fromisoformat(parts[2])

    def allows(self, name):
        return name in self.until and datetime.date.today() <= self.until[name]

    def is_over(self, name):
        return name in self.until and datetime.date.today() > self.until[name]


class Report:
    def __init__(self, unsteady, out, log, record):
        self.unsteady, self.out, self.log, self.record = unsteady, out, log, record
        self.began = time.monotonic()
        self.count = 0
        self.tiers = {}         # tier: [passed, failed, skipped, unsteady, seconds, CPU seconds]
        self.slowest = []       # (seconds, CPU seconds, name)
        self.failed, self.unsteady_seen = [], []
        self.files = []         # (seconds, CPU seconds, title)

    def say(self, line):
        """To whoever reads, and to the log. A reader who is gone ends nothing."""
        try:
            self.out.write(line + '\n')
            self.out.flush()
        except BrokenPipeError:
            self.out = open(os.devnull, 'w', encoding='utf-8')
        self.log.write(line + '\n')
        self.log.flush()

    def now(self):
        seconds = int(time.monotonic() - self.began)
        return f'{seconds // 60}:{seconds % 60:02}'

    def row(self, tier):
        return self.tiers.setdefault(tier, [0, 0, 0, 0, 0.0, 0.0])

    def file_ended(self, run, told):
        self.files.append((told['seconds'], told['cpu'], run.title + f' ({run.tier})'))
        self.row(run.tier)[5] += told['cpu']

    def keep(self, what):
        self.record.write(json.dumps(what) + '\n')
        self.record.flush()

    def verdict(self, run, told, final=True):
        """A test's verdict; one that is not final is tried again, and is a comment only."""
        name = f"{run.title}: {told['name']}"
        when = f"{told['seconds']:.1f} s at {self.now()}"
        for line in told['lines'] if told['verdict'] != 'ok' else []:
            self.say(line)
        if not final:
            self.say(f"# failed, and will be tried again alone: {name} # {when}")
            return
        self.count += 1
        self.slowest.append((told['seconds'], told['cpu'], name))
        row = self.row(run.tier)
        verdict = self.tell_verdict(run, told, name, when, row)
        self.keep({'test': name, 'tier': run.tier, 'verdict': verdict, 'attempts': run.attempt, 'seconds': told['seconds'],
                   'cpu': told['cpu']})

    def tell_verdict(self, run, told, name, when, row):
        """One line for people; the verdict in a word."""
        if told['verdict'] == 'skip':
            row[2] += 1
            self.say(f"ok {self.count} - {name} # SKIP {told['reason']} # {when}")
            return 'skipped'
        elif told['verdict'] == 'ok' and run.attempt > 1:
            return self.pass_after_failure(run, name, when, row)
        if told['verdict'] == 'ok':
            row[0] += 1
            self.say(f'ok {self.count} - {name} # {when}')
            return 'passed'
        row[1] += 1
        self.failed.append(name)
        self.say(f'not ok {self.count} - {name} # {when}')
        return 'failed'

    def pass_after_failure(self, run, name, when, row):
        if self.unsteady.is_over(name):
            row[1] += 1
            self.failed.append(name)
            self.say(f'not ok {self.count} - {name} # attempt {run.attempt} passed, but it should be steady since '
                     f'{self.unsteady.until[name]}; {when}')
            return 'failed'
        row[3] += 1
        self.unsteady_seen.append(name)
        self.say(f'ok {self.count} - {name} # unsteady: attempt {run.attempt}; {when}')
        return 'unsteady'

    def table(self, tiers):
        self.say(f'1..{self.count}')
        for title, names in (('failed', self.failed), ('unsteady', self.unsteady_seen)):
            for name in names:
                known = '' if title == 'failed' or self.unsteady.allows(name) else ' (not in tests/unsteady)'
                self.say(f'# {title}: {name}{known}')
        for kind, taken in (('files', self.files), ('tests', self.slowest)):
            self.say(f'# The ten {kind} that took longest, and their CPU time:')
            for seconds, cpu, name in sorted(taken, reverse=True)[:10]:
                self.say(f'#   {seconds:6.1f} s  {cpu:6.1f} s  {name}')
        self.say('# tier    passed  failed  skipped  unsteady  minutes  CPU minutes')
        for tier in tiers:
            passed, failed, skipped, unsteady, seconds, cpu = self.row(tier)
            self.say(f'# {tier:6}  {passed:6}  {failed:6}  {skipped:7}  {unsteady:8}  {seconds / 60:7.1f}  {cpu / 60:11.1f}')
        passed, failed, skipped = (sum(row[i] for row in self.tiers.values()) for i in range(3))
        passed += sum(row[3] for row in self.tiers.values())
        for seconds, cpu, title in self.files:
            self.keep({'file': title, 'seconds': round(seconds, 2), 'cpu': round(cpu, 2)})
        self.keep({'run': 'failed' if self.failed else 'passed', 'seconds': round(time.monotonic() - self.began, 1)})
        self.say(f'{passed} passed, {failed} failed, {skipped} skipped')
