#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""twin_rows.py FILE.json...: rows of a report that look the same but for their figures: they are one row, or something must tell
them apart. Prints each pair of detail rows of one table whose names, lines and kinds are all equal; exit 1 when there is one."""
import json
import sys

# Figures that say where something is, not how much of it there was.
PLACES = ("line", "offset", "task", "process", "pid", "tid", "number", "time_ns", "from_ns", "start_ns", "second", "level", "request",
          # A file that was recreated under its name is another file, and has its own sizes.
          "size_first_bytes", "size_last_bytes", "opens")


def is_key(name, value):
    return isinstance(value, str) or name in PLACES or name.endswith(("_number", "_time", "_line")) or isinstance(value, bool)


def twins(report):
    """(table, key) of each row that looks like one before it."""
    for table in report["tables"]:
        if table["table"] == "tokens":      # a long name goes on in rows of its own
            continue
        seen, above = set(), []     # above: of a tree, the rows that lead to this one
        for row in table["rows"]:
            if row.get("row") != "detail":
                seen = set() if row.get("row") in ("group", "head") else seen
                continue
            key = tuple((name, value) for name, value in row.items() if is_key(name, value))
            if isinstance(row.get("level"), int):
                above = above[:row["level"] - 1] + [key]
                key = tuple(pair for one in above for pair in one)
            if key in seen:
                yield table["table"], {name: value for name, value in key if value != "" and name != "row"}
            seen.add(key)


def main():
    found = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            for report in json.load(file)["reports"]:
                for table, key in twins(report):
                    found += 1
                    print(f"{path}: {report['code']}: {table}: two rows of {key}")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
