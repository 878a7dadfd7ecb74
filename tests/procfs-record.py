#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records what vigil's producers read of this machine, as a tree for tests (tests/procfs/README).

    procfs-record.py FOLDER [--pid N]...

What could tell who or where the machine is is left out: names, addresses,
identities, command lines. Of processes only those that are named are recorded.
"""
import argparse
import os

FILES = """
proc/stat proc/loadavg proc/uptime proc/meminfo proc/vmstat proc/diskstats proc/softirqs proc/interrupts proc/schedstat
proc/locks proc/cpuinfo proc/pressure/cpu proc/pressure/memory proc/pressure/io proc/pressure/irq
proc/net/dev proc/net/snmp proc/net/snmp6 proc/net/netstat proc/net/sockstat proc/net/sockstat6
proc/net/softnet_stat proc/net/rpc/nfs proc/net/rpc/nfsd proc/fs/xfs/stat
proc/sys/fs/file-nr proc/sys/fs/inode-nr proc/sys/fs/dentry-state proc/sys/fs/aio-nr proc/sys/fs/aio-max-nr
proc/sys/kernel/pid_max proc/sys/kernel/threads-max proc/sys/kernel/ostype proc/sys/kernel/arch
proc/sys/kernel/random/entropy_avail sys/devices/system/cpu/possible sys/devices/system/node/online
""".split()
OF_PROCESS = ["stat", "status", "io", "schedstat"]


def record(root, path):
    try:
        with open("/" + path, "rb") as file:
            text = file.read(65536)
    except OSError:
        return
    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
    with open(os.path.join(root, path), "wb") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description="Records this machine as a tree for tests.")
    parser.add_argument("folder")
    parser.add_argument("--pid", action="append", default=[])
    options = parser.parse_args()
    for path in FILES:
        record(options.folder, path)
    for pid in options.pid:
        for name in OF_PROCESS:
            record(options.folder, f"proc/{int(pid)}/{name}")


if __name__ == "__main__":
    main()
