# SPDX-License-Identifier: Apache-2.0
"""traced.py N [PROFILER]: calls a function of three lines N times; prints ns of CPU time a call and the seconds it took.
PROFILER: cProfile, or settrace with a function that does nothing."""
import sys
import time


def traced(number):
    number += 1
    number += 2
    return number


def calls(count):
    for number in range(count):
        traced(number)


def trace(_frame, _event, _argument):
    return trace


def main():
    count = int(sys.argv[1])
    profiler = sys.argv[2] if len(sys.argv) > 2 else ""
    cpu, start = time.process_time(), time.monotonic()
    if profiler == "cProfile":
        import cProfile

        cProfile.Profile().runcall(calls, count)
    elif profiler == "settrace":
        sys.settrace(trace)
        calls(count)
        sys.settrace(None)
    else:
        calls(count)
    cpu, took = time.process_time() - cpu, time.monotonic() - start
    print(f"{cpu / count * 1e9:.2f} {took:.6f}")


if __name__ == "__main__":
    main()
