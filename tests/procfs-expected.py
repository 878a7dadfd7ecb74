#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Says what vigil's producers must tell of a tree of /proc (tests/procfs/README), read by rules of its own.

    procfs-expected.py TREE

A line is TYPE, the name or number of the record ("" where there is one only), ITEM and VALUE ("-" missing),
with tabs between them. Times are in ns: clock ticks are those of this system, as the producers take them.
"""
import os
import re
import sys

TICK = 10 ** 9 // os.sysconf("SC_CLK_TCK")
PAGE = os.sysconf("SC_PAGE_SIZE")
tree = sys.argv[1]


def lines(path):
    try:
        with open(os.path.join(tree, path), encoding="ascii") as file:
            return file.read().splitlines()
    except OSError:
        return []


def say(kind, name, item, value):
    print(f"{kind}\t{name}\t{item}\t{'-' if value is None else value}")


def disks():
    # Documentation/admin-guide/iostats.rst: 11 counts, 15 since 4.18, 17 since 5.5.
    names = ["reads", "reads_merged", "bytes_read", "read_time", "writes", "writes_merged", "bytes_written",
             "write_time", "in_flight", "busy_time", "queue_time", "discards", "discards_merged", "bytes_discarded",
             "discard_time", "flushes", "flush_time"]
    for line in lines("proc/diskstats"):
        words = line.split()
        counts = [int(word) for word in words[3:]]
        if not (counts[0] or counts[4] or counts[8]):
            continue
        for place, item in enumerate(names):
            scale = 512 if item.startswith("bytes") else 10 ** 6 if item.endswith("time") else 1
            say("dsk", words[2], item, counts[place] * scale if place < len(counts) else None)


def processors():
    modes = ["user", "nice", "system", "idle", "io_wait", "interrupts", "soft_interrupts", "stolen", "guest",
             "guest_nice"]
    online = []
    for line in lines("proc/stat"):
        words = line.split()
        if words[0].startswith("cpu") and words[0] != "cpu":
            online.append(words[0][3:])
            for item, word in zip(modes, words[1:]):
                say("cpu", words[0][3:], item, int(word) * TICK)
        if words[0] == "ctxt":
            say("sys", "", "context_switches", words[1])
        if words[0] == "btime":
            say("sys", "", "boot_time", words[1])
        if words[0] == "processes":
            say("sys", "", "forks", words[1])
            say("cps", "", "created", words[1])
        if words[0] == "intr":
            say("sys", "", "interrupts", words[1])
        if words[0] == "softirq":
            say("sys", "", "soft_interrupts", words[1])
            say("sys", "", "soft_rcu", words[11])
    say("colhdr", "", "processors", len(online) or None)
    soft = lines("proc/softirqs")
    named = [word[3:] for word in soft[0].split()] if soft else []
    for line in soft[1:]:
        kind, values = line.split(":")
        item = {"HI": "soft_high", "TIMER": "soft_timer", "NET_RX": "soft_network_receive",
                "SCHED": "soft_scheduler", "RCU": "soft_rcu"}.get(kind.strip())
        values = dict(zip(named, values.split()))
        for cpu in online if item else []:
            say("cpu", cpu, item, values.get(cpu))
    schedule = {line.split()[0][3:]: line.split()[1:] for line in lines("proc/schedstat")
                if line.startswith("cpu")}
    for cpu in online:
        # Documentation/scheduler/sched-stats.rst: the last three are run time, delay, timeslices.
        values = schedule.get(cpu, [None] * 9)
        for item, place in (("run_time", 6), ("run_delay", 7), ("slices", 8)):
            say("cpu", cpu, item, values[place])


def memory():
    meminfo = {line.split(":")[0]: int(line.split()[1]) for line in lines("proc/meminfo")}
    if meminfo:
        for item, key in (("total", "MemTotal"), ("free", "MemFree"), ("available", "MemAvailable"),
                          ("swap_total", "SwapTotal"), ("dirty", "Dirty"), ("anonymous", "AnonPages"),
                          ("zswap", "Zswap"), ("shared", "Shmem"), ("per_cpu", "Percpu")):
            say("mem", "", item, meminfo[key] * 1024 if key in meminfo else None)
    vmstat = {line.split()[0]: int(line.split()[1]) for line in lines("proc/vmstat")}
    if not vmstat:
        return
    for kind, item, keys, scale in (
            ("mem", "faults", ["pgfault"], 1), ("mem", "major_faults", ["pgmajfault"], 1),
            ("mem", "paged_in", ["pgpgin"], 1024), ("mem", "swapped_out", ["pswpout"], 1),
            ("mem", "huge_splits", ["thp_split_page", "thp_split"], 1),
            ("mem", "out_of_memory_kills", ["oom_kill"], 1),
            ("xfc", "dirty", ["nr_dirty"], PAGE), ("xfc", "file_pages", ["nr_file_pages"], PAGE),
            # Before 5.9 there was one count, of file pages.
            ("xfc", "refaults_file", ["workingset_refault_file", "workingset_refault"], 1),
            ("xfc", "activations_file", ["workingset_activate_file", "workingset_activate"], 1),
            ("xfc", "refaults_anonymous", ["workingset_refault_anon"], 1),
            # Before 4.8 it was counted only per zone.
            ("xfc", "stolen_background", ["pgsteal_kswapd"], 1),
            ("xfc", "scanned_direct", ["pgscan_direct"], 1)):
        found = [vmstat[key] for key in keys if key in vmstat]
        say(kind, "", item, found[0] * scale if found else None)


def network():
    for line in lines("proc/net/dev")[2:]:
        name, values = line.split(":")
        values = values.split()
        for item, place in (("bytes_received", 0), ("packets_received", 1), ("receive_drops", 3),
                            ("bytes_sent", 8), ("packets_sent", 9), ("collisions", 13)):
            say("nti", name.strip(), item, values[place])
    pairs = {}
    for path in ("proc/net/snmp", "proc/net/netstat"):
        text = lines(path)
        for head, values in zip(text[::2], text[1::2]):
            for key, value in zip(head.split()[1:], values.split()[1:]):
                pairs[head.split(":")[0] + " " + key] = value
    for item, key in (("ip_in_receives", "Ip InReceives"), ("tcp_segments_received", "Tcp InSegs"),
                      ("tcp_established", "Tcp CurrEstab"), ("udp_in_datagrams", "Udp InDatagrams"),
                      ("tcp_listen_drops", "TcpExt ListenDrops"), ("ip_in_octets", "IpExt InOctets"),
                      ("tcp_orig_data_sent", "TcpExt TCPOrigDataSent")):
        if pairs:
            say("inet", "", item, pairs.get(key))
    soft = [line.split() for line in lines("proc/net/softnet_stat")]
    for item, place in (("backlog_packets", 0), ("backlog_drops", 1), ("backlog_squeezes", 2)):
        if soft:
            say("inet", "", item, sum(int(words[place], 16) for words in soft))


def services():
    nfsd = {line.split()[0]: line.split()[1:] for line in lines("proc/net/rpc/nfsd")}
    if nfsd:
        say("srv", "", "bytes_read", nfsd["io"][0])
        say("srv", "", "bytes_written", nfsd["io"][1])
        say("srv", "", "threads", nfsd["th"][0])
        say("srv", "", "connections", nfsd["net"][3])
        say("srv", "", "calls", nfsd["rpc"][0])
        # The first number says how many follow; procedure 0 is NULL, 1 GETATTR, 6 READ; operations of NFS 4 have the
        # numbers of RFC 7530: 9 GETATTR, 25 READ.
        say("srv", "", "nfs3_null", nfsd["proc3"][1 + 0])
        say("srv", "", "nfs3_getattr", nfsd["proc3"][1 + 1])
        say("srv", "", "nfs3_read", nfsd["proc3"][1 + 6])
        say("srv", "", "nfs3_readdirplus", nfsd["proc3"][1 + 17])
        say("srv", "", "nfs4_compound", nfsd["proc4"][1 + 1])
        say("srv", "", "nfs4_getattr", nfsd["proc4ops"][1 + 9])
        say("srv", "", "nfs4_read", nfsd["proc4ops"][1 + 25])
        say("srv", "", "nfs4_lookup", nfsd["proc4ops"][1 + 15])
    for name in ("cpu", "memory", "io", "irq"):
        text = {line.split()[0]: dict(word.split("=") for word in line.split()[1:])
                for line in lines("proc/pressure/" + name)}
        for who in ("some", "full") if text else ():
            say("psi", name, who + "_total", int(text[who]["total"]) * 1000 if who in text else None)


def processes():
    for number in os.listdir(os.path.join(tree, "proc")):
        if not number.isdigit():
            continue
        # proc(5): the words after the name are fields 3 and following.
        words = lines(f"proc/{number}/stat")[0].rsplit(")", 1)[1].split()
        say("pro", number, "parent", words[4 - 3])
        say("pro", number, "minor_faults", words[10 - 3])
        say("pro", number, "user", int(words[14 - 3]) * TICK)
        say("pro", number, "threads", words[20 - 3])
        say("pro", number, "start", int(words[22 - 3]) * TICK)
        say("pro", number, "virtual", words[23 - 3])
        say("pro", number, "resident", int(words[24 - 3]) * PAGE)
        say("pro", number, "ending_signal", words[38 - 3])
        say("pro", number, "processor", words[39 - 3])
        status = {line.split(":")[0]: line.split()[1:] for line in lines(f"proc/{number}/status")}
        say("pro", number, "file_user_id", status["Uid"][3])
        say("pro", number, "resident_peak", int(status["VmHWM"][0]) * 1024)
        say("pro", number, "voluntary_switches", status["voluntary_ctxt_switches"][0])
        slices = lines(f"proc/{number}/schedstat")
        for place, item in enumerate(("run_time", "run_delay", "slices")):
            say("pro", number, item, slices[0].split()[place] if slices else None)


def interrupts():
    text = lines("proc/interrupts")
    for line in text[1:]:
        name, _, behind = line.partition(":")
        words = behind.split()
        counts = []
        while words and words[0].isdigit() and len(counts) < len(text[0].split()):
            counts.append(int(words.pop(0)))
        if not sum(counts):
            continue
        say("irq", name.strip(), "interrupts", sum(counts))
        whole = len(counts) == len(text[0].split())
        say("irq", name.strip(), "processors", sum(count > 0 for count in counts) if whole else None)
        busiest = text[0].split()[counts.index(max(counts))][3:]
        say("irq", name.strip(), "busiest", busiest if whole else None)


    # A column is a processor; error counters have one number, for all.
    for place, name in enumerate(text[0].split() if text and lines("proc/stat") else []):
        had = {line.split(":")[0].strip(): int(line.split()[1 + place]) for line in text[1:]
               if line.split(":")[0].strip() not in ("ERR", "MIS", "Err")}
        say("cpu", name[3:], "interrupts_had", sum(had.values()))
        say("cpu", name[3:], "device_interrupts", sum(count for key, count in had.items() if key.isdigit()))


def mounts():
    # Documentation of nfs-utils, mountstats(8), and net/sunrpc/stats.c for the columns.
    names = ["operations", "transmissions", "timeouts", "bytes_sent", "bytes_received", "queue_time", "response_time",
             "execution_time", "errors"]
    text = "\n".join(lines("proc/self/mountstats")) + "\n"
    for part in re.split(r"^(?=(?:no )?device )", text, flags=re.M):
        head = re.match(r"device (\S+) mounted on (\S+) with fstype nfs4? ", part)
        if not head:
            continue
        mount = head[2].replace("\\040", " ")
        facts, _, counts = part.partition("per-op statistics\n")
        for key, items in (("age", {"age": 0}), ("events", {"inode_checks": 0, "opens": 4, "short_writes": 23,
                                                            "direct_server_writes": 26}),
                           ("bytes", {"bytes_read": 0, "server_bytes_written": 5, "pages_written": 7})):
            found = re.search(rf"^\s*{key}:\s*(.*)$", facts, flags=re.M)
            values = [int(word) for word in found[1].split()] if found else []
            for item, place in items.items():
                scale = 10 ** 9 if item == "age" else 1
                say("nfs", mount, item, values[place] * scale if place < len(values) else None)
        transports = [line.split() for line in re.findall(r"^\s*xprt:\s*(.*)$", facts, flags=re.M)]
        say("nfs", mount, "transports", len(transports) or None)
        for item, tcp, udp in (("connects", 3, None), ("sends", 6, 3), ("receives", 7, 4), ("strange_replies", 8, 5)):
            places = [(words, udp if words[0] == "udp" else tcp) for words in transports]
            say("nfs", mount, item, sum(int(words[place]) for words, place in places if place)
                if any(place for _, place in places) else None)
        sums = {}
        again = []
        for line in re.findall(r"^\s*(\w+:.*)$", counts, flags=re.M):
            operation, values = line.split(":")
            values = [int(word) for word in values.split()]
            again.append(max(0, values[1] - values[0]))
            for place, item in enumerate(names):
                value = values[place] * (10 ** 6 if item.endswith("_time") else 1) \
                    if place < len(values) and values[place] < 2 ** 63 else None
                # A sum with a missing part is missing.
                if place < len(values):
                    known = value is not None and sums.get(item, 0) is not None
                    sums[item] = sums.get(item, 0) + value if known else None
                if values[0]:
                    say("nfsop", f"{mount} {operation}", item, value)
        for item in names:
            say("nfs", mount, item, sums.get(item))
        say("nfs", mount, "retransmissions", sum(again) if again else None)


for part in (interrupts, mounts, disks, processors, memory, network, services, processes):
    part()
