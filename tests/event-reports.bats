#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Reports of events and consolidation, on a data set made of a synthetic session.

bats_require_minimum_version 1.5.0

load trace
load compiled

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
	"$VIGIL_BUILD/reports/test-listing" events dataset night.vprf
}

@test "a consolidated data set has the same figures, and no events" {
	run -0 --separate-stderr "$vigil" consolidate night.vprf
	[ -z "$output" ]
	[[ $stderr == "vigil: VIG6510I night.vprc: 1129 events in 18 records, "* ]]
	for report in EPS ELS ESS ETS ECR; do
		"$vigil" report -l 0 -r $report night.vprf >events
		"$vigil" report -l 0 -r $report night.vprc >sums
		diff events sums
		grep -q "^#$report" sums
	done
	run -0 "$vigil" report -r PRO night.vprc
	[[ $output == *"DATA SET HOLDS .............. CONSOLIDATED"* ]]
	[[ $output =~ "EVENTS IN THESE REPORTS ............ 1,129" ]]
	[[ $output =~ EVENT\ RECORDS\ \.+\ 0 ]]
	run -0 "$vigil" report -r PRO night.vprf
	[[ $output == *"DATA SET HOLDS .................... EVENTS"* ]]
}

@test "samples are kept as they are" {
	"$vigil" run -q -o samples.vprf -- sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done'
	run -8 "$vigil" consolidate samples.vprf
	[[ $output == *"VIG6511E cannot consolidate samples.vprf: samples.vprf has no events" ]]
	[ ! -e samples.vprc ]
	ls >left
	[ "$(wc -l <left)" -eq 3 ]
}

@test "what is there is replaced only when that is asked for" {
	echo precious >night.vprc
	run -8 "$vigil" consolidate night.vprf
	[[ $output == *"VIG6511E"*"night.vprc already exists; REPLACE was not specified" ]]
	[ "$(cat night.vprc)" = precious ]
	"$vigil" consolidate -q --replace night.vprf
	"$vigil" report -r EPS night.vprc | grep -q PAYTAX
	run -8 "$vigil" consolidate --replace -o again.vprc night.vprc
	[[ $output == *"night.vprc is consolidated already" ]]
	[ ! -e again.vprc ]
	run -8 "$vigil" consolidate --replace -o night.vprf night.vprf
	[[ $output == *"night.vprf is the data set to be consolidated" ]]
	"$vigil" report -r EPS night.vprf | grep -q PAYTAX
}

@test "a damaged data set is consolidated as far as it can be read" {
	head -c $(($(stat -c %s night.vprf) - 60)) night.vprf >cut.vprf
	run -4 "$vigil" consolidate cut.vprf
	[[ $output == *"VIG0014W cut.vprf is damaged: "* ]]
	"$vigil" report -r EPS cut.vprf >events || true
	"$vigil" report -r EPS cut.vprc >sums
	diff <(grep PAYTAX events) <(grep PAYTAX sums)
}

@test "a full disk leaves nothing" {
	run -8 bash -c "ulimit -f 0; '$vigil' consolidate night.vprf"
	[ ! -e night.vprc ]
	[ "$(ls)" = night.vprf ]
}

@test "wrong command lines" {
	run -2 "$vigil" consolidate
	[[ $output == *"consolidate needs a data set"* ]]
	run -2 "$vigil" consolidate -o x night.vprf night.vprf
	[[ $output == *"--output takes one data set"* ]]
	run -8 "$vigil" consolidate nothing.vprf
	[[ $output == *"VIG6511E cannot consolidate nothing.vprf: "*"No such file"* ]]
	[ ! -e nothing.vprc ]
}

@test "read prints the reports of events, and what is selected of them" {
	run -0 --separate-stderr "$vigil" read -l 0 night.vprf
	[ "$(grep -c '^#' <<<"$output")" -eq 5 ]
	[[ $output != *"#MSD"* ]]
	run -0 "$vigil" read -f csv -r evt --event D --program 'PAY*' night.vprf
	[ "$(grep -c ',DB,' <<<"$output")" -eq 40 ]
	[ "$(grep -c '^EVT,events,detail' <<<"$output")" -eq 80 ]
	run -0 "$vigil" read -f csv -r EVT --from 00:00:00.500 --to 59:59 night.vprf
	[ "$(grep -c '^EVT,events,detail' <<<"$output")" -eq 563 ]
	run -0 "$vigil" read -f csv -r EPS --sort name night.vprf
	[[ $output == *detail,.SESSION*detail,PAYROLL*detail,PAYTAX*detail,qsort* ]]
	run -0 "$vigil" report -f csv -r EPS --sort elapsed --program 'pay*' night.vprf
	[[ $output == *detail,PAYROLL*detail,PAYTAX* && $output != *qsort* ]]
}

