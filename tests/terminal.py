# SPDX-License-Identifier: Apache-2.0
"""Runs a command on a terminal of its own and prints what it shows: terminal.py COLUMNS COMMAND...

Line ends are as on a pipe; the exit status is the command's. Standard error is the terminal, too.

When the leader of a session ends its terminal is hung up, and what was written to it but not read yet may be lost. So the leader is
not the command but its parent: it writes a mark when the command has ended, and ends when the mark was read."""
import fcntl
import os
import pty
import struct
import sys
import termios

MARK = b"\0the command has ended\0"


def lead(acknowledged):
    """The leader of the session: runs the command, and waits until all that it showed was read."""
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, int(sys.argv[1]), 0, 0))
    command = os.fork()
    if command == 0:
        os.close(acknowledged)
        os.execvp(sys.argv[2], sys.argv[2:])
    _, status = os.waitpid(command, 0)
    os.write(1, MARK)
    os.read(acknowledged, 1)
    os._exit(os.waitstatus_to_exitcode(status) & 0xff)


def main():
    acknowledged, acknowledge = os.pipe()
    leader, terminal = pty.fork()
    if leader == 0:
        os.close(acknowledge)
        lead(acknowledged)
    os.close(acknowledged)
    shown = b""
    while MARK not in shown:
        try:
            more = os.read(terminal, 65536)
        except OSError:
            break
        if not more:
            break
        shown += more
    sys.stdout.buffer.write(shown.replace(MARK, b"").replace(b"\r\n", b"\n"))
    sys.stdout.flush()
    os.close(acknowledge)
    _, status = os.waitpid(leader, 0)
    return os.waitstatus_to_exitcode(status)


sys.exit(main())
