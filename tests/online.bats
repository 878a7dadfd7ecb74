#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Online mode: the newest events of a running step, read from another terminal.

bats_require_minimum_version 1.5.0

load trace
load jobs
load waiting
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_LIBRARY VIGIL_PDPSIZE VIGIL_TRANSACTIONS
	PATH=$VIGIL_BUILD:$PWD/bin:$PATH
	block=(-c PROFILER -c FUNCTION=INIT,ONLINE=ON,EVENT=N -c FUNCTION=START -c END-PROFILER)
}

teardown() {
	background_end
	touch go-1 go-2 go-3
	[ -z "$measurer" ] || wait "$measurer" || true
}

# phases: a program that adds 10000 times, subtracts 50 times and multiplies 30 times, and waits before each next part.
phases() {
	[ -n "$COBC" ] || skip "GnuCOBOL is not installed"
	cat >"$BATS_FILE_TMPDIR/phases.cob" <<'COB'
IDENTIFICATION DIVISION.
PROGRAM-ID. PHASES.
DATA DIVISION.
WORKING-STORAGE SECTION.
01  I PIC S9(9) COMP.
01  N PIC S9(9) COMP.
PROCEDURE DIVISION.
MAIN-LINE.
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 10000
      ADD 1 TO N
    END-PERFORM.
    CALL "SYSTEM" USING "wait-here 1".
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 50
      SUBTRACT 1 FROM N
    END-PERFORM.
    CALL "SYSTEM" USING "wait-here 2".
    PERFORM VARYING I FROM 1 BY 1 UNTIL I > 30
      MULTIPLY 1 BY N
    END-PERFORM.
    CALL "SYSTEM" USING "wait-here 3".
    STOP RUN.
COB
	# It is found by PATH from wherever the program runs.
	cat >bin/wait-here <<SH
#!/bin/sh
cd $PWD
echo \$PPID >pid
touch at-\$1
for _ in \$(seq 1500); do [ -e go-\$1 ] && break; sleep 0.02; done
SH
	chmod +x bin/wait-here
	compiled "$COBC" -x -free -ftraceall -o bin/PHASES "$BATS_FILE_TMPDIR/phases.cob"
}

# start_phases [OPTION]...: starts it; it stops before its second part.
start_phases() {
	background vigil run -q --pool 100 -o x.vprf "${block[@]}" "$@" -- PHASES
	measurer=$!
	wait_for test -e at-1
}

# trace: the types and statements of a CSV listing of events, counted. MB marks a wait of the program for free space;
# in a full buffer it takes the slot of one of the many.
trace() {
	awk -F, '/^EVT,events,detail/ { rows++; if ($8 == "MB") waits++; else count[$8 " " $15]++ }
		END { if (rows == 1600) count["NS ADD"] += waits } END { for (one in count) print count[one], one }' | sort -rn
}

# waits FILE: the number of events that are waits for free space in the pool, which take the slots of others.
waits() {
	vigil read -r EVT -f csv "$1" | awk -F, '$8 == "MB"' | wc -l
}

# fact FILE NAME: a value of the properties and statistics.
fact() {
	vigil read -f csv -r PRO "$1" | awk -F, -v name="$2" '$4 == name && !seen++ { print $5 }'
}

