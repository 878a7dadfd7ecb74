#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Source files that call each other in a circle, found in the objects of the build.

circles.py BUILD ROOM...: a line for each circle: its files, and for each what ties it to the next;
and for each room of which no object was built. An object uses another when it refers to a symbol that
only the other defines. Circles through function pointers are none: who hands a function over need not
know who calls it.
"""
import os
import subprocess
import sys


def source_of(name):
    """The source an object was made of: libcommon_a-clock.o, agent_vigil_events_la-event-lane.o, or clock.o."""
    name = name[:-2]
    return name.split("-", 1)[1] if "_a-" in name or "_la-" in name else name


def objects(build, room):
    """The object files of a room, without those of its tests: source -> object.

    libtool puts what a shared object is made of into .libs; what is there in both forms is taken once.
    """
    found = {}
    for folder, folders, files in os.walk(os.path.join(build, room)):
        folders.sort()  # .libs after its parent, as os.walk goes from above
        place = os.path.relpath(os.path.dirname(folder) if os.path.basename(folder) == ".libs" else folder, build)
        for name in sorted(files):
            if not name.endswith(".o"):
                continue
            source = source_of(name)
            if source.startswith(("test-", "bench-", "fuzz-")):
                continue
            found.setdefault(os.path.join(place, source), os.path.join(folder, name))
    return found


def symbols(paths):
    """path -> names that the object defines, and names that it needs; nm is started once for all of them."""
    found = {path: (set(), set()) for path in paths}
    if not paths:
        return found
    lines = subprocess.run(["nm", "--extern-only", "--print-file-name"] + paths, stdout=subprocess.PIPE, text=True,
                           check=True).stdout
    for line in lines.splitlines():
        path, words = line.split(":", 1)[0], line.split(":", 1)[1].split()
        found[path][words[-2] in "Uw"].add(words[-1])
    return found


def edges(build, room):
    """source -> {source it uses: names}."""
    paths = objects(build, room)
    told = symbols(sorted(paths.values()))
    known = {source: told[path] for source, path in paths.items()}
    owners = {}
    for source, (defined, _) in known.items():
        for name in defined:
            owners.setdefault(name, set()).add(source)
    uses = {}
    for source, (_, needed) in known.items():
        uses[source] = {}
        for name in needed:
            if len(owners.get(name, ())) == 1:
                (owner,) = owners[name]
                uses[source].setdefault(owner, set()).add(name)
    return uses


def circles(uses):
    """The strongly connected components of more than one source (Tarjan)."""
    index, low, stack, result = {}, {}, [], []

    def visit(source):
        index[source] = low[source] = len(index)
        stack.append(source)
        for other in sorted(uses[source]):
            if other not in index:
                visit(other)
                low[source] = min(low[source], low[other])
            elif other in stack:
                low[source] = min(low[source], index[other])
        if low[source] == index[source]:
            at = stack.index(source)
            part, stack[at:] = stack[at:], []
            if len(part) > 1:
                result.append(sorted(part))

    for source in sorted(uses):
        if source not in index:
            visit(source)
    return result


def main():
    build = sys.argv[1]
    for room in sys.argv[2:]:
        uses = edges(build, room)
        if not uses:
            print(room + ": there are no objects of it")
        for circle in circles(uses):
            print(room + ": circle of " + " ".join(name[len(room) + 1:] for name in circle))
            for source in circle:
                for other in circle:
                    names = uses[source].get(other)
                    if names:
                        print(f"    {source} -> {other}: " + " ".join(sorted(names)[:6]))


main()
