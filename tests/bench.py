#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make bench: what vigil costs, beside the bounds of DESIGN 11 and, where they are installed, beside other tools.

Ratios come from pairs of runs taken in turn; a figure is the median, with its quartiles, because machines are noisy. The verdict is
"met" or "missed" when both quartiles lie on one side of the bound. Nothing here passes or fails; the last lines are the table.
"bench.py GROUP..." measures some groups only (sampling, vigil, steps, sort, events, coverage, reports, metrics, parsing);
--markdown prints the table of README.
"""
import json
import os
import random
import re
import shutil
import statistics
import struct
import subprocess
import sys
import tempfile
import time

import browser
from bench_programs import ACTIVE, ALONE, PYTHON_STEP, large_c, large_cobol
from bench_table import Bound, Figure, Table

BUILD = os.environ.get("VIGIL_BUILD", ".")
SOURCE = os.environ.get("VIGIL_SOURCE", ".")
PAIRS = int(os.environ.get("BENCH_PAIRS", "7"))
VIGIL = os.path.join(BUILD, "vigil")
STEP = os.path.join(BUILD, "tests", "bench-step")
COBOL_SECONDS = 0.7


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
    """Run time added by measuring, in percent, over pairs taken in turn; None when a run fails."""
    ratios = []
    seconds(plain, **more)  # warm up
    for _ in range(pairs):
        before, with_it, after = seconds(plain, **more), seconds(measured, **more), seconds(plain, **more)
        if before is None or with_it is None or after is None:
            return None
        ratios.append((with_it / ((before + after) / 2) - 1) * 100)
    return Figure(ratios, "%")


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
    # As many transactions as take about COBOL_SECONDS: what starting a session costs is a part of any ratio, and on a noisy
    # machine many short runs give more information than a few long ones.
    os.truncate(environment["DD_TRANS"], 80 * 10000)
    took = seconds([STEP, "exec", os.path.join(folder, "paycalc")], env=environment)
    if took is None:
        return None
    output([os.path.join(folder, "paygen")], env=environment)
    os.truncate(environment["DD_TRANS"], 80 * min(100000, round(10000 * COBOL_SECONDS / took)))
    return environment


def row_sampling(rows, folder, perf):
    environment = cobol(folder) if shutil.which("cobc") else None
    if environment is None:
        rows.add("run time added, COBOL at 999 Hz", 1, None, "there is no cobc")
        return
    file = os.path.join(folder, "cobol.vprf")
    plain = [STEP, "exec", os.path.join(folder, "paycalc")]
    peers = []
    if perf:
        for label, mode in (("fp", "fp"), ("dwarf", "dwarf")):
            command = [perf, "record", "-q", "-F", "999", "--call-graph", mode, "-o", os.path.join(folder, "p"), "--"]
            peers.append(f"perf {label} {added(plain, command + plain, 3 * PAIRS, env=environment)}")
    vigil = [VIGIL, "run", "--privilege", "user", "--rate", "999", "-o", file, "--"]
    mine = added(plain, vigil + plain, 3 * PAIRS, env=environment)
    rows.add("run time added, COBOL at 999 Hz", 1, mine, ", ".join(peers))
    whole, reach = fact(file, "stacks.whole"), fact(file, "stacks.program")
    taken = fact(file, "samples.processed")
    if whole is not None and taken:
        rows.add("samples whose stack is whole", Bound(99, at_least=True), Figure(whole / taken * 100, "%"))
        rows.add("samples that reach the program", Bound(99, at_least=True), Figure(reach / taken * 100, "%"))
        rows.add("a sample with its stack and names", 40, Figure(os.path.getsize(file) / taken, "bytes"))


def row_switches(rows, folder, perf):
    """Two processes that hand a byte to and fro: as fast as they can, and 80,000 times a second with work in between."""
    file = os.path.join(folder, "switches.vprf")
    count = 160000
    for label, rate, bound in (("as fast as they can", 10000000, 5), ("80,000 times a second", 80000, None)):
        plain = [STEP, "switches", str(count), str(rate)]
        mine = added(plain, [VIGIL, "run", "-o", file, "--"] + plain)
        peer = ""
        if perf:
            command = [perf, "record", "-q", "-F", "999", "-g", "-e", "cpu-clock", "--switch-events", "-o",
                       os.path.join(folder, "p"), "--"]
            peer = f"perf {added(plain, command + plain)}"
        rows.add(f"run time added, tasks that switch {label}", bound, mine, peer)
        bare = seconds(plain)
        if mine and bare:
            rows.add("  the same for each switch", None, Figure(mine.median / 100 * bare / count * 1e9, "ns", 0),
                     f"{count / bare:,.0f} switches a second")
        lost = fact(file, "switches.lost")
        if lost is not None:
            rows.add("  records lost", 0, Figure(lost, "", 0))


def row_collector(rows, folder):
    """A step sampled with a data collector that does next to nothing, against the same step sampled without."""
    source = os.path.abspath(os.path.join(SOURCE, "tests", "collectors", "hundred.c"))
    build = [os.path.abspath(os.path.join(BUILD, "vigil-config")), "--build", source]
    file = os.path.join(folder, "collector.vprf")
    collector = ["-c", f"ADD *,DCC=STRBHUND,DCCLIB='{folder}'"]
    for what, flags, bound in (
        ("a data collector", "", 0.2),
        ("one that reads a word", "-DREADS", None),
        ("one that reads with VIGIL_PROMPT", "-DREADS -DFLAGS=VIGIL_PROMPT", None),
    ):
        if output(build, cwd=folder, env=dict(os.environ, CFLAGS="-O2 " + flags)) is None:
            return
        step = ["--rate", "1000", "-o", file, "--", STEP, "work", "350"]
        mine = added([VIGIL, "run"] + step, [VIGIL, "run"] + collector + step, 8 * PAIRS)
        output([VIGIL, "run"] + collector + step)  # the last of a pair was one without
        calls = [table["rows"][0] for table in report(file, "MSD")["reports"][0]["tables"]
                 if table["table"] == "collector_calls"]
        peer = "{calls} calls, {late} late, {call_cost_us:.2f} us in it".format(**calls[0]) if calls else ""
        rows.add(f"run time added by {what} at 1000 Hz", bound, mine, peer)


def own_cost(command, folder, **more):
    """A session's own CPU time until the step's end and after it, and the step's, in seconds; None when it fails."""
    file = os.path.join(folder, "own.vprf")
    if output([VIGIL, "run", "-q", "-o", file, "--", *command], **more) is None:
        return None
    facts = {}
    for group in (report(file, "MSD") or {"reports": [{"facts": {}}]})["reports"][0]["facts"].values():
        facts.update(group)
    after = facts["overhead_after_ns"]
    return (facts["overhead_cpu_ns"] - after) / 1e9, after / 1e9, facts["cpu_rusage_ns"] / 1e9