@test "the buffer holds the newest events; reading pauses, starting clears" {
	phases
	start_phases
	# Of 1 SI, 10000 ADD, 1 PERFORM, 1 CALL, and the pause, the last 1600 (100 KB).
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	[ "$(trace <<<"$output")" = "1598 NS ADD
1 NS CALL
1 MP " ]
	[[ $stderr == *"VIG3175I the session of $measurer is paused; vigil start clears its buffer and continues"* ]]
	[[ $(tail -2 <<<"$output") == *,NS,*CALL*,MP,* ]]
	run -0 --separate-stderr vigil read --online "$measurer" -r PRO -f csv
	waits=$(awk -F, '$4 == "pool_full" { print $5 }' <<<"$output")
	[ "$(awk -F, '$4 == "overwritten" { print $5 }' <<<"$output")" -eq $((1 + 1 + 10000 + 1 + waits + 1 - 1600)) ]
	# What happens while it is paused is not recorded.
	touch go-1
	wait_for test -e at-2
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "1598 NS ADD" ]
	hasnt SUBTRACT
	# After a new start, the earlier events are gone.
	run -0 vigil start "$measurer"
	touch go-2
	wait_for test -e at-3
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	[ "$(trace <<<"$output")" = "30 NS MULTIPLY
1 NS PERFORM
1 NS CALL
1 MP " ]
	# The selections of read, and other reports, work as for any data set.
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv --event MP
	[ "$(trace <<<"$output")" = "1 MP " ]
	run -0 --separate-stderr vigil read --online "$measurer" -r ESS -f csv -o ess.csv
	grep -q '^ESS,.*MULTIPLY,30,' ess.csv
	touch go-3
	wait "$measurer"
	# The session's own data set has what is in the buffer at its end.
	[ "$(vigil read -r EVT -f csv x.vprf | trace | grep NS)" = "30 NS MULTIPLY
1 NS PERFORM
1 NS CALL" ]
	[ "$(ls x.vprf*)" = x.vprf ]
}

@test "a buffer that nobody reads is in the data set at the end" {
	phases
	touch go-1 go-2 go-3
	run -0 vigil run -q --pool 100 -o x.vprf "${block[@]}" -- PHASES
	# 50 SUBTRACT, 30 MULTIPLY, 3 CALL, 2 PERFORM, STOP RUN and ST follow the last 1513 of 10000 ADD.
	[ "$(vigil read -r EVT -f csv x.vprf | trace | head -3)" = "1513 NS ADD
50 NS SUBTRACT
30 NS MULTIPLY" ]
	[ "$(fact x.vprf events)" -eq 1600 ]
	[ "$(fact x.vprf overwritten)" -eq $((1 + 10000 + 50 + 30 + 3 + 3 + 1 + 1 + $(fact x.vprf pool_full) - 1600)) ]
	vigil read -r ESS -f csv x.vprf | grep -q "^ESS,.*,ADD,$((1513 - $(waits x.vprf))),"
}

@test "the newest events saved as a resource: by name, replaced when asked, listed, read and deleted" {
	phases
	start_phases
	run -0 vigil read --online "$measurer" --save NIGHT1
	has "VIG3174I the newest events are saved as data/profiles/NIGHT1.vprf"
	hasnt "#EVT"
	run -8 vigil read --online "$measurer" --save NIGHT1
	has "VIG0049E the resource data/profiles/NIGHT1.vprf exists already; expected REPLACE=YES, or another name"
	run -0 --separate-stderr vigil read --online "$measurer" --save NIGHT1 --replace -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "1598 NS ADD" ]
	long=$(printf 'A%.0s' $(seq 253))
	run -0 vigil read --online "$measurer" --save "$long" --library other
	run -0 --separate-stderr vigil list --library other
	[[ $output == "$long"* || $output == *"$long"* ]]
	run -2 vigil read --online "$measurer" --save "${long}A"
	has "--save takes a name of 1 to 253 characters without a path"
	run -2 vigil read --online "$measurer" --save a/b
	run -0 --separate-stderr vigil list
	[[ $output == *"NIGHT1 "*" PROFILE "*" PHASES "*" 1600 "*" YES"* ]]
	[ "$(vigil read -r EVT -f csv data/profiles/NIGHT1.vprf | trace | head -1)" = "1598 NS ADD" ]
	printf '%s\n' PROFILER FUNCTION=CONSOLIDATE,RESOURCE=NIGHT1 FUNCTION=READ,RESOURCE=NIGHT1,REPORT=ESS,FORMAT=CSV END-PROFILER >cards
	run -0 vigil control cards
	has ",ADD,$((1598 - $(waits data/profiles/NIGHT1.vprf))),"
	run -0 vigil delete NIGHT1
	[ -z "$(ls data/profiles)" ]
}

@test "by the name and number of a job, and by a process of the step" {
	phases
	printf '%s\n' '//NIGHT JOB' "//S1 EXEC PGM=PHASES,PARM='/PDPSIZE=100'" '//VIGIL DD *' ' PROFILER' \
		' FUNCTION=INIT,ONLINE=ON,EVENT=N' ' FUNCTION=START' ' END-PROFILER' '/*' >night.jcl
	# A number that no job of another test has at this time.
	mkdir -p spool/JOB07321.OLD
	background vigil submit --spool spool --root root --steplib bin night.jcl >log
	measurer=$!
	wait_for test -e at-1
	run -0 --separate-stderr vigil read --online NIGHT -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "10000 NS ADD" ]
	run -0 --separate-stderr vigil read --online JOB07322 -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "10000 NS ADD" ]
	run -0 --separate-stderr vigil read --online "$(cat pid)" -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "10000 NS ADD" ]
	run -8 vigil read --online DAY
	has 'VIG0043E no job DAY of yours is being measured'
	touch go-1 go-2 go-3
	wait "$measurer"
	grep -q 'VIG5305I step S1 was measured: 10' log
}

