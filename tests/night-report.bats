#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The report of a night: one line per step, the steps that matter, jobs that waited for each other's data sets, the
# critical path.

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
	program FAIL <<<'kill -SEGV $$'
	# Runs until it is released.
	program HELD <<<"for _ in \$(seq 600); do [ -e '$PWD/go' ] && exit; sleep 0.05; done"
}

teardown() {
	background_end
	touch "$BATS_TEST_TMPDIR/go"
	for pid in $started; do wait "$pid" 2>/dev/null || true; done
	ordinary_end
}

# two_jobs: MAKE holds data set A.B until its second step has ended; USE waits for it, and then TAIL of the same
# submit runs.
two_jobs() {
	printf '//MAKE JOB\n//FIRST EXEC PGM=HELD\n//OUT DD DSN=A.B,DISP=(NEW,CATLG)\n//SECOND EXEC PGM=WORK\n//OUT DD DSN=A.B,DISP=OLD\n//THIRD EXEC PGM=WORK\n' >make.jcl
	printf '//USE JOB\n//READ EXEC PGM=WORK\n//IN DD DSN=A.B,DISP=OLD\n//AFTER EXEC PGM=FAIL\n' >use.jcl
	printf '//TAIL JOB\n//END EXEC PGM=LONG\n' >tail.jcl
	# MAKE ends before it.
	program LONG <<<"while ! grep -q 'job MAKE ended' '$PWD/make.log'; do sleep 0.05; done"
	background "$vigil" submit "$@" --spool one --root root --steplib bin make.jcl >make.log 2>&1
	started=$!
	wait_for grep -q 'step FIRST started' make.log
	background "$vigil" submit --measure --spool two --root root --steplib bin use.jcl tail.jcl >use.log 2>&1
	started="$started $!"
	wait_for grep -q VIG5050I use.log
	touch go
	for pid in $started; do wait "$pid" || true; done
	started=
}

@test "a night of two jobs, one of which waits for the other: every form says the same, and the path adds up" {
	two_jobs --measure
	run -0 "$vigil" night --root root --format json
	echo "$output" >night.json
	"$vigil" night --root root --format csv -o night.csv
	"$vigil" night --root root --format html -o night.html
	"$vigil" night --root root -o night.txt
	python3 "$VIGIL_SOURCE/tests/night-report.py"
	grep -q 'job MAKE held data set A.B until then' night.txt
	grep -q 'job USE ran before it in the same submit' night.txt
	grep -qE '^USE +[0-9:]{8} +[0-9.]+ A\.B +MAKE +SECOND' night.txt
	grep -qE '^USE +AFTER +FAIL .*abend S0C4' night.txt
	# The night by its name; another one has no steps.
	name=$(python3 -c 'import json; print(json.load(open("night.json"))["reports"][0]["facts"]["night"]["night"])')
	run -0 "$vigil" night --root root "$name"
	[ "$output" = "$(cat night.txt)" ]
	run -8 "$vigil" night --root root 1999-12-31
	has 'VIG6858E no job of the night of 1999-12-31 is in the history'
	run -2 "$vigil" night --root root yesterday
	run -2 "$vigil" night --root root 2026-02-30
	run -8 "$vigil" night --root nothing
	has VIG6853E
}

@test "steps that are not measured are in the report, too; what is not known of them is a dash" {
	printf '//PAY JOB\n//A EXEC PGM=WORK\n//B EXEC PGM=WORK\n' >deck.jcl
	job --measure=B deck.jcl
	run -0 "$vigil" night --root root
	grep -qE '^PAY +A +WORK +[0-9:]{8} 0000 +[0-9.]{8} +[0-9.]{8} +- +- ' <<<"$output"
	grep -qE '^PAY +B +WORK +[0-9:]{8} 0000 +[0-9.]{8} +[0-9.]{8} +[0-9.]{8} ' <<<"$output"
}

@test "a job whose vigil was killed is said to have no end, and counts up to its last step" {
	printf '//PAY JOB\n//A EXEC PGM=WORK\n//B EXEC PGM=HELD\n' >deck.jcl
	background "$vigil" submit --measure --spool spool --root root --steplib bin deck.jcl >log 2>&1
	started=$!
	wait_for grep -q 'step B started' log
	kill -9 "$started"
	wait "$started" || true
	touch go
	run -0 "$vigil" night --root root
	has 'VIG6857W job PAY (JOB00001) has no end'
	grep -qE '^[0-9:]{8} +[0-9.]+ +[0-9.]+ PAY +A +WORK' <<<"$output"
}

@test "a job that waits for one that no history knows: the path has the wait itself" {
	two_jobs --history OFF
	run -0 "$vigil" night --root root
	has 'waited for data set A.B, which no job in the history held'
	grep -qE '^USE +[0-9:]{8} +[0-9.]+ A\.B +-' <<<"$output"
}

@test "what differs from the last nights is in the line of the step, and the step matters" {
	printf '//PAY JOB\n//CALC EXEC PGM=NAP\n' >deck.jcl
	program NAP <<<'sleep 1'
	job --measure deck.jcl
	python3 - <<'PY'
import sqlite3
base = sqlite3.connect("root.history/history.db")
columns = [row[1] for row in base.execute("PRAGMA table_info(step)")][1:]
changed = {"started": "started - %d * 86400000000000", "ended": "started - %d * 86400000000000 + 20000000", "elapsed": "20000000 + %d * 1000", "wait": "9000000 + %d"}
for night in range(1, 9):
    base.execute("INSERT INTO step(%s) SELECT %s FROM step WHERE id = 1" % (", ".join(columns), ", ".join(changed[one] % night if one in changed else one for one in columns)))
base.execute("DELETE FROM step WHERE id = 1")
base.commit()
PY
	job --measure deck.jcl
	has 'VIG6851W step CALC took more than on its last 8 nights'
	run -0 "$vigil" night --root root
	grep -qE '^PAY +CALC +NAP +[0-9:]{8} 0000 .* [+]( |$)' <<<"$output"
	grep -qE '^PAY +CALC +NAP .*more than on its last nights: elapsed time' <<<"$output"
	run -0 "$vigil" night --root root --format json
	[ "$(python3 -c 'import json, sys
t = {t["table"]: t["rows"] for t in json.load(sys.stdin)["reports"][0]["tables"]}
row = [one for one in t["steps"] if one.get("differs") == "+"][0]; print(row["differs"], row["nights"], row["change_percent"] > 1000, t["matters"][0]["step"])' <<<"$output")" = "+ 8 True CALC" ]
}