def row_own(rows, folder):
    """What vigil itself uses of the processors, as the profile prints it, once names are kept. Other load makes it more:
    caches are cold, and tasks are switched. What starting costs is told apart, by a step of 0.1 s."""
    environment = dict(os.environ, VIGIL_NAMES_CACHE=os.path.join(folder, "names"))
    for program in ("costly", "idle"):
        source = os.path.join(SOURCE, "tests", "programs", program + ".c")
        if output(["gcc", "-O2", "-g", "-pthread", "-o", os.path.join(folder, program), source]) is None:
            return
    costly, idle = os.path.join(folder, "costly"), os.path.join(folder, "idle")
    steps = [("a C step of 0.1 s", None, [costly, "100"], environment),
             ("a C step of 1.5 s", 2, [costly, "1500"], environment),
             ("a Python step of 1 s", 5, [sys.executable, "-c", PYTHON_STEP % 1], environment),
             ("200 idle threads beside 0.2 s", 2, [idle, "200", "100", "200"], environment)]
    if os.path.exists(os.path.join(folder, "paycalc")):
        more = dict(environment, **{"DD_" + name: os.path.join(folder, name.lower())
                                    for name in ("MASTER", "TRANS", "REGISTER")})
        steps.insert(2, ("a COBOL step", 2, [os.path.join(folder, "paycalc")], more))
    start = 0
    for what, bound, command, variables in steps:
        found = [own_cost(command, folder, env=variables) for _ in range(2 * PAIRS)][PAIRS:]
        if None in found:
            continue
        if bound:
            without = Figure([(during - start) / used * 100 for during, _, used in found], "%")
            rows.add(f"during {what}", bound, Figure([during / used * 100 for during, _, used in found], "%"),
                     f"{without} without its start")
        else:
            start = statistics.median(during for during, _, _ in found)
            rows.add(f"until the end of {what}", None, Figure([during * 1000 for during, _, _ in found], "ms"))
            rows.add(f"after {what}", 20, Figure([after * 1000 for _, after, _ in found], "ms"))


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
    rows.add("job step without measurement", 2, Figure(costs, "ms", 2))


def row_measured_step(rows, folder):
    """A deck of steps that do nothing, measured, against the same that are not: the first time fills the cache of names."""
    count = 20
    times = {}
    decks = {}
    for cards in ("", "//VIGIL    DD *\n  ADD A,STEP=S{0}\n/*\n"):
        decks[cards] = os.path.join(folder, f"measured-{len(decks)}.jcl")
        with open(decks[cards], "w", encoding="ascii") as deck:
            deck.write("//A        JOB (1),'BENCH'\n")
            for number in range(count):
                deck.write(f"//S{number:<7} EXEC PGM=IEFBR14\n" + cards.format(number))
    for _ in range(PAIRS):
        for cards, deck in decks.items():
            start = time.monotonic()
            if output([VIGIL, "submit", "--spool", os.path.join(folder, "spool"), "--root", os.path.join(folder, "root"),
                       deck]) is None:
                return
            times.setdefault(cards, []).append((time.monotonic() - start) / count * 1000)
    added_ms = [with_cards - without for without, with_cards in zip(*times.values())]
    rows.add("added to a job step of no length by measuring it", 20, Figure(added_ms, "ms"))


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
        rows.add(f"10 million lines {label}", 1, Figure(ratios, "of sort(1)", 2))


