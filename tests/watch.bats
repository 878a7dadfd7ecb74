#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vigil watch: requests of the store for programs that vigil does not start.

bats_require_minimum_version 1.5.0
load trace
load jobs
load ordinary
load waiting
load background

setup() {
	in_own_folder
	unset VIGIL_ROOT TZ
	export VIGIL_REQUESTS=$PWD/store
	started=
	# Programs of this test alone: a watch measures every process of the machine that has the name. They only wait.
	payd=PAYD$BASHPID other=OTHER$BASHPID short=SHORT$BASHPID
	mkfifo forever
	program $payd <<<"read -r never <>'$PWD/forever'"
	program $other <<<"read -r never <>'$PWD/forever'"
}

# Ends whatever a test has started, and the sessions of a watch that was killed.
teardown() {
	[ -n "$BATS_TEST_COMPLETED" ] || show_state
	background_end
	for pid in $started $(sessions); do
		kill -9 "$pid" 2>/dev/null || true
	done
	ordinary_end
}

# show_state: what the watch said, what the store has, and what the test's processes and the sessions do.
show_state() {
	local one
	cat said 2>/dev/null || true
	"$vigil" request list --format json 2>&1 || true
	for one in $started $(sessions); do
		echo "process $one: $(tr '\0' ' ' <"/proc/$one/cmdline" 2>&1) $(cut -d' ' -f3 "/proc/$one/stat" 2>&1)" \
			"$(cat "/proc/$one/wchan" 2>&1) $(cat "/proc/$one/syscall" 2>&1)"
	done
}

# sessions: the processes that measure for requests of the store.
sessions() {
	"$vigil" request list --format json 2>/dev/null | python3 -c 'import json, sys
for r in json.load(sys.stdin):
	if r["state"] in ("Active", "Suspended"):
		print(*(h["process"] for h in r["history"] if h["why"].endswith("was found")))' 2>/dev/null
}

# start COMMAND...: starts it in the background; $pid.
start() {
	background "$@"
	started="$started $pid"
}

# watch [OPTION...]: starts one, whose messages are in ./said; $watch.
watch() {
	local pid
	start "$vigil" watch "$@" 2>>said
	watch=$pid
	wait_for grep -q 'VIG6815I watching' said
}

# unwatch: ends it by a signal, and waits.
unwatch() {
	kill -TERM "$watch"
	wait "$watch"
}

# field NUMBER EXPRESSION: the value of a Python expression on the request r.
field() {
	"$vigil" request list --format json "$1" | python3 -c 'import json, sys; r = json.load(sys.stdin)[0]; print(eval(sys.argv[1]))' "$2"
}

# is NUMBER STATE: whether a request is in a state.
is() {
	[ "$(field "$1" 'r["state"]')" = "$2" ]
}

# add OPERAND...: adds a request.
add() {
	"$vigil" request add "$@" 2>>added
}

@test "a program that runs is measured at once, one that is to come when it appears" {
	start bin/$payd
	first=$pid
	watch
	add PAY ACTIVE PROGRAM=$payd
	add LATER ACTIVE PROGRAM=$other
	wait_for is 1 Active
	is 2 Queued
	start bin/$other
	wait_for is 2 Active
	sleep 0.3
	kill "$first" "$pid"
	wait_for is 1 Completed
	wait_for is 2 Completed
	[ "$(field 1 'r["sessions"][0]["step"]')" = "process $first" ]
	[ "$(field 1 '[h["state"] for h in r["history"]]')" = "['Queued', 'Active', 'Completed']" ]
	[ "$(field 1 'r["type"]')" = ACTIVE ]
	run -0 "$vigil" report --report MSD "$(field 1 'r["sessions"][0]["data_set"]')"
	has ACTIVE
	has $payd
	unwatch
	grep -q "VIG6816I request 1: process $first (" said
	grep -q "VIG6817I request 1: process $first (.*was measured: .* sample data set" said
	grep -q 'VIG6822I the watch has ended: 2 sessions' said
}

@test "a program whose main thread has ended is measured" {
	gcc -O2 -pthread -o bin/$other "$VIGIL_SOURCE/tests/programs/tasks.c"
	start bin/$other main-ends "$PWD/never"
	wait_for grep -q '^State:.Z' "/proc/$pid/status"
	watch
	add LATE ACTIVE PROGRAM=$other
	wait_for is 1 Active
	kill "$pid"
	wait_for is 1 Completed
	[ "$(field 1 'r["sessions"][0]["step"]')" = "process $pid" ]
	unwatch
}