@test "two readers at once, many times: each has the whole buffer" {
	phases
	start_phases
	for _ in 1 2 3 4 5; do
		for reader in 1 2 3 4; do
			background vigil read --online "$measurer" -r EVT -f csv >read-$reader 2>>errors
			readers[reader]=$!
		done
		for reader in 1 2 3 4; do
			wait "${readers[reader]}"
			[ "$(trace <read-$reader | head -1)" = "1598 NS ADD" ]
		done
	done
}

@test "a step that is killed: its last events are in the buffer, and in the data set" {
	phases
	background vigil run -q --pool 100 -o x.vprf "${block[@]}" -- sh -c 'PHASES & echo $! >victim; wait; touch gone; for _ in $(seq 1500); do [ -e go-3 ] && break; sleep 0.02; done'
	measurer=$!
	wait_for test -e at-1
	# The process that starts it may be later than the process itself.
	wait_for test -s victim
	kill -9 "$(cat victim)"
	wait_for test -e gone
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	# The pool is full of the newest events. The victim's time ends with the pause of this reading, or with an
	# earlier pause if its end was seen before.
	trace <<<"$output"
	[[ "$(trace <<<"$output" | sort)" == "1 MP "*"1 NS CALL"$'\n'"1598 NS ADD" || \
		"$(trace <<<"$output" | sort)" == "1 NS CALL"$'\n'"1597 NS ADD"$'\n'"2 MP "* ]]
	touch go-1 go-3
	wait "$measurer"
	[ "$(vigil read -r EVT -f csv x.vprf | trace | grep CALL)" = "1 NS CALL" ]
}

@test "a step that ends while it is read: the reader gets the events or a message, the step its status" {
	phases
	touch go-1 go-2 go-3
	for _ in 1 2 3 4 5 6 7 8; do
		background vigil run -q --pool 100 -o x.vprf "${block[@]}" -- sh -c 'PHASES; exit 3'
		run_by=$!
		while vigil read --online "$run_by" -r EVT -f csv >read 2>errors; do
			grep -q '^EVT' read
		done
		cat errors
		grep -qE 'VIG(3172|0043)E' errors
		status=0
		wait "$run_by" || status=$?
		[ "$status" -eq 3 ]
		[ "$(fact x.vprf events)" -gt 0 ]
	done
}

