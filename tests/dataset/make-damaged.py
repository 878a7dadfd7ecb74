#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make the damaged sample data sets of damaged.list from version-1.0.vprf.

Only needed when the format changes: the files themselves are kept.
"""
import os
import struct
import zlib

os.chdir(os.path.dirname(os.path.abspath(__file__)))
golden = open("version-1.0.vprf", "rb").read()


def blocks():
    """Start, end and type of each block."""
    at = 16
    while at < len(golden):
        kind, _packing, _zero, stored = struct.unpack_from("<HBBI", golden, at + 4)
        yield at, at + 24 + stored, kind
        at += 24 + stored


def head(kind, content):
    """A block that is stored as it is."""
    start = b"\xf7VB\xa9" + struct.pack("<HBBIII", kind, 0, 0, len(content), len(content),
                                       zlib.crc32(content))
    return start + struct.pack("<I", zlib.crc32(start)) + content


def flip(at):
    return golden[:at] + bytes([golden[at] ^ 0x55]) + golden[at + 1:]


def save(name, data):
    with open(name, "wb") as file:
        file.write(data)


place = list(blocks())
snapshots = [block for block in place if block[2] == 3]
strings = [block for block in place if block[2] == 2]
types = [block for block in place if block[2] == 1]
header = golden[:8] + struct.pack("<HH", 2, 0)
save("cut-in-snapshot.vprf", golden[:snapshots[1][1] - 10])
save("cut-between-blocks.vprf", golden[:snapshots[1][1]])
save("no-end.vprf", golden[:place[-1][0]])
save("cut-in-header.vprf", golden[:11])
save("snapshot-damaged.vprf", flip(snapshots[1][0] + 40))
save("head-damaged.vprf", flip(snapshots[1][0] + 9))
save("strings-damaged.vprf", flip(strings[0][1] - 1))
save("types-damaged.vprf", flip(types[0][1] - 1))
save("header-damaged.vprf", flip(3))
save("snapshot-missing.vprf", golden[:snapshots[1][0]] + golden[snapshots[1][1]:])
save("foreign-bytes.vprf", golden[:snapshots[1][0]] + b"a line of some log file\n" * 3 +
     golden[snapshots[1][0]:])
save("later-version.vprf", header + struct.pack("<I", zlib.crc32(header)) + golden[16:])
save("unknown-block.vprf", golden[:place[-1][0]] + head(900, b"what a later version may say") +
     head(4, bytes([len(place)])))
save("content-damaged.vprf", golden[:place[-1][0]] + head(3, b"\x04\x04\x08\xff\x7f\x06\x02\x00\x00") +
     head(4, bytes([len(place)])))
save("not-a-data-set.vprf", b"//PAYROLL  JOB (ACCT),'NIGHT RUN',CLASS=A\n")
save("empty.vprf", b"")
