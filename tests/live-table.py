#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# live-table.py VIGIL: tests the live table of a collection on a terminal that is narrow, then wide, then low.
import fcntl
import os
import pty
import signal
import struct
import sys
import termios


def resize(fd, lines, columns):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))


def read_lines(fd, text, enough):
    """Read until what was read is enough."""
    while not enough(text.split(b"\r\n")[:-1]):
        text += os.read(fd, 4096)
    return text


child, terminal = pty.fork()
if child == 0:
    # The size is set before the first line.
    sys.stdin.readline()
    os.execv(sys.argv[1], ["vigil", "collect", "-i", "0.05"])
try:
    resize(terminal, 100, 40)
    os.write(terminal, b"\n")
    text = read_lines(terminal, b"", lambda lines: len(lines) >= 5)
    resize(terminal, 100, 200)
    text = read_lines(terminal, text, lambda lines: sum(b"sent MB/s" in line for line in lines) >= 1 and len(lines[-1]) > 100)
    resize(terminal, 5, 200)
    text = read_lines(terminal, text, lambda lines: sum(b"sent MB/s" in line for line in lines) >= 4)
finally:
    os.kill(child, signal.SIGTERM)
    os.waitpid(child, 0)
# The first line is the echo of the input.
lines = text.decode().split("\r\n")[1:-1]
wide = next(number for number, line in enumerate(lines) if "sent MB/s" in line)
assert "\033" not in text.decode()
assert lines[0].split() == ["time", "user%", "sys%", "wait%"], lines[0]
assert all(len(line) <= 40 for line in lines[:wide]), lines[:wide]
assert sum(line.startswith("time") for line in lines[:wide]) == 1
assert all(len(line) == 128 for line in lines[wide:]), lines[wide:]
# With five lines there are three between two headings.
low = [number for number, line in enumerate(lines) if line.startswith("time")][-3:]
assert low[1] - low[0] == low[2] - low[1] == 4, low
