#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# TRACE=ON: a line for each event on standard output while collecting, and the statistics at the end.

bats_require_minimum_version 1.5.0

load trace
load jobs
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PWD/bin:$PATH
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	block=(-c PROFILER -c FUNCTION=INIT,TRACE=ON -c FILTER=EVENT,EVENT=ALL,STATEMENT=ON -c FUNCTION=START -c END-PROFILER)
	compiled "$COBC" -x -ftraceall -o bin/EVENTS "$VIGIL_SOURCE/tests/programs/EVENTS.cob"
}

teardown() {
	background_end
}

# same_as_report FILE DATA-SET: the trace in a file has the lines of the event trace of the data set.
same_as_report() {
	[ "$(grep '^#EVT ' "$1" | tail -n +2 | wc -l)" -eq "$(vigil read -f csv -r EVT "$2" | grep -c '^EVT,events,detail')" ]
	# Times and types, in the order in which they are shown.
	vigil read -l 0 -f csv -r EVT "$2" | awk -F, '/^EVT,events,detail/ { printf "%.3f %s\n", $5 / 1e6, $8 }' >report
	grep '^#EVT ' "$1" | tail -n +2 | awk '{ printf "%s %s\n", $2, substr($0, 47, 2) }' | sed 's/ *$//' >shown
	diff report shown
}

@test "vigil run: every event, the same as in the event trace, and the statistics" {
	vigil run -q -o x.vprf "${block[@]}" -- EVENTS >out
	[ "$(grep -c '^#EVT .* NS .* ADD$' out)" -eq 1016 ]
	[ "$(grep -c '^#EVT .* PS .* INNER$' out)" -eq 7 ]
	same_as_report out x.vprf
	grep -q '^#PRO .*EVENT PROPERTIES AND STATISTICS' out
	grep -q 'FILTERS  FILTER=EVENT STATEMENT=ON' out
	[ "$(grep -c '^#EVT .* NS ' out)" -eq 2042 ]
	grep -qE 'STATEMENTS [.]+ 2,042' out
	# The program's own output is complete next to it.
	vigil run -q -o y.vprf -- EVENTS >plain
	diff <(grep -vE '^#|^VIGIL |^PROGRAM |^ *$' out | head -"$(wc -l <plain)") plain
	# No lines without TRACE=ON.
	run ! grep '^#EVT' plain
}

@test "to a file of its own, and what is left after filters and sampling alone" {
	vigil run -q -o x.vprf --trace trace "${block[@]}" -- EVENTS >out
	run ! grep '^#' out
	grep -q '^#PRO' trace
	same_as_report trace x.vprf
	vigil run -q -o y.vprf --trace few -c PROFILER -c FUNCTION=INIT,TRACE=ON,EVENT=N -c FILTER=PROGRAM,PROGRAM=INN* -c FUNCTION=START \
		-c END-PROFILER -- EVENTS >out
	[ "$(grep -c '^#EVT .* NS .* ADD$' few)" -eq 7 ]
	same_as_report few y.vprf
	vigil run -q -o z.vprf --trace sampled -c PROFILER -c FUNCTION=INIT,TRACE=ON,SAMPLING=ON,INTERVAL=100000,EVENT=N -c FUNCTION=START \
		-c END-PROFILER -- EVENTS >out
	[ "$(grep -c '^#EVT ' sampled)" -lt 20 ]
	same_as_report sampled z.vprf
	run -0 vigil run -q -o z.vprf --trace /dev/full "${block[@]}" -- EVENTS
	has 'VIG3177W the trace is incomplete: cannot write the trace: No space left on device'
	run -0 vigil run -q -o z.vprf --trace no/such/folder "${block[@]}" -- EVENTS
	has 'VIG3177W the trace is incomplete: cannot open no/such/folder: No such file'
}

@test "consolidated and online, the trace has each event all the same" {
	vigil run -q -o x.vprf --trace trace -c PROFILER -c FUNCTION=INIT,TRACE=ON,CONSOLIDATE=ON,EVENT=N -c FUNCTION=START -c END-PROFILER -- EVENTS
	[ "$(grep -c '^#EVT .* NS .* ADD$' trace)" -eq 1016 ]
	vigil run -q --pool 100 -o x.vprf --trace trace -c PROFILER -c FUNCTION=INIT,TRACE=ON,ONLINE=ON,EVENT=N -c FUNCTION=START -c END-PROFILER -- EVENTS
	[ "$(grep -c '^#EVT .* NS .* ADD$' trace)" -eq 1016 ]
}

@test "a job's step: in the spool beside its profile, and not in its SYSOUT" {
	job <<'DECK'
//NIGHT JOB
//S1 EXEC PGM=EVENTS
//VIGIL DD *
 PROFILER
 FUNCTION=INIT,TRACE=ON
 FILTER=EVENT,EVENT=ALL,STATEMENT=ON
 FUNCTION=START
 END-PROFILER
/*
//S2 EXEC PGM=EVENTS
//VIGIL DD *
 PROFILER
 FUNCTION=INIT,TRACE=ON
 END-PROFILER
/*
DECK
	[ "$status" -eq 0 ]
	has 'VIG5305I step S1 was measured: '
	has 'S1.VIGTRACE'
	same_as_report "$last/S1.VIGTRACE" "$last/S1.vprf"
	grep -q '^#PRO' "$last/S1.VIGTRACE"
	run ! grep -r '^#EVT' "$last"/S1.S*
	[ ! -e "$last/S2.VIGTRACE" ]
}

@test "asked for by a step of the program VIGIL, for the steps that follow; a step that is killed" {
	program KILLED <<<'EVENTS; kill -9 $$'
	job <<'DECK'
//NIGHT JOB
//P1 EXEC PGM=VIGIL
//SYSPRINT DD SYSOUT=*
//SYSIN DD *
 PROFILER
 FUNCTION=INIT,TRACE=ON,ONLINE=ON,EVENT=N
 FUNCTION=START
 END-PROFILER
/*
//S1 EXEC PGM=EVENTS
//S2 EXEC PGM=KILLED
DECK
	for step in S1 S2; do
		[ "$(grep -c '^#EVT .* NS .* ADD$' "$last/$step.VIGTRACE")" -eq 1016 ]
		grep -q '^#PRO' "$last/$step.VIGTRACE"
	done
	[ ! -e "$last/P1.VIGTRACE" ]
}

@test "a reader that goes away, one that never reads: the step runs on at its speed, and all is in the data set" {
	vigil run -q -o x.vprf "${block[@]}" -- sh -c 'EVENTS >&2; exit 3' 2>errors | head -3 >head
	[ "$(wc -l <head)" -eq 3 ]
	grep -q 'VIG3177W the trace is incomplete: ' errors
	vigil read -r ESS -f csv x.vprf | grep -q '^ESS,.*,ADD,1016,'
	# 64 KB of a pipe and a megabyte are accepted, then events are dropped.
	mkfifo pipe
	background sh -c 'exec sleep 60 <pipe'
	reader=$!
	start=$(date +%s)
	status=0
	vigil run -q -o x.vprf "${block[@]}" -- sh -c 'for i in 1 2 3 4 5 6 7 8; do EVENTS >&2; done; exit 3' >pipe 2>errors || status=$?
	[ "$status" -eq 3 ]
	[ $(($(date +%s) - start)) -lt 30 ]
	grep -q 'VIG3177W the trace is incomplete: no process reads it' errors
	kill $reader
	vigil read -r ESS -f csv x.vprf | grep -q '^ESS,.*,ADD,8128,'
}
