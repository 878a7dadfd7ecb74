#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""perf-file.py CASE FILE [ARGUMENT]: write a perf.data that no perf is needed for, of which it is known what is in it.

    fields NUMBER   100 samples of cpu-clock (1 ms each), with the fields that the bits of NUMBER choose, among them a call chain
                    of two contexts, raw bytes, branches, registers and a stack; NUMBER 0: all
    cycles          1000 samples of cycles, 1,000,000 each, 0.4 ms apart: 2.5 GHz; every tenth behind a wait of 5 ms
    switches        one task: executes 100 ms, waits 250 ms, executes 100 ms, is preempted for 50 ms, executes 100 ms; of two
                    processors, whose records come one after the other in each round
    buildid         MMAP2 with a build id: of a file (ARGUMENT), that has another one
    group           samples with the values of a group of counters
    lost            10 samples and 90 lost records
    aux             10 samples and a trace of the processor
    other           samples of page-faults only
    swapped         the same in the other byte order
    empty           nothing but the header
"""
import struct
import sys

IP, TID, TIME, ADDR, READ, CHAIN, ID, CPU, PERIOD, STREAM, RAW, BRANCH, REGS, STACK = (1 << n for n in range(14))
IDENTIFIER = 1 << 16
INHERIT, FREQ, SAMPLE_ID_ALL, SWITCH = 1 << 1, 1 << 10, 1 << 18, 1 << 26
MAPPED, OFFSET = 0x400000, 0
MILLISECOND = 1000000
START = 5 * 10**9


def attribute(kind=1, config=0, period=MILLISECOND, sample=IP | TID | TIME | PERIOD, read=0, flags=SAMPLE_ID_ALL, registers=0):
    return struct.pack("<IIQQQQQIIQQQQIiQIHHIIQ", kind, 128, config, period, sample, read, flags, 0, 0, 0, 0, 0, registers,
                       8192, 0, 0, 0, 0, 0, 0, 0, 0)


def record(kind, body, misc=2):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, len(body) + 8) + body


def text(string):
    string = string.encode() + b"\0"
    return string + b"\0" * (-len(string) % 8)


def tail(sample, tid, time, cpu):
    """What stands behind records that are no samples."""
    out = b""
    out += struct.pack("<II", 100, tid) if sample & TID else b""
    out += struct.pack("<Q", time) if sample & TIME else b""
    out += struct.pack("<Q", 7) if sample & ID else b""
    out += struct.pack("<Q", 7) if sample & STREAM else b""
    out += struct.pack("<II", cpu, 0) if sample & CPU else b""
    out += struct.pack("<Q", 7) if sample & IDENTIFIER else b""
    return out


def sample(fields, time, tid=100, ip=MAPPED + 0x100, period=MILLISECOND, cpu=0, read=b"", pid=100):
    out = b""
    out += struct.pack("<Q", 7) if fields & IDENTIFIER else b""
    out += struct.pack("<Q", ip) if fields & IP else b""
    out += struct.pack("<II", pid, tid) if fields & TID else b""
    out += struct.pack("<Q", time) if fields & TIME else b""
    out += struct.pack("<Q", 0xdead) if fields & ADDR else b""
    out += struct.pack("<Q", 7) if fields & ID else b""
    out += struct.pack("<Q", 7) if fields & STREAM else b""
    out += struct.pack("<II", cpu, 0) if fields & CPU else b""
    out += struct.pack("<Q", period) if fields & PERIOD else b""
    out += read if fields & READ else b""
    out += struct.pack("<7Q", 6, 2**64 - 128, 0xffffffff81000010, 2**64 - 512, ip, MAPPED + 0x205, MAPPED + 0x305) \
        if fields & CHAIN else b""
    out += struct.pack("<I", 12) + b"x" * 12 if fields & RAW else b""
    out += struct.pack("<Q", 2) + b"b" * 48 if fields & BRANCH else b""
    out += struct.pack("<QQQ", 2, 0x7ffc0000, ip) if fields & REGS else b""
    out += struct.pack("<Q", 64) + b"s" * 64 + struct.pack("<Q", 48) if fields & STACK else b""
    return record(9, out)


def begin(fields, path="/nowhere/program"):
    """A process that executes a program."""
    end = tail(fields, 100, START, 0)
    return (record(3, struct.pack("<II", 100, 100) + text("program") + end, 2 | 1 << 13) +
            record(1, struct.pack("<IIQQQ", 100, 100, MAPPED, 0x1000, OFFSET) + text(path) + end))


def feature(content):
    content = content.encode() + b"\0"
    content += b"\0" * (-len(content) % 64)
    return struct.pack("<I", len(content)) + content


def write(path, attributes, data, features=None):
    features = {4: feature("9.9.9-test"), 5: feature("6.1.0"), 3: feature("somewhere"), 6: feature("x86_64"),
                **(features or {})}
    at = 104
    ids, table = b"", b""
    at_ids = at
    at += 8 * len(attributes)
    for number, one in enumerate(attributes):
        ids += struct.pack("<Q", 7 + number)
        table += one + struct.pack("<QQ", at_ids + 8 * number, 8)
    at_table = at
    at += len(table)
    at_data = at
    at += len(data)
    bits, sections, contents = 0, b"", b""
    place = at + 16 * len(features)
    for number in sorted(features):
        bits |= 1 << number
        sections += struct.pack("<QQ", place + len(contents), len(features[number]))
        contents += features[number]
    header = struct.pack("<8sQQ", b"PERFILE2", 104, 128 + 16) + struct.pack(
        "<QQQQQQ", at_table, len(table), at_data, len(data), 0, 0) + struct.pack("<QQQQ", bits, 0, 0, 0)
    with open(path, "wb") as file:
        file.write(header + ids + table + data + sections + contents)


def fields(path, number):
    chosen = int(number)
    bits = [IDENTIFIER, ADDR, ID, STREAM, CPU, READ, CHAIN, RAW, BRANCH, REGS, STACK]
    kind = IP | TID | TIME | PERIOD
    for place, bit in enumerate(bits):
        if chosen == 0 or chosen >> place & 1:
            kind |= bit
    read = struct.pack("<Q", 1)
    data = begin(kind)
    for i in range(100):
        data += sample(kind, START + (i + 1) * MILLISECOND, read=read)
    # Registers: the stack pointer and the instruction pointer.
    write(path, [attribute(sample=kind, registers=1 << 7 | 1 << 8)], data)


def cycles(path):
    kind = IP | TID | TIME | PERIOD
    data, time = begin(kind), START
    for i in range(1000):
        time += 400000 + (5 * MILLISECOND if i % 10 == 0 else 0)
        data += sample(kind, time, period=1000000)
    write(path, [attribute(kind=0, period=2500, sample=kind, flags=SAMPLE_ID_ALL | FREQ)], data)


def switches(path):
    kind = IP | TID | TIME | CPU | PERIOD
    at = lambda ms: START + ms * MILLISECOND
    change = lambda ms, misc, cpu: record(14, tail(kind, 100, at(ms), cpu), 2 | misc)
    out, preempted = 1 << 13, 1 << 13 | 1 << 14
    rounds = [
        # All of the first processor, then those of the second: not ordered by time.
        begin(kind) + b"".join(sample(kind, at(ms)) for ms in range(1, 100)) + change(100, out, 0) + change(450, preempted, 0),
        change(350, 0, 0) + b"".join(sample(kind, at(ms), ip=MAPPED + 0x200) for ms in range(351, 450)) + change(500, 0, 1),
        b"".join(sample(kind, at(ms), ip=MAPPED + 0x300, cpu=1) for ms in range(501, 600)) +
        record(4, struct.pack("<IIIIQ", 100, 1, 100, 1, at(600)) + tail(kind, 100, at(600), 1)),
    ]
    write(path, [attribute(sample=kind, flags=SAMPLE_ID_ALL | SWITCH)], (rounds[0] + rounds[1] + record(68, b"") + rounds[2] +
                                                                        record(68, b"") + record(68, b"")))


def buildid(path, file):
    kind = IP | TID | TIME | PERIOD
    end = tail(kind, 100, START, 0)
    data = record(3, struct.pack("<II", 100, 100) + text("program") + end, 2 | 1 << 13)
    data += record(10, struct.pack("<IIQQQ", 100, 100, MAPPED, 0x10000, 0) + struct.pack("<BBH20s", 20, 0, 0, b"\x11" * 20) +
                   struct.pack("<II", 5, 2) + text(file) + end, 2 | 1 << 14)
    data += b"".join(sample(kind, START + i * MILLISECOND) for i in range(1, 200))
    write(path, [attribute(sample=kind)], data)


def group(path):
    kind = IP | TID | TIME | PERIOD | READ | CPU | CHAIN
    # GROUP, ID, LOST and both times.
    read = struct.pack("<QQQ", 3, 10, 10) + struct.pack("<QQQ", 1, 7, 0) * 3
    data = begin(kind) + b"".join(sample(kind, START + i * MILLISECOND, read=read) for i in range(1, 101))
    write(path, [attribute(sample=kind, read=31)], data)


def lost(path):
    kind = IP | TID | TIME | PERIOD
    data = begin(kind) + b"".join(sample(kind, START + i * MILLISECOND) for i in range(1, 11))
    data += record(2, struct.pack("<QQ", 7, 60) + tail(kind, 100, START + 11 * MILLISECOND, 0))
    data += record(13, struct.pack("<Q", 30) + tail(kind, 100, START + 12 * MILLISECOND, 0))
    write(path, [attribute(sample=kind)], data)


def aux(path):
    kind = IP | TID | TIME | PERIOD
    data = begin(kind) + b"".join(sample(kind, START + i * MILLISECOND) for i in range(1, 11))
    data += record(70, struct.pack("<II", 1, 0)) + record(71, struct.pack("<QQQIIII", 4096, 0, 0, 0, 0, 0, 0)) + b"p" * 4096
    data += b"".join(sample(kind, START + i * MILLISECOND) for i in range(11, 21))
    write(path, [attribute(sample=kind)], data)


def other(path):
    kind = IP | TID | TIME | PERIOD
    data = begin(kind) + b"".join(sample(kind, START + i * MILLISECOND, period=1) for i in range(1, 11))
    write(path, [attribute(config=2, sample=kind)], data)


def swapped(path):
    with open(path, "wb") as file:
        file.write(b"2ELIFREP" + b"\0" * 96)


def empty(path):
    write(path, [attribute()], b"")


CASES = [fields, cycles, switches, buildid, group, lost, aux, other, swapped, empty]

if __name__ == "__main__":
    {case.__name__: case for case in CASES}[sys.argv[1]](*sys.argv[2:])
