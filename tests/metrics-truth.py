#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares what vigil collect tells with what this script reads from /proc itself.

    metrics-truth.py counters VIGIL    counters of a snapshot lie between those read before and after
    metrics-truth.py process VIGIL     a sleeping process with known work is told exactly
    metrics-truth.py processes VIGIL   all processes are there in each of several snapshots, those that sleep as they are
    metrics-truth.py locks VIGIL       locks are those of /proc/locks
    metrics-truth.py rates VIGIL       the CSV has rates of counters, and levels
"""
import csv
import fcntl
import json
import os
import resource
import socket
import subprocess
import sys
import tempfile

TICK = 10 ** 9 // os.sysconf("SC_CLK_TCK")


def text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def keyed(path):
    return {line.split()[0].rstrip(":"): line.split()[1:] for line in text(path).splitlines() if line.split()}


def counters():
    """Counters of the system by the names that vigil gives them."""
    found = {}
    stat = keyed("/proc/stat")
    found["sys", "", "context_switches"] = int(stat["ctxt"][0])
    found["sys", "", "interrupts"] = int(stat["intr"][0])
    found["sys", "", "forks"] = int(stat["processes"][0])
    for cpu, values in stat.items():
        if cpu.startswith("cpu") and cpu != "cpu":
            found["cpu", cpu[3:], "user"] = int(values[0]) * TICK
            found["cpu", cpu[3:], "system"] = int(values[2]) * TICK
    vmstat = keyed("/proc/vmstat")
    found["mem", "", "paged_out"] = int(vmstat["pgpgout"][0]) * 1024
    found["mem", "", "faults"] = int(vmstat["pgfault"][0])
    found["sys", "", "uptime"] = int(text("/proc/uptime").split()[0].replace(".", "")) * 10 ** 7
    for line in text("/proc/diskstats").splitlines():
        words = line.split()
        if int(words[3]) or int(words[7]):
            found["dsk", words[2], "reads"] = int(words[3])
            found["dsk", words[2], "bytes_written"] = int(words[9]) * 512
    for line in text("/proc/net/dev").splitlines()[2:]:
        name, values = line.split(":")
        found["nti", name.strip(), "bytes_received"] = int(values.split()[0])
        found["nti", name.strip(), "packets_sent"] = int(values.split()[9])
    for path, kind in (("/proc/net/snmp", "Tcp:"), ("/proc/net/snmp", "Udp:"), ("/proc/net/netstat", "IpExt:")):
        lines = [line.split() for line in text(path).splitlines() if line.startswith(kind)]
        pairs = dict(zip(*lines))
        for key, name in (("InSegs", "tcp_segments_received"), ("InOctets", "ip_in_octets"),
                          ("OutDatagrams", "udp_out_datagrams"), ("ActiveOpens", "tcp_active_opens")):
            if key in pairs:
                found["inet", "", name] = int(pairs[key])
    return found


def collect(vigil, *arguments):
    """What a collection prints; on a busy machine it may have left intervals out (status 4)."""
    done = subprocess.run([vigil, "collect", "-q", *arguments], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    return done.stdout


def listed(vigil, *modules):
    """Records of one snapshot: type, then item by item."""
    output = collect(vigil, "-i", "0.1", "-c", "1", "-t", "LIST", *modules)
    records = []
    for line in output.splitlines()[1:]:
        if not line.startswith("    "):
            records.append((line.split()[0].lower(), {}))
        else:
            records[-1][1][line.split()[0]] = line[37:].rsplit(" ", 1)[0]
    return records


def identity(kind, items):
    return items.get("name", items.get("number", "")) if kind in ("dsk", "nti", "cpu") else ""


def load():
    """Something that moves the counters: bytes to a disk and through the loopback interface."""
    with tempfile.NamedTemporaryFile(dir=".") as file:
        file.write(b"x" * 3000000)
        file.flush()
        os.fsync(file.fileno())
    receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    receiver.bind(("127.0.0.1", 0))
    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for _ in range(100):
        sender.sendto(b"y" * 1000, receiver.getsockname())


def check_counters(vigil):
    before = counters()
    load()
    middle = counters()
    snapshot = {(kind, identity(kind, items), item): value
                for kind, items in listed(vigil, "CPU", "MEM", "SYS", "DSK", "NTI", "INET") for item, value in items.items()}
    after = counters()
    wrong = [(key, middle[key], snapshot.get(key), after[key]) for key in middle
             if key in after and not (snapshot.get(key, "-").isdigit() and
                                      middle[key] <= int(snapshot[key]) <= after[key])]
    moved = middle["nti", "lo", "bytes_received"] - before["nti", "lo", "bytes_received"]
    if moved < 100000:
        wrong.append(("the loopback interface did not move", moved))
    return wrong


def check_process(vigil):
    code = ("import sys, time; block = bytearray(30 << 20); block[::4096] = b'x' * len(block[::4096]); "
            "file = open('/dev/null', 'wb', 0); [file.write(b'z' * 7000) for _ in range(300)]; "
            "sys.stdout.write('ready\\n'); sys.stdout.flush(); sys.stdin.read()")
    with subprocess.Popen([sys.executable, "-c", code, "known-process"], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as child:
        child.stdout.readline()
        wait_for_sleep(child.pid)
        mine = [items for kind, items in listed(vigil, "PRO") if kind == "pro" and items["pid"] == str(child.pid)]
        io = keyed(f"/proc/{child.pid}/io")
        status = keyed(f"/proc/{child.pid}/status")
        stat = text(f"/proc/{child.pid}/stat").rsplit(")", 1)[1].split()
        child.stdin.close()
    if len(mine) != 1:
        return [("records of the process", len(mine))]
    want = {
        "state": "S", "parent": str(os.getpid()), "threads": "1",
        "user": str(int(stat[11]) * TICK), "system": str(int(stat[12]) * TICK),
        "minor_faults": stat[7], "start": str(int(stat[19]) * TICK),
        "characters_written": io["wchar"][0], "write_calls": io["syscw"][0], "characters_read": io["rchar"][0],
        "anonymous": str(int(status["RssAnon"][0]) * 1024), "resident_peak": str(int(status["VmHWM"][0]) * 1024),
        "user_id": str(os.getuid()), "voluntary_switches": status["voluntary_ctxt_switches"][0],
    }
    wrong = [(key, value, mine[0].get(key)) for key, value in want.items() if mine[0].get(key) != value]
    if int(mine[0]["characters_written"]) < 2100000 or int(mine[0]["anonymous"]) < 30 << 20:
        wrong.append(("the known work", mine[0]["characters_written"], mine[0]["anonymous"]))
    if not mine[0]["command"].startswith(sys.executable + " -c import sys"):
        wrong.append(("command", mine[0]["command"]))
    return wrong


def all_processes():
    """The name and what follows it in stat, by process, and how often each has executed."""
    found = {}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            name, rest = text(f"/proc/{pid}/stat").split("(", 1)[1].rsplit(")", 1)
            found[pid] = name, rest.split(), text(f"/proc/{pid}/schedstat")
        except OSError:
            pass
    return found


def check_processes(vigil):
    """While others begin and end. Of one that has not executed meanwhile all snapshots say what stat says."""
    sleeper = subprocess.Popen(["sleep", "100"])
    wait_for_sleep(sleeper.pid)
    before = all_processes()
    snapshots = {}

    def take(line):
        record = json.loads(line)
        if record["record"] == "pro":
            snapshots.setdefault(record["snapshot"], {})[str(record["items"]["pid"])] = record["items"]

    # It ends when there are ten and the late process was seen, however long a busy machine takes to start that; at
    # 600 at the latest.
    with subprocess.Popen([vigil, "collect", "-q", "-i", "0.1", "-c", "600", "-t", "JSON", "PRO"], stdout=subprocess.PIPE,
                          text=True) as collector:
        take(collector.stdout.readline())
        for _ in range(30):
            subprocess.run(["true"], check=True)
        late = subprocess.Popen(["sleep", "100"])
        asked = False
        for line in collector.stdout:
            take(line)
            # Once: a second signal would end it immediately.
            if not asked and len(snapshots) > 10 and any(str(late.pid) in records for records in snapshots.values()):
                asked = True
                collector.terminate()
    after = all_processes()
    for child in sleeper, late:
        child.kill()
        child.wait()
    fields = {"state": 0, "parent": 1, "group": 2, "session": 3, "minor_faults": 7, "priority": 15, "nice": 16, "threads": 17,
              "processor": 36, "policy": 38}
    wrong = [] if collector.returncode in (0, 4) else [("status", collector.returncode)]
    if sorted(snapshots) != list(range(1, len(snapshots) + 1)) or not 10 <= len(snapshots) < 600:
        wrong.append(("snapshots", sorted(snapshots)))
    compared = 0
    for number, records in snapshots.items():
        for pid, (name, stat, ran) in before.items():
            if pid not in after or after[pid][1][19] != stat[19]:
                continue
            if pid not in records:
                wrong.append(("missing", number, pid, name))
            elif after[pid] == (name, stat, ran):
                compared += 1
                told = {field: str(records[pid][field]) for field in fields}
                told.update(user=records[pid]["user"] // TICK, resident=records[pid]["resident"] // resource.getpagesize())
                want = {field: stat[place] for field, place in fields.items()}
                want.update(user=int(stat[11]), resident=int(stat[21]))
                wrong += [(name, number, field, told[field], want[field]) for field in want if told[field] != want[field]]
    if str(sleeper.pid) not in snapshots[1] or str(late.pid) not in snapshots[max(snapshots)] or compared < 10:
        wrong.append(("sleepers", str(sleeper.pid) in snapshots[1], compared))
    return wrong


def check_locks(vigil):
    """Locks that this script holds, and what /proc/locks says when nobody else took or left one meanwhile. A lock that was both taken
    and left in that time is in none of the two looks, but may be in what is told: then it is asked again, too."""
    with tempfile.NamedTemporaryFile(dir=".") as one, tempfile.NamedTemporaryFile(dir=".") as other:
        fcntl.flock(one, fcntl.LOCK_EX)
        fcntl.lockf(other, fcntl.LOCK_EX)
        for _ in range(20):
            before = text("/proc/locks")
            items = listed(vigil, "DLM")[0][1]
            held = [line.split() for line in before.splitlines() if "->" not in line]
            want = {"posix": sum(words[1] == "POSIX" for words in held), "flock": sum(words[1] == "FLOCK" for words in held),
                    "waiting": before.count("->"), "writing": sum(words[3] == "WRITE" for words in held),
                    "holders": len({words[4] for words in held if int(words[4]) > 0}),
                    "files": len({words[5] for words in held})}
            wrong = [(key, value, items[key]) for key, value in want.items() if int(items[key]) != value]
            if text("/proc/locks") == before and not wrong:
                break
    if int(items["posix"]) < 1 or int(items["flock"]) < 1:
        wrong.append(("the locks of this script", items))
    return wrong


def wait_for_sleep(pid):
    """Until a process waits for its input, with two looks that are alike."""
    last = None
    while True:
        now = text(f"/proc/{pid}/stat").rsplit(")", 1)[1].split()
        if now[0] == "S" and now == last:
            return
        last = now
        subprocess.run(["sleep", "0.05"], check=True)


def check_rates(vigil):
    """Rates come with the second row, and never go below 0; levels are what they are."""
    output = collect(vigil, "-i", "0.2", "-c", "4", "-t", "CSV", "SYS", "MEM")
    rows = list(csv.DictReader(output.splitlines()))
    wrong = []
    if len(rows) != 4:
        return [("rows", len(rows))]
    for name in ("sys.uptime (ns/s)", "sys.context_switches (count/s)", "mem.faults (count/s)"):
        if rows[0][name]:
            wrong.append(("a rate in the first row", name))
        # A late snapshot is soon followed by the next: there may be no activity in between.
        rates = [float(row[name]) for row in rows[1:]]
        if min(rates) < 0 or max(rates) <= 0:
            wrong.append((name, [row[name] for row in rows]))
    total = int(keyed("/proc/meminfo")["MemTotal"][0]) * 1024
    if any(int(row["mem.total (bytes)"]) != total for row in rows):
        wrong.append(("mem.total", total))
    return wrong


def main():
    found = {"counters": check_counters, "process": check_process, "locks": check_locks, "processes": check_processes,
             "rates": check_rates}[sys.argv[1]](sys.argv[2])
    for line in found:
        print(*line)
    sys.exit(1 if found else 0)


main()
