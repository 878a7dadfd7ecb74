#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make bench: the rows of DESIGN 11 that this version has, beside perf where it is installed.

Ratios come from pairs of runs taken in turn and are medians, because machines are noisy.
Nothing here passes or fails; the last lines are the table.
"""
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

BUILD = os.environ.get("VIGIL_BUILD", ".")
SOURCE = os.environ.get("VIGIL_SOURCE", ".")
PAIRS = int(os.environ.get("BENCH_PAIRS", "7"))
VIGIL = os.path.join(BUILD, "vigil")
STEP = os.path.join(BUILD, "tests", "bench-step")


def output(command, **more):
    """Run a command, return its standard output; None when it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False, **more)
    if done.returncode != 0:
        sys.stderr.write(f"bench: {' '.join(command)}: exit {done.returncode}\n{done.stderr[-400:]}\n")
        return None
    return done.stdout


def seconds(command, **more):
    """The time the step says its work took (the last line it prints)."""
    text = output(command, **more)
    return float(text.split()[-1]) if text else None


def added(plain, measured, pairs=PAIRS, **more):
    """Run time added by measuring, in percent, over pairs taken in turn: median, lower and upper quartile."""
    ratios = []
    seconds(plain, **more)  # warm up
    for _ in range(pairs):
        before, with_it, after = seconds(plain, **more), seconds(measured, **more), seconds(plain, **more)
        if before is None or with_it is None or after is None:
            return None
        ratios.append(with_it / ((before + after) / 2))
    quartiles = statistics.quantiles(ratios, n=4, method="inclusive")
    return tuple((ratio - 1) * 100 for ratio in (quartiles[1], quartiles[0], quartiles[2]))


def percent(value, digits=1):
    """A percentage, or a median with its quartiles: how noisy the machine was."""
    if value is None:
        return "-"
    if isinstance(value, tuple):
        return f"{value[0]:.{digits}f} % ({value[1]:.{digits}f} to {value[2]:.{digits}f})"
    return f"{value:.{digits}f} %"


def report(file, codes):
    """Reports of a sample data set as Python data."""
    text = output([VIGIL, "report", "--format", "json", "--report", codes, file])
    return json.loads(text) if text else None


def fact(file, name):
    """A number of the session's statistics, by the name the summary gives it."""
    text = output([os.path.join(BUILD, "reports", "bench-profile"), "--facts", file])
    for line in (text or "").splitlines():
        key, _, value = line.partition("=")
        if key == name:
            return float(value)
    return None


def cobol(folder):
    """Compile the payroll and make its input; the environment of its step."""
    environment = dict(os.environ)
    for name in ("MASTER", "TRANS", "REGISTER"):
        environment["DD_" + name] = os.path.join(folder, name.lower())
    for program in ("paygen", "paycalc"):
        source = os.path.join(SOURCE, "jcl-examples", "programs", program + ".cob")
        if output(["cobc", "-x", "-g", "-std=ibm", "-o", program, os.path.abspath(source)], cwd=folder) is None:
            return None
    output([os.path.join(folder, "paygen")], env=environment)
    # A tenth of the transactions: many short runs tell more than a few long ones on a noisy machine.
    os.truncate(environment["DD_TRANS"], 80 * 10000)
    return environment


def row_sampling(rows, folder, perf):
    environment = cobol(folder) if shutil.which("cobc") else None
    if environment is None:
        rows.append(("sampling a COBOL step", "2 %", "not run: no cobc", ""))
        return
    file = os.path.join(folder, "cobol.vprf")
    plain = [STEP, "exec", os.path.join(folder, "paycalc")]
    peers = []
    if perf:
        for label, mode in (("fp", "fp"), ("dwarf", "dwarf")):
            command = [perf, "record", "-q", "-F", "999", "--call-graph", mode, "-o", os.path.join(folder, "p"), "--"]
            peers.append(f"perf {label} {percent(added(plain, command + plain, 3 * PAIRS, env=environment))}")
    vigil = [VIGIL, "run", "--privilege", "user", "--rate", "999", "-o", file, "--"]
    mine = added(plain, vigil + plain, 3 * PAIRS, env=environment)
    rows.append(("run time added, COBOL at 999 Hz", "2 %", percent(mine), ", ".join(peers)))
    whole, reach = fact(file, "stacks.whole"), fact(file, "stacks.program")
    taken = fact(file, "samples.processed")
    if whole is not None and taken:
        rows.append(("samples whose stack is whole", "99 %", percent(whole / taken * 100), ""))
        rows.append(("samples that reach the program", "99 %", percent(reach / taken * 100), ""))
        rows.append(("bytes a sample with its stack", "40", f"{os.path.getsize(file) / taken:.1f}", ""))


