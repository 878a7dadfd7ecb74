#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# A page of HTML: written completely or not at all, small, requested in all ways; and what it shows in a headless
# Chromium (page.py, one browser for all).

# bats file_tags=file:600
bats_require_minimum_version 1.5.0

load trace

setup_file() {
	local name
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_FILE_TMPDIR" || return 1
	for name in payroll threads names database activity events coverage many nothing empty python hostile; do
		"$VIGIL_BUILD/reports/test-listing" $name dataset $name.vprf
	done
	cp "$VIGIL_SOURCE/tests/programs/spin.c" .
	${CC:-gcc} -g -O1 -o spin spin.c
	"$vigil" run -q -o measured.vprf -- ./spin >/dev/null
	for name in *.vprf; do
		"$vigil" report -f html -o "${name%.vprf}.html" "$name"
		"$vigil" report -f json -o "${name%.vprf}.json" "$name"
	done
	mkdir results
	if command -v chromium >/dev/null && command -v python3 >/dev/null; then
		python3 "$VIGIL_SOURCE/tests/page.py" . results
	fi
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
}

# shown CHECK: the result of page.py.
shown() {
	command -v chromium >/dev/null || skip "chromium is not installed"
	command -v python3 >/dev/null || skip "python3 is not installed"
	cat "$BATS_FILE_TMPDIR/results/$1"
	[ "$(cat "$BATS_FILE_TMPDIR/results/$1")" = ok ]
}

@test "tables have every row and value of the JSON report" { shown tables; }
@test "no view complains, and nothing is asked of a network" { shown clean; }
@test "names of any bytes are only read" { shown inert; }
@test "flame graphs have the totals of the reports, by thread, by transaction, inverted" { shown flames; }
@test "the inverted flame graph has what all stacks come to, and of very many deep ones the heaviest" { shown inverted; }
@test "waits by reason and data set are those of the report" { shown waits; }
@test "a part of the run: all views follow, and the parts come to the whole" { shown selection; }
@test "tables of reports follow a part of the run, row by row" { shown followed; }
@test "findings are those of the report; those of a part are made in the same way" { shown findings; }
@test "all can be done with the keyboard" { shown keyboard; }
@test "search, one procedure with its callers and callees, filters of rows" { shown views; }
@test "sources have what was spent at their lines" { shown source; }
@test "light and dark" { shown theme; }
@test "a screen reader is given names, heads and tables" { shown readable; }
@test "without scripts findings and tables can be read" { shown plain; }
@test "on paper stand all views" { shown printed; }

@test "one file, whole or not at all" {
	cp "$BATS_FILE_TMPDIR/payroll.vprf" .
	run -0 --separate-stderr "$vigil" report --format HTML payroll.vprf
	[[ $output == "<!DOCTYPE html>"*"</html>" ]]
	[ -z "$stderr" ]
	[ "$("$vigil" report -f html payroll.vprf | wc -c)" -lt 1000000 ]
	cp "$BATS_FILE_TMPDIR/threads.vprf" .
	run -2 "$vigil" report -f html payroll.vprf threads.vprf
	[[ $output == *"a page of HTML is of one session; give one file"* ]]
	run -2 "$vigil" report -f htm payroll.vprf
	[[ $output == *"expected text, csv, json, html, pdf, svg or png"* ]]
	if [ -w /dev/full ]; then
		run -8 "$vigil" report -f html -o /dev/full payroll.vprf
	fi
	echo before >page.html
	run ! bash -c 'ulimit -f 8; trap "" XFSZ; exec "$0" report -f html -o page.html payroll.vprf' "$vigil"
	[ "$(cat page.html)" = before ]
	[ "$(ls -A | grep -v separate-stderr)" = "$(printf '%s\n' page.html payroll.vprf threads.vprf)" ]
	head -c 3000 payroll.vprf >torn.vprf
	run -4 "$vigil" report -f html -o torn.html torn.vprf
	grep -q '<p class=warning role=status>.*INCOMPLETE' torn.html
	tail -c 20 torn.html | grep -q '</html>'
}

@test "only the reports that are named, and a report on monitor records" {
	run -0 "$vigil" report -f html -r PSU,PUP "$BATS_FILE_TMPDIR/payroll.vprf"
	[ "$(grep -o "class='view report' id=[A-Z]*" <<<"$output" | tr '\n' ' ')" = "class='view report' id=PSU class='view report' id=PUP " ]
	run -0 "$vigil" read -f html "$BATS_FILE_TMPDIR/events.vprf"
	[[ $output == *"id=EPS"* ]]
	command -v python3 >/dev/null || skip "python3 is not installed"
	python3 "$VIGIL_SOURCE/tests/monitor/synthetic-monwrite.py" make a.monwrite >/dev/null
	run -0 "$vigil" report -f html a.monwrite
	[[ $output == *"id=MON"* && $output != *"id=content"* && $output == *"</html>" ]]
}

@test "FORMAT=HTML in control statements: alone, in a step, for all jobs" {
	cp "$BATS_FILE_TMPDIR/payroll.vprf" .
	printf '%s\n' "REPORT INPUT='payroll.vprf',FORMAT=HTML,DSNAME='$PWD/page.html'" >report.ctl
	run -0 "$vigil" control report.ctl
	tail -c 20 page.html | grep -q '</html>'
	cmp page.html "$BATS_FILE_TMPDIR/payroll.html" || diff <(sed 's,<dd data-c=data_set>[^<]*,,' page.html) <(sed 's,<dd data-c=data_set>[^<]*,,' "$BATS_FILE_TMPDIR/payroll.html")
	run -8 "$vigil" control <(printf '%s\n' "REPORT INPUT='payroll.vprf',FORMAT=HTML,LINES=60")
	[[ $output == *"VIG2123E"* ]]
	printf '%s\n' '//PAGES JOB' '//CALC EXEC PGM=BPXBATCH,' "//  PARM='SH i=0; while [ \$i -lt 20000 ]; do i=\$((i+1)); done'" \
		'//VIGIL DD *' '  ADD PAGES' '  REPORT PAGES,FORMAT=HTML' '  REPORT PAGES,FORMAT=TEXT,REPORTS=MSD' \
		'  REPORT PAGES,FORMAT=HTML,REPORTS=PSU' '/*' >pages.jcl
	run -0 "$vigil" submit --spool spool --root data pages.jcl
	head -n 1 spool/JOB*PAGES/CALC.VIGPROF.html | grep -q '^<!DOCTYPE html>'
	grep -q '"cpuCells":\[[0-9]' spool/JOB*PAGES/CALC.VIGPROF.html
	[ "$(grep -c '<!DOCTYPE' spool/JOB*PAGES/CALC.VIGPROF.html)" = 1 ]
	grep -q "id=PSU" spool/JOB*PAGES/CALC.VIGPROF.2.html
	grep -q "MEASUREMENT SESSION DATA" spool/JOB*PAGES/CALC.VIGPROF
	run ! grep -q '<!DOCTYPE' spool/JOB*PAGES/CALC.VIGPROF
}
