# SPDX-License-Identifier: Apache-2.0
"""Compresses for most of its time, and sorts for the rest: archive.py MILLISECONDS."""
import sys
import time
import zlib


class Archive:
    def compress(self, data):
        return zlib.compress(data, 9)


def sort_rows(rows):
    return sorted(rows, key=lambda row: -row)


def during(milliseconds, work, *arguments):
    end = time.process_time() + milliseconds / 1000
    while time.process_time() < end:
        work(*arguments)


def main():
    milliseconds = float(sys.argv[1])
    data = bytes(number * number % 251 for number in range(200000))
    during(milliseconds * 0.75, Archive().compress, data)
    during(milliseconds * 0.25, sort_rows, list(range(20000)))


main()
