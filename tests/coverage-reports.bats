#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Reports and exports of coverage, on data sets made of synthetic sessions.

bats_require_minimum_version 1.5.0

load trace

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
	"$VIGIL_BUILD/reports/test-listing" coverage dataset night.vcvf
}

# totals FILE: statements, executed, lines, lines executed at all, from the program report.
totals() {
	"$vigil" read -f csv -r CPS "$1" | python3 -c '
import csv, sys
rows = list(csv.DictReader(sys.stdin))
total = [row for row in rows if row["row"] == "total" and row["table"] == "coverage_programs"][0]
print(total["statements"], total["statements_executed"], total["lines"], int(total["lines_executed"]) + int(total["lines_partly"]))'
}

@test "read prints the reports of coverage where there is coverage, and no others" {
	run -0 --separate-stderr "$vigil" read -l 0 night.vcvf
	[ "$(grep '^#' <<<"$output" | cut -c 1-4 | tr '\n' ' ')" = "#PRO #CPS #CST " ]
	run -0 "$vigil" report -l 0 night.vcvf
	[ "$(grep '^#' <<<"$output" | cut -c 1-4 | tr '\n' ' ')" = "#MSD #PRO #CPS #CST #TLX " ]
	[[ $output == *"VIG6501I the session was asked for coverage and took no samples"* ]]
	"$VIGIL_BUILD/reports/test-listing" events dataset events.vprf
	run -0 "$vigil" read -l 0 events.vprf
	[[ $output == *"#EPS"* && $output != *"#CPS"* ]]
	run -0 "$vigil" read -r CPS events.vprf
	[[ $output == *"VIG6520I the session has no coverage; COVERAGE=ON of FUNCTION=INIT requests it"* ]]
}

@test "all forms have the same figures, and say what they are worth" {
	[ "$(totals night.vcvf)" = "34 20 33 20" ]
	run -0 "$vigil" read -r CPS night.vcvf
	[[ $output =~ TOTALS\ +34\ +20\ +58.82\ +33\ +16\ +4\ +13\ +60.61\ +11\ +2\ +18\ +11 ]]
	[[ $output == *"VIG6521I load.c was compiled with optimisation"* ]]
	[[ $output == *"VIG6522W save.c is covered in part: 2 of its 60 functions have no line information"* ]]
	[[ $output =~ PAYROLL\ +BAD-RECORD\ +/opt/pay/src/payroll.cob\ +140\ +8 ]]
	"$vigil" read -f json -r CPS,CST,CSL night.vcvf | python3 -c '
import json, sys
reports = {report["code"]: report for report in json.load(sys.stdin)["reports"]}
assert set(reports) == {"CPS", "CST", "CSL"}, reports.keys()'
}

@test "neighbouring lines that were missed are one row, or many with --all" {
	run -0 "$vigil" read -f csv -r CST night.vcvf
	[[ $output == *",140,147,MISSED,0,8,0,0,0,0,0,BAD-RECORD,"* ]]
	run -0 "$vigil" read -a -f csv -r CST night.vcvf
	[ "$(grep -c ',MISSED,.*,BAD-RECORD,DISPLAY' <<<"$output")" -eq 7 ]
}

@test "programs and lines are selected and sorted" {
	run -0 "$vigil" read -l 0 -r CPS --program 'pay*' night.vcvf
	[[ $output == *"SELECTED PROGRAM=pay*"* ]]
	[[ $output =~ TOTALS\ +21\ +11 ]]
	run -0 "$vigil" read -f csv -r CPS --below 50.5 --sort percent night.vcvf
	[[ $output == *coverage_programs,detail,*PAYROLL,*coverage_programs,detail,*save.c* ]]
	[[ $output != *load.c* ]]
	run -0 "$vigil" read -f csv -r CPS --sort hits night.vcvf
	[[ $output == *detail,*load.c*detail,*PAYTAX*detail,*save.c* ]]
	run -0 "$vigil" read -f csv -r CST --missed night.vcvf
	[ "$(grep -c 'EXECUTED' <<<"$output")" -eq 0 ]
	[ "$(grep -c ',PARTLY,' <<<"$output")" -eq 4 ]
	run -0 "$vigil" read -r CPS,CST --program NOBODY night.vcvf
	[ "$(grep -c 'VIG6527I nothing that has coverage was selected' <<<"$output")" -eq 2 ]
	run -2 "$vigil" read --below much night.vcvf
	run -2 "$vigil" read --sort size night.vcvf
}

