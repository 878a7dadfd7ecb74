#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""bats-rules.py FILE...: what tests/house.t asks of .bats files and of the programs that tests start, so that nothing is left
behind and nothing runs for ever. Prints what breaks a rule; exit 1 when something does.

  * What a test starts beside itself, it starts with "background" (tests/background.bash): outside of strings, comments and
    here-documents there is no & but in &&, >&, <& and &>.
  * A .bats file loads trace (tests/trace.bash): bats' own trap before each command is dear.
  * A .bats file that calls background has a teardown that calls background_end.
  * A loop of a shell that ends by itself only when another process does something has a limit, on its line: instead of
    "while [ ! -e go ]" and "until" stands "for _ in $(seq 400)"; a "while :" has "ulimit -t", "timeout" or TIME=.
    That is asked of strings and here-documents too: they are the programs of the tests.
  * A program with a loop without a condition calls alarm(), or says on the loop's line what else ends it: "ends when ..."."""

import re
import sys

FOREVER = re.compile(r'\bwhile (:|true)\s*(;|$)|\buntil \[|\bwhile \[ (! )?-e\b')
LIMIT = re.compile(r'\bulimit -t\b|\btimeout\b|\bTIME=')
UNCONDITIONAL = re.compile(r'\bfor \(;;\)|\bwhile \((1|true)\)|\bwhile True:')


def plain(text):
    """The lines of a shell script without what stands in strings, comments and here-documents."""
    inside, waiting, documents = [], [], []     # inside: what is open, quotes and parentheses, the innermost last
    for line in text.split('\n'):
        if documents:
            word, tabs = documents[0]
            if (line.lstrip('\t') if tabs else line) == word:
                documents.pop(0)
            yield ''
            continue
        kept, at = [], 0
        while at < len(line):
            sign, quote = line[at], inside[-1] if inside else ''
            if quote == "'":
                if sign == "'":
                    inside.pop()
            elif sign == '\\':
                at += 1
            elif sign == '"' and quote == '"' or sign == ')' and quote == '(':
                inside.pop()
            elif re.match(r'\$?\(\(', line[at:]) and '))' in line[at:]:
                at = line.index('))', at) + 1
            elif line.startswith('$(', at) or sign == '(' and quote != '"':
                inside.append('(')
                at += sign == '$'
            elif sign == '"' or sign == "'" and quote != '"':
                inside.append(sign)
            elif quote == '"':
                pass
            elif sign == '#' and (at == 0 or line[at - 1] in ' \t;('):
                break
            elif line.startswith('<<<', at):
                at += 2
            elif line.startswith('<<', at):
                word = re.match(r'<<(-?)\s*(["\'\\]?)([A-Za-z_0-9]+)["\']?', line[at:])
                if word:
                    waiting.append((word[3], word[1]))
                    at += len(word[0]) - 1
            else:
                kept.append(sign)
            at += 1
        if '"' not in inside and "'" not in inside:
            documents, waiting = waiting, []
        yield ''.join(kept)


def bare(line):
    """Whether a line without strings starts something beside itself."""
    return '&' in re.sub(r'&&|[<>]&|&>', '', line)


def of_bats(text):
    for number, line in enumerate(plain(text), 1):
        if bare(line):
            yield number, 'starts something beside the test without "background"'
    for number, line in enumerate(text.split('\n'), 1):
        if FOREVER.search(line) and not LIMIT.search(line) and not line.lstrip().startswith('#'):
            yield number, 'a loop without a limit'
    if not re.search(r'^load trace$', text, re.M):
        yield 1, 'does not load trace'
    if re.search(r'^\s*background ', text, re.M) and \
            not re.search(r'^teardown(_file)?\(\) \{(.*\n)*?.*\bbackground_end\b(.*\n)*?.*\}', text, re.M):
        yield 1, 'calls background, and no teardown calls background_end'


def of_program(text):
    for number, line in enumerate(text.split('\n'), 1):
        if UNCONDITIONAL.search(line) and 'ends when' not in line and not re.search(r'\balarm\b', text):
            yield number, 'a loop that does not say what ends it'
        elif FOREVER.search(line) and not LIMIT.search(line):
            yield number, 'a loop without a limit'


def main():
    found = 0
    for path in sys.argv[1:]:
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read()
        for number, words in (of_bats if path.endswith('.bats') else of_program)(text):
            found = 1
            print(f'{path}:{number}: {words}: {text.split(chr(10))[number - 1].strip()[:100]}')
    return found


if __name__ == '__main__':
    sys.exit(main())
