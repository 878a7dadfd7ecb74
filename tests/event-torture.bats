#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Events of functions that are entered and left in every possible way: their number and levels.

bats_require_minimum_version 1.5.0

load trace
load jobs

setup_file() {
	export torture=$BATS_FILE_TMPDIR
	command -v g++ >/dev/null || return 0
	local source=$VIGIL_SOURCE/tests/programs/torture.cc flags="-std=c++20 -O1 -g -Wno-volatile -pthread"
	# shellcheck disable=SC2086
	g++ $flags -finstrument-functions -finstrument-functions-exclude-file-list=include -o "$torture/functions" "$source" &&
		g++ $flags -pg -mfentry -o "$torture/fentry" "$source" &&
		g++ $flags -pg -o "$torture/mcount" "$source" &&
		g++ $flags -o "$torture/patched" "$source"
}

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	declare -gA hits=() level_of=()
	[ -x "$torture/patched" ] || skip "there is no g++ with C++20"
	printf '%s\n' PROFILER FUNCTION=INIT FUNCTION=START END-PROFILER >all
}

# events WAY WHAT [ARGUMENT]...: runs the program compiled that way; its output is in said, its events in counts.
events() {
	way=$1
	shift
	timeout 300 vigil run -q --control "${cards:-all}" -o events.vprf -- "$torture/$way" "$@" >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
	count_events
}

# count_events: sets ${hits[TYPE PROGRAM]}, with "-" for all programs, and ${level_of[PROGRAM]}, from counts.
count_events() {
	local type name a b c
	hits=() level_of=()
	while IFS=$'\t' read -r type name a b c; do
		case $type in
		level) level_of[$name]=${level_of[$name]:+${level_of[$name]} }$a-$b ;;
		cpu*) ;;
		*) hits[$type $name]=$((${hits[$type $name]:-0} + c)); hits[$type -]=$((${hits[$type -]:-0} + c)) ;;
		esac
	done <counts
}

# expect TYPE PROGRAM HITS; PROGRAM -: all
expect() {
	local found=${hits[$1 $2]:-0}
	[ "$found" = "$3" ] || {
		echo "$way: $1 $2: $found events, expected $3"
		cat counts errors
		return 1
	}
}

# begins FUNCTION HITS [LEAST MOST]: it begins this often, at these levels; where ends are recorded it ends as often.
begins() {
	expect PS "$1" "$2"
	[ $way != functions ] || expect PT "$1" "$2"
	[ -z "$3" ] || levels "$1" "$3" "$4"
}

# levels FUNCTION LEAST MOST: the range of levels at its begins.
levels() {
	local found=${level_of[$1]}
	[ "$found" = "$2-$3" ] || {
		echo "$way: $1: levels $found, expected $2-$3"
		cat counts
		return 1
	}
}

@test "C++ exceptions that pass through functions, are thrown on and caught" {
	for way in functions fentry mcount; do
		events $way exceptions 1000
		begins catches 1000 3 3
		begins rethrows 1000 4 4
		begins passes 1000 5 5
		begins thrower 1000 6 6
		begins leaf 4000 4 7
		begins main 1 1 1
	done
}

@test "contexts that give each other the processor have levels of their own" {
	for way in functions fentry mcount; do
		events $way switches 500
		begins ping 1 1 1
		begins pong 1 1 1
		begins leaf 1001 2 3
		begins switches 1 2 2
		events $way workers 500
		begins worker 4 1 1
		begins leaf 2000 2 2
		begins workers 1 2 2
	done
}

@test "coroutines of C++20" {
	for way in functions fentry mcount; do
		events $way coroutines 500
		begins coroutines 1 2 2
		begins leaf 1000 4 4
	done
}

@test "jumps out of signal handlers, also from their own stack" {
	for way in functions fentry mcount; do
		for what in jumps stack; do
			events $way $what 1000
			begins raises 1000 3 3
			begins jumper 1000 4 4
			begins leaf 1001 3 5
		done
	done
}