@test "sources are listed with what was executed; what is not there or newer is said" {
	"$VIGIL_BUILD/reports/test-listing" odd-paths dataset odd.vcvf
	run -0 "$vigil" read -l 0 -r CSL odd.vcvf
	[[ $output == *"VIG6525I src/main.c cannot be read: its lines are shown without text"* ]]
	mkdir src
	printf 'int main(void) { return 0; }\n/* behind */\n' >src/main.c
	run -0 "$vigil" read -l 0 -r CSL --program main.c odd.vcvf
	[[ $output =~ "1 EXECUTED            1    1    1    1    1    1    1 int main(void) { return 0; }" ]]
	[[ $output == *"      2 "*" /* behind */"* ]]
	[[ $output == *"VIG6524W src/main.c was changed after the session had begun: its lines may not be those that were executed"* ]]
	touch -d '2025-01-01 12:00' src/main.c
	run -0 "$vigil" read -l 0 -r CSL --program main.c odd.vcvf
	[[ $output == *"int main(void)"* && $output != *"VIG6524W"* ]]
	for i in $(seq 40); do echo "line $i"; done >nested.cob
	run -0 "$vigil" read -l 0 -r CSL --program INNER --missed odd.vcvf
	[[ $output != *"SOURCE nested.cob"* ]]
	run -0 "$vigil" read -l 0 -r CSL --program INNER odd.vcvf
	[[ $output =~ "30 EXECUTED            4    1    1    0    0    0    0 line 30" ]]
	[ "$(grep -c ' line [0-9]*$' <<<"$output")" -eq 40 ]
}

@test "colours on a terminal only, unless they are asked for" {
	run -0 "$vigil" read -r CSL night.vcvf
	[[ $output != *$'\e['* ]]
	run -0 "$vigil" read -r CSL --color always night.vcvf
	[[ $output == *$'\n\e[32m    120 EXECUTED'* && $output == *$'\e[33m    122 PARTLY'* && $output == *$'\e[1;31m    140 MISSED'* ]]
	command -v script >/dev/null || skip "the script command is not there"
	VIGIL_PAGER=cat TERM=xterm NO_COLOR='' script -qec "'$vigil' read -r CSL night.vcvf" /dev/null >coloured </dev/null
	grep -q $'\e\\[1;31m' coloured
	VIGIL_PAGER=cat TERM=xterm NO_COLOR=1 script -qec "'$vigil' read -r CSL night.vcvf" /dev/null >plain </dev/null
	grep -q 'COVERAGE SOURCE LISTING' plain
	run -1 grep -q $'\e\\[1;31m' plain
}

@test "FUNCTION=READ of a resource prints, selects and exports" {
	mkdir -p data/profiles
	cp night.vcvf data/profiles/NIGHT.vcvf
	run -0 "$vigil" control <<-'EOF2'
		PROFILER
		FUNCTION=READ
		RESOURCE=NIGHT
		END-PROFILER
	EOF2
	[[ $output == *"#CPS"*"#CST"* && $output != *"#EPS"* ]]
	run -0 "$vigil" control <<-'EOF2'
		PROFILER
		FUNCTION=READ
		RESOURCE=NIGHT,REPORT=(CPS,CST),SORT=PERCENT,MISSED=ON,BELOW=50.5
		FORMAT=CSV,EXPORT='missed.csv'
		END-PROFILER
	EOF2
	"$vigil" read -f csv -r CPS,CST --sort percent --missed --below 50.5 night.vcvf >expected
	diff expected missed.csv
	grep -q ',PARTLY,' missed.csv
}

