#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The history: what measured steps record at their end, trends, tonight compared with earlier nights, and the effect
# of a damaged history on a night.

bats_require_minimum_version 1.5.0
load trace
load jobs
load ordinary
load waiting
load background

setup() {
	in_own_folder
	unset VIGIL_HISTORY VIGIL_ROOT
	# It is evening, so that no night ends meanwhile: nights last from noon to noon.
	TZ=NOW$((10#$(date -u +%H) - 18))
	export TZ
	program WORK <<<'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	program NAP <<<'sleep 1'
	program FAIL <<<'kill -SEGV $$'
}

teardown() {
	background_end
	for pid in $started; do kill -9 "$pid" 2>/dev/null || true; done
	ordinary_end
}

# sql STATEMENT: its rows, read by an SQLite reader other than vigil's.
sql() {
	python3 -c 'import sqlite3, sys
for row in sqlite3.connect("root.history/history.db", isolation_level=None).execute(sys.argv[1]): print("|".join(str(one) for one in row))' "$1"
}

# deck PROGRAM: a job PAY with one step CALC.
deck() {
	printf '//PAY JOB\n//CALC EXEC PGM=%s\n' "$1" >deck.jcl
}

# nights NUMBER ELAPSED_MS [PROGRAM]: adds this many nights of step CALC before tonight to the history, a run each.
nights() {
	python3 - "$@" <<'PY'
import sqlite3, sys, time
count, elapsed, program = int(sys.argv[1]), int(sys.argv[2]) * 10**6, sys.argv[3] if len(sys.argv) > 3 else "NAP"
base = sqlite3.connect("root.history/history.db")
for night in range(count, 0, -1):
    began = int((time.time() - 86400 * night) * 1e9)
    job = base.execute("INSERT INTO job(name, number, submit, host, spool, ending, started, ended) VALUES('PAY', 'JOB00001', 'x', 'x', '/x', 'ENDED', ?, ?)", (began, began + elapsed)).lastrowid
    step = base.execute("INSERT INTO step(job_id, job, label, step, procstep, program, abend, code, started, ended, elapsed, cpu, wait, calls, bytes, peak, measured, samples, margin,"
        "finding, data_set, page, differs, change, nights, difference) VALUES(?, 'PAY', 'CALC', 'CALC', '', ?, '', 0, ?, ?, ?, ?, ?, 9, 9, NULL, 1, 100, 9.8, '', '/x', '', 0, NULL, 0, '')",
        (job, program, began, began + elapsed, elapsed + night % 3 * 10**5, elapsed // 2, elapsed // 2)).lastrowid
    base.execute("INSERT INTO procedure VALUES(?, 0, 'CALC-TAX', 'calc.cob', ?, ?, 1000)", (step, 50 + night, elapsed // 2))
base.commit()
PY
}

@test "a measured step leaves all its figures; the steps beside it what the system counts" {
	printf '//PAY JOB\n//CALC EXEC PGM=WORK\n//VIGIL DD *\n  ADD PAY\n  REPORT FORMAT=HTML\n/*\n//REST EXEC PGM=NAP\n' >deck.jcl
	job deck.jcl
	[ "$status" -eq 0 ]
	hasnt VIG6850
	[ "$(sql 'SELECT name, number, ending, ended > started FROM job')" = "PAY|JOB00001|ENDED|1" ]
	[ "$(sql 'SELECT job, label, program, code, measured FROM step ORDER BY id')" = "PAY|CALC|WORK|0|1
PAY|REST|NAP|0|0" ]
	[ "$(sql 'SELECT elapsed >= 1000000000, wait IS NULL, data_set FROM step WHERE label = "REST"')" = "1|1|" ]
	# The profile's figures, obtained in another way.
	"$vigil" report --format json --report MSD,PUP "$last/CALC.vprf" >report.json
	[ "$(sql 'SELECT data_set, page FROM step WHERE measured')" = "$(realpath "$last")/CALC.vprf|$(realpath "$last")/CALC.VIGPROF.html" ]
	python3 - <<'PY'
import json, sqlite3
base = sqlite3.connect("root.history/history.db")
text = open("report.json").read()
report = json.loads(text)["reports"]
facts = report[0]["facts"]
flat = {}
def walk(one):
    if isinstance(one, dict):
        for key, value in one.items():
            walk(value) if isinstance(value, (dict, list)) else flat.setdefault(key, value)
    elif isinstance(one, list):
        for value in one: walk(value)
walk(facts)
samples, cpu, calls, moved, wait = base.execute("SELECT samples, cpu, calls, bytes, wait FROM step WHERE measured").fetchone()
assert samples == flat["samples_processed"], (samples, flat)
assert moved == (flat["moved_bytes"] or 0), flat
kinds = base.execute("SELECT total(time) FROM wait WHERE step = 1").fetchone()[0]
assert abs(kinds - wait) < 1, (kinds, wait)
rows = [row for table in report[1]["tables"] for row in table["rows"] if row["row"] == "total"]
kept = base.execute("SELECT total(samples), total(cpu) FROM procedure WHERE step = 1").fetchone()
# Procedures have the CPU time of their samples, as the listing; that of the step is the system's count.
assert 0 < kept[0] <= samples and 0 < kept[1] <= flat["cpu_samples_ns"], (kept, samples, flat)
assert cpu == flat["cpu_rusage_ns"], (cpu, flat)
PY
}

@test "no history is made without a measured step, nor with OFF; one that is there gets every job" {
	deck WORK
	job deck.jcl
	[ "$status" -eq 0 ]
	[ ! -e root.history ]
	job --measure --history OFF deck.jcl
	[ ! -e root.history ]
	[ ! -e OFF ]
	job --measure --history elsewhere deck.jcl
	[ -f elsewhere/history.db ]
	[ ! -e root.history ]
	VIGIL_HISTORY=$PWD/third job --measure deck.jcl
	[ -f third/history.db ]
	job --measure deck.jcl
	job deck.jcl
	[ "$(sql 'SELECT measured FROM step ORDER BY id')" = "1
0" ]
	[ "$(stat -c %a root.history root.history/history.db)" = "700
600" ]
}

@test "tonight beyond the scatter of five nights is said in the log and in the report; within it nothing is" {
	deck NAP
	job --measure deck.jcl
	hasnt VIG6851
	sql 'DELETE FROM step' >/dev/null
	nights 4 20
	job --measure deck.jcl
	hasnt VIG6851
	# The minimum number; the night just run is tonight.
	nights 5 20
	job --measure deck.jcl
	elapsed=$(sql 'SELECT elapsed FROM step ORDER BY id DESC LIMIT 1')
	[ "$elapsed" -ge 1000000000 ]
	has "VIG6851W step CALC took more than on its last 5 nights: elapsed time $(python3 -c 'import sys; print("%.2f" % (int(sys.argv[1]) / 1e9))' "$elapsed") s, "
	has 's more than the median of 0.02 s (0.02 s to 0.02 s)'
	has 'waits for SLEEP +'
	[ "$(sql 'SELECT differs, nights FROM step ORDER BY id DESC LIMIT 1')" = "1|5" ]
	run -0 "$vigil" history --root root pay calc
	has 'VIG6851W step CALC took more than on its last 5 nights'
	run -0 "$vigil" history --root root --format json pay calc
	[ "$(python3 -c 'import json, sys; rows = json.load(sys.stdin)["reports"][0]["tables"][0]["rows"]; print(len(rows), rows[-1]["differs"], rows[-1]["runs"])' <<<"$output")" = "6 + 2" ]
	# Another program under the same name, and one that abends, are not compared.
	deck WORK
	job --measure deck.jcl
	hasnt VIG685
	deck FAIL
	job --measure deck.jcl
	hasnt VIG685
	# Much less is reported as well.
	nights 9 90000 WORK
	deck WORK
	job --measure deck.jcl
	has 'VIG6852I step CALC took less than on its last 9 nights'
}

@test "the trend of a step and of a procedure: a row a night with a line, in all forms" {
	deck WORK
	job --measure deck.jcl
	sql 'DELETE FROM step' >/dev/null
	nights 40 1000
	run -0 "$vigil" history --root root PAY CALC
	[ "$(grep -cE '^20[0-9-]{8} +1 0000 +00.01.00 .*[*]' <<<"$output")" -eq 30 ]
	run -0 "$vigil" history --root root --nights 3 --procedure calc-tax PAY CALC
	[ "$(grep -cE '^20[0-9-]{8} +1 0000 .* 100\.00 +5[123] ' <<<"$output")" -eq 3 ]
	run -0 "$vigil" history --root root --figure calls PAY CALC
	has 'The line shows reads and writes, from 9 to 9'
	run -0 "$vigil" history --root root --format csv PAY CALC
	[ "$(grep -c ',PAY,CALC,20' <<<"$output")" -eq 30 ]
	run -0 "$vigil" history --root root --format json PAY CALC
	python3 -c 'import json, sys; rows = json.load(sys.stdin)["reports"][0]["tables"][0]["rows"]
assert [r["night"] for r in rows] == sorted(r["night"] for r in rows) and len(rows) == 30 and "line" not in rows[0], rows' <<<"$output"
	run -0 "$vigil" history --root root
	has 'PAY      CALC              NAP                   40      40'
	run -8 "$vigil" history --root root PAY OTHER
	has 'VIG6854E step OTHER of job PAY is not in the history'
	run -8 "$vigil" history --root root --procedure NONE PAY CALC
	has VIG6854E
	run -8 "$vigil" history --root nothing
	has 'VIG6853E there is no history in nothing.history'
	run -2 "$vigil" history --figure elapsd PAY CALC
	run -2 "$vigil" history --procedure X
}

@test "the page of a trend draws a line for each figure, and each point leads to its night's profile" {
	command -v chromium >/dev/null || skip "there is no chromium"
	[ "$(id -u)" -eq 0 ] || [ -n "$DISPLAY" ] || [ -w "$HOME" ] || skip "a browser needs a home"
	printf '//PAY JOB\n//CALC EXEC PGM=WORK\n//VIGIL DD *\n  ADD PAY\n  REPORT FORMAT=HTML\n/*\n' >deck.jcl
	job deck.jcl
	nights 7 100 WORK
	"$vigil" history --root root --format html -o trend.html PAY CALC
	"$vigil" history --root root --format json -o trend.json PAY CALC
	python3 "$VIGIL_SOURCE/tests/history-page.py" trend "$(realpath "$last")/CALC.VIGPROF.html"
}

@test "age and number bound the history, the sums stay, and the file gets smaller" {
	deck WORK
	job --measure deck.jcl
	nights 300 1000
	before=$(stat -c %s root.history/history.db)
	run -0 "$vigil" history --root root --keep-days 200
	has 'VIG6856I the history keeps steps for 200 days, and 100000 of them at most'
	run -0 "$vigil" history --root root --keep-steps 50
	has 'for 200 days, and 50 of them'
	[ "$(sql 'SELECT count(*) FROM step')" -eq 50 ]
	[ "$(sql 'SELECT count(*) FROM procedure WHERE step NOT IN (SELECT id FROM step)')" -eq 0 ]
	[ "$(stat -c %s root.history/history.db)" -lt "$before" ]
	run -0 "$vigil" history --root root --format json
	[ "$(python3 -c 'import json, sys; r = json.load(sys.stdin)["reports"][0]["tables"][0]["rows"][0]; print(r["runs"], r["kept"])' <<<"$output")" = "301 50" ]
	# The next job continues this without the option.
	job --measure deck.jcl
	[ "$(sql 'SELECT count(*) FROM step')" -eq 50 ]
	run -2 "$vigil" history --root root --keep-days 0
}

@test "a history that is locked, damaged, of another version or open to others: a message, and the job is as ever" {
	deck WORK
	job --measure deck.jcl
	sql 'PRAGMA user_version = 9' >/dev/null
	job --measure deck.jcl
	[ "$status" -eq 0 ]
	has 'VIG6850W the history cannot be written, so this job is not in it'
	has 'has format 9'
	has 'VIG5305I step CALC was measured'
	run -8 "$vigil" history --root root
	has 'VIG6855E the history cannot be used'
	echo 'no database' >root.history/history.db
	job --measure deck.jcl
	[ "$status" -eq 0 ]
	[ "$(grep -c VIG6850W <<<"$output")" -eq 1 ]
	has damaged
	rm root.history/history.db
	chmod 777 root.history
	job --measure deck.jcl
	[ "$status" -eq 0 ]
	has VIG6850W
	[ ! -e root.history/history.db ]
	chmod 700 root.history
	job --measure deck.jcl
	hasnt VIG6850W
}

@test "a history that others have is tried again at the job's end, and nothing is lost" {
	deck WORK
	job --measure deck.jcl
	# The step after the measured one releases it, when the measured one has found it locked.
	program HELD <<<"touch '$PWD/go'; for _ in \$(seq 600); do [ -e '$PWD/held' ] || break; sleep 0.05; done"
	printf '//PAY JOB\n//CALC EXEC PGM=WORK\n//WAIT EXEC PGM=HELD\n' >deck.jcl
	cat >hold.py <<'PY'
import os, sqlite3, time
base = sqlite3.connect("root.history/history.db", isolation_level=None)
base.execute("BEGIN EXCLUSIVE")
open("held", "w").close()
while not os.path.exists("go"): time.sleep(0.02)
base.execute("ROLLBACK")
os.unlink("held")
PY
	background python3 hold.py
	started=$!
	wait_for test -e held
	job --measure=CALC deck.jcl
	[ "$status" -eq 0 ]
	hasnt VIG6850W
	[ "$(sql 'SELECT label, measured FROM step ORDER BY id')" = "CALC|1
CALC|1
WAIT|0" ]
}

# bats test_tags=as:root
@test "a full disk costs the history and nothing else" {
	[ "$(id -u)" -eq 0 ] || skip "only root can make a small file system"
	mkdir small
	mount -t tmpfs -o size=64k,mode=700 vigil small 2>/dev/null || skip "nothing can be mounted here"
	deck WORK
	job --measure --history small/h deck.jcl
	first=$status
	head -c 60000 /dev/zero >small/filler || true
	head -c 60000 /dev/zero >>small/filler || true
	job --measure --history small/h deck.jcl
	umount small
	[ "$first" -eq 0 ]
	[ "$status" -eq 0 ]
	has VIG6850W
	has 'VIG5305I step CALC was measured'
}

@test "many jobs at once, one of them killed, leave whole steps" {
	deck WORK
	job --measure deck.jcl
	mkdir out
	for i in 1 2 3; do
		background "$vigil" submit --measure --spool "spool$i" --root root --steplib bin deck.jcl >"out/$i" 2>&1
		started="$started $!"
	done
	printf '//PAY JOB\n//CALC EXEC PGM=NAP\n' >nap.jcl
	background "$vigil" submit --measure --spool spool9 --root root --steplib bin nap.jcl >out/9 2>&1
	killed=$!
	started="$started $killed"
	wait_for grep -q VIG5010I out/9
	kill -9 "$killed"
	for pid in $started; do wait "$pid" || true; done
	run -1 grep VIG6850 out/1 out/2 out/3
	[ "$(sql "SELECT count(*) FROM step WHERE program = 'WORK'")" -eq 4 ]
	[ "$(sql 'SELECT count(*) FROM step LEFT JOIN job ON job.id = job_id WHERE job.id IS NULL')" -eq 0 ]
	[ "$(sql 'PRAGMA integrity_check')" = ok ]
}

@test "an ordinary user has a history of his own" {
	ordinary_folder
	mkdir bin
	program WORK <<<'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	printf '//PAY JOB\n//CALC EXEC PGM=WORK\n' >deck.jcl
	run "${ordinary[@]}" "$vigil" submit --measure --spool spool --root root --steplib bin deck.jcl
	[ "$status" -eq 0 ]
	hasnt VIG6850
	[ "$(stat -c %a root.history)" = 700 ]
	run -0 "${ordinary[@]}" "$vigil" history --root root PAY CALC
	has 'JOB PAY   STEP CALC'
}
