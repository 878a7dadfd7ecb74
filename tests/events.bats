#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Events of programs: every one is there, once, with its place, however the program goes on and ends.

bats_require_minimum_version 1.5.0

load jobs

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	block all 'EVENT=ALL' 'STATEMENT=ON'
}

# block NAME EVENT-KEYWORD... [-- FILTER-LINE...]: a PROFILER block that starts at once.
block() {
	local name=$1
	shift
	{
		echo PROFILER
		echo FUNCTION=INIT
		echo FILTER=EVENT
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			echo "  $1"
			shift
		done
		[ $# -gt 0 ] && shift
		[ $# -gt 0 ] && printf '%s\n' "$@"
		echo FUNCTION=START
		echo END-PROFILER
	} >"$name"
}

# calls FLAG...: the program of functions, compiled so.
calls() {
	gcc -O1 -g "$@" -o calls "$programs/calls.c" -pthread
}

# events BLOCK PROGRAM [ARGUMENT]...: run it; what it says is in said, its events in counts.
events() {
	local block=$1
	shift
	vigil run -q --control "$block" -o events.vprf -- "$@" >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
}

# hits TYPE PROGRAM [PLACE]: how many events there are.
hits() {
	awk -F'\t' -v type="$1" -v program="$2" -v place="$3" \
		'$1 == type && $2 == program && (place == "" || $3 == place) { sum += $5 } END { print sum + 0 }' counts
}

# expect TYPE PROGRAM PLACE HITS
expect() {
	local found
	found=$(hits "$1" "$2" "$3")
	[ "$found" = "$4" ] || {
		echo "$1 $2 $3: $found events, expected $4"
		cat counts errors
		return 1
	}
}

cobol_program() {
	[ -n "$COBC" ] || skip "there is no cobc"
	"$COBC" -x -ftraceall -o EVENTS "$programs/EVENTS.cob"
}

cobol_counts() {
	expect PS EVENTS "" 1
	expect PS INNER "" 7
	expect PT INNER "" 7
	expect PR EVENTS "" 7
	expect PP EVENTS WORK-PARAGRAPH 1009
	expect PP EVENTS MAIN-SECTION 1
	expect NS EVENTS ADD 1009
	expect NS EVENTS SUBTRACT 1009
	expect NS EVENTS CALL 7
	expect NS EVENTS 'STOP RUN' 1
	expect NS INNER ADD 7
}

@test "a COBOL program's statements, paragraphs and calls, by number" {
	cobol_program
	events all ./EVENTS
	cobol_counts
	grep -q "^NS	EVENTS	ADD	16	1009$" counts
}

@test "the same program as a step with a block in its DD VIGIL, and its samples beside" {
	cobol_program
	mkdir -p bin
	mv EVENTS bin/
	{
		echo '//EVJOB JOB'
		echo '//S1 EXEC PGM=EVENTS'
		echo '//VIGIL DD *'
		echo '  ADD EVJOB'
		cat all
		echo '/*'
	} >deck.jcl
	vigil submit --steplib bin --spool spool deck.jcl
	profile=$(find spool -name '*.vprf')
	"$VIGIL_BUILD/tests/event-counts" "$profile" >counts
	cobol_counts
}

@test "a load module, which a driver calls, makes the same events" {
	[ -n "$COBC" ] || skip "there is no cobc"
	mkdir -p bin
	"$COBC" -m -ftraceall -o bin/EVENTS.so "$programs/EVENTS.cob"
	{
		echo '//EVJOB JOB'
		echo '//S1 EXEC PGM=EVENTS'
		echo '//VIGIL DD *'
		cat all
		echo '/*'
	} >deck.jcl
	vigil submit --steplib bin --spool spool deck.jcl
	"$VIGIL_BUILD/tests/event-counts" "$(find spool -name '*.vprf')" >counts
	cobol_counts
}

@test "functions, by three ways of compiling: 500 threads and 200 processes through the smallest pool" {
	for flags in -finstrument-functions "-pg -mfentry" -pg; do
		# shellcheck disable=SC2086
		calls $flags
		VIGIL_PDPSIZE=100 events all ./calls calls 200 500 200
		expect PS main "" 1
		expect PS middle "" 701
		expect PS leaf "" $((501 * 200 + 200 * 2))
		[ "$(awk '$1 == "cpu" { print ($2 > 0 && $2 < 60000000000) }' counts)" = 1 ]
		[ "$(awk -F'\t' '$1 == "KF" { sum += $5 } END { print sum }' counts)" = 200 ]
		[ "$(awk -F'\t' '$1 == "KT" { sum += $5 } END { print sum }' counts)" = 500 ]
		[ "$(awk -F'\t' '$1 == "KE" { sum += $5 } END { print sum }' counts)" = 701 ]
	done
}

@test "what is left by longjmp has ended, and no level stays" {
	calls -finstrument-functions
	events all ./calls jump 1000
	expect PS thrower "" 3000
	expect PT thrower "" 3000
	expect PT main "" 1
	calls -pg -mfentry
	events all ./calls jump 1000
	expect PS thrower "" 3000
	expect PT thrower "" 3000
}

@test "a killed program's events are all there, and those before _exit" {
	calls -finstrument-functions
	events all ./calls kill 12347 || true
	expect PS leaf "" 12347
	expect PT leaf "" 12347
	events all ./calls leave 12347 || true
	expect PS leaf "" 12347
	expect KE middle "" 0
	[ "$(awk -F'\t' '$1 == "KE" { sum += $5 } END { print sum }' counts)" = 1 ]
}

@test "events of signal handlers in the middle of others" {
	calls -finstrument-functions
	events all ./calls handler 2000000
	expect PS leaf "" 2000000
	expect PT leaf "" 2000000
	[ "$(cat said)" -gt 0 ]
	expect PS in_handler "" "$(cat said)"
}

@test "when vigil is killed the program goes on, though its pool is full" {
	calls -finstrument-functions
	VIGIL_PDPSIZE=100 vigil run -q --control all -o events.vprf -- ./calls handler 3000000 >said &
	pid=$!
	sleep 0.3
	kill -9 $pid
	wait $pid || true
	for _ in $(seq 200); do
		[ -s said ] && break
		sleep 0.1
	done
	[ "$(cat said)" -ge 0 ]
}

@test "filters of programs, lines and numbers; statements that are counted" {
	cobol_program
	block inner 'EVENT=ALL' 'STATEMENT=ON' -- FILTER=PROGRAM '  PROGRAM=INN*'
	events inner ./EVENTS
	expect NS INNER ADD 7
	[ "$(awk -F'\t' '$2 == "EVENTS"' counts | wc -l)" = 0 ]
	[ "$(awk -F'\t' '$1 == "MP" { print $5 }' counts)" = 7 ]
	block few 'EVENT=P' 'STATEMENT=COUNT'
	events few ./EVENTS
	expect PP EVENTS WORK-PARAGRAPH 1009
	[ "$(awk -F'\t' '$1 == "NS"' counts | wc -l)" = 0 ]
	calls -finstrument-functions
	block middle 'EVENT=ALL' -- FILTER=PROGRAM '  PROGRAM=middle'
	events middle ./calls calls 100000 2
	expect PS middle "" 3
	expect PS leaf "" 0
}

# The CPU time of all events is that of the step, but for what came before the first of them.
@test "CPU time by events beside that of the system" {
	events all bash -c 'i=0; while ((i++ < 300000)); do :; done; times'
	measured=$(awk '$1 == "cpu" { print int($2 / 1000000) }' counts)
	used=$(head -n 1 said | awk -F'[ms ]+' '{ print int(($2 + $4) * 1000) }')
	echo "$measured ms by events, $used ms by the shell"
	[ "$used" -gt 100 ]
	[ "$measured" -le $((used * 11 / 10 + 20)) ]
	[ "$measured" -ge $((used * 9 / 10 - 20)) ]
}

@test "a step that is not measured has no library of events" {
	vigil run -q -- cat /proc/self/maps >maps
	run ! grep vigil-events maps
	events all cat /proc/self/maps
	grep -q vigil-events said
}

@test "PDPSIZE has bounds" {
	for size in 99 2097152 many; do
		VIGIL_PDPSIZE=$size run -2 vigil run -q true
		[[ $output == *"VIGIL_PDPSIZE takes"* ]]
	done
	run -2 vigil run --pool 5 true
	run -0 vigil run -q --pool 100 true
}
