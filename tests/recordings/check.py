#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check.py FOLDER: replays each recording of the folder NAME.vrec.xz and compares its listing with the truth beside it, NAME.truth;
also with a quarter of the samples, and those of root as an ordinary user would have been told.

The truth is what the program measured itself when it was recorded (tests/truth_rows.py), and what else holds: "holds EXPRESSION", in
Python, where fact(NAME) is a number of Measurement Session Data. A row holds if the truth is within twice its margin, which chance
exceeds once in ten thousand rows when a recording is made; a replay always says the same. Of all rows nine in ten must be within their
margins. The result is TAP.
"""
import glob
import lzma
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from truth_rows import Profile, read_truth  # noqa: E402  pylint: disable=wrong-import-position

VIGIL = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
TIMES = 2


class Failure(Exception):
    pass


def vigil(*arguments, said=()):
    """Runs a command, which may print messages with the ids in said; returns its output."""
    done = subprocess.run([VIGIL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    messages = [line for line in done.stderr.splitlines() if not any(f" {message} " in line for message in said)]
    if messages or done.returncode not in (0, 4 if done.stderr else 0):
        raise Failure(f"vigil {arguments[0]}: exit {done.returncode}: {done.stderr}")
    return done.stdout


def replay(path, folder, *options):
    """Returns the profile of a recording, replayed with options."""
    recording, data = os.path.join(folder, "x.vrec"), os.path.join(folder, "x.vprf")
    with lzma.open(path) as packed, open(recording, "wb") as file:
        file.write(packed.read())
    # With other options a session may come to stacks that the recorded one did not walk.
    vigil("replay", "-q", "--replace", "-o", data, *options, recording, said=("VIG6627W", "VIG6629W") if options else ())
    truth = read_truth(path.replace(".vrec.xz", ".truth"))
    return Profile(truth["kind"], truth, vigil("report", "--format", "json", "--all", "--margins", data))


class Rows:
    """The rows of all recordings: how many there are, and how many hold the truth within their margins."""

    def __init__(self):
        self.count = self.held = 0

    def compare(self, profile, also):
        """Returns what is wrong; also: what else must hold."""
        wrong = []
        for what, name, true, printed, margin in profile.compare():
            self.count += 1
            self.held += abs(printed - true) <= margin
            if abs(printed - true) > TIMES * margin:
                wrong.append(f"{what} of {name}: true {true:.2f}, printed {printed:.2f}, margin {margin:.2f}")
        for expression in also:
            if not eval(expression, {"fact": lambda name: profile.fact(name) or 0}):  # pylint: disable=eval-used
                wrong.append(f"{expression} does not hold")
        return wrong


def result(number, good, name, details=()):
    for detail in details:
        print(f"# {detail}")
    print(f"{'ok' if good else 'not ok'} {number} - {name}", flush=True)
    return good


def options_of(path):
    """
    Returns the options with which a recording is replayed: none, and others. Where an ordinary user's session would have seen tasks
    in the kernel, root's recording does not tell.
    """
    as_user = "-root." in path and "system-calls" not in path and "page-faults" not in path
    return [[], ["--rate", "250"]] + ([["--privilege", "user"]] if as_user else [])


def check(number, path, options, rows, folder):
    name = " ".join([os.path.basename(path).removesuffix(".vrec.xz"), *options])
    try:
        profile = replay(path, folder, *options)
        wrong = rows.compare(profile, () if options else profile.truth["holds"])
    except (Failure, OSError, ValueError, lzma.LZMAError) as error:
        wrong = [str(error)]
    return result(number, not wrong, name, wrong)


def main():
    paths = sorted(glob.glob(os.path.join(sys.argv[1], "*.vrec.xz")))
    replays = [(path, options) for path in paths for options in options_of(path)]
    rows, good = Rows(), True
    print(f"1..{len(replays) + 1}")
    with tempfile.TemporaryDirectory() as folder:
        for number, (path, options) in enumerate(replays, 1):
            good &= check(number, path, options, rows, folder)
    enough = rows.count > 0 and rows.held >= 0.9 * rows.count
    good &= result(len(replays) + 1, enough, "nine in ten rows hold the truth within their margins", [f"{rows.held} of {rows.count}"])
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
