#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cost.py VIGIL CHECK COMMAND...: what it costs to measure a command that prints the ns of CPU time that it used itself.

What vigil used is what wait4 says of it, its children among them, less what the command says. CHECK is one of
    printed     the profile says so too
    cached MS   a first session fills the cache of names; later ones use MS ms at most after the step's end
"""
import json
import os
import subprocess
import sys
import tempfile


def measure(vigil, folder, command):
    """One session: CPU time of vigil and its helpers, of the step, both in ns, and the facts of the profile."""
    path, data = os.path.join(folder, "out"), os.path.join(folder, "x.vprf")
    with open(path, "wb") as out:
        pid = os.posix_spawn(vigil, [vigil, "run", "-q", "-o", data, "--", *command], os.environ,
                             file_actions=[(os.POSIX_SPAWN_DUP2, out.fileno(), 1)])
    _, status, usage = os.wait4(pid, 0)
    if status:
        sys.exit(f"vigil ended with {status}")
    with open(path, encoding="ascii") as out:
        step = int(out.read().split()[-1])
    report = subprocess.run([vigil, "report", "-f", "json", "-r", "MSD", data], stdout=subprocess.PIPE, check=True)
    facts = {}
    for group in json.loads(report.stdout)["reports"][0]["facts"].values():
        facts.update(group)
    return (usage.ru_utime + usage.ru_stime) * 1e9 - step, step, facts


def printed(vigil, folder, command):
    """Missing may be what the step used before and behind its own clock, and how both processes end: some ms."""
    used, step, facts = measure(vigil, folder, command)
    whole = facts["overhead_cpu_ns"]
    print(f"step {step / 1e6:.1f} ms, vigil {used / 1e6:.1f} ms, printed {whole / 1e6:.1f} ms, "
          f"after the step {facts['overhead_after_ns'] / 1e6:.1f} ms")
    return used * 0.9 - 10e6 <= whole <= used + 2e6 and 0 < facts["overhead_after_ns"] < whole


def cached(vigil, folder, command, most):
    """What sessions do after their step once all names that they meet were met before: chance decides which of them do."""
    after, whole = [], []
    for _ in range(8):
        _, _, facts = measure(vigil, folder, command)
        after.append(facts["overhead_after_ns"] / 1e6)
        whole.append(facts["overhead_cpu_ns"] / 1e6)
    print("ms after the step / in all:", " ".join(f"{ms:.1f}/{all_ms:.1f}" for ms, all_ms in zip(after, whole)))
    return min(after[1:]) <= most and min(whole[1:]) < whole[0]


def main():
    vigil, check = sys.argv[1:3]
    with tempfile.TemporaryDirectory() as folder:
        if check == "printed":
            right = printed(vigil, folder, sys.argv[3:])
        else:
            right = cached(vigil, folder, sys.argv[4:], float(sys.argv[3]))
    sys.exit(0 if right else 1)


main()