@test "by its number, its control group and its unit; a process that is gone or another is refused" {
	start bin/$payd
	group=$(sed -n 's/^[^/]*//p' /proc/self/cgroup | tail -1)
	add A ACTIVE "PID=$pid"
	add B ACTIVE "CGROUP='$group'" PROGRAM=$payd
	add C ACTIVE PID=4194304
	add D ACTIVE "PID=$pid" PROGRAM=NOBODY
	add E ACTIVE UNIT=none-such.service PROGRAM=$payd
	watch
	wait_for is 1 Active
	wait_for is 2 Active
	wait_for is 3 Failed
	wait_for is 4 Failed
	is 5 Queued
	[[ $(field 3 'r["history"][-1]["why"]') == 'there is no process 4194304 '* ]]
	[[ $(field 4 'r["history"][-1]["why"]') == *'has a program other than NOBODY' ]]
	[ "$(field 1 'r["where"]')" = "PID=$pid" ]
	run -0 "$vigil" request list
	has "PID=$pid"
	unwatch
}

@test "SEND pauses a session, lets it go on, and ends it while the program goes on" {
	start bin/$payd
	watch
	add PAY ACTIVE PROGRAM=$payd
	wait_for is 1 Active
	# The store is notified of a pause only after it is notified that there is a session.
	wait_for "$vigil" request send 1 PAUSE
	is 1 Suspended
	run -0 "$vigil" request send 1 START
	is 1 Active
	run -0 "$vigil" request send 1 QUIT
	wait_for is 1 Completed
	kill -0 "$pid"
	[ "$(field 1 '[h["why"] for h in r["history"]][2:5]')" = "['SEND STOP', 'SEND START', 'SEND QUIT']" ]
	[ -s "$(field 1 'r["sessions"][0]["data_set"]')" ]
	run -8 "$vigil" request send 1 QUIT
	has 'request 1 is not Active'
	run -8 "$vigil" request send 1 HALT
	has 'expected STOP, PAUSE, START or QUIT'
	unwatch
}

@test "SEND QUIT leaves a step alone" {
	program NAP <<<'echo here >"'"$PWD"'/napping"; sleep 60'
	"$vigil" request add PAY 2>/dev/null
	printf '//PAY JOB\n//CALC EXEC PGM=NAP\n' >deck.jcl
	start "$vigil" submit --spool spool --root root --steplib bin deck.jcl >/dev/null 2>&1
	wait_for test -s napping
	wait_for is 1 Active
	run -8 "$vigil" request send 1 QUIT
	has 'measures a step, whose session ends with it'
	kill -TERM "$pid"
	wait "$pid" || true
}

@test "a watch that is stopped keeps what there is, and the next takes its requests up" {
	start bin/$payd
	program=$pid
	add PAY ACTIVE PROGRAM=$payd
	watch
	wait_for is 1 Active
	unwatch
	is 1 Queued
	[[ $(field 1 'r["history"][-1]["why"]') == 'vigil watch was stopped'* ]]
	[ -s "$(field 1 'r["sessions"][0]["data_set"]')" ]
	[ "$(field 1 'r["measured"]')" -eq 0 ]
	watch
	wait_for is 1 Active
	kill "$program"
	wait_for is 1 Completed
	[ "$(field 1 'len(r["sessions"])')" -eq 2 ]
	[ "$(field 1 'r["measured"]')" -eq 1 ]
	unwatch
}

@test "kill -9 of a watch: its sessions go on; of all: the next takes the requests up" {
	start bin/$payd
	program=$pid
	start bin/$other
	add PAY ACTIVE PROGRAM=$payd
	add ONE ACTIVE PROGRAM=$other
	watch
	wait_for is 1 Active
	wait_for is 2 Active
	kill -9 "$watch"
	wait "$watch" || true
	is 1 Active
	kill "$pid"
	wait_for is 2 Completed
	kill -9 "$(field 1 'r["history"][-1]["process"]')"
	wait_for is 1 Queued
	: >said
	watch
	wait_for is 1 Active
	kill "$program"
	wait_for is 1 Completed
	[ "$(field 1 'len([h for h in r["history"] if h["state"] == "Active"])')" -eq 2 ]
	unwatch
}

@test "at most so many sessions at once: the others wait for their turn" {
	for job in A B C; do
		add "$job" ACTIVE PROGRAM=$payd
	done
	start bin/$payd
	watch --at-most 1
	wait_for is 1 Active
	sleep 0.5
	is 2 Queued
	is 3 Queued
	run -0 "$vigil" request send 1 QUIT
	wait_for is 2 Active
	is 1 Completed
	is 3 Queued
	run -0 "$vigil" request send 2 QUIT
	wait_for is 3 Active
	unwatch
}