@test "events at the highest rate: none is lost that is not overwritten" {
	compiled gcc -O1 -g -finstrument-functions -o calls "$VIGIL_SOURCE/tests/programs/calls.c" -pthread
	background vigil run -q --pool 1000 -o x.vprf -c PROFILER -c FUNCTION=INIT,ONLINE=ON,EVENT=P -c FUNCTION=START -c END-PROFILER -- \
		./calls calls 2000000 2
	run_by=$!
	for _ in 1 2 3; do
		sleep 0.3
		run vigil read --online "$run_by" -r PRO -f csv
		vigil start "$run_by" || true
	done
	wait "$run_by"
	[ "$(fact x.vprf events)" -le 16000 ]
	# Not paused: what was offered was kept, overwritten or of another type.
	run -0 vigil run -q --pool 1000 -o y.vprf -c PROFILER -c FUNCTION=INIT,ONLINE=ON,EVENT=P -c FUNCTION=START -c END-PROFILER -- \
		./calls calls 300000 2
	[ "$(fact y.vprf events)" -eq 16000 ]
	rest=$(($(fact y.vprf offered) - $(fact y.vprf filtered) - $(fact y.vprf overwritten) - 16000))
	[ "$rest" -eq 0 ]
}

@test "from the script of the step itself" {
	phases
	touch go-1 go-2 go-3
	run -0 vigil run -q --pool 100 -o x.vprf "${block[@]}" -- sh -c 'PHASES; vigil read --online --save INSIDE'
	has "VIG3175I the session of this step is paused"
	[ "$(vigil read -r EVT -f csv data/profiles/INSIDE.vprf | trace | head -2)" = "1513 NS ADD
50 NS SUBTRACT" ]
}

@test "sampled events, and samples beside" {
	phases
	start_phases -c 'ADD *'
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "1598 NS ADD" ]
	touch go-1 go-2 go-3
	wait "$measurer"
	run -0 vigil report -r PSU x.vprf
	has '#PSU'
}

@test "what cannot be read: another mode, nothing measured, another user, wrong options" {
	phases
	block=(-c PROFILER -c FUNCTION=INIT,EVENT=N -c FUNCTION=START -c END-PROFILER)
	start_phases
	run -8 vigil read --online "$measurer"
	has "VIG3171E the session of $measurer cannot be read while it is running; expected FUNCTION=INIT,ONLINE=ON"
	# It continues without a pause.
	touch go-1 go-2 go-3
	wait "$measurer"
	[ "$(vigil read -r EVT -f csv x.vprf | trace | head -2)" = "10000 NS ADD
50 NS SUBTRACT" ]
	run -8 vigil read --online
	has "VIG3176E nothing is measured here; expected a job or process to read"
	run -8 vigil read --online 1
	has "VIG0043E process 1 is not measured, or not yours"
	# The descriptor number of a session that has ended belongs to another file, or to none.
	run -8 sh -c 'exec 8<x.vprf; export VIGIL_TRANSACTIONS=/proc/$$/fd/8
		"$1" read --online; status=$?; "$1" start; exec 8<&-; "$1" read --online; exit $status' - "$VIGIL_BUILD/vigil"
	has "VIG3172E the session of this step has ended meanwhile"
	has "VIG0041E cannot start the session of this step: it has ended meanwhile"
	[ "$(grep -c VIG3172E <<<"$output")" -eq 2 ]
	run -2 vigil read --save X x.vprf
	has "--save, --library and --replace need --online"
	run -2 vigil read --online --replace 1
	run -2 vigil read --online 1 2
	has "--online takes one job or process, not also 2"
	run -8 vigil run "${block[@]:0:2}" -c FUNCTION=INIT,ONLINE=ON,CONSOLIDATE=ON -c END-PROFILER -- true
	has "VIG2123E ONLINE=ON and CONSOLIDATE=ON exclude each other"
}

# bats test_tags=as:root
@test "only its owner and root may read a session" {
	[ "$(id -u)" -eq 0 ] || skip "needs another user"
	phases
	start_phases
	run -8 su -s /bin/sh nobody -c "'$VIGIL_BUILD/vigil' read --online $measurer"
	has "VIG0043E process $measurer is not measured, or not yours"
	run -0 --separate-stderr vigil read --online "$measurer" -r EVT -f csv
	[ "$(trace <<<"$output" | head -1)" = "1598 NS ADD" ]
}