BLOCK = ["PROFILER", "FUNCTION=INIT", "FUNCTION=START", "END-PROFILER"]


def traced(command, calls, runs=PAIRS):
    """ns of CPU time a call, and ns of elapsed time a call, each with all runs; None when the program cannot be run."""
    found = []
    for _ in range(runs):
        text = output([*command, str(calls)], cwd=os.path.dirname(command[-1]))  # -pg leaves a gmon.out
        if not text:
            return None
        cpu, elapsed = (float(word) for word in text.split()[-2:])
        found.append((cpu, elapsed / calls * 1e9))
    return tuple(list(column) for column in zip(*found))


def more(measured, plain, digits=1):
    """What a call costs more than one that is not measured: CPU time, ns."""
    base = statistics.median(plain[0])
    return Figure([value - base for value in measured[0]], "ns", digits)


def summed(file):
    """Begins and ends of the traced function by the sums of a consolidated session."""
    for row in report(file, "EPS")["reports"][0]["tables"][0]["rows"]:
        if row["program"] == "traced" and row["kind"] == "function":
            return row["starts"], row["events"] - row["starts"]
    return 0, 0


def write_block(path, cards=(), start=True):
    """An event block: INIT with these cards, and START unless collecting shall stay paused."""
    with open(path, "w", encoding="ascii") as to:
        to.write("\n".join([*BLOCK[:2], *cards, *(BLOCK[2:] if start else BLOCK[3:])]) + "\n")


def row_end_to_end(rows, folder, calls, runs, label="-finstrument-functions", flags=("-finstrument-functions",)):
    """
    From the program's start to its end: kept, consolidated, filtered out, paused. Not one call may be missing.
    Kept and consolidated calls are compared with a program without instrumentation. What is filtered out or paused is
    compared with the same program, unmeasured: its calls of the C library's empty functions are there anyway.
    """
    source = os.path.join(SOURCE, "tests", "programs", "traced.c")
    program, plain = os.path.join(folder, "traced"), os.path.join(folder, "plain")
    file, block = os.path.join(folder, "events.vprf"), os.path.join(folder, "block")
    for name, options in ((program, flags), (plain, [])):
        if output(["gcc", "-O2", "-g", *options, "-o", name, source]) is None:
            return
    before, instrumented = traced([plain], calls, runs), traced([program], calls, runs)
    kinds = (("kept", 40, [], True), ("consolidated", 25, ["  CONSOLIDATE=ON"], True),
             ("filtered out", 3, ["FILTER=PROGRAM", "  PROGRAM=NOBODY"], True), ("paused", 3, [], False))
    for what, bound, cards, start in kinds:
        write_block(block, cards, start)
        mine = traced([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program], calls, runs)
        begins, ends = summed(file) if what == "consolidated" else begins_and_ends(file)[1:]
        peer = "" if begins == ends == (calls if bound > 3 else 0) else f"{begins:,} begins and {ends:,} ends are in the data set; "
        if what == "kept" and shutil.which("uftrace") and calls <= 10000000:
            other = traced(["uftrace", "record", "-d", os.path.join(folder, "uftrace"), program], calls, runs)
            peer += f"uftrace {statistics.median(other[1]) - statistics.median(before[1]):.0f} ns" if other else "uftrace failed"
        if before and instrumented and mine:
            base = statistics.median((before if bound > 3 else instrumented)[1])
            if bound <= 3:
                peer += f"{statistics.median(mine[1]) - statistics.median(before[1]):.1f} ns more than without instrumentation"
            rows.add(f"{calls:,} calls {label}, elapsed, {what}", bound, Figure([value - base for value in mine[1]], "ns a call"),
                     peer)


def measured_child(command):
    """Run a command; its elapsed seconds and the most memory of a process of it, MB; None when it fails."""
    began = time.monotonic()
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    text = child.stdout.read()
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return None if child.returncode else (time.monotonic() - began, usage.ru_maxrss / 1024, text)