@test "a consolidated data set has no trace, and a sampled one no events; both say so" {
	"$vigil" consolidate -q night.vprf
	run -0 "$vigil" read -r EVT,EPT night.vprc
	[ "$(grep -c '^VIG6504I' <<<"$output")" -eq 2 ]
	"$vigil" run -q -o samples.vprf -- sh -c 'i=0; while [ $i -lt 40000 ]; do i=$((i+1)); done'
	run -0 "$vigil" read samples.vprf
	[ "$(grep -c '^VIG6500I' <<<"$output")" -eq 5 ]
	run -0 "$vigil" report samples.vprf
	[[ $output == *"#PSU"* && $output != *"#EPS"* ]]
	run -0 "$vigil" report night.vprf
	[[ $output == *"VIG6501I"*"#EPS"* && $output != *"#PSU"* ]]
}

@test "what a session has not is said in one line of each report, with how it is asked for" {
	"$VIGIL_BUILD/reports/test-listing" payroll dataset samples.vprf
	run -0 "$vigil" read -l 0 -r EPS,ELS,ESS,ETS,ECR,EVT,EPT,ESL,PRO samples.vprf
	[ "$(grep -c '^VIG6500I the session has no events; FUNCTION=INIT of a PROFILER block requests them$' <<<"$output")" -eq 9 ]
	# A heading, its note, and nothing more.
	[ "$(grep -c . <<<"$output")" -eq $((2 + 9 * 2)) ]
	samples=TDA,RDD,WSS,WTM,DSC,IOF,PSU,MEP,PUP,ACE,ACW,CTR,TUS,TUC
	run -0 "$vigil" report -l 0 -r $samples night.vprf
	[ "$(grep -c '^VIG6509I the session has no samples; ADD requests them, with or without a PROFILER block$' <<<"$output")" -eq 14 ]
	[ "$(grep -c . <<<"$output")" -eq $((2 + 14 * 2)) ]
	# The session's own data has no count of samples: each would be 0.
	run -0 "$vigil" report -f csv -r MSD night.vprf
	[[ $output == *"VIG6501I the session was asked for events and took no samples, which ADD requests: "* ]]
	[[ $output == *",session_ns,2000000000"* ]]
	[[ $output != *measurement_statistics* ]]
	[[ $output != *input_output* ]]
	[[ $output != *samples_taken* ]]
	run -0 "$vigil" report -f csv -r MSD samples.vprf
	[[ $output == *measurement_statistics*samples_taken*input_output* ]]
}

@test "reports of events end with a column of notes in CSV, all of them; EVT has the paragraph in all forms" {
	for code in EPS ELS ESS ETS ECR EVT EPT ESL PRO; do
		run -0 "$vigil" read -f csv -r $code night.vprf
		[[ ${lines[0]} == report,table,row,*,note ]]
	done
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	compiled "$COBC" -x -ftraceall -o EVENTS "$VIGIL_SOURCE/tests/programs/EVENTS.cob"
	"$vigil" run -q -o x.vprf -c PROFILER -c FUNCTION=INIT,EVENT=PP -c FUNCTION=START -c END-PROFILER -- ./EVENTS >/dev/null
	run -0 "$vigil" read -l 0 -r EVT x.vprf
	[ "$(grep -cE ' PP +1 EVENTS +WORK-PARA-APH +15( |$)' <<<"$output")" -eq 1009 ]
	[ "$(grep -cE ' PP +1 EVENTS +MAIN-SECTION +8( |$)' <<<"$output")" -eq 1 ]
	run -0 "$vigil" read -f csv -r EVT x.vprf
	[ "$(grep -c ',PP,1,EVENTS,[^,]*,WORK-PARAGRAPH,' <<<"$output")" -eq 1009 ]
}

