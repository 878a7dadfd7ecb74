#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""collector-stacks.py python|perl OWN COLLECTED: whether a collector names the stacks that the program says it has.

OWN is what tests/programs/stacks.py (by faulthandler) or here.pl (by caller) wrote, COLLECTED what test-drive printed.
The last one is left out: the program may have ended while it wrote that.
Prints how many were compared and how many were torn; exit 1 when one differs.
"""
import functools
import re
import sys

PLACES_MAX = 64
ROUND_MAX = 8


def fold(stack):
    """Calls that repeat, up to eight in a round, are kept twice."""
    kept = []
    for place in stack:
        kept.append(place)
        called = [(file, name) for file, _, name in kept]
        for size in range(1, ROUND_MAX + 1):
            if len(kept) >= 3 * size and called[-size:] == called[-2 * size:-size] == called[-3 * size:-2 * size]:
                del kept[-size:]
                break
    return kept


def told(stack):
    """What an answer has of a stack: when it is full it is folded, and cut when that gives no room."""
    kept = []
    for place in stack:
        if len(kept) == PLACES_MAX:
            kept = fold(kept)
        if len(kept) == PLACES_MAX:
            break
        kept.append(place)
    return kept


def plain(text):
    return re.sub(r"\\(x..|u....|U........)", lambda found: chr(int(found[1][1:], 16)), text)


def python_stacks(path):
    with open(path, encoding="latin-1") as own:
        for dump in own.read().split("Stack (most recent call first):\n")[1:]:
            lines = re.findall(r'^  File "(.*)", line (\S+) in (.*)$', dump, re.MULTILINE)
            yield [(plain(file), line.replace("???", "0"), plain(name)) for file, line, name in lines if file != "<shim>"]


def perl_stacks(path):
    with open(path, encoding="utf-8") as own:
        for line in own:
            places = [re.match(r"(.*?):(\d+):(.*)$", place).groups() for place in line.rstrip("\n").split("|")]
            stack = []
            for file, number, name in places:
                place = ("(eval)" if file.startswith("(eval ") else file, number, name.removeprefix("main::"))
                # Code that C calls has a separate place within that of its sub; here both are on one line.
                stack += [place] * (2 if re.search(r"sort \{|\(\?\{", line_of(file, int(number))) else 1)
            yield stack


@functools.lru_cache(None)
def line_of(file, number):
    try:
        with open(file, encoding="utf-8", errors="replace") as source:
            return source.read().split("\n")[number - 1]
    except OSError:
        return ""


def python_name(_module, _section, procedure):
    return procedure.rsplit(".", 1)[-1]


def perl_name(module, section, procedure):
    """As caller names it: with its package, unless that is main, whose subs have their file's name for a module."""
    return procedure if module == section or procedure.startswith("(") else f"{module}::{procedure}"


def collected_stacks(path, name):
    with open(path, encoding="utf-8") as collected:
        for line in collected:
            outcome, *places = line.rstrip("\n").split(" | ")
            stack = []
            for place in places:
                module, section, procedure, number, file = place.split("\t")
                stack.append((file or section, number, name(module, section, procedure)))
            yield outcome, stack


def main():
    language, own, collected = sys.argv[1:]
    stacks = list(collected_stacks(collected, python_name if language == "python" else perl_name))
    torn = sum(outcome == "TORN" for outcome, _ in stacks)
    answers = [stack for outcome, stack in stacks if outcome == "DONE"]
    wanted = list((python_stacks if language == "python" else perl_stacks)(own))[:-1]
    differ = 0
    for number, (got, want) in enumerate(zip(answers, wanted)):
        if got != told(want) and not (len(want) == PLACES_MAX and got == fold(want)):
            differ += 1
            if differ < 4:
                at = next((i for i, pair in enumerate(zip(got, want)) if pair[0] != pair[1]), 0)
                print(f"{number}, from {at}: {got[at:at + 8]}\n  not {want[at:at + 8]}")
    print(f"{min(len(answers), len(wanted))} compared, {differ} differ, {torn} torn")
    sys.exit(differ > 0 or len(stacks) - torn != len(answers))


main()