def row_first_report(rows, folder, calls=50000000):
    """A hundred million events: from the program's end to the end of the first report, and the memory for it."""
    file, block = os.path.join(folder, "many.vprf"), os.path.join(folder, "block")
    write_block(block)
    run = measured_child([VIGIL, "run", "-q", "--control", block, "-o", file, "--", os.path.join(folder, "traced"), str(calls)])
    report_run = measured_child([VIGIL, "report", "--report", "EPS", file]) if run else None
    if not report_run:
        return
    rows.add(f"{2 * calls:,} events: from the program's end to the first report", None,
             Figure(run[0] - float(run[2].split()[-1]) + report_run[0], "s", 2),
             f"with the program's start; {os.path.getsize(file) / 1e6:.1f} MB in the data set")
    rows.add("  memory of vigil while they are written, and of the report", None, Figure(max(run[1], report_run[1]), "MB", 0),
             f"{run[1]:.0f} and {report_run[1]:.0f} MB")


def statements_in(file):
    """MOVE statements that a sample data set counts."""
    lines = (output([os.path.join(BUILD, "tests", "event-counts"), file]) or "").splitlines()
    return sum(int(line.split("\t")[4]) for line in lines if line.startswith("NS\t") and "MOVE" in line)


def row_statements(rows, folder, loops=300000):
    """What -ftraceall costs a COBOL statement in itself, without vigil, and what vigil adds to it."""
    source = os.path.join(SOURCE, "tests", "programs", "statements.cob")
    program, plain = os.path.join(folder, "statements"), os.path.join(folder, "untraced")
    file, block = os.path.join(folder, "statements.vprf"), os.path.join(folder, "block")
    for name, options in ((program, ["-ftraceall"]), (plain, [])):
        if output(["cobc", "-x", "-O", *options, "-o", name, source]) is None:
            return
    before, hooked = traced([plain], loops), traced([program], loops)
    rows.add("CPU time of a COBOL statement for -ftraceall, without vigil", None, more(hooked, before))
    for what, bound, value in (("kept", 20, "ON"), ("counted", None, "COUNT")):
        write_block(block, ["FILTER=EVENT", f"  STATEMENT={value}"])
        mine = traced([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program], loops)
        if mine:
            found = statements_in(file)
            rows.add(f"  added by vigil, {what}", bound, more(mine, hooked),
                     "" if value != "ON" or found == 10 * loops else f"{found:,} of {10 * loops:,} statements are in the data set")


def begins_and_ends(file):
    """Events in a sample data set, and those of the traced function that begin and end."""
    all_of_them, begins, ends = 0, 0, 0
    for line in (output([os.path.join(BUILD, "tests", "event-counts"), file]) or "").splitlines():
        part = line.split("\t")
        if len(part) == 5:
            all_of_them += int(part[4])
            begins += int(part[4]) if part[:2] == ["PS", "traced"] else 0
            ends += int(part[4]) if part[:2] == ["PT", "traced"] else 0
    return all_of_them, begins, ends


def row_traced(rows, folder, label, flags, calls=2000000):
    """What a traced call costs the program, kept and filtered out."""
    source = os.path.join(SOURCE, "tests", "programs", "traced.c")
    program, plain = os.path.join(folder, "traced"), os.path.join(folder, "plain")
    file, block = os.path.join(folder, "events.vprf"), os.path.join(folder, "block")
    for name, options in ((program, flags), (plain, [])):
        if output(["gcc", "-O2", "-g", *options, "-o", name, source]) is None:
            return
    before, instrumented = traced([plain], calls), traced([program], calls)
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join(BLOCK) + "\n")
    run = [VIGIL, "run", "-q", "--control", block, "-o", file, "--"]
    mine, peer = traced([*run, program], calls), "uftrace is not installed"
    if shutil.which("uftrace"):
        other = traced(["uftrace", "record", "-d", os.path.join(folder, "uftrace"), program], calls)
        peer = f"uftrace {more(other, before, 0)}" if other else "uftrace failed"
    if not before or not instrumented or not mine:
        return
    rows.add(f"CPU time of the program for a call, {label}", None, more(mine, before), peer)
    events, _, _ = begins_and_ends(file)
    if events:
        rows.add(f"  an event in the data set", 2, Figure(os.path.getsize(file) / events, "bytes", 2))
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join([*BLOCK[:2], "FILTER=PROGRAM", "  PROGRAM=NOBODY", *BLOCK[2:]]) + "\n")
    blocked = traced([*run, program], calls)
    if blocked:
        rows.add("  a call that is filtered out", 3, more(blocked, instrumented),
                 f"the program itself, unmeasured: {more(instrumented, before)}")


def properties(file):
    """The numbers of report PRO, by their labels."""
    found = {}
    for line in (output([VIGIL, "report", "--report", "PRO", file]) or "").splitlines():
        for label, number in re.findall(r"([A-Z][A-Z', ]*[A-Z]) \.+ ([0-9,]+(?:[.][0-9]+)?)(?:\s|$)", line):
            found[label] = float(number.replace(",", ""))
    return found