def row_switches(rows, folder, perf):
    plain = [STEP, "switches", "160000", "80000"]
    file = os.path.join(folder, "switches.vprf")
    mine = added(plain, [VIGIL, "run", "-o", file, "--"] + plain)
    peer = ""
    if perf:
        command = [perf, "record", "-q", "-F", "999", "-g", "-e", "cpu-clock", "--switch-events", "-o",
                   os.path.join(folder, "p"), "--"]
        peer = f"perf {percent(added(plain, command + plain))}"
    lost = fact(file, "switches.lost")
    rows.append(("run time added at 80,000 switches/s", "10 %", percent(mine), peer))
    rows.append(("records lost there", "0", "-" if lost is None else f"{lost:.0f}", ""))


def row_collector(rows, folder):
    """A step sampled with a data collector that does next to nothing, against the same step sampled without."""
    source = os.path.abspath(os.path.join(SOURCE, "tests", "collectors", "hundred.c"))
    build = [os.path.abspath(os.path.join(BUILD, "vigil-config")), "--build", source]
    file = os.path.join(folder, "collector.vprf")
    collector = ["-c", f"ADD *,DCC=STRBHUND,DCCLIB='{folder}'"]
    for what, flags, bound in (
        ("a collector", "", "0.2 %"),
        ("one that reads a word", "-DREADS", ""),
        ("one that reads with VIGIL_PROMPT", "-DREADS -DFLAGS=VIGIL_PROMPT", ""),
    ):
        if output(build, cwd=folder, env=dict(os.environ, CFLAGS="-O2 " + flags)) is None:
            return
        step = ["--rate", "1000", "-o", file, "--", STEP, "work", "350"]
        mine = added([VIGIL, "run"] + step, [VIGIL, "run"] + collector + step, 8 * PAIRS)
        output([VIGIL, "run"] + collector + step)  # the last of a pair was one without
        calls = [table["rows"][0] for table in report(file, "MSD")["reports"][0]["tables"]
                 if table["table"] == "collector_calls"]
        peer = "{calls} calls, {late} late, {call_cost_us:.2f} us in it".format(**calls[0]) if calls else ""
        rows.append((f"run time added by {what} at 1000 Hz", bound, percent(mine, 2), peer))


def row_step(rows, folder):
    """A deck of empty steps against as many forks and execs of the same program."""
    count = 200
    deck = os.path.join(folder, "steps.jcl")
    with open(deck, "w", encoding="ascii") as cards:
        cards.write("//STEPS    JOB (1),'BENCH'\n")
        for number in range(count):
            cards.write(f"//S{number:05d}   EXEC PGM=IEFBR14\n")
    command = [VIGIL, "submit", "--spool", os.path.join(folder, "spool"), "--root", os.path.join(folder, "root"), deck]
    utility = os.path.join(BUILD, "utilities", "programs", "iefbr14")
    costs = []
    for _ in range(PAIRS):
        start = time.monotonic()
        for _ in range(count):
            subprocess.run([utility], check=False)
        bare = time.monotonic() - start
        start = time.monotonic()
        if output(command) is None:
            return
        costs.append((time.monotonic() - start - bare) / count * 1000)
    rows.append(("job step without measurement", "2 ms", f"{statistics.median(costs):.2f} ms", ""))


def row_sort(rows, folder):
    """Ten million short lines, sorted in memory and in 32 MB, against sort(1) with the same memory."""
    lines, result = os.path.join(folder, "lines"), os.path.join(folder, "sorted")
    statements = os.path.join(folder, "statements")
    generator = random.Random(1)
    with open(lines, "w", encoding="ascii") as stream:
        for _ in range(1000):
            stream.writelines(f"{generator.randrange(10 ** 9)} {generator.randrange(10 ** 6)}\n" for _ in range(10000))
    with open(statements, "w", encoding="ascii") as stream:
        stream.write(" SORT FIELDS=(1,20,CH,A)\n")
    utility = os.path.join(BUILD, "utilities", "programs", "sort")
    environment = dict(os.environ, LC_ALL="C", TMPDIR=folder)
    for label, mine, peers in (("in memory", "2G", "2G"), ("in 32 MB", "32M", "32M")):
        command = [utility, "--dd", "SYSIN=" + statements, "--dd", "SORTIN=" + lines, "--dd", "SORTOUT=" + result,
                   "MAINSIZE=" + mine]
        peer = ["sort", "-S", peers, "-o", result, lines]
        ratios = []
        for _ in range(3):
            start = time.monotonic()
            if output(command, env=environment) is None:
                return
            middle = time.monotonic()
            subprocess.run(peer, env=environment, check=True)
            ratios.append((middle - start) / (time.monotonic() - middle))
        rows.append((f"SORT of 10 million lines {label}, to sort(1)", "1.0", f"{statistics.median(ratios):.2f}", ""))


