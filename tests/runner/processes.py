# SPDX-License-Identifier: Apache-2.0
"""Processes as /proc tells them: whose descendants they are, what they are doing, and their end."""

import ctypes
import glob
import os
import resource
import signal
import time

PR_SET_PDEATHSIG = 1
PR_SET_CHILD_SUBREAPER = 36
TICKS = os.sysconf('SC_CLK_TCK')
PF_EXITING = 0x4        # a flag of /proc/PID/stat
KILLED = 1 << (signal.SIGKILL - 1)


def prctl(option, value):
    if ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), 'prctl')


class Process:
    """One process at one moment: pid, parent, state (a letter), start and CPU time in seconds (start since boot)."""

    def __init__(self, pid):
        with open(f'/proc/{pid}/stat', 'rb') as file:
            text = file.read().decode(errors='replace')
        name, fields = text[:text.rindex(')')], text[text.rindex(')') + 2:].split()
        self.pid = pid
        self.name = name.split('(', 1)[1]
        self.state = fields[0]
        self.parent = int(fields[1])
        self.exiting = bool(int(fields[6]) & PF_EXITING)
        self.cpu = (int(fields[11]) + int(fields[12])) / TICKS
        self.start = int(fields[19]) / TICKS

    def is_ending(self):
        """Whether it was killed or ends by itself: what it still does, such as a write to a slow disk, nobody can shorten."""
        pending = [int(line.split()[1], 16) for line in text_lines(f'/proc/{self.pid}/status')
                   if line.startswith(('SigPnd:', 'ShdPnd:'))]
        return self.exiting or any(signals & KILLED for signals in pending)

    def command(self):
        try:
            with open(f'/proc/{self.pid}/cmdline', 'rb') as file:
                words = file.read().replace(b'\0', b' ').decode(errors='replace').strip()
        except OSError:
            words = ''
        return ' '.join(words.split()) or f'[{self.name}]'

    def variable(self, name):
        """Of the environment that it was started with; '' when it has none such, or is another user's."""
        try:
            with open(f'/proc/{self.pid}/environ', 'rb') as file:
                words = file.read().split(b'\0')
        except OSError:
            return ''
        name = name.encode() + b'='
        return next((word[len(name):].decode(errors='replace') for word in words if word.startswith(name)), '')

    def folder(self):
        try:
            return os.readlink(f'/proc/{self.pid}/cwd')
        except OSError:
            return '?'


def cpu_of_all(root):
    """CPU seconds of all that root, who is the caller, has started so far: what was reaped, and what still runs. A process
    that somebody else reaps counts with him. It asks the kernel for children, which is cheaper than to read all of /proc, and
    may miss one that ends meanwhile: the next look has it."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds, ahead = used.ru_utime + used.ru_stime, [root]
    while ahead:
        for path in glob.glob(f'/proc/{ahead.pop()}/task/*/children'):
            for pid in first_line(path).split():
                ahead.append(pid)
                fields = first_line(f'/proc/{pid}/stat').rpartition(') ')[2].split()
                seconds += sum(int(field) for field in fields[11:15]) / TICKS
    return seconds


def children(root):
    """The pids of root's own children. The list may lack one when another ends just then, so that it is read twice."""
    return {int(pid) for _ in range(2) for path in glob.glob(f'/proc/{root}/task/*/children') for pid in first_line(path).split()}


def since_boot():
    return time.clock_gettime(time.CLOCK_BOOTTIME)


def descendants(root):
    """{pid: Process} of all that descend from root, without root and without what has ended."""
    known = {}
    for name in os.listdir('/proc'):
        if name.isdigit():
            try:
                known[int(name)] = Process(int(name))
            except OSError:
                pass
    children = {}
    for process in known.values():
        children.setdefault(process.parent, []).append(process)
    found, ahead = {}, [root]
    while ahead:
        for process in children.get(ahead.pop(), []):
            if process.pid not in found:
                found[process.pid] = process
                ahead.append(process.pid)
    return {pid: process for pid, process in found.items() if process.state not in 'ZX'}


def below(processes, root, pid):
    """The ancestor of pid that is root's own child."""
    while pid in processes and processes[pid].parent != root:
        pid = processes[pid].parent
    return pid


def reap():
    """Collects what has ended; {pid: wait status}."""
    ended = {}
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return ended
        if pid == 0:
            return ended
        ended[pid] = status


def kill(pids):
    for pid in pids:
        try:
            os.kill(pid, signal.SIGKILL)
        except OSError:
            pass


def end_all(root, seconds=10, but=()):
    """Kills all descendants of root, who is the caller, until none is left; what was reaped."""
    ended, until = {}, time.monotonic() + seconds
    while time.monotonic() < until:
        left = [pid for pid in descendants(root) if pid not in but]
        if not left:
            break
        kill(left)
        time.sleep(0.02)
        ended.update(reap())
    ended.update(reap())
    return ended


def first_line(path):
    try:
        with open(path, 'rb') as file:
            return file.readline().decode(errors='replace').strip()
    except OSError:
        return ''


def text_lines(path):
    try:
        with open(path, 'rb') as file:
            return file.read().decode(errors='replace').splitlines()
    except OSError:
        return []


def describe(process):
    """A line a process, then where its threads wait: what a reader needs of one that did not end in time."""
    age = since_boot() - process.start
    said = [f'{process.pid} (of {process.parent}) {process.state} for {age:.1f} s, {process.cpu:.2f} s CPU, in '
            f'{process.folder()}: {process.command()[:200]}']
    tasks = sorted(glob.glob(f'/proc/{process.pid}/task/*'))
    for task in tasks[:8]:
        where = first_line(task + '/wchan')
        call = first_line(task + '/syscall').split(' ')[0]
        stack = ' < '.join(line.split('] ')[-1].split('+')[0] for line in text_lines(task + '/stack')[:6])
        said.append(f'    thread {os.path.basename(task)}: {where or "-"}, system call {call or "?"}' +
                    (f': {stack}' if stack else ''))
    if len(tasks) > 8:
        said.append(f'    and {len(tasks) - 8} further threads')
    return said
