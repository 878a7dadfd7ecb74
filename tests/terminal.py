# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own and prints what it shows: terminal.py COLUMNS COMMAND...

Line ends are as on a pipe; the exit status is the command's. Standard error is the terminal, too."""
import fcntl
import os
import pty
import struct
import sys
import termios

pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    os.execvp(sys.argv[2], sys.argv[2:])
while True:
    try:
        shown = os.read(terminal, 65536)
    except OSError:
        break
    if not shown:
        break
    sys.stdout.buffer.write(shown.replace(b"\r\n", b"\n"))
_, status = os.waitpid(pid, 0)
sys.exit(os.waitstatus_to_exitcode(status))
