# SPDX-License-Identifier: Apache-2.0
"""The forms of the report of a night compared with each other and with the history's file: night.json, night.csv, night.html and night.txt of the
current folder. Exit 0 when all is as it should be."""
import csv
import json
import re
import sqlite3

with open("night.json", encoding="utf-8") as file:
    report = json.load(file)["reports"][0]
tables = {table["table"]: table["rows"] for table in report["tables"]}
base = sqlite3.connect("root.history/history.db")

# Every step that ran is listed, with its amounts.
steps = [row for row in tables["steps"] if row["row"] == "detail"]
kept = base.execute("SELECT job, label, elapsed, cpu, started FROM step ORDER BY started, id").fetchall()
assert [(row["job"], row["step"], row["elapsed_ns"], row["cpu_ns"], row["started_ns"]) for row in steps] == kept, (steps, kept)
assert [row[:2] for row in kept if row[0] == "MAKE"] == [("MAKE", "FIRST"), ("MAKE", "SECOND"), ("MAKE", "THIRD")]

# The path: from the begin of MAKE, through the data set, to the end of the job that ended last.
path = [row for row in tables["critical_path"] if row["row"] == "detail"]
ended = base.execute("SELECT max(ended) FROM job").fetchone()[0]
began = base.execute("SELECT started FROM job WHERE name = 'MAKE'").fetchone()[0]
assert sum(row["elapsed_ns"] for row in path) == ended - began, (path, ended - began)
assert abs(sum(row["path_percent"] for row in path) - 100) < 1e-6
names = [(row["job"], row["step"]) for row in path if row["step"]]
assert names == [("MAKE", "FIRST"), ("MAKE", "SECOND"), ("USE", "READ"), ("USE", "AFTER"), ("TAIL", "END")], names
assert tables["matters"][0]["step"] == "AFTER" and tables["matters"][0]["why"].startswith("abend S0C4"), tables["matters"]
wait = tables["job_waits"][0]
assert (wait["job"], wait["data_set"], wait["holder"], wait["holder_step"]) == ("USE", "A.B", "MAKE", "SECOND"), wait

# CSV has the same rows, HTML and the listing the same steps.
with open("night.csv", encoding="utf-8", newline="") as file:
    lines = list(csv.DictReader(file))
for name, rows in tables.items():
    found = [line for line in lines if line["table"] == name]
    assert len(found) == len(rows), name
    for line, row in zip(found, rows):
        for key, value in row.items():
            if isinstance(value, int):
                assert line[key] == str(value), (name, key, line, row)
            elif isinstance(value, str) and key != "row":
                assert line[key].lstrip("'") == value.lstrip("'"), (name, key, line, row)
with open("night.html", encoding="utf-8") as file:
    page = file.read()
for name, rows in tables.items():
    body = re.search(r"<table data-t=%s>.*?</table>" % name, page, re.S).group(0)
    assert body.count("<tr") - body.split("<tbody>")[0].count("<tr") == len(rows), name
with open("night.txt", encoding="utf-8") as file:
    text = file.read()
for row in steps:
    assert re.search(r"^%s +%s +%s " % (row["job"], row["step"], row["program"]), text, re.M), row
