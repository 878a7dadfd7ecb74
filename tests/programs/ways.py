# SPDX-License-Identifier: Apache-2.0
"""ways.py WAY SECONDS: uses the processor, or waits, in one way. Prints how many seconds of CPU time burn had."""
import ctypes
import functools
import os
import re
import sys
import threading
import time
import zlib


def burn(clock, seconds):
    start = clock()
    while clock() < start + seconds:
        for number in range(100):
            number * number  # burn's line
    print("burn", round(clock() - start, 3), flush=True)


def packs(seconds):
    data = os.urandom(1 << 18)
    end = time.process_time() + seconds
    while time.process_time() < end:
        zlib.compress(data, 9)  # packs's line


def one(seconds):
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        sum(range(100))


def other(seconds):
    end = time.thread_time() + 3 * seconds
    while time.thread_time() < end:
        sum(range(100))


def threads(seconds):
    started = [threading.Thread(target=one, args=(seconds / 4,)), threading.Thread(target=other, args=(seconds / 4,))]
    for thread in started:
        thread.start()
    for thread in started:
        thread.join()


def numbers(n, seconds):
    if n:
        yield from numbers(n - 1, seconds)
    else:
        end = time.process_time() + seconds
        while time.process_time() < end:
            yield sum(range(5000))  # numbers' line


def generator(seconds):
    for _ in numbers(5, seconds):
        pass


def deep(seconds, n=400):
    if n:
        deep(seconds, n - 1)
    else:
        burn(time.process_time, seconds)


def sleeps(seconds):
    for _ in range(10):
        time.sleep(seconds / 10)  # sleeps's line


def feeds(front, seconds):
    for _ in range(10):
        time.sleep(seconds / 10)
        os.write(front, b"x")
    os._exit(0)


def reads(seconds):
    back, front = os.pipe()
    if os.fork() == 0:
        feeds(front, seconds)
    for _ in range(10):
        os.read(back, 1)  # reads's line


def forks(seconds):
    if os.fork() == 0:
        burn(time.process_time, seconds)
        os._exit(0)
    os.wait()


def text(seconds):
    exec(f"import time\ndef within():\n\tburn(time.process_time, {seconds})\nwithin()", {"burn": burn})


def floats(seconds):
    values = [number * 1.1 for number in range(3000)]
    end = time.process_time() + seconds
    while time.process_time() < end:
        repr(values)  # floats's line


def calls(seconds):
    lost = ctypes.CDLL("./lost.so").lost
    end = time.process_time() + seconds
    while time.process_time() < end:
        lost(ctypes.c_long(3000000))  # calls's line


def key(number):
    for _ in range(40):
        number += number & 3
    return number  # key's end


def word(match):
    for _ in range(40):
        match.start()
    return "word"  # word's end


def add(one, other):
    for _ in range(40):
        one += other & 3
    return one  # add's end


def sorts(values):
    sorted(values, key=key)  # sorts's line


def fills(text):
    re.sub("a", word, text)  # fills's line


def folds(values):
    functools.reduce(add, values)  # folds's line


def backs(seconds):
    values, text = [number * 7919 % 20011 for number in range(20000)], "a" * 20000
    end = time.process_time() + seconds
    while time.process_time() < end:
        sorts(values)
        fills(text)
        folds(values)


globals()[sys.argv[1]](float(sys.argv[2]))