@test "lcov reads the tracefile, with the counts of the report; genhtml makes pages" {
	command -v lcov >/dev/null || skip "lcov is not installed"
	command -v genhtml >/dev/null || skip "genhtml is not installed"
	run -0 --separate-stderr "$vigil" export lcov -o night.info night.vcvf
	[ -z "$output" ]
	[ "$stderr" = "vigil: VIG6531I night.info: 20 of 32 lines of 6 sources were executed" ]
	run -0 lcov --rc lcov_branch_coverage=1 --summary night.info
	[[ $output == *"lines......: 62.5% (20 of 32 lines)"* ]]
	[[ $output == *"functions..: 80.0% (8 of 10 functions)"* ]]
	[[ $output == *"branches...: 71.4% (5 of 7 branches)"* ]]
	run -0 genhtml --ignore-errors source --branch-coverage -o pages night.info
	[[ $output == *"lines......: 62.5% (20 of 32 lines)"* ]]
	grep -q 'BAD-RECORD' pages/src/payroll.cob.func.html
}

@test "two sessions are merged in an export" {
	command -v lcov >/dev/null || skip "lcov is not installed"
	cp night.vcvf again.vcvf
	"$vigil" export lcov -q -o both.info night.vcvf again.vcvf
	grep -qx 'DA:121,82' both.info
	grep -qx 'DA:14,2' both.info
	run -0 lcov --summary both.info
	[[ $output == *"lines......: 62.5% (20 of 32 lines)"* ]]
}

@test "the Cobertura report is valid and has the counts of the tracefile" {
	command -v xmllint >/dev/null || skip "xmllint is not installed"
	for session in coverage odd-paths; do
		"$VIGIL_BUILD/reports/test-listing" $session dataset $session.vcvf
		"$vigil" export cobertura $session.vcvf >$session.xml
		xmllint --noout --nonet --dtdvalid "$VIGIL_SOURCE/tests/cobertura.dtd" $session.xml
		"$vigil" export lcov $session.vcvf >$session.info
		python3 - $session.xml $session.info <<-'EOF2'
			import sys, xml.etree.ElementTree as tree
			root = tree.parse(sys.argv[1]).getroot()
			source = root.find("sources/source").text
			xml, info, name = {}, {}, None
			for one in root.iter("class"):
			    path = one.get("filename") if source == "." else source + "/" + one.get("filename")
			    assert path not in xml, path
			    xml[path] = {int(line.get("number")): int(line.get("hits")) for line in one.findall("lines/line")}
			    inside = {int(line.get("number")) for line in one.findall("methods/method/lines/line")}
			    assert inside <= set(xml[path])
			for line in open(sys.argv[2], encoding="utf-8"):
			    kind, _, rest = line.rstrip("\n").partition(":")
			    if kind == "SF":
			        name = info.setdefault(rest, {})
			    if kind == "DA":
			        number, count = rest.split(",")
			        name[int(number)] = int(count)
			assert xml == info, (xml, info)
			hit = sum(1 for lines in xml.values() for count in lines.values() if count)
			assert int(root.get("lines-covered")) == hit
			assert int(root.get("lines-valid")) == sum(map(len, xml.values()))
		EOF2
	done
}

@test "gcovr reads the Cobertura report" {
	command -v gcovr >/dev/null || skip "gcovr is not installed"
	gcovr --help | grep -q -e --cobertura-add-tracefile || skip "this gcovr reads no Cobertura reports (8.0 and later do)"
	"$vigil" export cobertura -q -o night.xml night.vcvf
	gcovr --root / --cobertura-add-tracefile night.xml --json-summary summary.json
	python3 -c '
import json
summary = json.load(open("summary.json"))
assert summary["line_covered"] == 20 and summary["line_total"] == 32, summary'
}

@test "an export is written whole or not at all" {
	echo precious >night.info
	run -8 bash -c "ulimit -f 0; '$vigil' export lcov -o night.info night.vcvf"
	[[ $output == *"VIG0031E"* ]]
	[ "$(cat night.info)" = precious ]
	[ "$(ls | tr '\n' ' ')" = "night.info night.vcvf " ]
	run -2 "$vigil" export lcov -o night.vcvf night.vcvf
	[[ $output == *"--output would overwrite night.vcvf, which is an input"* ]]
	"$vigil" export lcov -q -o night.info night.vcvf
	grep -q '^end_of_record' night.info
	run -8 bash -c "'$vigil' export lcov night.vcvf >/dev/full"
}

