#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# CONSOLIDATE=ON: threads add up their functions by themselves. The sums are those of all events, written one by one.

bats_require_minimum_version 1.5.0

load trace
load jobs
load profiler
load compiled
load waiting
load background

teardown() {
	background_end
}

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	library=$VIGIL_BUILD/.libs
	[ -e "$library/libvigil.so" ] || library=$VIGIL_BUILD
	init kept
	init summed CONSOLIDATE=ON
	init kept-patched "FUNCTIONS='patched!*'"
	init summed-patched "FUNCTIONS='patched!*'" CONSOLIDATE=ON
}

# ways SOURCE FLAG... [-- LIBRARY...]: compiles it in all ways in which functions tell of themselves.
ways() {
	local source=$1 compiler=gcc flags=()
	shift
	[[ $source != *.cc ]] || compiler=g++
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		flags+=("$1")
		shift
	done
	shift
	compiled $compiler "${flags[@]}" -finstrument-functions -finstrument-functions-exclude-file-list=include -o functions "$source" "$@"
	compiled $compiler "${flags[@]}" -pg -mfentry -o fentry "$source" "$@"
	compiled $compiler "${flags[@]}" -pg -o mcount "$source" "$@"
	compiled $compiler "${flags[@]}" -o patched "$source" "$@"
}

# counted NAME: the events of each site in x.vprf into NAME.counts, those of each transaction into NAME.transactions.
# Without waits for room, which are events, too, but no two sessions have as many.
counted() {
	"$VIGIL_BUILD/tests/event-counts" x.vprf | grep -v '^level\|^cpu\|^MB' | sort >"$1.counts"
	vigil report --format csv --report ETS x.vprf | grep 'detail,[A-Z]' | cut -d, -f4,8 | sort >"$1.transactions"
}

# same WAY WHAT [N]: both kinds of session of a program count the same.
same() {
	local suffix=
	[ "$1" != patched ] || suffix=-patched
	for how in kept summed; do
		vigil run -q --control $how$suffix -o x.vprf -- "./$1" "${@:2}" >said 2>errors || true
		counted $how
	done
	diff -u kept.counts summed.counts || { echo "$*"; cat errors; return 1; }
	diff -u kept.transactions summed.transactions || { echo "$*: transactions"; return 1; }
}

tortured() {
	command -v g++ >/dev/null || skip "there is no g++"
	ways "$programs/torture.cc" -std=c++20 -O1 -g -Wno-volatile -pthread --
}

tallied() {
	# With tail calls, and functions that begin others at their end.
	ways "$programs/tallied.c" "${1:--O1}" -g -I"$VIGIL_SOURCE/include" -pthread -- -L"$library" -lvigil -Wl,-rpath,"$library"
}

# expect TYPE FUNCTION HITS, of the session with sums
expect() {
	local found
	found=$(awk -F'\t' -v type="$1" -v name="$2" '$1 == type && $2 == name { sum += $5 } END { print sum + 0 }' summed.counts)
	[ "$found" = "$3" ] || { echo "$1 $2: $found events, expected $3"; cat summed.counts errors; return 1; }
}

@test "functions that are left by exceptions, jumps and switches of context, or end with their thread or process" {
	tortured
	for way in functions fentry mcount patched; do
		for what in 'exceptions 500' 'switches 300' 'workers 300' 'coroutines 300' 'jumps 500' 'stack 500' 'threads 100' \
			'storm 1000' 'crowd 50' 'exec 7' 'vforks 50' 'abort 12345' 'leave 12345' 'quick 12345' 'kill 12345'; do
			# shellcheck disable=SC2086
			same $way $what
		done
	done
	same functions kill 12345
	expect PS leaf 12345
	expect PT leaf 12345
}

@test "signal handlers in the middle of others, also of the agent, and jumps out of them" {
	tortured
	for way in functions fentry mcount patched; do
		local suffix=
		[ $way != patched ] || suffix=-patched
		vigil run -q --control summed$suffix -o x.vprf -- ./$way alarms 300000 >said 2>errors
		counted summed
		expect PS leaf 300000
		expect PT leaf 300000
		expect PS in_handler "$(cat said)"
		expect PT in_handler "$(cat said)"
		[ "$(cat said)" -gt 0 ]
		vigil run -q --control summed$suffix -o x.vprf -- ./$way escapes 1000 >said 2>errors
		counted summed
		expect PS escaper "$(cat said)"
		expect PS passes_by 1
	done
}

@test "transactions, pauses, user events and forks between functions, more functions and deeper ones than there is room for" {
	local options
	for options in -O1 -O2; do
		tallied $options
		for way in functions fentry mcount patched; do
			for what in 'calls 1000' 'depths 9000' 'units 300' 'pauses 100' 'inside 20' 'notes 200' 'forks 12' 'threads 20' 'rests 50' 'executes 33'; do
				# shellcheck disable=SC2086
				same $way $what
			done
			[ $options = -O1 ] || break
		done
		same functions many 2
		same patched calls 10
	done
	# What was written before an exec has the names of the program that wrote it.
	same functions executes 200000
	expect PS leaf 400000
	same functions units 300
	expect PS leaf 897
	same functions calls 1000
	expect PS leaf 1000
}

@test "the smallest pool" {
	export VIGIL_PDPSIZE=100
	tallied
	for way in functions mcount; do
		same $way threads 30
		expect PS leaf 9000
		same $way many 2
	done
}

@test "the pool is read for sums, not for events" {
	tallied
	local read=()
	for how in kept summed; do
		vigil run -q --control $how -o x.vprf -- ./functions calls 300000
		counted $how
		read+=("$(vigil report --format csv --report PRO x.vprf | awk -F, '/pool_read/ { print $5 }')")
	done
	echo "${read[*]}"
	expect PS leaf 300000
	[ "${read[0]}" -gt $((600000 * 16)) ]
	[ "${read[1]}" -lt $((600000 * 2)) ]
}

@test "filters of events: with PS, PT and PR, and without" {
	tallied
	local types
	for types in P PS,PT,PR,U PS,PT; do
		init kept -- FILTER=EVENT "  EVENT=($types)"
		init summed CONSOLIDATE=ON -- FILTER=EVENT "  EVENT=($types)"
		for what in 'notes 200' 'pauses 50' 'calls 100000'; do
			# shellcheck disable=SC2086
			same functions $what
		done
		expect PS leaf 100000
		[ $types = PS,PT ] || expect PR calls 100000
		read=$(vigil report --format csv --report PRO x.vprf | awk -F, '/pool_read/ { print $5 }')
		[ $types = PS,PT ] || [ "$read" -lt $((200000 * 2)) ]
	done
}

@test "when vigil is killed the program goes on" {
	tallied
	printf '%s\n' 'echo >began' './functions rests 300' 'echo $? >ended' >script
	background vigil run -q --control summed -o x.vprf -- sh script >said 2>errors
	wait_for test -s began
	kill -9 $pid
	wait $pid || true
	wait_for test -s ended
	[ "$(cat ended)" -eq 0 ]
}
