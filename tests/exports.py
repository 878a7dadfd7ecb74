# SPDX-License-Identifier: Apache-2.0
"""Reads an export without any code of vigil and compares its sums with the listing.

exports.py FORM EXPORT REPORT.json: the sums of the values that the form has are those of the
report to the last sample and ns; what else must hold of every export of the form, holds.
exports.py FORM EXPORT REPORT.json FORM EXPORT REPORT.json...: of several.
exports.py FORM EXPORT: prints the sums.
"""
import gzip
import json
import os
import re
import sys

import wire


def listing(path):
    """The sums of a report (vigil report --format json -r MSD,WTM)."""
    sums = {"samples": 0, "cpu": 0, "waits": 0, "charged": 0}
    with open(path, encoding="utf-8") as stream:
        reports = json.load(stream)["reports"]
    for report in reports:
        if report["code"] == "MSD":
            sums["samples"] = report["facts"]["measurement_statistics"]["samples_in_reports"]
            sums["cpu"] = report["facts"]["cpu_times"]["cpu_samples_ns"]
        for table in report["tables"]:
            for row in table["rows"]:
                if table["table"] == "reasons" and row["row"] == "total":
                    sums["waits"], sums["charged"] = row["waits"], row["wait_charged_ns"]
    return sums


def folded_lines(path):
    """(frames, amount) of each line; no two lines are of one stack."""
    seen = set()
    with open(path, encoding="utf-8") as stream:
        for line in stream:
            stack, amount = line.rstrip("\n").rsplit(" ", 1)
            assert stack not in seen, stack
            assert all(char.isprintable() for char in stack), stack
            seen.add(stack)
            frames = stack.split(";")
            assert len(frames) > 1 and all(frames), stack
            yield frames, int(amount)


def folded(path):
    return {"samples": sum(amount for _, amount in folded_lines(path))}


def folded_waits(path):
    lines = list(folded_lines(path))
    assert all(frames[-1].startswith("(") and frames[-1].endswith(")") for frames, _ in lines)
    return {"charged": sum(amount for _, amount in lines)}


def pprof(path):
    """All samples of a profile of pprof: (locations, values, labels), and its tables."""
    with gzip.open(path) as stream:
        profile = wire.message(stream.read())
    texts = [text.decode("utf-8") for text in profile[6]]
    assert texts[0] == "" and len(set(texts)) == len(texts)
    types = [wire.message(value) for value in profile[1]]
    names = [texts[wire.one(value, 1)] + "/" + texts[wire.one(value, 2)] for value in types]
    assert names == ["samples/count", "cpu/nanoseconds", "waits/count", "wait/nanoseconds", "blocked/nanoseconds"]
    assert texts[wire.one(profile, 14)] == "cpu"
    mappings = {wire.one(value, 1): value for value in map(wire.message, profile.get(3, []))}
    functions = {wire.one(value, 1): value for value in map(wire.message, profile[5])}
    locations = {wire.one(value, 1): value for value in map(wire.message, profile[4])}
    stretches = sorted((wire.one(value, 2), wire.one(value, 3)) for value in mappings.values() if wire.one(value, 3))
    assert all(first[1] <= second[0] for first, second in zip(stretches, stretches[1:])), "mappings overlap"
    for location in locations.values():
        mapping, address = wire.one(location, 2), wire.one(location, 3)
        assert mapping == 0 or mapping in mappings
        assert not address or wire.one(mappings[mapping], 2) <= address < wire.one(mappings[mapping], 3)
        assert location[4], "a location without a function"
        for line in map(wire.message, location[4]):
            assert texts[wire.one(functions[wire.one(line, 1)], 2)]
    sums = [0] * len(names)
    for sample in map(wire.message, profile[2]):
        chain, values = wire.numbers(sample[1]), wire.numbers(sample[2])
        assert chain and all(location in locations for location in chain)
        assert len(values) == len(sums)
        labels = {texts[wire.one(label, 1)] for label in map(wire.message, sample.get(3, []))}
        assert values[2] + values[4] == 0 or "reason" in labels
        sums = [total + value for total, value in zip(sums, values)]
    return dict(zip(("samples", "cpu", "waits", "charged"), sums))


def whole(number):
    assert isinstance(number, int) and number >= 0, number
    return number


def speedscope(path):
    """The profiles of all tasks; those of each task have the same sums."""
    with open(path, encoding="utf-8") as stream:
        file = json.load(stream)
    try:
        import jsonschema
        with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "speedscope", "file-format-schema.json"),
                  encoding="utf-8") as stream:
            jsonschema.validate(file, json.load(stream))
    except ImportError:
        pass
    frames = file["shared"]["frames"]
    assert len({(frame["name"], frame.get("file"), frame.get("line")) for frame in frames}) == len(frames)
    sums, tasks = {}, {}
    for profile in file["profiles"]:
        assert profile["type"] == "sampled" and len(profile["samples"]) == len(profile["weights"])
        assert all(0 <= whole(number) < len(frames) for sample in profile["samples"] for number in sample)
        assert all(profile["samples"])
        total = sum(map(whole, profile["weights"]))
        assert total == profile["endValue"] and profile["startValue"] == 0
        task, _, value = profile["name"].rpartition(": ")
        if task:
            tasks[value] = tasks.get(value, 0) + total
        else:
            assert value not in sums
            sums[value] = total
    assert all(tasks[value] == sums[value] for value in tasks), (tasks, sums)
    names = {"samples": "CPU samples", "cpu": "CPU time", "waits": "waits", "charged": "charged wait"}
    return {name: sums.get(value, 0) for name, value in names.items()}