@test "a program that tells no statements has no empty summary of them" {
	command -v gcc >/dev/null || skip "no C compiler"
	echo 'static int f(int n) { return n + 1; } int main(void) { return f(1) - 2; }' >one.c
	gcc -O0 -finstrument-functions -o one one.c
	"$vigil" run -q -o x.vprf -c PROFILER -c FUNCTION=INIT,EVENT=ALL,STATEMENT=ON -c FUNCTION=START -c END-PROFILER -- ./one
	run -0 "$vigil" read -l 0 -r ESS x.vprf
	[[ $output == *"VIG6512I there are no statement events; STATEMENT=ON requests them, and COBOL programs"* ]]
	[[ $output != *TOTALS* ]]
	# The selection is empty, but the data set is not.
	run -0 "$vigil" read -l 0 -r ESS --program NOBODY night.vprf
	[[ $output == *TOTALS* ]]
	[[ $output != *VIG6512I* ]]
}

@test "selections that are none" {
	run -2 "$vigil" read
	[[ $output == *"read needs a data set"* ]]
	run -2 "$vigil" read --sort size night.vprf
	[[ $output == *"--sort takes name, hits, cpu, elapsed, database or percent, not 'size'"* ]]
	run -2 "$vigil" read --event PS,XY night.vprf
	[[ $output == *"not 'PS,XY'"* ]]
	for time in 1:2:3:4 00:61 x 1:x -1; do
		run -2 "$vigil" read --from "$time" night.vprf
		[[ $output == *"--from takes a time (HH:MM:SS), not '$time'"* ]]
	done
	run -2 "$vigil" read --from 10 --to 5 night.vprf
	[[ $output == *"--from is not before --to"* ]]
}

@test "colours on a terminal only, unless they are asked for" {
	run -0 "$vigil" read -r ESL night.vprf
	[[ $output != *$'\e['* ]]
	run -0 "$vigil" read -r ESL --color always night.vprf
	[[ $output == *$'\e[1;31m'*$'\e[0m'* ]]
	run -2 "$vigil" read -r ESL --color yes night.vprf
	[[ $output == *"--color takes auto, always or never, not 'yes'"* ]]
	command -v script >/dev/null || skip "the script command is not there"
	VIGIL_PAGER=cat TERM=xterm NO_COLOR='' script -qec "'$vigil' read -r ESL night.vprf" /dev/null >coloured </dev/null
	grep -q $'\e\\[1;31m' coloured
	VIGIL_PAGER=cat TERM=xterm NO_COLOR=1 script -qec "'$vigil' read -r ESL night.vprf" /dev/null >plain </dev/null
	grep -q 'EVENT SOURCE LISTING' plain
	run -1 grep -q $'\e\\[1;31m' plain
}

# xprof NAME KEYWORDS: measures the program that calls three subprograms.
xprof() {
	[ -e xprof ] || {
		cp "$VIGIL_SOURCE/tests/programs/xprof.cob" .
		"$COBC" -x -ftraceall -o xprof xprof.cob
	}
	"$vigil" run -q -o "$1" -c PROFILER -c "FUNCTION=INIT$2" -c FILTER=EVENT,EVENT=ALL,STATEMENT=ON -c FUNCTION=START \
		-c END-PROFILER -- ./xprof >/dev/null
}

# counts FILE: program, starts, statements and events of each, ordered by name.
counts() {
	"$vigil" read -f csv -r EPS --sort name --program 'XSUB*' "$1" | awk -F, '/detail/ { print $4, $8, $9, $10 }'
}

# fact FILE NAME: a value of the properties and statistics.
fact() {
	"$vigil" read -f csv -r PRO "$1" | awk -F, -v name="$2" '$4 == name && !seen++ { print $5 }'
}

@test "a real program: consolidated while collecting, and afterwards" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	xprof events.vprf
	xprof sums.vprf ,CONSOLIDATE=ON
	counts events.vprf >events
	counts sums.vprf >sums
	diff events sums
	[[ $(head -1 events) == "XSUB1 400 "* && $(wc -l <events) -eq 3 ]]
	[ "$(fact sums.vprf form)" = CONSOLIDATED ]
	[ "$(fact sums.vprf events)" -eq "$(fact events.vprf events)" ]
	[ "$(fact sums.vprf events_kept)" -eq 0 ]
	"$vigil" consolidate -q events.vprf
	for report in EPS ELS ESS ETS ECR ESL; do
		diff <("$vigil" read -l 0 -r $report events.vprf) <("$vigil" read -l 0 -r $report events.vprc)
	done
	# The source has the name given to the compiler; it is also found next to the program.
	mkdir elsewhere
	cd elsewhere
	run -0 "$vigil" read -l 0 -r ELS ../events.vprf
	[[ $output == *"COMPUTE D ROUNDED"* ]]
	cd ..
	run -0 "$vigil" read -f csv -r EPT --program XSUB3 events.vprf
	[ "$(grep -c ',PT,' <<<"$output")" -eq 400 ]
}

