#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Reading on a terminal: what fits its width, what comes first, the pager, colours; and that a pipe gets everything as
# before.

bats_require_minimum_version 1.5.0

load trace

setup_file() {
	command -v python3 >/dev/null || skip "python3 is not installed"
	cd "$BATS_FILE_TMPDIR" || return 1
	cat >shares.c <<'C'
#include <unistd.h>
static volatile unsigned long sum;
static void a_function_with_a_name_that_is_longer_than_any_narrow_column(unsigned long n)
{
	for (unsigned long i = 0; i < n; i++) sum += i * i;
}
int main(void)
{
	a_function_with_a_name_that_is_longer_than_any_narrow_column(100000000);
	usleep(100000);
}
C
	cc -g -O1 -o shares shares.c || skip "no C compiler"
	"$VIGIL_BUILD/vigil" run -q -o x.vprf -- ./shares
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	data=$BATS_FILE_TMPDIR/x.vprf
	unset VIGIL_PAGER PAGER LESS NO_COLOR
	export TERM=xterm
}

# on COLUMNS COMMAND...: its output on a terminal of this many columns.
on() {
	python3 "$VIGIL_SOURCE/tests/terminal.py" "$@"
}

# plain: without colours.
plain() {
	sed 's/\x1b\[[0-9;]*m//g'
}

# widest: the columns of the longest line on standard input; a form feed does not count.
widest() {
	tr -d '\f' | awk '{ if (length > most) most = length } END { print most }'
}

# codes: the reports on standard input.
codes() {
	sed -n 's/^ *#\([A-Z][A-Z][A-Z]\) .*/\1/p' | tr '\n' ' '
}

@test "on a terminal: the first reports, a line about the others, no form feeds, the terminal's width" {
	export VIGIL_PAGER=cat
	for columns in 80 100; do
		on "$columns" "$vigil" report "$data" | plain >shown
		[ "$(codes <shown)" = "MSD WTM MEP " ]
		[ "$(widest <shown)" -le "$columns" ]
		run -1 grep -q "$(printf '\f')" shown
		[[ "$(tr -s '\n ' ' ' <shown)" == *"MORE REPORTS: TDA, RDD, "*"ACE, "*TLX*"-r all prints all, -r list describes them."* ]]
		# The most important columns are there.
		grep -Eq '^MODULE.* PROCEDURE .* LINE .*CHARGED' shown
		grep -Eq 'shares\.c.* a_func.* 5 .*[0-9]$' shown
	done
	# Two reports, all of them, or one procedure.
	[ "$(on 80 "$vigil" report -r PSU,WTM "$data" | plain | codes)" = "WTM PSU " ]
	on 132 "$vigil" report -r all "$data" | plain >all
	"$vigil" report "$data" >piped
	[ "$(codes <all)" = "$(codes <piped | tr ' ' '\n' | uniq | tr '\n' ' ' | sed 's/^ //')" ]
	run -1 grep -q "MORE REPORTS" all
	on 80 "$vigil" report --procedure main "$data" | plain >one
	[ "$(codes <one)" = "PRC " ]
}

@test "a pipe and a file have all reports in 132 columns and pages, as before" {
	"$vigil" report "$data" >piped
	"$vigil" report -o file "$data"
	cmp piped file
	grep -q "$(printf '\f')" piped
	grep -q '^#PSU' piped
	run -1 grep -q "MORE REPORTS" piped
	[ "$(widest <piped)" -gt 100 ]
	VIGIL_PAGER='sed s/^/paged:/' "$vigil" report "$data" | cmp - piped
	# From a terminal to a file, too.
	on 80 "$vigil" report -o other "$data"
	cmp piped other
	# Narrow lines on request, for any output.
	"$vigil" report --width 80 -r MSD,MEP,WTM,PSU "$data" >narrow
	[ "$(widest <narrow)" -le 80 ]
	run -2 "$vigil" report --width 59 "$data"
	run -2 "$vigil" report --width 133 "$data"
	"$vigil" report --width 132 "$data" | cmp - piped
	"$vigil" report --format csv --width 60 "$data" | cmp - <("$vigil" report --format csv "$data")
}