def row_python(rows, folder, calls=300000):
    """What a call of a Python function of three lines costs the script: functions, with lines, and filtered out."""
    program = [sys.executable, os.path.join(SOURCE, "tests", "programs", "traced.py")]
    file, block = os.path.join(folder, "python.vprf"), os.path.join(folder, "block")
    before = traced(program, calls)
    if not before:
        return
    kinds = (("a call", [], "cProfile"), ("a call and its 4 lines", ["FILTER=EVENT", "  STATEMENT=ON"], "settrace"),
             ("a call that is filtered out", ["FILTER=PROGRAM", "  PROGRAM=NOBODY"], ""))
    for label, filters, peer in kinds:
        with open(block, "w", encoding="ascii") as cards:
            cards.write("\n".join([*BLOCK[:2], *filters, *BLOCK[2:]]) + "\n")
        mine = traced([VIGIL, "run", "-q", "--control", block, "-o", file, "--", *program], calls)
        found = []
        for _ in range(PAIRS if peer else 0):
            found.append(float(output([*program, str(calls), peer]).split()[-2]))
        other = f"{peer} {more((found, None), before, 0)}" if found else ""
        if mine:
            rows.add(f"Python {sys.version_info[0]}.{sys.version_info[1]}: {label}", None, more(mine, before, 0), other)


def row_patched(rows, folder, calls=2000000):
    """What a call of a function compiled without anything costs the program: patched, paused and left alone by filters."""
    source = os.path.join(SOURCE, "tests", "programs", "traced.c")
    program, file = os.path.join(folder, "patched"), os.path.join(folder, "patched.vprf")
    block = os.path.join(folder, "block")
    if output(["gcc", "-O2", "-g", "-o", program, source]) is None:
        return
    before = traced([program], calls)
    functions = [*BLOCK[:2], "  FUNCTIONS=('patched!*')"]
    cost = {}
    for what, cards in (("kept", [*functions, *BLOCK[2:]]), ("paused", [*functions, BLOCK[3]]),
                        ("left out", [*functions, "FILTER=PROGRAM", "  PROGRAM=main", *BLOCK[2:]])):
        with open(block, "w", encoding="ascii") as to:
            to.write("\n".join(cards) + "\n")
        cost[what] = traced([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program], calls)
    peer = "uftrace is not installed"
    if shutil.which("uftrace"):
        other = traced(["uftrace", "record", "-d", os.path.join(folder, "dynamic"), "-P", "traced", program], calls)
        peer = f"uftrace -P {more(other, before, 0)}" if other else "uftrace failed"
    if not before or not all(cost.values()):
        return
    rows.add("CPU time of the program for a call, patched", None, more(cost["kept"], before), peer)
    rows.add("  while collecting is paused", None, more(cost["paused"], before))
    rows.add("  a function that filters leave out", None, more(cost["left out"], before), "it is not patched")
    # The monitor notices within a moment, so the calls are many.
    with open(block, "w", encoding="ascii") as to:
        to.write("\n".join([*functions, "FILTER=COUNT", "  TO=100", *BLOCK[2:]]) + "\n")
    many = traced([program], 100 * calls)
    silenced = traced([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program], 100 * calls)
    if many and silenced:
        rows.add("  one that a filter has silenced for good", None, more(silenced, many), "its code is given back")


def row_held(rows, folder):
    """As many events as two threads can make in half a minute: none is lost, and how much the program is slowed down."""
    source = os.path.join(SOURCE, "tests", "programs", "storm.c")
    program, plain = os.path.join(folder, "storm"), os.path.join(folder, "storm-plain")
    file, block = os.path.join(folder, "held.vprf"), os.path.join(folder, "block")
    length = os.environ.get("BENCH_SECONDS", "30")
    for name, options in ((program, ["-finstrument-functions"]), (plain, [])):
        if output(["gcc", "-O2", "-g", "-pthread", *options, "-o", name, source]) is None:
            return
    with open(block, "w", encoding="ascii") as cards:
        cards.write("\n".join(BLOCK) + "\n")
    before = output([plain, "2", "2"])
    text = output([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program, length, "2"])
    if not before or not text:
        return
    free = float(before.split()[0]) / float(before.split()[1])
    calls, took = int(text.split()[0]), float(text.split()[1])
    events, begins, ends = begins_and_ends(file)
    facts = properties(file)
    own = facts.get("VIGIL'S OWN CPU TIME, MS", 0) * 1e6 / max(events, 1)
    rows.add(f"events a second for {took:.0f} s", Bound(20000000, at_least=True), Figure(events / took, "", 0),
             f"program {free * took / calls:.0f} times as slow")
    rows.add("  calls lost", 0, Figure(2 * calls - begins - ends, "", 0))
    rows.add("  the monitor's CPU time for an event", None, Figure(own, "ns", 0),
             f"{facts.get('WAITS FOR A FULL DATA POOL', 0):.0f} waits of {facts.get('TIME WAITED, MS', 0) / 1000:.1f} s")
    rows.add("  an event in the data set", 2, Figure(os.path.getsize(file) / max(events, 1), "bytes", 2))