@test "a data set that is damaged, or has no coverage" {
	"$VIGIL_BUILD/reports/test-listing" events dataset events.vprf
	run -8 "$vigil" export lcov -o none.info events.vprf
	[[ $output == *"VIG6530W events.vprf has no coverage"*"VIG6532E there is no coverage to export"* ]]
	[ ! -e none.info ]
	run -4 --separate-stderr "$vigil" export lcov events.vprf night.vcvf
	[ "$(grep -c '^end_of_record' <<<"$output")" -eq 6 ]
	head -c $(($(stat -c %s night.vcvf) - 60)) night.vcvf >cut.vcvf
	run -4 --separate-stderr "$vigil" export cobertura cut.vcvf
	[[ $stderr == *"VIG0014W cut.vcvf is damaged: "* ]]
	[[ $output == *payroll.cob*"</coverage>" && $output != *save.c* ]]
	run -8 "$vigil" export lcov -o none.info nothing.vcvf
	[[ $output == *"VIG0030E"* ]]
	[ ! -e none.info ]
}

@test "wrong command lines" {
	run -2 "$vigil" export
	[[ $output == *"export needs a form and a data set (FILE.vprf, of coverage FILE.vcvf); the forms are"*lcov*cobertura* ]]
	run -2 "$vigil" export gcov night.vcvf
	[[ $output == *"unknown form 'gcov'; the forms are"*lcov* ]]
	run -2 "$vigil" export lcov
	[[ $output == *"export needs a form"* ]]
}

# covered NAME PROGRAM ARG...: runs a session with coverage of a program.
covered() {
	local to=$1
	shift
	"$vigil" run -q -o "$to" -c PROFILER -c FUNCTION=INIT,COVERAGE=ON -c FUNCTION=START -c END-PROFILER -- "$@" >/dev/null
}

# Sources in several folders, with blanks, commas and markup in their names, and functions with the same name.
write_sources() {
	mkdir -p "pay & roll" inc
	cat >"pay & roll/größe, <it's>.c" <<-'EOF2'
		#include "../inc/money.h"
		#include <stdio.h>
		#include <stdlib.h>
		int helper(int v);
		static int never(int v)
		{
			return v * 2;
		}
		static int pick(int v)
		{
			if (v > 10) return never(v);
			return v > 5 ? v + 1 : v - 1;
		}
		int main(int argc, char **argv)
		{
			int sum = argc > 1 ? atoi(argv[1]) : 0;
			for (int i = 0; i < 5; i++)
				sum += pick(sum) + helper(i);
			printf("%d %d\n", sum, cents(sum));
			return 0;
		}
	EOF2
	cat >inc/money.h <<-'EOF2'
		static inline int cents(int v)
		{
			if (v < 0)
				return -1;
			return v / 100;
		}
	EOF2
	cat >helper.c <<-'EOF2'
		#include "inc/money.h"
		static int pick(int v)
		{
			return v & 1;
		}
		int helper(int v)
		{
			return pick(v) ? 1 : cents(v);
		}
	EOF2
}