BLOCK = ["PROFILER", "FUNCTION=INIT", "FUNCTION=START", "END-PROFILER"]


def traced(command, calls):
    """ns of CPU time a call and the seconds they took, medians; None when the program cannot be run."""
    found = []
    for _ in range(PAIRS):
        text = output([*command, str(calls)])
        if not text:
            return None
        found.append([float(word) for word in text.split()[-2:]])
    return tuple(statistics.median(column) for column in zip(*found))


def count_events(file):
    """Events in a sample data set, and those of the traced function's beginning."""
    all_of_them, begins = 0, 0
    for line in (output([os.path.join(BUILD, "tests", "event-counts"), file]) or "").splitlines():
        part = line.split("\t")
        if len(part) == 5:
            all_of_them += int(part[4])
            begins += int(part[4]) if part[0] == "PS" and part[1] == "traced" else 0
    return all_of_them, begins


def row_traced(rows, folder, label, flags, calls=2000000):
    """What a traced call costs the program, kept and filtered out."""
    source = os.path.join(SOURCE, "tests", "programs", "traced.c")
    program, plain = os.path.join(folder, "traced"), os.path.join(folder, "plain")
    file, block = os.path.join(folder, "events.vprf"), os.path.join(folder, "block")
    for name, more in ((program, flags), (plain, [])):
        if output(["gcc", "-O2", "-g", *more, "-o", name, source]) is None:
            return
    before = traced([plain], calls)
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join(BLOCK) + "\n")
    run = [VIGIL, "run", "-q", "--control", block, "-o", file, "--"]
    mine, peer = traced([*run, program], calls), "uftrace is not installed"
    if shutil.which("uftrace"):
        other = traced(["uftrace", "record", "-d", os.path.join(folder, "uftrace"), program], calls)
        peer = f"uftrace {other[0] - before[0]:.0f} ns" if other else "uftrace failed"
    if not before or not mine:
        return
    rows.append((f"traced call, {label}", "30 ns", f"{mine[0] - before[0]:.1f} ns", peer))
    events, _ = count_events(file)
    if events:
        rows.append((f"bytes an event, {label}", "2", f"{os.path.getsize(file) / events:.2f}", ""))
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join([*BLOCK[:2], "FILTER=PROGRAM", "  PROGRAM=NOBODY", *BLOCK[2:]]) + "\n")
    blocked = traced([*run, program], calls)
    if blocked:
        rows.append((f"a call that is filtered out, {label}", "-", f"{blocked[0] - before[0]:.1f} ns", ""))


def row_held(rows, folder):
    """As many events as the program makes in half a minute: none is lost, and how much it is slowed down."""
    program, plain = os.path.join(folder, "traced"), os.path.join(folder, "plain")
    file, block = os.path.join(folder, "held.vprf"), os.path.join(folder, "block")
    calls = int(os.environ.get("BENCH_CALLS", "150000000"))
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join(BLOCK) + "\n")
    before = traced([plain], 2000000)
    text = output([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program, str(calls)])
    if not before or not text:
        return
    took = float(text.split()[-1])
    events, begins = count_events(file)
    lost = calls - begins
    rows.append(("events a second, as fast as they come", "10000000", f"{2 * calls / took:.0f}",
                 f"{events} rows, {lost} calls lost, {took / (before[1] / 2000000 * calls):.0f} times as slow"))


def row_program(rows, label, bound, command):
    text = output(command)
    if text:
        rows.append((label, bound, text.strip().splitlines()[-1], ""))


def main():
    perf = shutil.which("perf")
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        row_sampling(rows, folder, perf)
        row_switches(rows, folder, perf)
        row_collector(rows, folder)
        row_step(rows, folder)
        row_sort(rows, folder)
        row_traced(rows, folder, "-pg -mfentry", ["-pg", "-mfentry"])
        row_traced(rows, folder, "-finstrument-functions", ["-finstrument-functions"])
        row_held(rows, folder)
    row_program(rows, "profile of a million samples, all reports", "1 s", [os.path.join(BUILD, "reports", "bench-profile")])
    row_program(rows, "report of 20 million events", "0.3 s", [os.path.join(BUILD, "tests", "bench-events")])
    row_program(rows, "parsing, cards a second", "500000", [os.path.join(BUILD, "parser", "bench-parse")])
    print(f"{'what':<48} {'must be':>9}  {'is (quartiles)':<22} peer in the same run")
    for what, bound, value, peer in rows:
        print(f"{what:<48} {bound:>9}  {value:<22} {peer}")


if __name__ == "__main__":
    main()