@test "two watches on one store: each request is measured once" {
	for job in A B C D E F; do
		add "$job" ACTIVE PROGRAM=$payd
	done
	watch
	other=$watch
	: >said
	watch --proc
	start bin/$payd
	for number in 1 2 3 4 5 6; do
		wait_for is "$number" Active
	done
	kill "$pid"
	for number in 1 2 3 4 5 6; do
		wait_for is "$number" Completed
		[ "$(field "$number" 'len(r["sessions"])')" -eq 1 ]
		[ "$(field "$number" '[h["state"] for h in r["history"]]')" = "['Queued', 'Active', 'Completed']" ]
	done
	unwatch
	watch=$other
	unwatch
	# A watch that lost a race for a request leaves nothing behind.
	[ "$(find store/profiles -type f | wc -l)" -eq 6 ]
}

@test "COUNT: each process is measured once" {
	start bin/$payd
	first=$pid
	add PAY ACTIVE PROGRAM=$payd COUNT=2
	watch
	wait_for is 1 Active
	run -0 "$vigil" request send 1 QUIT
	wait_for is 1 Queued
	sleep 0.5
	is 1 Queued
	start bin/$payd
	wait_for is 1 Active
	kill "$pid"
	wait_for is 1 Completed
	[ "$(field 1 '[s["step"] for s in r["sessions"]]')" = "['process $first', 'process $pid']" ]
	unwatch
}

@test "programs that live some milliseconds, hundreds of them: the watch goes on, and nothing is left of those that were missed" {
	program $short <<<':'
	add MANY ACTIVE PROGRAM=$short COUNT=9999
	watch
	for _ in $(seq 200); do
		bin/$short
	done
	start bin/$payd
	add PAY ACTIVE PROGRAM=$payd
	wait_for is 2 Active
	kill -0 "$watch"
	kill "$pid"
	wait_for is 2 Completed
	wait_for is 1 Queued
	unwatch
	[ "$(find store/profiles -type f | wc -l)" -eq $(($(field 1 'len(r["sessions"])') + 1)) ]
	[ "$(field 1 'r["measured"]')" -eq "$(field 1 'len(r["sessions"])')" ]
}

@test "a store that is not there is waited for; one that is deleted is said, and the session is whole" {
	watch
	start bin/$payd
	add PAY ACTIVE PROGRAM=$payd
	wait_for is 1 Active
	# The session has its folder whenever it looks.
	measuring=$(sessions)
	stop_all $measuring
	mkdir elsewhere
	mv store/profiles elsewhere/
	mv store gone
	ln -s "$PWD/elsewhere/profiles" profiles
	mkdir store
	mv elsewhere/profiles store/
	kill -CONT $measuring
	kill "$pid"
	wait_for grep -q 'VIG6820W request 1: the request store could not be notified' said
	wait_for grep -q 'VIG6817I request 1: process .* was measured' said
	"$vigil" report --report MSD store/profiles/*.vprf >/dev/null
	add AGAIN ACTIVE PROGRAM=$other
	start bin/$other
	wait_for is 1 Active
	unwatch
}

@test "who may not measure a process is told why: the request has Failed" {
	ordinary_folder
	export VIGIL_REQUESTS=$PWD/store
	start sleep 60
	foreign=1
	[ "$(id -u)" -ne 0 ] || foreign=$pid
	"${ordinary[@]}" "$vigil" request add PAY ACTIVE "PID=$foreign" 2>/dev/null
	start "${ordinary[@]}" "$vigil" watch 2>said
	watch=$pid
	failed() {
		"${ordinary[@]}" "$vigil" request list 1 >listed && grep -q '^state *Failed' listed
	}
	wait_for failed
	grep -q "cannot observe process $foreign: it belongs to another user; this needs root" listed
	wait_for grep -q 'VIG6818E request 1 cannot be measured: cannot observe process' said
	kill -TERM "$watch"
	wait "$watch"
}

@test "an unreadable command line of watch" {
	run -2 "$vigil" watch --at-most 0
	run -2 "$vigil" watch 5
	run -0 "$vigil" watch --help
	has --at-most
}

@test "the units of systemd are right" {
	command -v systemd-analyze >/dev/null || skip "systemd-analyze is not installed"
	mkdir unit
	for kind in user system; do
		sed "s,^ExecStart=[^ ]*,ExecStart=$vigil," "$VIGIL_BUILD/session/watch/$kind/vigil-watch.service" >unit/vigil-watch.service
		grep -q "^ExecStart=$vigil watch" unit/vigil-watch.service
		option=
		[ $kind = system ] || option=--user
		export XDG_RUNTIME_DIR=$PWD
		# Other units of the machine may have faults: only messages on this one count.
		run systemd-analyze $option --man=no --recursive-errors=no verify unit/vigil-watch.service
		hasnt vigil-watch.service
		[ "$status" -eq 0 ]
	done
	echo 'KillMode=maybe' >>unit/vigil-watch.service
	sed -i 's/^KillMode=mixed/KillMode=maybe/' unit/vigil-watch.service
	run systemd-analyze --man=no --recursive-errors=no verify unit/vigil-watch.service
	has vigil-watch.service
}