def callgrind(path):
    """Own amounts of all functions; no call has more than there is, and each callee is known."""
    own, summary, names, called, calling = [0] * 4, None, {}, set(), False
    with open(path, encoding="utf-8") as stream:
        assert next(stream) == "# callgrind format\n"
        for line in stream:
            line = line.rstrip("\n")
            word, _, rest = line.partition("=")
            if word in ("fn", "cfn", "fl", "cfi", "ob", "cob"):
                number, _, name = rest.partition(" ")
                kind = word[-2:].replace("fi", "fl")
                if name:
                    assert (kind, number) not in names, line
                    names[kind, number] = name
                assert (kind, number) in names, line
                if word == "cfn":
                    called.add(number)
            elif line.startswith("summary:"):
                summary = [int(value) for value in line.split()[1:]]
            elif line.startswith("events:"):
                assert line.split()[1:] == ["Samples", "CpuNs", "Waits", "WaitNs"]
            elif word == "calls":
                assert int(rest.split()[0]) > 0
                calling = True
            elif line[:1].isdigit():
                amounts = [int(value) for value in line.split()[1:]]
                assert len(amounts) == 4 and all(value <= most for value, most in zip(amounts, summary)), line
                if not calling:
                    own = [total + value for total, value in zip(own, amounts)]
                calling = False
    assert own == summary, (own, summary)
    return dict(zip(("samples", "cpu", "waits", "charged"), own))


def chrome(path):
    """Slices of each track lie within or beside each other; their own amounts are the sums."""
    with open(path, encoding="utf-8") as stream:
        file = json.load(stream)
    sums = {"samples": 0, "cpu": 0, "waits": 0, "charged": 0}
    tracks, named = {}, set()
    for event in file["traceEvents"]:
        track, args = (event["pid"], event["tid"]), event.get("args", {})
        if event["ph"] == "M":
            if event["name"] == "thread_name":
                assert track not in named, track
                named.add(track)
            continue
        assert event["ph"] == "X" and event["name"] and event["dur"] >= 0, event
        start = round(event["ts"] * 1000)
        tracks.setdefault(track, []).append((start, start + round(event["dur"] * 1000)))
        if event["cat"] == "cpu":
            sums["samples"] += whole(args.get("samples", 0))
            sums["cpu"] += whole(args.get("cpu_ns", 0))
        elif event["cat"] == "wait":
            sums["waits"] += whole(args["waits"])
            sums["charged"] += whole(args["charged_ns"])
            frame = event["sf"]
            while frame is not None:
                frame = file["stackFrames"][frame].get("parent")
    assert set(tracks) <= named, "a track without a name"
    for slices in tracks.values():
        opened = []
        for start, end in sorted(slices, key=lambda slice: (slice[0], -slice[1])):
            while opened and opened[-1] <= start:
                opened.pop()
            assert not opened or end <= opened[-1], "slices that overlap"
            opened.append(end)
    return sums


def columns(table):
    """A table of columns, all of the length that it names."""
    for name, column in table.items():
        assert not isinstance(column, list) or len(column) == table["length"], name
    return table


def within(column, table, least=0):
    assert all(value is None or least <= value < table["length"] for value in column), column


def firefox(path):
    with open(path, encoding="utf-8") as stream:
        file = json.load(stream)
    assert file["meta"]["preprocessedProfileVersion"] == 62 and file["meta"]["sampleUnits"]["threadCPUDelta"] == "ns"
    shared = file["shared"]
    strings = {"length": len(shared["stringArray"])}
    tables = {name: columns(table) for name, table in shared.items() if name != "stringArray"}
    stacks, frames, funcs = tables["stackTable"], tables["frameTable"], tables["funcTable"]
    assert all(prefix is None or prefix < at for at, prefix in enumerate(stacks["prefix"]))
    within(stacks["frame"], frames)
    within(frames["func"], funcs)
    within(frames["category"], {"length": len(file["meta"]["categories"])})
    within(funcs["name"], strings)
    within(funcs["resource"], tables["resourceTable"], -1)
    within(funcs["source"], tables["sources"])
    within(tables["sources"]["filename"], strings)
    within(tables["resourceTable"]["lib"], {"length": len(file["libs"])})
    sums = {"samples": 0, "cpu": 0, "waits": 0, "charged": 0}
    transactions = {"samples": 0, "cpu": 0}
    for thread in file["threads"]:
        samples, markers = columns(thread["samples"]), columns(thread["markers"])
        within(samples["stack"], stacks)
        within(markers["name"], strings)
        assert all(delta >= 0 for delta in samples["timeDeltas"])
        assert all(start <= end for start, end in zip(markers["startTime"], markers["endTime"]))
        sums["samples"] += samples["length"]
        sums["cpu"] += sum(map(whole, samples["threadCPUDelta"]))
        for data in markers["data"]:
            if data["type"] == "wait":
                within([data["cause"]["stack"]], stacks)
                sums["waits"] += whole(data["waits"])
                sums["charged"] += whole(data["charged"])
            else:
                transactions["samples"] += whole(data["samples"])
                transactions["cpu"] += whole(data["cpu"])
    assert transactions["samples"] <= sums["samples"] and transactions["cpu"] <= sums["cpu"]
    return sums


