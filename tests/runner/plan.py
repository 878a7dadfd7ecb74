# SPDX-License-Identifier: Apache-2.0
"""Which tests there are: each file of tests with its kind, and each of its tests with its tier, its limit and who runs it.

A tag is one word. In a .bats file it stands where bats has it ("# bats file_tags=live", "# bats test_tags=limit:120"),
in a script and in the source of a unit test in a line "test tags: live, limit:120". The words:
  exact, live, trial, slow   the tier; exact where none is named. A trial is a live test that does not state its model
  limit:N             this test may take N seconds (60 where nothing is said)
  file:N              the whole file may take N seconds (300)
  as:root             its subject is a privilege: root runs it, and nobody else
  as:both             its verdict depends on privilege: the ordinary user runs it, and root as well"""

import os
import re

TIERS = ('exact', 'live', 'trial', 'slow')
TEST_SECONDS = 60
FILE_SECONDS = 300


class Tags:
    def __init__(self, words):
        unknown = [word for word in words if word not in TIERS + ('as:root', 'as:both') and
                   not re.fullmatch(r'(limit|file):[1-9][0-9]*', word)]
        if unknown:
            raise ValueError('unknown tag: ' + ', '.join(unknown))
        tiers = [word for word in words if word in TIERS]
        self.tier = tiers[-1] if tiers else 'exact'     # a test's own word after its file's
        self.limit = self.number(words, 'limit', TEST_SECONDS)
        self.file_limit = self.number(words, 'file', FILE_SECONDS)
        self.who = 'root' if 'as:root' in words else 'both' if 'as:both' in words else 'user'

    @staticmethod
    def number(words, key, default):
        numbers = [int(word.split(':')[1]) for word in words if word.startswith(key + ':')]
        return numbers[-1] if numbers else default


def words_of(text):
    return [word.strip() for word in text.split(',') if word.strip()]


class Test:
    """One test of a .bats file. raw is its name as it stands there, for bats' filter; name as it is printed."""

    def __init__(self, raw, tags):
        self.raw, self.tags = raw, tags
        self.name = re.sub(r'\\(["\\$`])', r'\1', raw)


class File:
    """A file of tests. kind is bats, script or program; name is what people call it; path is what is run."""

    def __init__(self, kind, name, path, tags, tests):
        self.kind, self.name, self.path, self.tags, self.tests = kind, name, path, tags, tests
        self.chosen = tests

    def choose(self, words):
        """Only its tests whose names have words, a regular expression."""
        self.chosen = [test for test in self.tests if re.search(words, test.name)]


def read_bats(path):
    """The tests of a .bats file in their order. A name is unescaped as bats does it."""
    file_words, words, tests = [], [], []
    with open(path, encoding='utf-8', errors='replace') as file:
        for line in file:
            comment = re.match(r'\s*#\s*bats\s+(file_tags|test_tags)=(.*)$', line)
            test = re.match(r'\s*@test\s+(.*\S)\s+\{', line)
            if comment and comment[1] == 'file_tags':
                file_words = words_of(comment[2])
            elif comment:
                words = words_of(comment[2])
            elif test:
                tests.append(Test(test[1].lstrip('\'"').rstrip('\'"'), Tags(file_words + words)))
                words = []
    return File('bats', os.path.basename(path)[:-5], path, Tags(file_words), tests)


def read_tags(path):
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            for _, line in zip(range(40), file):
                found = re.search(r'\btest tags: ([-a-z0-9:, ]+)', line)
                if found:
                    return Tags(words_of(found[1]))
    except OSError:
        pass
    return Tags([])


def read_file(name, build, source):
    """A file of tests by its name: tests/x.bats, tests/x.t, or a unit test as it is called in the build folder."""
    if name.endswith('.bats'):
        return read_bats(os.path.join(source, name))
    if name.endswith('.t'):
        path = os.path.join(source, name)
        return File('script', name[:-2].split('/')[-1], path, read_tags(path), [])
    return File('program', name, os.path.join(build, name), read_tags(os.path.join(source, name + '.c')), [])


class Run:
    """One start of one file: its tests of one tier, by one user."""

    def __init__(self, file, tier, who, tests, attempt=1):
        self.file, self.tier, self.who, self.tests, self.attempt = file, tier, who, tests, attempt
        self.wanted = None      # names of the tests whose verdicts count; None: all

    @property
    def title(self):
        return self.file.name + (' as root' if self.who == 'root' and self.file.kind == 'bats' else '')

    @property
    def command(self):
        """What is started; bats chooses its tests by their names, which it compares as it reads them."""
        path = self.file.path
        if self.file.kind == 'script':
            return ['sh', path]
        if self.file.kind == 'program':
            return ['./' + self.file.name]
        chosen = [] if len(self.tests) == len(self.file.tests) else ['--filter', pattern_of(self.tests)]
        return ['bats', '--tap', '--formatter', 'cat', '--print-output-on-failure'] + chosen + [path]


def pattern_of(tests):
    return '^(' + '|'.join(re.sub(r'([][().*+?{}|^$\\])', r'\\\1', test.raw) for test in tests) + ')$'


def runs_of(file, tier, is_root):
    """What of file belongs to tier, as the runs that it takes: by the ordinary user, and by root where root it is.
    A test that only root can run skips itself elsewhere."""
    if file.kind != 'bats':
        return [Run(file, tier, 'caller', [])] if file.tags.tier == tier else []
    tests = [test for test in file.chosen if test.tags.tier == tier]
    runs = []
    for who, kinds in (('user', ('user', 'both') if is_root else ('user', 'both', 'root')),
                       ('root', ('root', 'both') if is_root else ())):
        chosen = [test for test in tests if test.tags.who in kinds]
        if chosen:
            runs.append(Run(file, tier, who, chosen))
    return runs