def row_pools(rows, folder):
    """Events a second by number of threads and size of the data pool, and whether any is lost or a thread starves."""
    program, file, block = (os.path.join(folder, name) for name in ("storm", "pools.vprf", "block"))
    write_block(block)
    for threads in ("1", "2", "8", "500"):
        for size in ("100", "16384", "2097151"):
            environment = dict(os.environ, VIGIL_PDPSIZE=size)
            # Each thread has had its turn many times.
            length = "10" if threads == "500" else "2"
            text = output([VIGIL, "run", "-q", "--control", block, "-o", file, "--", program, length, threads], env=environment)
            if not text:
                continue
            calls, took, slowest = (float(word) for word in text.split()[:3])
            _, begins, ends = begins_and_ends(file)
            rows.add(f"events a second, {threads} threads, PDPSIZE={size}", None, Figure(2 * calls / took, "", 0),
                     f"{2 * calls - begins - ends:.0f} lost; the slowest thread has {slowest * 100:.0f} % of its part")


def row_readings(rows, folder):
    """What of a traced call is nothing but reading the time twice."""
    program = os.path.join(folder, "readings")
    if output(["gcc", "-O2", "-o", program, os.path.join(SOURCE, "tests", "programs", "readings.c")]) is None:
        return
    text = output([program])
    if text:
        rows.add("two readings of the cycle counter", None, Figure(float(text), "ns"), "a traced call has them in it")


def lasts(command, folder):
    """How long a command lasts as a whole."""
    start = time.monotonic()
    subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - start


def row_coverage(rows, folder):
    """A program of 5000 lines that runs a second, as a whole: reading its lines and writing the data set, too."""
    with open(os.path.join(folder, "cards"), "w", encoding="utf-8") as file:
        file.write("PROFILER\nFUNCTION=INIT\n  COVERAGE=ON\nFUNCTION=START\nEND-PROFILER\n")
    covered = [VIGIL, "run", "-q", "--control", "cards", "-o", "c.vcvf", "--"]
    for language, make in (("C", large_c), ("COBOL", large_cobol)):
        try:
            program, peer = make(folder)
        except (OSError, subprocess.CalledProcessError):
            continue
        program = os.path.join(folder, program)
        once = max(lasts([program, "100"], folder) - lasts([program, "1"], folder), 0.001) / 99
        times = str(int(1 / once))
        ratios, peers = [], []
        for _ in range(PAIRS):
            before = lasts([program, times], folder)
            with_it = lasts(covered + [program, times], folder)
            after = lasts([program, times], folder)
            ratios.append((with_it / ((before + after) / 2) - 1) * 100)
            if peer:
                peers.append((lasts([os.path.join(folder, peer), times], folder) / after - 1) * 100)
        rows.add(f"run time added, 5000 lines of {language}", 5, Figure(ratios, "%"), f"gcov {Figure(peers, '%')}" if peers else "")


def row_program(rows, label, bound, command, unit=None):
    """What a program of ours measures of itself: the last line it prints is a figure, and perhaps more."""
    text = output(command)
    line = text.strip().splitlines()[-1] if text and text.strip() else ""
    figure = Figure.parse(line)
    if figure:
        figure.unit = unit or figure.unit
        rows.add(label, bound, figure, line if re.search(r"[,;(]", line) else "")


def row_exports(rows, folder):
    """A million samples with 50,000 stacks as PDF and in each export, from the data set to nowhere."""
    file = os.path.join(folder, "million.vprf")
    if output([os.path.join(BUILD, "reports", "bench-profile"), "--write", file]) is None:
        return
    row_once(rows, "a million samples, listing as PDF", [VIGIL, "report", "-f", "pdf", "-o", "/dev/null", file])
    forms = subprocess.run([VIGIL, "export"], stderr=subprocess.PIPE, text=True, check=False).stderr
    for form in re.findall(r"^([a-z-]+) +", forms, re.M):
        if form in ("lcov", "cobertura"):  # of coverage
            continue
        row_once(rows, f"a million samples, export {form}", [VIGIL, "export", "-q", "--to", form, "-o", "/dev/null", file])
    os.unlink(file)


def row_once(rows, label, command):
    """Three runs of a command: 1 s at most."""
    times = []
    for _ in range(3):
        start, before = time.monotonic(), os.times()
        if output(command) is None:
            break
        after = os.times()
        times.append((time.monotonic() - start, after[2] + after[3] - before[2] - before[3]))
    if times:
        rows.add(label, 1, Figure([elapsed for elapsed, _ in times], "s", 2), f"{min(cpu for _, cpu in times):.2f} s of CPU time")


def block_sizes(file):
    """The sizes of a data set's blocks, with their heads, by type."""
    sizes = {}
    with open(file, "rb") as stream:
        data = stream.read()
    at = 16
    while at < len(data):
        block, stored = struct.unpack_from("<4xH2xI", data, at)
        sizes.setdefault(block, []).append(24 + stored)
        at += 24 + stored
    return sizes