@test "a real program, sampled: at most one event an interval, and the others are counted" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	xprof events.vprf
	xprof sampled.vprf ,SAMPLING=ON,INTERVAL=100
	kept=$(fact sampled.vprf events)
	[ "$kept" -gt 0 ]
	[ $((kept + $(fact sampled.vprf sampled_out))) -eq "$(fact events.vprf events)" ]
	[ "$(fact sampled.vprf sampled_out)" -gt 0 ]
	run -0 "$vigil" read -r PRO sampled.vprf
	[[ $output =~ SAMPLING\ INTERVAL,\ MS\ \.+\ 0\.100 ]]
	[[ $output == *"VIG6503I the events were sampled"* ]]
	[[ $output == *"FILTERS  FILTER=EVENT STATEMENT=ON"* ]]
	run -0 "$vigil" read -r PRO events.vprf
	[[ $output != *VIG6503I* ]]
	# At most one per interval, one held back at the end, and those of the session, and of each task's end.
	[ "$kept" -le $(($(fact sampled.vprf cpu_ns) / 100000 + 10)) ]
}

# Two samples of where the program's CPU time is, if all events are taken as the reference: each kept event represents
# an interval, and falls to a subprogram with that subprogram's share p, independently of the others. 4.9 standard
# deviations of the share in kept events, and 1 percent for what recording events costs in the one run and not in the
# other. The subprograms have 20, 30 and 50 percent of the work: events kept without regard to time would have the
# shares of statements.
# bats test_tags=slow
@test "a real program, sampled: the same shares of CPU time" {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	xprof events.vprf
	xprof sampled.vprf ,SAMPLING=ON,INTERVAL=100
	kept=$(fact sampled.vprf events)
	shares() {
		"$vigil" read -f csv -r EPS --sort name --program 'XSUB*' "$1" | awk -F, '/detail/ { print $12 }'
	}
	paste <(shares events.vprf) <(shares sampled.vprf) | awk -v kept="$kept" '
		{ away = $1 > $2 ? $1 - $2 : $2 - $1
		  if (away > 1 + 490 * sqrt($1 / 100 * (1 - $1 / 100) / kept)) { print; bad = 1 } }
		END { exit bad || NR != 3 }'
}

# Each function of the program reports what it used between its first and its last reading of its CPU clock, and main
# what passed around its calls: what the events say is between these, by the same clock, minus the cost of recording
# them (2 us per call; 100).
@test "times and starts of functions beside gprof and the program's own clock" {
	command -v gcc >/dev/null || skip "no C compiler"
	source=$VIGIL_SOURCE/tests/programs/bracket.c
	for flags in -finstrument-functions "-pg -mfentry" -pg; do
		# shellcheck disable=SC2086
		gcc -O1 -g $flags -o bracket "$source"
		"$vigil" run -q -o shares.vprf -c PROFILER -c FUNCTION=INIT -c FILTER=PROGRAM -c PROGRAM=half -c FILTER=PROGRAM \
			-c PROGRAM=third -c FILTER=PROGRAM -c PROGRAM=fifth -c FUNCTION=START -c END-PROFILER -- ./bracket 300 >told
		"$vigil" read -f csv -r EPS shares.vprf | awk -F, '$3 == "detail" && $7 == "function" { print $4, $8, $11 }' | sort >found
		# name, calls, ns within, ns around; then name, calls, ns of the events. The begin of a call is exact
		# except for the time that the thread was off the processor since the last reading of its CPU time, at
		# most 100 us.
		sort told | join - found | awk '{ if ($2 != $5 || $6 < $3 - 1e5 * $2 || $6 > $4) { print "wrong:", $0; bad = 1 } }
			END { exit bad || NR != 3 }' || {
			cat told found
			return 1
		}
	done
	command -v gprof >/dev/null || skip "gprof is not installed"
	./bracket 300 >told
	gprof -b -p ./bracket gmon.out | awk '$NF ~ /^(half|third|fifth)$/ { print $NF, $4 }' | sort >calls
	diff calls <(cut -d" " -f1,2 found)
}
