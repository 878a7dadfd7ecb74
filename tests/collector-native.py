#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""collector-native.py NAMED NATIVE SCRIPT INTERPRETER: what a collector named of an interpreter's own samples.

NAMED and NATIVE are the MEP report as JSON, with and without what data collectors said. The script's rows of own samples must be the
interpreter's loop, sample for sample, and all other rows the same in both. INTERPRETER is a part of its modules' names.
"""
import collections
import json
import sys


def own(path):
    samples = collections.Counter()
    with open(path, encoding="utf-8") as file:
        report = json.load(file)["reports"][0]
    for table in report["tables"]:
        for row in table["rows"]:
            if table["table"] == "procedures_own" and row["row"] == "detail":
                samples[row["module"], row["section"], row.get("procedure")] += row["samples"]
    return samples


def main():
    named, native = own(sys.argv[1]), own(sys.argv[2])
    script, interpreter = sys.argv[3:]
    places = {key: count for key, count in named.items() if key not in native}
    loop = {key: count - named[key] for key, count in native.items() if count != named[key]}
    below = sum(count for (module, _, _), count in named.items() if interpreter in module)
    print(f"{sum(native.values())} samples, {below} at the interpreter's functions; of its loop {loop} became {places}")
    assert sum(named.values()) == sum(native.values())
    assert not any(key[0] == script for key in native)
    assert sum(places.values()) == sum(loop.values())
    assert all(interpreter in key[0] for key in loop)
    assert below > 0


main()