@test "every report of every kind fits 60, 80 and 100 columns, but for the time axis; columns that are shown are whole" {
	for columns in 60 80 100; do
		"$vigil" report --all -r all --lines 0 --width "$columns" "$data" >narrow
		awk -v most="$columns" '/^ *#/ { code = $1 } code != "#TDA" && length > most { print; bad = 1 } END { exit bad }' <(tr -d '\f' <narrow)
	done
	# The digits of a share are the same as in a pipe.
	charged=$("$vigil" report -f json -r MEP "$data" | python3 -c '
import json, sys
rows = [row for report in json.load(sys.stdin)["reports"] for table in report["tables"] for row in table["rows"]]
print(["%.2f" % row["cpu_charged_percent"] for row in rows if "cpu_charged_percent" in row and str(row.get("procedure")).startswith("a_function")][0])')
	"$vigil" report --width 80 -r MEP "$data" | grep -qE "a_func.* $charged\$"
}

@test "the pager: VIGIL_PAGER, PAGER, none; one that cannot be run, one that has seen enough" {
	VIGIL_PAGER='sed s/^/first:/' PAGER='sed s/^/second:/' on 80 "$vigil" report "$data" >shown
	grep -q '^first:.*VIGIL' shown
	PAGER='sed s/^/second:/' on 80 "$vigil" report "$data" >shown
	grep -q '^second:.*VIGIL' shown
	PAGER='sed s/^/second:/' on 80 "$vigil" report --no-pager "$data" >shown
	grep -q '^VIGIL' shown
	VIGIL_PAGER='' PAGER='sed s/^/second:/' on 80 "$vigil" report "$data" >shown
	grep -q '^VIGIL' shown
	# The default options of less.
	VIGIL_PAGER='echo "options:$LESS"; cat >/dev/null' on 80 "$vigil" report "$data" >shown
	grep -q '^options:FRSX' shown
	VIGIL_PAGER='no-such-pager-here' on 80 "$vigil" report "$data" >shown
	grep -q '^VIGIL' shown
	# Ending the pager early is no error.
	VIGIL_PAGER='head -1' run -0 on 80 "$vigil" report -r all "$data"
	[ "${#lines[@]}" -eq 1 ]
	VIGIL_PAGER='sed s/^/first:/' run -8 on 80 "$vigil" report no-such-file
	[[ $output == *"VIG0030E"* ]]
}

@test "colours: on a terminal, not with NO_COLOR, TERM=dumb or --color never" {
	export VIGIL_PAGER=cat
	coloured=$(printf '\033[1;31m')
	on 80 "$vigil" report "$data" | grep -qF "$coloured"
	on 80 "$vigil" report --color never "$data" >shown
	NO_COLOR=1 on 80 "$vigil" report "$data" >>shown
	TERM=dumb on 80 "$vigil" report "$data" >>shown
	"$vigil" report "$data" >>shown
	run -1 grep -qF "$(printf '\033')" shown
	"$vigil" report --color always "$data" | grep -qF "$coloured"
}

@test "the summary of run: what was measured how, within the terminal, and the command that reads the profile" {
	ln -s "$BATS_FILE_TMPDIR/shares" shares
	"$vigil" run -o "it's a b.vprf" -- ./shares 2>said
	grep -Eq '^CPU used   [0-9.]+ m?s: program [0-9.]+ %, kernel [0-9.]+ %$' said
	grep -Eq '^measured   [0-9,]+ samples.*, privilege (FULL|USER|PROC)$' said
	[ "$(tail -1 said)" = "read it    vigil report 'it'\\''s a b.vprf'" ]
	# It is a command that a shell accepts.
	PATH=$VIGIL_BUILD:$PATH sh -c "$(tail -1 said | sed 's/^read it *//')" >report
	grep -q '^#MSD' report
	"$vigil" run -o ./-x.vprf -- ./shares 2>said
	[ "$(tail -1 said)" = "read it    vigil report ./-x.vprf" ]
	on 50 "$vigil" run -o x.vprf -- ./shares >shown
	[ "$(widest <shown)" -le 50 ]
	[ "$(tail -1 shown)" = "read it    vigil report x.vprf" ]
}

@test "run: what the program shows on the terminal stands alone there; --progress has seconds and CPU time" {
	cat >slow.sh <<-'SH'
		printf beginning
		i=0
		while [ $i -lt 20000 ]; do i=$((i + 1)); done
		sleep 2
		echo ", and end"
	SH
	on 80 "$vigil" run -o x.vprf -- sh slow.sh >shown
	grep -qx "beginning, and end" shown
	run -1 grep -q "$(printf '\033')" shown
	on 80 "$vigil" run --progress -o x.vprf -- sh slow.sh >shown
	grep -Eaq 'vigil: [1-9] s, CPU [0-9]+\.[0-9] s, [0-9]+ samples' shown
	run -1 grep -a KB shown
	on 80 "$vigil" run --progress -q -o x.vprf -- sh slow.sh >shown
	run -1 grep -q "$(printf '\033')" shown
}

@test "the summary shortens names of C++: no versions of the library, arguments only where they tell rows apart" {
	cat >names.cpp <<-'CPP'
		#include <string>
		static volatile long total;
		template <class T, class U> __attribute__((noinline)) void alone(const std::basic_string<T> &text, U n)
		{
			for (U i = 0; i < n; i++) total += i * text[0];
		}
		template <class T> __attribute__((noinline)) void twice(T n)
		{
			for (T i = 0; i < n; i++) total += i;
		}
		int main()
		{
			alone(std::string("x"), 60000000L);
			twice(50000000L);
			twice(40000000);
		}
	CPP
	c++ -g -O1 -o names names.cpp || skip "no C++ compiler"
	"$vigil" run -o names.vprf -- ./names 2>said
	grep -q ' alone<\.\.> (names.cpp)' said
	grep -q ' twice<long> (names.cpp)' said
	grep -q ' twice<int> (names.cpp)' said
	run -1 grep -q __cxx11 said
	run -0 "$vigil" report -r MEP names.vprf
	[[ $output != *__cxx11* ]]
	"$vigil" report -r MEP -f csv names.vprf | grep -q __cxx11
}
