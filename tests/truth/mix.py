# SPDX-License-Identifier: Apache-2.0
"""mix.py SECONDS: ten functions of random weights that execute, four that wait, known by their own clocks (truth.h)."""
import os
import random
import sys
import time
import resource

chance = random.Random(int(os.environ.get("TRUTH_SEED", "1")))
spent, waited = {}, {}

BODY = """
def part_{0}(turns):
    total = 0
    for turn in range(turns):
        total += turn * turn % 7
    return total
"""
WAIT = """
def wait_{0}(seconds):
    time.sleep(seconds)
"""
source = "import time\n" + "".join(BODY.format(i) for i in range(10)) + "".join(WAIT.format(i) for i in range(4))
path = os.path.join(os.environ.get("TRUTH_FOLDER", "."), "mixparts.py")
with open(path, "w", encoding="ascii") as file:
    file.write(source)
parts = {}
exec(compile(source, path, "exec"), parts)


def ready():
    """How long the thread was ready and did not execute, ns."""
    with open("/proc/thread-self/schedstat", encoding="ascii") as schedstat:
        return int(schedstat.read().split()[1])


weights = [0.05 + chance.random() for _ in range(10)]
until = time.monotonic() + float(sys.argv[1])
while time.monotonic() < until:
    if chance.random() < 0.8:
        part = chance.choices(range(10), weights)[0]
        turns = int(chance.expovariate(1 / 20000)) + 1
        before = time.thread_time_ns()
        parts[f"part_{part}"](turns)
        spent[part] = spent.get(part, 0) + time.thread_time_ns() - before
    else:
        part = chance.randrange(4)
        length = 0.0002 * 250 ** chance.random()
        delayed, before, used = ready(), time.monotonic_ns(), time.thread_time_ns()
        parts[f"wait_{part}"](length)
        elapsed, used = time.monotonic_ns() - before, time.thread_time_ns() - used
        waited[part] = waited.get(part, 0) + elapsed - used - (ready() - delayed)
with open(os.environ["TRUTH_FILE"], "w", encoding="ascii") as file:
    for part, ns in spent.items():
        file.write(f"cpu {part} {ns}\n")
    for part, ns in waited.items():
        file.write(f"wait {part} {ns}\n")
    usage = resource.getrusage(resource.RUSAGE_SELF)
    file.write(f"total {int((usage.ru_utime + usage.ru_stime) * 1e9)}\n")
