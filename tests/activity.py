# SPDX-License-Identifier: Apache-2.0
"""System Activity compared with what /proc and the step itself say. activity.py burn | check VIGIL FILE | step VIGIL FILE."""
import csv
import io
import json
import os
import resource
import subprocess
import sys
import time

MODES = ["user", "nice", "system", "idle", "io_wait", "interrupts_time", "soft_interrupts_time", "stolen"]
HELD = 64 << 20


def stat():
    """Times of all processors as /proc/stat has them, ns."""
    tick = 10**9 // os.sysconf("SC_CLK_TCK")
    with open("/proc/stat", encoding="ascii") as file:
        return dict(zip(MODES, (int(word) * tick for word in file.readline().split()[1:])))


def burn():
    """A step: a known amount of memory, CPU time and writing; what it used, as it knows itself."""
    before = stat()
    held = bytearray(os.urandom(4096)) * (HELD // 4096)
    with open("written", "wb") as file:
        for _ in range(64):
            file.write(held[: 1 << 17])
        file.flush()
        os.fsync(file.fileno())
    # However long allocating the memory took, it is held for several records; four are made per second.
    until, end = sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) + 0.7, time.monotonic() + 1.5
    while sum(resource.getrusage(resource.RUSAGE_SELF)[:2]) < until:
        held[0] ^= 1
    time.sleep(max(end - time.monotonic(), 0))
    used = resource.getrusage(resource.RUSAGE_SELF)
    with open("/proc/self/io", encoding="ascii") as file:
        io_used = dict(line.split(": ") for line in file.read().splitlines())
    with open("used.json", "w", encoding="ascii") as file:
        json.dump({"cpu": used[0] + used[1], "io": io_used, "before": before, "after": stat()}, file)


def report(vigil, file, code):
    """Rows of the table of a report through time, the whole run last."""
    out = subprocess.run([vigil, "report", "--report", code, "--format", "csv", file], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    heads, rows = None, []
    for row in csv.reader(io.StringIO(out)):
        if row and row[0] == "report":
            heads = row
        elif row and row[0] == code:
            rows.append(dict(zip(heads, row)))
    return [row for row in rows if row["table"] == "intervals"]


def records(vigil, file, name):
    out = subprocess.run([vigil, "extract", "--text", "JSON", file, name], check=True, stdout=subprocess.PIPE,
                         text=True).stdout
    return [json.loads(line)["items"] for line in out.splitlines()]


def near(what, value, expected, percent):
    assert abs(value - expected) <= expected * percent / 100, f"{what}: {value}, expected {expected}"


def attribute(vigil, file, key):
    out = subprocess.run([vigil, "extract", "--text", "JSON", file, "attribute"], check=True,
                         stdout=subprocess.PIPE, text=True).stdout
    return [item["value"] for item in map(lambda line: json.loads(line)["items"], out.splitlines())
            if item["key"] == key][-1]


def check(vigil, file):
    """The machine: counters lie between what /proc/stat says before and after, and the report has their growth."""
    with open("used.json", encoding="ascii") as used:
        used = json.load(used)
    with open("before.json", encoding="ascii") as before:
        before = json.load(before)
    after, found = stat(), records(vigil, file, "SYS")
    assert len(found) >= 3, found
    # Time waiting for a disk, which counts as idle, is estimated anew each time and may decrease.
    for mode in [mode for mode in MODES if mode not in ("idle", "io_wait")]:
        values = [record[mode] for record in found]
        assert values == sorted(values), (mode, values)
        assert before[mode] <= values[0] <= used["after"][mode], (mode, before, values, used)
        assert used["after"][mode] <= values[-1] <= after[mode], (mode, values, used, after)
    grown = {mode: found[-1][mode] - found[0][mode] for mode in MODES}
    if grown["idle"] < 0 or grown["io_wait"] < 0:
        return
    rows = report(vigil, file, "SAC")
    assert rows[-1]["row"] == "total" and len(rows) > 2, rows
    every = sum(grown.values())
    for column, modes in {"user_percent": ["user", "nice"], "stolen_percent": ["stolen"],
                          "system_percent": ["system", "interrupts_time", "soft_interrupts_time"]}.items():
        expected = 100 * sum(grown[mode] for mode in modes) / every
        assert abs(float(rows[-1][column]) - expected) < 0.1, (column, rows[-1], grown)
    for row in rows:
        parts = sum(float(row[name + "_percent"]) for name in ("user", "system", "io_wait", "stolen", "idle"))
        assert abs(parts - 100) < 0.01, row


def step(vigil, file):
    """The step: CPU time, memory and writing as it knows them itself."""
    with open("used.json", encoding="ascii") as used:
        used = json.load(used)
    steps = records(vigil, file, "step")
    elapsed = sum(row["interval"] for row in steps) / 1e9
    cpu, memory, disks = (report(vigil, file, code) for code in ("SAC", "SAM", "SAD"))
    # A process cannot know what its interpreter needs to end; the kernel reports that to its parent.
    whole = sum(int(attribute(vigil, file, "cpu.rusage_" + mode)) for mode in ("user", "system")) / 1e9
    assert used["cpu"] <= whole, (used, whole)
    # Both are the kernel's accounts of the same tasks. What is used before the first and after the last look is only
    # in the second; what a hypervisor gave to others while the step had a processor is only in the first, and the
    # kernel counts that for the machine, in ticks of each processor.
    stolen = (used["after"]["stolen"] - used["before"]["stolen"]) / 1e9 + os.cpu_count() / os.sysconf("SC_CLK_TCK")
    processors = float(cpu[-1]["step_processors"]) * elapsed
    assert 0.95 * whole <= processors <= whole + stolen, (processors, whole, stolen)
    # A record has what is held at its moment. The listing has the mean over an interval, which may extend beyond the
    # time of holding.
    most = max(row["resident"] for row in steps) * os.sysconf("SC_PAGESIZE")
    assert HELD <= most <= 2 * HELD, most
    mean = sum(row["resident"] * row["interval"] for row in steps) * os.sysconf("SC_PAGESIZE") / elapsed / 1e9
    near("memory", float(memory[-1]["step_bytes"]), mean, 1)
    assert max(float(row["step_bytes"]) for row in memory[:-1]) <= 1.001 * most, (memory, most)
    total = records(vigil, file, "MEM")[-1]["total"]
    near("share of the memory", float(memory[-1]["step_percent"]) * total / 100, float(memory[-1]["step_bytes"]), 1)
    written = disks[-1]["step_written_bytes_per_second"]
    if written == "":
        assert attribute(vigil, file, "io.unknown") == "1"
    else:
        # After reading the counter the program writes its figures, and its interpreter may write a page or two.
        least = int(used["io"]["write_bytes"])
        assert 0.999 * least <= float(written) * elapsed <= 1.001 * least + (64 << 10), (written, elapsed, least)
    pressure = report(vigil, file, "SAP")
    assert all(0 <= float(row["cpu_some_percent"] or 0) <= 100 for row in pressure)
    cost = int(attribute(vigil, file, "overhead.metrics"))
    assert 0 < cost < int(attribute(vigil, file, "overhead.cpu")), cost


if __name__ == "__main__":
    if sys.argv[1] == "before":
        with open("before.json", "w", encoding="ascii") as now:
            json.dump(stat(), now)
    elif sys.argv[1] == "burn":
        burn()
    else:
        {"check": check, "step": step}[sys.argv[1]](*sys.argv[2:])
