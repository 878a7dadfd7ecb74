#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the /proc and /sys of a large machine, for tests that read below a root.

    procfs-machine.py FOLDER [--cpus 256] [--disks 2000] [--processes 3000]

The forms are those of Linux 6.1; every value follows from the number of its
row, so a test can say what it expects. CPU n spent 1000 + n ticks in user
mode, disk n completed 10 * n reads, process n (from 1) has n * 3 minor faults.
"""
import argparse
import os


def write(root, path, text):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="ascii") as file:
        file.write(text)


def cpu_times(name, user):
    return f"{name} {user} 2 300 40000 5 0 6 7 0 0\n"


def system(root, cpus, disks, processes):
    total = sum(1000 + n for n in range(cpus))
    write(root, "proc/stat", cpu_times("cpu ", total) +
          "".join(cpu_times(f"cpu{n}", 1000 + n) for n in range(cpus)) +
          "intr " + " ".join(["123456789"] + ["0"] * (cpus * 8)) + "\n" +
          f"ctxt 987654321\nbtime 1763800000\nprocesses {processes * 5}\n"
          f"procs_running {cpus}\nprocs_blocked 3\n")
    write(root, "proc/interrupts", " " * 12 + "".join(f"CPU{n:<8}" for n in range(cpus)) + "\n" +
          "".join(f"{line:4}: " + "".join(f"{line * n:10} " for n in range(cpus)) +
                  f" PCI-MSI {line}-edge nvme0q{line}\n" for line in range(64)))
    write(root, "proc/cpuinfo", "".join(
        f"processor\t: {n}\nvendor_id\t: AuthenticAMD\nmodel name\t: AMD EPYC 9754 128-Core Processor\n"
        f"cpu MHz\t\t: 2250.000\nflags\t\t: {'fpu vme de pse tsc msr ' * 20}\n\n" for n in range(cpus)))
    write(root, "proc/diskstats", "".join(
        f" {8 + n // 256:3} {n % 256:7} sd{n} {10 * n} 0 {80 * n} {n} {20 * n} 0 {160 * n} {n} 0 {n} {2 * n} 0 0 0 0 0 0\n"
        for n in range(disks)))
    write(root, "proc/meminfo", f"MemTotal:       {cpus * 8388608} kB\nMemFree:        {cpus * 4194304} kB\n")
    write(root, "proc/loadavg", f"{cpus}.00 {cpus // 2}.50 1.25 {cpus}/{processes} {processes}\n")


def process(root, number, processes):
    ids = f"{number}"
    parent = number // 8
    children = [n for n in range(number * 8, number * 8 + 8) if n <= processes and n != number]
    stat = (f"{ids} (worker {number}) S {parent} 1 1 0 -1 4194304 {number * 3} 0 {number % 7} 0 "
            f"{number} {number * 2} 0 0 20 0 1 0 {number} 160392192 3840 18446744073709551615\n")
    write(root, f"proc/{ids}/stat", stat)
    write(root, f"proc/{ids}/task/{ids}/stat", stat)
    write(root, f"proc/{ids}/task/{ids}/children", "".join(f"{n} " for n in children))


def main():
    parser = argparse.ArgumentParser(description="Makes the /proc and /sys of a large machine.")
    parser.add_argument("folder")
    parser.add_argument("--cpus", type=int, default=256)
    parser.add_argument("--disks", type=int, default=2000)
    parser.add_argument("--processes", type=int, default=3000)
    options = parser.parse_args()
    system(options.folder, options.cpus, options.disks, options.processes)
    for number in range(1, options.processes + 1):
        process(options.folder, number, options.processes)
    for cpu in range(options.cpus):
        write(options.folder, f"sys/devices/system/cpu/cpu{cpu}/topology/core_id", f"{cpu // 2}\n")


if __name__ == "__main__":
    main()