def perf_script(path):
    """A line a sample, its frames behind it, and an empty line."""
    head = re.compile(r"^(\S.*?)\s+(\d+)/(\d+)\s+(\d+\.\d{9}):\s+(\d+)\s+(\S+): $")
    frame = re.compile(r"^\t *([0-9a-f]+) (.+) \((.*)\)$")
    sums = {"samples": 0, "cpu": 0, "charged": 0}
    with open(path, encoding="utf-8") as stream:
        for block in stream.read().split("\n\n"):
            if not block:
                continue
            lines = block.split("\n")
            found = head.match(lines[0])
            assert found, lines[0]
            assert len(lines) > 1 and all(frame.match(line) for line in lines[1:]), lines
            if found[6] == "cpu-clock":
                sums["samples"] += 1
                sums["cpu"] += int(found[5])
            else:
                assert found[6] == "vigil:wait" and frame.match(lines[1])[3] == "[wait]", lines
                sums["charged"] += int(found[5])
    return sums


def signed(number):
    return number - (1 << 64) if number >> 63 else number


def otlp(path):
    """All profiles of OTLP 1.10; each index is one of its table, and item 0 of each is empty."""
    with open(path, "rb") as stream:
        data = wire.message(stream.read())
    tables = wire.message(wire.one(data, 2))
    texts = [text.decode("utf-8") for text in tables[5]]
    mappings, locations, functions, attributes, stacks = (
        [wire.message(item) for item in tables[number]] for number in (1, 2, 3, 6, 7))
    assert texts[0] == "" and len(set(texts)) == len(texts)
    for table in (mappings, locations, functions, attributes, stacks):
        assert not table[0], "item 0 is not empty"
    assert [wire.message(item) for item in tables[4]] == [{}]
    for location in locations[1:]:
        assert wire.one(location, 1) < len(mappings) and location[3]
        for line in map(wire.message, location[3]):
            assert texts[wire.one(functions[wire.one(line, 1)], 1)]
    for item in mappings[1:] + locations[1:]:
        assert all(0 < number < len(attributes) for number in wire.numbers(item.get(5, []) + item.get(4, [])
                   if isinstance(item.get(4, [b""])[0], bytes) else item.get(5, [])))
    for stack in stacks[1:]:
        assert all(0 < number < len(locations) for number in wire.numbers(stack[1]))
    sums = {}
    for resource in data[1]:
        for scope in wire.message(resource)[2]:
            for profile in map(wire.message, wire.message(scope)[2]):
                kind = wire.message(wire.one(profile, 1))
                name = texts[wire.one(kind, 1)] + "/" + texts[wire.one(kind, 2)]
                total = 0
                for sample in map(wire.message, profile.get(2, [])):
                    assert 0 < wire.one(sample, 1) < len(stacks)
                    assert all(0 < number < len(attributes) for number in wire.numbers(sample.get(2, [])))
                    values = wire.numbers(sample[4])
                    assert len(values) == 1
                    total += signed(values[0])
                assert name not in sums
                sums[name] = total
    names = {"samples": "samples/count", "cpu": "cpu/nanoseconds", "waits": "waits/count", "charged": "wait/nanoseconds"}
    assert set(names.values()) == set(sums)
    return {name: sums[value] for name, value in names.items()}


READERS = {"otlp": otlp, "perf-script": perf_script, "firefox": firefox, "chrome": chrome, "callgrind": callgrind, "speedscope": speedscope, "pprof": pprof, "folded": folded, "folded-waits": folded_waits}


def main(arguments):
    if len(arguments) < 3:
        print(json.dumps(READERS[arguments[0]](arguments[1]), sort_keys=True))
        return
    assert len(arguments) % 3 == 0, "FORM, EXPORT and REPORT.json"
    for form, export, report in zip(*[iter(arguments)] * 3):
        expected = listing(report)
        for name, value in READERS[form](export).items():
            assert value == expected[name], f"{form} of {export}: {name} {value}, the listing has {expected[name]}"


if __name__ == "__main__":
    main(sys.argv[1:])
