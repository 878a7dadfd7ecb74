# SPDX-License-Identifier: Apache-2.0
"""Touches memory and reads a file, much of it before the file named first is there, little after
the file named second is: what a session that is attached in between must count. Parent and child
print what the kernel says they did: page faults, and calls that read or write, each since the
second file was there, and since they were ready."""
import mmap
import os
import resource
import sys
import time

PAGE = mmap.PAGESIZE


def touch(megabytes):
    """As many page faults as there are pages."""
    area = mmap.mmap(-1, megabytes << 20, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        area.madvise(mmap.MADV_NOHUGEPAGE)
    for at in range(0, len(area), PAGE):
        area[at] = 1
    return area


def read(calls):
    """So many calls that read."""
    fd = os.open("/dev/zero", os.O_RDONLY)
    for _ in range(calls):
        os.read(fd, 8)
    os.close(fd)


def work(megabytes, calls):
    area = touch(megabytes)
    read(calls)
    time.sleep(0.3 if calls < 1000 else 0)
    area.close()


def so_far():
    """Page faults, and calls that read or write, of this process."""
    with open("/proc/self/io", encoding="ascii") as accounts:
        calls = [int(line.split()[1]) for line in accounts if line.startswith("sysc")]
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt, sum(calls)


def tell(ready, go):
    now = so_far()
    counts = [b - a for before in (go, ready) for a, b in zip(before, now)]
    os.write(1, f"{' '.join(map(str, counts))}\n".encode())


def main():
    ready, go, done = sys.argv[1:]
    work(100, 5000)
    gone = os.fork()
    if gone == 0:
        work(20, 2000)
        os._exit(0)
    # It stays a zombie: it has not been waited for when the session begins.
    os.waitid(os.P_PID, gone, os.WEXITED | os.WNOWAIT)
    child = os.fork()
    if child == 0:
        work(50, 3000)
    when_ready = so_far()
    open(ready + (".child" if child == 0 else ""), "w").close()
    while not os.path.exists(go):
        time.sleep(0.02)
    going = so_far()
    if child == 0:
        work(10, 100)
        tell(when_ready, going)
        os._exit(0)
    work(40, 200)
    tell(when_ready, going)
    # Included in the accounts of this process from here on.
    os.waitpid(gone, 0)
    os.waitpid(child, 0)
    # What the child used has been passed to its parent when the next snapshot is taken.
    time.sleep(1.5)
    open(done, "w").close()
    # Skips what Python does at its end.
    os._exit(0)


main()
