#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""make recordings: records programs that know their own times (tests/truth), and writes what they know beside each recording.

RECORDINGS (names, comma) chooses some. Needs root, so that what root and an ordinary user observe is recorded; golang for one of them.
After a change of the sampler that asks the system for something else than before, the recordings are made anew; what they must show is
the truth of the new runs. A recording that does not hold its truth is a finding: look for the cause before it is made again.
"""
import collections
import glob
import lzma
import os
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

sys.dont_write_bytecode = True  # the folder of the sources stays as it is
HERE = os.path.dirname(os.path.abspath(__file__))
TRUTH = os.path.join(HERE, "..", "truth")
VIGIL = os.path.join(os.environ["VIGIL_BUILD"], "vigil")
SIZE_MAX = 200_000
MAPS = "/tmp/perf-*.map"
# How often a program is recorded until its recording is small enough: parts of libraries that some stacks need are in it.
TRIES = 8
NOBODY = ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--inh-caps=-all", "--bounding-set=-all"]

# name, kind of program, seconds, options of vigil run, number of busy processes beside it, what else must hold
Plan = collections.namedtuple("Plan", "name kind seconds options beside holds", defaults=(0.4, (), 0, ()))
# Samples whose stacks are large.
FEWER = ("--rate", "300")
PLANS = [
    Plan("cpu", "cpu", 0.8),
    Plan("system-calls", "calls-20", 0.8, FEWER),
    Plan("short-system-calls", "calls-2", 0.8, FEWER),
    Plan("page-faults", "pages", 0.8, FEWER),
    Plan("periodic", "periodic", 0.8),
    Plan("main-loop", "loop", 0.8),
    Plan("short-waits-0.2", "wait-0.2"),
    Plan("short-waits-1", "wait-1", 0.6),
    Plan("short-waits-5", "wait-5", 1.5),
    Plan("waits-in-turn", "turns", 1.5),
    Plan("pipe", "pipe", 0.6),
    Plan("condition-variable", "condition", 0.6),
    Plan("fsync-of-two-files", "fsync"),
    Plan("epoll-and-clients", "clients", 0.5),
    Plan("cpu-and-waits", "mixed", 0.8),
    Plan("children", "children", 0.8),
    Plan("fork-storm", "brief", 0.8, FEWER),
    Plan("swarm-of-500-threads", "threads", 0.4, FEWER),
    Plan("full-machine", "cpu", 1.5, (), 4),
    Plan("clients-on-a-full-machine", "clients", 1.2, (), 4),
    Plan("short-waits-on-a-full-machine", "wait-1", 1, (), 4),
    Plan("lost-records", "cpu", 1.5, (), 0, ("fact('samples_lost') > 0",)),
    Plan("deep-recursion", "deep", 0.6, (), 0, ("fact('stacks_cut') > 0",)),
    Plan("jit", "jit", 0.6),
    Plan("attached", "periodic", 1),
    Plan("killed", "killed", 5),
    Plan("python", "python", 0.6, FEWER),
    Plan("python-over-native-code", "native", 0.1, ("--rate", "250")),
    Plan("go", "go", 0.25, FEWER, 0, ("fact('stacks_whole') > 0.9 * fact('samples_in_reports')",)),
]


def compile_programs(folder):
    """Returns the command of each kind of program, without its seconds."""
    mix = os.path.join(folder, "mix")
    subprocess.run(["cc", "-O1", "-g", "-pthread", "-o", mix, f"{TRUTH}/mix.c", f"{TRUTH}/truth.c", "-lm"], check=True)
    commands = {}
    for name in ("mix.py", "native.py"):
        shutil.copy(f"{TRUTH}/{name}", folder)
    commands["python"] = ["/usr/bin/python3", os.path.join(folder, "mix.py")]
    commands["native"] = ["/usr/bin/python3", os.path.join(folder, "native.py")]
    if shutil.which("go"):
        shutil.copy(f"{TRUTH}/mix.go", folder)
        environment = dict(os.environ, GOCACHE=os.path.join(folder, "cache"), GOTOOLCHAIN="local", GO111MODULE="off", CGO_ENABLED="0")
        subprocess.run(["go", "build", "-o", "mixgo", "mix.go"], check=True, cwd=folder, env=environment)
        commands["go"] = [os.path.join(folder, "mixgo")]
    for plan in PLANS:
        commands.setdefault(plan.kind, [mix, plan.kind])
    if not shutil.which("go"):
        del commands["go"]
    return commands


def loosen(recording):
    """Returns a recording whose blocks are not compressed (vigil-dataset(5)), so that all of it can be, as one."""
    out, at = [recording[:16]], 16
    while at < len(recording):
        marker, kind, packing, stored, size = struct.unpack_from("<4sHBxII", recording, at)
        payload = recording[at + 24:at + 24 + stored]
        if packing:
            payload = zlib.decompress(payload)
        head = struct.pack("<4sHBxIII", marker, kind, 0, len(payload), size, zlib.crc32(payload))
        out += [head, struct.pack("<I", zlib.crc32(head)), payload]
        at += 24 + stored
    return b"".join(out)


def wait_for(condition, what):
    until = time.monotonic() + 20
    while not condition():
        if time.monotonic() > until:
            raise RuntimeError(f"{what} takes too long")
        time.sleep(0.01)


def kill_program(command):
    """Kills a program of the step once it has worked for a while."""
    time.sleep(0.4)
    found = subprocess.run(["pgrep", "-o", "-f", "^" + " ".join(command)], stdout=subprocess.PIPE, text=True, check=True)
    os.kill(int(found.stdout), signal.SIGKILL)


def hold_up(measured):
    """Keeps vigil from working for as long as its rings are full for."""
    time.sleep(0.4)
    measured.send_signal(signal.SIGSTOP)
    time.sleep(0.7)
    measured.send_signal(signal.SIGCONT)


def run_plan(plan, command, who, environment, folder):
    """Records a run, as its plan says."""
    measure = [*who, VIGIL, "run", "-q", "--record", "x.vrec", "-o", "x.vprf", *plan.options, "--", *command]
    if plan.name == "attached":
        program = subprocess.Popen([*who, *command], env=environment, cwd=folder)
        time.sleep(0.2)
        # The ordinary user's program has setpriv's process number, as that executes it.
        subprocess.run([*who, VIGIL, "attach", "-q", "--record", "x.vrec", "-o", "x.vprf", str(program.pid)], env=environment, cwd=folder,
                       check=True)
        program.wait()
        return
    measured = subprocess.Popen(measure, env=environment, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if plan.kind == "killed":
        kill_program(command)
    if plan.name == "lost-records":
        hold_up(measured)
    status = measured.wait()
    if status != (137 if plan.kind == "killed" else 0):
        raise RuntimeError(f"{plan.name}: exit {status}")
    wait_for(lambda: os.path.exists(os.path.join(folder, "truth")) and
             "total" in open(os.path.join(folder, "truth"), encoding="ascii").read(), "the truth")


def record(plan, user, command, top):
    """Records a run of a program in a folder below top, which is returned: x.vrec, and the truth."""
    folder = os.path.join(top, f"{plan.name}-{user}")
    os.mkdir(folder)
    who = []
    if user == "user" and os.geteuid() == 0:
        shutil.chown(folder, "nobody", "nogroup")
        who = NOBODY
    environment = dict(os.environ, TRUTH_SEED="1", TRUTH_FILE=os.path.join(folder, "truth"), TRUTH_FOLDER=folder, HOME=folder, TMPDIR=folder)
    maps = set(glob.glob(MAPS))
    busy = [subprocess.Popen(["sh", "-c", "while :; do :; done"]) for _ in range(plan.beside)]
    try:
        run_plan(plan, [*command, str(plan.seconds)], who, environment, folder)
    finally:
        for process in busy:
            process.kill()
            process.wait()
    for path in set(glob.glob(MAPS)) - maps:
        os.unlink(path)
    return folder


def make(plan, user, command, top):
    """Makes one recording, with its truth. Returns its size."""
    name = f"{plan.name}-{user}"
    folder = record(plan, user, command, top)
    with open(os.path.join(folder, "x.vrec"), "rb") as file:
        packed = lzma.compress(loosen(file.read()), preset=9 | lzma.PRESET_EXTREME)
    with open(os.path.join(folder, "truth"), encoding="ascii") as file:
        truth = file.read()
    with open(os.path.join(HERE, name + ".vrec.xz"), "wb") as file:
        file.write(packed)
    with open(os.path.join(HERE, name + ".truth"), "w", encoding="ascii") as file:
        file.write(f"# SPDX-License-Identifier: Apache-2.0\nkind {plan.kind}\n{truth}")
        file.write("partial 1\n" if plan.name == "attached" else "")
        file.writelines(f"holds {expression}\n" for expression in plan.holds)
    return len(packed)


def main():
    chosen = os.environ.get("RECORDINGS")
    with tempfile.TemporaryDirectory(prefix="vigil-recordings-") as folder:
        os.chmod(folder, 0o755)
        commands = compile_programs(folder)
        for plan in PLANS:
            for user in ("root", "user"):
                name = f"{plan.name}-{user}"
                if chosen and name not in chosen.split(","):
                    continue
                if plan.kind not in commands:
                    print(f"{name}: its program cannot be made here")
                    continue
                for attempt in range(TRIES):
                    top = os.path.join(folder, str(attempt))
                    os.makedirs(top, exist_ok=True)
                    size = make(plan, user, commands[plan.kind], top)
                    if size <= SIZE_MAX:
                        break
                print(f"{name}: {size} bytes{', too large' if size > SIZE_MAX else ''}", flush=True)
    return subprocess.run(["python3", "-B", os.path.join(HERE, "check.py"), HERE], check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
