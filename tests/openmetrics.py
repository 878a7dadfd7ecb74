#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
# openmetrics.py parse FILE [JSON]: reads OpenMetrics text with the parsers of Prometheus, and compares it with the
# newest records of a JSON file of the same collection. 77: the parsers are not installed. openmetrics.py port PORT
# FILE: checks that a port replies only on the loopback interface, with text that a parser reads, and that silent or
# slow clients do not delay the collection, which writes a JSON file meanwhile.
import http.client
import json
import socket
import sys
import time


def samples(text, parse):
    """What a parser finds: name and labels to value; no two alike."""
    found = {}
    for family in parse(text):
        for sample in family.samples:
            key = sample.name + json.dumps(sorted(sample.labels.items()))
            assert key not in found, key
            found[key] = sample.value
    return found


def key(sample, /, **labels):
    return sample + json.dumps(sorted(labels.items()))


def parse(path, live=None):
    try:
        from prometheus_client import parser
        from prometheus_client.openmetrics import parser as open_parser
    except ImportError:
        sys.exit(77)
    with open(path, encoding="utf-8") as file:
        text = file.read()
    found = samples(text, open_parser.text_string_to_metric_families)
    assert found == samples(text, parser.text_string_to_metric_families)
    assert len(found) > 20, len(found)
    if not live:
        return
    with open(live, encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    last = max(record["snapshot"] for record in records if record["record"] == "mem")
    compared = 0
    for record in records:
        items = record["items"]
        if record["snapshot"] != last:
            continue
        if record["record"] == "cpu":
            value = found[key("vigil_cpu_user_seconds_total", number=str(items["number"]))]
            assert abs(value - items["user"] / 1e9) < 1e-6, (value, items["user"])
            compared += 1
        elif record["record"] == "mem":
            assert found[key("vigil_mem_available_bytes")] == items["available"]
            assert found[key("vigil_mem_total_bytes")] == items["total"]
            compared += 1
        elif record["record"] == "nti" and items["bytes_received"] is not None:
            value = found[key("vigil_nti_bytes_received_bytes_total", name=items["name"])]
            assert value == items["bytes_received"]
            compared += 1
    assert compared >= 2, compared
    assert found[key("vigil_snapshots_total")] == last


def listeners(port):
    """The addresses on which somebody listens on a port."""
    found = []
    for name in ("tcp", "tcp6"):
        try:
            with open("/proc/net/" + name, encoding="ascii") as file:
                rows = [line.split() for line in file][1:]
        except OSError:
            continue
        found += [row[1].split(":")[0] for row in rows if row[3] == "0A" and int(row[1].split(":")[1], 16) == port]
    return found


def ask(port, method="GET", path="/metrics"):
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    connection.request(method, path)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, answer.getheader("Content-Type"), body


def snapshots(path):
    with open(path, encoding="utf-8") as file:
        return sum('"record":"own"' in line for line in file)


def serve(port, path):
    assert listeners(port) == ["0100007F"], listeners(port)
    while ask(port)[0] == 503:
        time.sleep(0.05)
    status, kind, body = ask(port)
    assert status == 200 and kind.startswith("application/openmetrics-text; version=1.0.0"), (status, kind)
    assert body.endswith(b"# EOF\n") and b"vigil_mem_available_bytes " in body
    assert ask(port, "HEAD")[::2] == (200, b"")
    assert ask(port, path="/")[0] == 404
    assert ask(port, "POST")[0] == 405
    # The maximum number of clients and more: silent ones, ones with half a request, and ones that request all and
    # read nothing.
    clients = []
    for number in range(24):
        client = socket.socket()
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect(("127.0.0.1", port))
        client.send((b"", b"GET /met", b"GET /metrics HTTP/1.1\r\nHost: x\r\n\r\n" * 50)[number % 3])
        clients.append(client)
    before = snapshots(path)
    end = time.monotonic() + 20
    while snapshots(path) < before + 3:
        assert time.monotonic() < end, "the collection stands still"
        time.sleep(0.05)
    for client in clients:
        client.close()
    assert ask(port)[0] == 200


if sys.argv[1] == "parse":
    parse(*sys.argv[2:])
else:
    serve(int(sys.argv[2]), sys.argv[3])