@test "a program of several folders: what was executed, exported and read by lcov and genhtml" {
	write_sources
	gcc -g -O0 -o calc "pay & roll/größe, <it's>.c" helper.c
	covered calc.vcvf ./calc
	[ "$("$vigil" read -f csv -r CPS calc.vcvf | grep -c 'coverage_programs,detail,')" -eq 2 ]
	"$vigil" export lcov -q -o calc.info calc.vcvf
	# The header is one file, by whatever path it was included.
	[ "$(grep '^SF:' calc.info | LC_ALL=C sort)" = "$(printf 'SF:%s\n' "$PWD/helper.c" "$PWD/inc/money.h" "$PWD/pay & roll/größe, <it's>.c")" ]
	# Each function once: "pick" of two programs is two.
	[ "$(grep -c '^FN:.*,pick$' calc.info)" -eq 2 ]
	grep -qx 'FNDA:0,never' calc.info
	if command -v lcov >/dev/null && command -v genhtml >/dev/null; then
		expected=$("$vigil" read -f csv -r CSL calc.vcvf | python3 -c '
import csv, sys
rows = [row for row in csv.DictReader(sys.stdin) if row["row"] == "detail" and row["state"]]
print("%d of %d lines" % (sum(1 for row in rows if row["state"] != "MISSED"), len(rows)))')
		run -0 lcov --rc lcov_branch_coverage=1 --summary calc.info
		[[ $output == *"($expected)"* ]]
		run -0 genhtml --branch-coverage -o pages calc.info
		[[ $output == *"($expected)"* ]]
		find pages -name "größe, <it's>.c.gcov.html" -exec cat {} + | grep -q 'return v \* 2'
	fi
	if command -v xmllint >/dev/null; then
		"$vigil" export cobertura -q -o calc.xml calc.vcvf
		xmllint --noout --nonet --dtdvalid "$VIGIL_SOURCE/tests/cobertura.dtd" calc.xml
		[ "$(xmllint --nonet --xpath 'string(/coverage/sources/source)' calc.xml)" = "$PWD" ]
	fi
}

@test "two runs that go two ways are merged: together they executed what either did" {
	write_sources
	gcc -g -O0 -o calc "pay & roll/größe, <it's>.c" helper.c
	covered low.vcvf ./calc
	covered high.vcvf ./calc 100
	for run in low high; do
		"$vigil" export lcov -q -o $run.info $run.vcvf
		grep -A99 'SF:.*größe' $run.info | sed -n 's/^DA:\([0-9]*\),[12]$/\1/p' >$run
	done
	run -1 diff low high
	"$vigil" export lcov -q -o both.info low.vcvf high.vcvf
	grep -A99 'SF:.*größe' both.info | sed -n 's/^DA:\([0-9]*\),[12]$/\1/p' >both
	diff both <(sort -nu low high)
	grep -qx 'DA:7,1' both.info
	# The same as for a data set that was merged before.
	"$vigil" consolidate -q -o both.vcvf low.vcvf high.vcvf
	"$vigil" export lcov -q -o same.info both.vcvf
	diff <(sed 's/^TN:.*/TN:/' both.info) <(sed 's/^TN:.*/TN:/' same.info)
	grep -qx 'DA:7,0' low.info
}

@test "gcov says the same of the lines that both know" {
	command -v gcovr >/dev/null || skip "gcovr is not installed"
	write_sources
	gcc -g -O0 -o calc "pay & roll/größe, <it's>.c" helper.c
	covered calc.vcvf ./calc
	"$vigil" export cobertura -q -o calc.xml calc.vcvf
	gcc -g -O0 --coverage -o counted "pay & roll/größe, <it's>.c" helper.c
	./counted >/dev/null
	gcovr --root . --json counted.json . >/dev/null
	python3 - <<-'EOF2'
		import json, os, xml.etree.ElementTree as tree
		root = tree.parse("calc.xml").getroot()
		ours = {one.get("filename"): {int(line.get("number")): int(line.get("hits")) > 0 for line in one.findall("lines/line")}
		        for one in root.iter("class")}
		theirs = {}
		for file in json.load(open("counted.json"))["files"]:
		    lines = theirs.setdefault(os.path.normpath(file["file"]), {})
		    for line in file["lines"]:
		        if not line.get("gcovr/noncode"):
		            lines[line["line_number"]] = lines.get(line["line_number"], False) or line["count"] > 0
		assert set(ours) == set(theirs), (set(ours), set(theirs))
		for name in ours:
		    both = set(ours[name]) & set(theirs[name])
		    # They differ in where a function begins and ends only.
		    assert len(both) >= len(theirs[name]) / 2, (name, ours[name], theirs[name])
		    assert {number: ours[name][number] for number in both} == {number: theirs[name][number] for number in both}, name
	EOF2
}

@test "paragraphs are functions, a copybook is a file of its own" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	mkdir copy
	cat >copy/rates.cpy <<-'EOF2'
		           IF GRADE > 3
		               COMPUTE TAX = PAY * 0.4
		           ELSE
		               COMPUTE TAX = PAY * 0.2
		           END-IF.
	EOF2
	cat >pay.cob <<-'EOF2'
		       IDENTIFICATION DIVISION.
		       PROGRAM-ID. PAY.
		       DATA DIVISION.
		       WORKING-STORAGE SECTION.
		       01  GRADE PIC 9 VALUE 1.
		       01  PAY   PIC 9(5) VALUE 1000.
		       01  TAX   PIC 9(5).
		       PROCEDURE DIVISION.
		       MAIN-PARA.
		           PERFORM TAXES 3 TIMES.
		           IF TAX > 9000 DISPLAY "MUCH" ELSE DISPLAY TAX.
		           STOP RUN.
		       TAXES.
		           COPY rates.
		           ADD 1 TO PAY.
		       NEVER-PARA.
		           DISPLAY "NEVER".
	EOF2
	"$COBC" -x -g -I copy -o pay pay.cob
	covered pay.vcvf ./pay
	run -0 "$vigil" read -l 0 -r CSL pay.vcvf
	[[ $output == *"2 MISSED              0    1    0    "*"COMPUTE TAX = PAY * 0.4"* ]]
	[[ $output == *"4 EXECUTED            1    1    1    "*"COMPUTE TAX = PAY * 0.2"* ]]
	[[ $output == *"11 PARTLY              1 "* ]]
	run -0 "$vigil" read -f csv -r CPS pay.vcvf
	[[ $output == *"coverage_never,detail,"*NEVER-PARA* ]]
	"$vigil" export lcov -q -o pay.info pay.vcvf
	grep -qx 'FNDA:0,NEVER-PARA' pay.info
	grep -qx 'FNDA:1,TAXES' pay.info
	[ "$(grep -c '^SF:.*/copy/rates.cpy$' pay.info)" -eq 1 ]
	run -0 "$vigil" export cobertura pay.vcvf
	[[ $output == *'<method name="NEVER-PARA" signature="" line-rate="0.0000"'* ]]
	[[ $output == *'filename="copy/rates.cpy"'* ]]
}

@test "a source that is newer than its program, or gone, is said" {
	printf 'int main(void)\n{\n\treturn 0;\n}\n' >tiny.c
	gcc -g -O0 -o tiny tiny.c
	touch -d '3 days ago' tiny.c
	touch -d '2 days ago' tiny
	covered tiny.vcvf ./tiny
	run -0 "$vigil" read -l 0 -r CSL tiny.vcvf
	output=$(tr -s " \n" " " <<<"$output") # messages are broken where lines end
	[[ $output == *"return 0;"* && $output != *"VIG652"* ]]
	touch -d '1 day ago' tiny.c
	run -0 "$vigil" read -l 0 -r CSL tiny.vcvf
	output=$(tr -s " \n" " " <<<"$output") # messages are broken where lines end
	[[ $output == *"VIG6524W $PWD/tiny.c was changed after its program was compiled: its lines may not be those"* ]]
	touch -d '1 day' tiny.c
	run -0 "$vigil" read -l 0 -r CSL tiny.vcvf
	output=$(tr -s " \n" " " <<<"$output") # messages are broken where lines end
	[[ $output == *"VIG6524W $PWD/tiny.c was changed after the session had begun: its lines may not be those"* ]]
	rm tiny.c
	run -0 "$vigil" read -l 0 -r CSL tiny.vcvf
	output=$(tr -s " \n" " " <<<"$output") # messages are broken where lines end
	[[ $output == *"VIG6525I $PWD/tiny.c cannot be read: its lines are shown without text"* ]]
	# A note reports that a program was compiled with optimization.
	printf '#include <stdio.h>\nint main(int argc, char **argv)\n{\n\tfor (int i = 0; i < argc; i++)\n\t\tputs(argv[i]);\n\treturn 0;\n}\n' >fast.c
	gcc -g -O2 -o fast fast.c
	covered fast.vcvf ./fast
	run -0 "$vigil" read -l 0 -r CPS fast.vcvf
	[[ $output == *"VIG6521I fast.c was compiled with optimisation"* ]]
	[[ $output =~ fast.c\ .*\ O$'\n' ]]
}
