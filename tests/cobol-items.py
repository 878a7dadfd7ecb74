#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""cobol-items.py ITEMS STORAGE: whether what cobol-items printed is what cobc made.

STORAGE is the .c.l.h file of "cobc -C": a cob_field of each item that is used, with its record, its
distance from the start of that and its size. Numbers count from the one of RETURN-CODE; between that and the
program's items are the registers, of which GnuCOBOL 3.2 has more: with pointers, for XML.
"""
import re
import sys


def main():
    with open(sys.argv[2], encoding="ascii") as stream:
        text = stream.read()
    first = int(re.search(r"static int\s+b_(\d+);\s*/\* RETURN-CODE \*/", text).group(1))
    first += 15 if "/* XML-NAMESPACE */" in text else 6
    made = {}
    for number, size, record, offset, name in re.findall(
            r"cob_field f_(\d+)\s*= \{(\d+), b_(\d+)(?: \+ (\d+))?, &a_\d+\};\s*/\* (\S+) \*/", text):
        made[name] = (int(number) - first, int(record) - first, int(offset or 0), int(size))
    read = {}
    with open(sys.argv[1], encoding="ascii") as stream:
        for line in stream:
            number, record, offset, size, name = line.split()[:5]
            read[name] = (int(number), int(record), int(offset), int(size))
    wrong = [f"{name}: cobc has {made[name]}, read is {read.get(name)}" for name in made
             if made[name] != read.get(name)]
    print("\n".join(wrong) or f"{len(made)} items agree")
    sys.exit(1 if wrong or not made else 0)


if __name__ == "__main__":
    main()
