#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perf-compare.py PERF.DATA FILE.vprf: whether an imported session says what perf says of the recording.

The number of samples is that of the lines of perf script; each function's share of the CPU time in its own instructions is that
of perf report, and its samples come from the object that perf names. Exit 0 when all is so; else what differs is printed.
"""
import collections
import json
import os
import re
import subprocess
import sys


def output(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout.decode(errors="replace")


def perf_shares(path):
    """Percent by function. Versions of a symbol and a compiler's copies of a function are not told apart."""
    shares = collections.Counter()
    for line in output("perf", "report", "-i", path, "--stdio", "--no-children", "-g", "none", "-F", "overhead,sym",
                       "--percent-limit", "0").splitlines():
        found = re.match(r"\s*([0-9.]+)%\s+\[(.)\] (.+?)\s*$", line)
        if found:
            shares[re.sub(r"[@(].*|\.(isra|part|constprop|cold)\.?.*", "", found[3])] += float(found[1])
    return shares


def main():
    recording, data = sys.argv[1:3]
    vigil = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
    reports = {report["code"]: report
               for report in json.loads(output(vigil, "report", "--format", "json", "--all", data))["reports"]}
    samples = next(group["samples_in_reports"] for group in reports["MSD"]["facts"].values() if "samples_in_reports" in group)
    counted = sum(1 for line in output("perf", "script", "-i", recording, "-F", "pid,tid,event").splitlines()
                  if re.match(r"\s*-?\d+/-?\d+ .*clock", line))
    ours = collections.Counter()
    for table in reports["MEP"]["tables"]:
        if table["table"] == "procedures_own":
            for row in table["rows"]:
                if row["row"] == "detail":
                    name = re.sub(r"[@(].*|\.(isra|part|constprop|cold)\.?.*", "", row.get("procedure") or "")
                    ours[name] += row["samples"]
    wrong = []
    if samples != counted:
        wrong.append(f"{samples} samples, perf script has {counted}")
    shares = perf_shares(recording)
    # Without its build id it is unknown whether the vDSO of this machine is the recording's: vigil names no function
    # in it.
    if "[vdso]" not in output("perf", "buildid-list", "-i", recording):
        shares = {name: percent for name, percent in shares.items() if not name.startswith("__vdso_")}
    for name, percent in shares.items():
        # perf rounds each line to 0.01 %, and some lines have the same name.
        if percent >= 1 and abs(100 * ours[name] / samples - percent) > 0.1:
            wrong.append(f"{name}: {100 * ours[name] / samples:.2f} %, perf report says {percent:.2f} %")
    if not any(percent >= 1 for percent in shares.values()):
        wrong.append("perf report has nothing to compare with")
    print("\n".join(wrong))
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
