#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Many events from many tasks through pools of all sizes: none is lost, none is duplicated, and the pool reports its
# activity.

bats_require_minimum_version 1.5.0

load trace
load jobs
load waiting
load background

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	printf '%s\n' PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER >all
}

teardown() {
	background_end
}

# compile PROGRAM: compiles it with instrumented calls.
compile() {
	gcc -O1 -g -finstrument-functions -o "$1" "$programs/$1.c" -pthread
}

# hits TYPE: the events of the function.
hits() {
	awk -F'\t' -v type="$1" '$1 == type && $2 == "traced" { sum += $5 } END { print sum + 0 }' counts
}

# property LABEL: its number in report PRO.
property() {
	vigil report --report PRO events.vprf | sed -n "s/.*$1 \.* \([0-9][0-9,.]*\).*/\1/p" | tr -d ,
}

# Threads, forks, executed images, signals and kills: a task that was killed in a call has begun one more than it has
# ended.
produce() {
	vigil run -q --pool "$1" --control all -o events.vprf -- ./producers cells "$2" 25 >said
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
	read -r ended begun threads <said
	begins=$(hits PS)
	ends=$(hits PT)
	echo "pool $1 seed $2: $threads threads, calls ended $ended begun $begun, events begin $begins end $ends"
	[ "$threads" -gt 20 ]
	[ "$ended" -gt 10000 ]
	[ "$begins" -ge "$ended" ]
	[ "$begins" -le "$begun" ]
	[ "$ends" -ge "$ended" ]
	[ "$ends" -le "$begins" ]
	rm cells
}

# rests: how often vigil has yielded the CPU so far; it does so when it has read all there is.
rests() {
	sed -n 's/^voluntary_ctxt_switches:[[:space:]]*//p' "/proc/$pid/status"
}

rested() {
	[ "$(rests)" -ge "$1" ]
}

@test "random producers with the smallest pool" {
	compile producers
	produce 100 1
	produce 100 2
}

@test "random producers with a large pool" {
	compile producers
	produce 16384 3
	produce 16384 4
}

@test "as many events as two threads can make, and their number" {
	compile storm
	vigil run -q --control all -o events.vprf -- ./storm 0.3 2 >said
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
	read -r calls _ <said
	echo "$calls calls"
	[ "$(hits PS)" = "$calls" ]
	[ "$(hits PT)" = "$calls" ]
	[ "$(property 'EVENT RECORDS')" -ge $((2 * calls)) ]
}

@test "a pool that is too small: threads wait, and where all is read before they go on the statistics say so" {
	compile storm
	# shellcheck disable=SC2016
	background vigil run -q --pool 100 --control all -o events.vprf -- sh -c 'echo $$ >number; exec ./storm 20 2 ended' >said
	wait_for test -s number
	storm=$(cat number)
	# A task that is stopped in a wait finds nothing unread when it continues, once vigil got the CPU meanwhile.
	for _ in 1 2 3 4 5 6 7 8; do
		sleep 0.02
		kill -STOP "$storm"
		wait_for rested $(($(rests) + 5))
		kill -CONT "$storm"
	done
	touch ended
	wait $pid
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
	read -r calls seconds <said
	[ "$(hits PS)" = "$calls" ]
	full=$(property 'WAITS FOR A FULL DATA POOL')
	empty=$(property 'DATA POOL EMPTY AFTER FULL')
	waited=$(property 'TIME WAITED, MS')
	echo "$full waits of $waited ms, $empty times all had been read"
	[ "$full" -gt 0 ]
	[ "$empty" -gt 0 ]
	[ "$empty" -le "$full" ]
	# Two threads, for as long as the program reports.
	[ "${waited%.*}" -gt 0 ]
	awk -v waited="$waited" -v seconds="$seconds" 'BEGIN { exit !(waited <= 2000 * seconds) }'
	# The whole pool was used: 100 KB in chunks of 4.
	[ "$(vigil report --format json --report PRO events.vprf | grep -c 102400)" -ge 1 ]
}

@test "a pool that is large enough: nobody waits" {
	compile storm
	vigil run -q --pool 1000000 --control all -o events.vprf -- ./storm 0.1 1 >said
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
	read -r calls _ <said
	[ "$(hits PS)" = "$calls" ]
	[ "$(property 'WAITS FOR A FULL DATA POOL')" = 0 ]
	[ "$(property 'DATA POOL EMPTY AFTER FULL')" = 0 ]
}
