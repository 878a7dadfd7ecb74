# SPDX-License-Identifier: Apache-2.0
"""script.py WHAT [N]: Python functions whose calls and lines tests count."""
import os
import sys


def leaf():
    pass


def calls(count):
    for _ in range(count):
        leaf()


def fib(number):
    if number < 2:
        return number
    return fib(number - 1) + fib(number - 2)


def counter(count):
    for number in range(count):
        yield number


def forever():
    try:
        while True:  # ends when nobody asks for more
            yield 1
    finally:
        leaf()


def thrower(depth):
    if depth:
        thrower(depth - 1)
    else:
        raise ValueError(depth)


async def step():
    leaf()


async def steps(count):
    import asyncio

    for _ in range(count):
        await asyncio.sleep(0)
        await step()


def callback(value):
    leaf()
    return value


class Box:
    def method(self):
        def inner():
            return 1

        return inner()

    def __del__(self):
        leaf()


def generators(count):
    sum(counter(count))
    first = forever()
    next(first)
    next(first)
    first.close()
    second = forever()
    next(second)
    try:
        second.throw(ValueError)
    except ValueError:
        pass


def exceptions(count):
    for _ in range(count):
        try:
            thrower(2)
        except ValueError:
            pass
    leaf()


def threads(count):
    import _thread
    import threading

    made = [threading.Thread(target=calls, args=(100,)) for _ in range(count)]
    for one in made:
        one.start()
    for one in made:
        one.join()
    ended = threading.Event()

    def bare():
        calls(100)
        ended.set()

    _thread.start_new_thread(bare, ())
    ended.wait()


def processes(count, way):
    import multiprocessing

    context = multiprocessing.get_context(way)
    made = [context.Process(target=calls, args=(7,)) for _ in range(count)]
    for one in made:
        one.start()
    for one in made:
        one.join()


def forks(count):
    for _ in range(count):
        child = os.fork()
        if not child:
            calls(3)
            os._exit(0)
        os.waitpid(child, 0)


def profiled(count):
    import cProfile
    import pstats

    profile = cProfile.Profile()
    profile.enable()
    calls(count)
    profile.disable()
    stats = pstats.Stats(profile).stats
    print([value[0] for key, value in stats.items() if key[2] == "leaf"])
    calls(count)


def traced(count):
    told = [0]

    def trace(frame, event, _):
        if event == "call" and frame.f_code.co_name == "leaf":
            told[0] += 1
        return trace

    sys.settrace(trace)
    calls(count)
    sys.settrace(None)
    print(told)
    calls(count)


def both(count):
    sys.setprofile(lambda frame, event, argument: None)
    sys.settrace(lambda frame, event, argument: None)
    calls(count)


def database(count):
    import sqlite3

    connection = sqlite3.connect(":memory:")
    connection.create_function("f", 1, callback)
    connection.execute("create table t (v)")
    connection.executemany("insert into t values (?)", [(i,) for i in range(count)])
    print(connection.execute("select sum(f(v)) from t").fetchall())


def boxes(count):
    for _ in range(count):
        Box().method()


def interpreters(count):
    try:
        import _xxsubinterpreters as module
    except ImportError:
        import _interpreters as module
    other = module.create()
    module.run_string(other, f"def inside():\n    pass\nfor _ in range({count}):\n    inside()\n")
    module.destroy(other)
    calls(count)


def another(count):
    calls(count)
    os.execv(sys.executable, [sys.executable, "-c", "def then():\n    pass\nthen()\nthen()"])


def made(count):
    """Code objects that come and go, at addresses that are used again."""
    for number in range(count):
        names = {}
        exec(f"def made_{number % 10}():\n    pass\nmade_{number % 10}()", names)


def deep(depth):
    return deep(depth - 1) + 1 if depth else 0


def deeper(depth):
    import threading

    one = threading.Thread(target=calls, args=(1,))
    one.start()
    one.join()
    sys.setrecursionlimit(depth + 100)
    print(deep(depth))


def heavy():
    began = time.thread_time_ns()
    total = 0
    for number in range(300000):
        total += number * number % 7
    return time.thread_time_ns() - began


def light():
    began = time.thread_time_ns()
    total = 0
    for number in range(100000):
        total += number * number % 7
    return time.thread_time_ns() - began


def shares(count):
    """Prints each function, its calls, and the ns of CPU time from its first look at the clock to its last, and around its calls."""
    global time
    import time

    for function in (heavy, light):
        within = around = 0
        for _ in range(count):
            began = time.thread_time_ns()
            within += function()
            around += time.thread_time_ns() - began
        print(function.__name__, count, within, around)


def main():
    what = sys.argv[1]
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    if what == "fib":
        fib(count)
    elif what == "async":
        import asyncio

        asyncio.run(steps(count))
    elif what == "processes":
        processes(count, sys.argv[3])
    elif what == "exit":
        calls(count)
        os._exit(3)
    elif what == "kill":
        calls(count)
        os.kill(os.getpid(), 9)
    else:
        globals()[what](count)


if __name__ == "__main__":
    main()