@test "jumps out of a handler from wherever the program is, also the middle of the agent" {
	printf '%s\n' PROFILER FUNCTION=INIT "  FUNCTIONS='patched!*'" FUNCTION=START END-PROFILER >some
	for way in functions fentry mcount patched; do
		[ $way != patched ] || cards=some
		events $way escapes 1000
		[ "$(cat said)" -ge 1000 ]
		begins escaper "$(cat said)"
		expect PS passes_by 1
		expect KE - 1
		levels passes_by 3 3
		levels middle 3 3
		[ "${hits[PS leaf]}" -gt 10000 ]
	done
}

@test "signal handlers at 20 kHz, in the middle of the agent" {
	for way in functions fentry mcount; do
		events $way alarms 500000
		begins leaf 500000
		begins in_handler "$(cat said)"
		[ "$(cat said)" -gt 0 ]
	done
}

@test "threads that return, exit and are cancelled, of POSIX and of C" {
	for way in functions fentry mcount; do
		events $way threads 200
		begins middle 1000 1 2
		begins leaf 3000 2 3
		begins leaves 200 1 1
		begins sleeps 200 1 1
		expect KT - 1000
		expect KE - 1001
	done
}

# Threads begin and end alike in all ways: one of them has as many, the others enough to end many times over.
@test "ten thousand short threads, five hundred at once, and signals while they begin and end" {
	local short handled
	for way in functions fentry mcount; do
		short=2000 handled=1000
		[ $way != functions ] || short=10000 handled=5000
		events $way storm $short
		begins leaf $((2 * short)) 2 2
		begins middle $short 1 1
		expect KT - $short
		expect KE - $((short + 1))
		events $way crowd 100
		begins leaf 50000 2 2
		expect KT - 500
		events $way handled $handled
		expect PS middle $handled
		expect PS leaf $((2 * handled))
		expect KT - $handled
		expect KE - $((handled + 1))
	done
}

@test "exec from a thread; vfork and exec in a loop" {
	for way in functions fentry mcount; do
		events $way exec 7
		expect PS main 2
		expect PS leaf 19
		expect KX - 1
		expect KE - 1
		events $way vforks 100
		expect PS main 51
		expect PS leaf 200
		expect KE - 51
	done
}

@test "abort, _exit, quick_exit, SIGKILL: all events until then" {
	for way in functions fentry mcount; do
		for what in abort leave quick kill; do
			events $way $what 12345 || true
			begins leaf 12345 3 3
			expect PS middle 1
			# Any kind of exit leaves it; a function ended by a signal has no end event.
			case $what in
			abort | kill) expect PT main 0 ;;
			*) expect PT main 1 ;;
			esac
			expect KE - 1
		done
	done
}

# The program makes 50 calls before it is ended, and 50 after anything that does not end it.
@test "COBOL programs that are ended from C, by signals and by STOP RUN below; forked and interrupted ones" {
	[ -n "$COBC" ] || skip "there is no cobc"
	"$COBC" -x -ftraceall -o "$torture/cobol" "$VIGIL_SOURCE/tests/programs/TORTURE.cob" \
		"$VIGIL_SOURCE/tests/programs/torture-ends.c"
	printf '%s\n' PROFILER FUNCTION=INIT FILTER=EVENT '  STATEMENT=ON' FUNCTION=START END-PROFILER >all
	for what in kill abort exit leave; do
		events cobol $what || true
		expect PS INNER 50
		expect PT INNER 50
		expect NS INNER 150
		expect PS TORTURE 1
		expect KE - 1
	done
	events cobol fork
	expect PS INNER 250
	expect PT INNER 250
	expect KF - 3
	expect KE - 4
	levels INNER 2 2
	events cobol alarm
	expect PS INNER 100
	expect NS INNER 300
	expect NS TORTURE 106
	events cobol stop
	expect PS INNER 101
	expect NS INNER 303
	levels INNER 2 2
}