def bytes_a_snapshot(file):
    """What a snapshot adds to a data set in the long run: a whole one and its copy come every 64 snapshots."""
    sizes = block_sizes(file)
    changes = sizes.get(7, [0, 0])
    texts = sizes.get(2, [0])
    return statistics.mean(changes[1:] or [0]) + sum(texts[1:]) / max(1, len(changes) - 1) \
        + (changes[0] + sum(sizes.get(8, []))) / 64


def peer(name, command, file, count):
    """Start another collector; what says its processor time and bytes a snapshot once it has ended."""
    path = shutil.which(name) or shutil.which(name, path="/usr/lib/sysstat:/usr/lib/sa:/usr/lib64/sa")
    if not path:
        return lambda: f"{name} is not installed"
    child = subprocess.Popen([path] + command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def ended():
        _, _, usage = os.wait4(child.pid, 0)
        used = (usage.ru_utime + usage.ru_stime) / count
        size = os.path.getsize(file) / count if os.path.exists(file) else 0
        return f"{name} {used * 1e3:.1f} ms {size:.0f} B"
    return ended


def processes():
    return sum(name.isdigit() for name in os.listdir("/proc"))


def row_metrics(rows, folder, group, wanted, bound, beside, count=12):
    """System metrics at one second: processor time and bytes a snapshot, with so many processes at least."""
    sleepers = [subprocess.Popen(["sleep", "300"]) for _ in range(max(0, wanted - processes()))]
    file = os.path.join(folder, group + ".vprf")
    there = processes()
    peers = []
    bare = subprocess.Popen([os.path.join(BUILD, "tests", "bench-processes"), str(count - 2)], stdout=subprocess.PIPE, text=True)
    if beside:
        sadc, atop = os.path.join(folder, "sadc.sa"), os.path.join(folder, "atop.raw")
        peers = [peer("sadc", ["-S", "ALL", "1", str(count), sadc], sadc, count),
                 peer("atop", ["-w", atop, "1", str(count)], atop, count)]
    done = output([VIGIL, "collect", "-q", "-i", "1", "-c", str(count), "-o", file, group])
    said = "; ".join([f"the kernel alone, stat and schedstat: {bare.communicate()[0].strip()} ms"] + [ended() for ended in peers])
    for sleeper in sleepers:
        sleeper.kill()
        sleeper.wait()
    add_metrics_rows(rows, f"{group}, {there} processes", bound, done, file, said)


def add_metrics_rows(rows, what, bound, done, file, said):
    """What a collection with OWN in it says of itself."""
    text = output([VIGIL, "extract", "-t", "json", file, "OWN"]) if done is not None else None
    if not text:
        return
    used = [json.loads(line)["items"]["processor_time"] for line in text.splitlines()]
    steps = [(b - a) / 1e6 for a, b in zip(used[1:], used[2:])]
    rows.add(f"a snapshot of {what}", bound, Figure(steps, "ms CPU", 2), said)
    rows.add("  in the data set", 1024 if bound == 1 else None, Figure(bytes_a_snapshot(file), "bytes", 0))


def row_metrics_alone(rows, folder, group, wanted, bound, count=12):
    """The same with just so many processes, 14 of them active, which see no others: a name space of their own."""
    apart = ["unshare", "--fork", "--pid", "--mount-proc"]
    if subprocess.run(apart + ["true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        return
    file = os.path.join(folder, group + "-alone.vprf")
    done = output(apart + ["sh", "-c", ALONE, "alone", str(wanted), sys.executable, ACTIVE,
                           VIGIL, "collect", "-q", "-i", "1", "-c", str(count), "-o", file, group, "OWN"])
    add_metrics_rows(rows, f"{group}, no more than {wanted} processes, 14 active", bound, done, file, "")


def row_day(rows, folder):
    """A thousand metrics for a day at one second: the file, and one of them."""
    file, lines = os.path.join(folder, "day.vprf"), os.path.join(folder, "day.csv")
    text = output([os.path.join(BUILD, "engine", "bench-day"), file])
    if not text:
        return
    rows.add("a thousand metrics for a day, a snapshot", None, Figure.parse(text), text.strip())
    before = os.times()
    started = time.monotonic()
    if output([VIGIL, "extract", "-t", "csv", "-o", lines, file, "VOLUME.ITEM_4"]) is None:
        return
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    rows.add("one of them, of 12 records, as CSV", 2, Figure(used, "s of CPU time"),
             f"{time.monotonic() - started:.1f} s elapsed; {os.path.getsize(lines) / 1e6:.0f} MB of text")
    os.unlink(file)
    os.unlink(lines)


def rows_metrics(rows):
    with tempfile.TemporaryDirectory() as folder:
        row_metrics(rows, folder, "DEFAULT", 100, 1, True)
        row_metrics_alone(rows, folder, "DEFAULT", 100, 1)
        row_metrics(rows, folder, "ALL", 300, 5, False)
        row_metrics_alone(rows, folder, "ALL", 300, 5)
        row_day(rows, folder)


def row_page(rows):
    """A page of HTML of a million samples: to write, and to load in a browser."""
    with tempfile.TemporaryDirectory() as folder:
        page = os.path.join(folder, "page.html")
        row_program(rows, "a million samples, page of HTML", 1, [os.path.join(BUILD, "reports", "bench-profile"), "--page", page])
        if not browser.find():
            rows.add("loading that page in Chromium", 2, None, "there is no chromium")
            return
        found = []
        for _ in range(3):
            with browser.Browser() as chromium:
                shown = chromium.open(page)
                ready = shown.run("vigilPage.ready") / 1000
                begin = time.monotonic()
                shown.go("#flames")
                found.append((ready, time.monotonic() - begin))
        rows.add("  loading it in Chromium", 2, Figure([ready for ready, _ in found], "s", 2),
                 f"its flame graph {statistics.median(graph for _, graph in found):.2f} s")


def group_sampling(rows):
    perf = shutil.which("perf")
    with tempfile.TemporaryDirectory() as folder:
        row_sampling(rows, folder, perf)
        row_switches(rows, folder, perf)
        row_collector(rows, folder)


def group_vigil(rows):
    with tempfile.TemporaryDirectory() as folder:
        if shutil.which("cobc"):
            cobol(folder)
        row_own(rows, folder)


def group_steps(rows):
    with tempfile.TemporaryDirectory() as folder:
        row_step(rows, folder)
        row_measured_step(rows, folder)
    row_program(rows, "look-up of a step among 10,000 stored requests", 1, [os.path.join(BUILD, "session", "store", "bench-store")])


def group_sort(rows):
    with tempfile.TemporaryDirectory() as folder:
        row_sort(rows, folder)


def group_events(rows):
    with tempfile.TemporaryDirectory() as folder:
        for calls, runs in ((10000000, 5), (1000000, 5), (100000000, 1)):
            row_end_to_end(rows, folder, calls, runs)
        row_first_report(rows, folder)
        row_traced(rows, folder, "-pg -mfentry", ["-pg", "-mfentry"])
        row_traced(rows, folder, "-finstrument-functions", ["-finstrument-functions"])
        row_patched(rows, folder)
        row_readings(rows, folder)
        row_python(rows, folder)
        row_statements(rows, folder)
        row_held(rows, folder)
        row_pools(rows, folder)
    row_program(rows, "report of 20 million events", 0.3, [os.path.join(BUILD, "tests", "bench-events")], "s")


def group_coverage(rows):
    with tempfile.TemporaryDirectory() as folder:
        row_coverage(rows, folder)


def group_reports(rows):
    profile = os.path.join(BUILD, "reports", "bench-profile")
    row_program(rows, "a million samples, all reports", 1, [profile])
    row_page(rows)
    with tempfile.TemporaryDirectory() as folder:
        row_exports(rows, folder)
    row_program(rows, "two of a million samples compared", 1, [profile, "--compare"])
    row_program(rows, "report of a night of 1000 steps", 0.1, [os.path.join(BUILD, "session", "history", "bench-night")])


def group_metrics(rows):
    rows_metrics(rows)
    modules = os.path.join(BUILD, "engine", "modules")
    text = output([os.path.join(modules, "bench-apart"), os.path.join(modules, ".libs", "bench-modules.so")])
    cost = re.findall(r"([0-9.]+) us", text or "")
    if cost:
        rows.add("a call of a module in a process of its own", 40, Figure(float(cost[-1]), "us"), text.strip().splitlines()[-1])


def group_parsing(rows):
    row_program(rows, "cards of JCL a second", Bound(500000, at_least=True), [os.path.join(BUILD, "parser", "bench-parse")])


GROUPS = {
    "sampling": ("sampling", group_sampling),
    "vigil": ("vigil's own CPU time, of the step's", group_vigil),
    "steps": ("job steps", group_steps),
    "sort": ("SORT", group_sort),
    "events": ("events", group_events),
    "coverage": ("coverage", group_coverage),
    "reports": ("reports and exports", group_reports),
    "metrics": ("system metrics at one second", group_metrics),
    "parsing": ("parsing", group_parsing),
}


def main():
    arguments = [word for word in sys.argv[1:] if word != "--markdown"]
    unknown = [word for word in arguments if word not in GROUPS]
    if unknown:
        sys.exit(f"bench: there is no group {unknown[0]}; there are {', '.join(GROUPS)}")
    table = Table()
    for name in arguments or GROUPS:
        table.group, measure = GROUPS[name]
        measure(table)
    if "--markdown" in sys.argv[1:]:
        table.print_markdown()
    else:
        table.print_text()


if __name__ == "__main__":
    main()
