#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Functions that were compiled without instrumentation: they are patched where they begin and end, every call is
# counted, and the program behaves as without.

bats_require_minimum_version 1.5.0

load trace
load jobs
load profiler
load waiting
load background
load compiled

setup() {
	in_own_folder
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PDPSIZE
	PATH=$VIGIL_BUILD:$PATH
	programs=$VIGIL_SOURCE/tests/programs
	[ "$(uname -m)" = x86_64 ] || skip "functions can be patched on x86-64 alone"
	grep -q 'HAVE_ZYDIS 1' "$VIGIL_BUILD/config.h" 2>/dev/null ||
		ldd "$VIGIL_BUILD/vigil" "$VIGIL_BUILD/.libs/vigil" 2>/dev/null | grep -q libZydis ||
		skip "vigil was built without libzydis"
	asked own "'patched!*','thrown!*'"
}

teardown() {
	background_end
}

# asked NAME PATTERNS [LINE...]: a PROFILER block that requests functions; it starts immediately.
asked() {
	local name=$1 patterns=$2
	shift 2
	init "$name" ${patterns:+"FUNCTIONS=($patterns)"} -- FILTER=EVENT '  EVENT=ALL' "$@"
}

# patched FLAG...: compiles the program of functions with these flags.
patched() {
	compiled gcc "$@" -o patched "$programs/patched.c" "$programs/patched-asm.S" -pthread -ldl
}

# expect FUNCTION HITS [ENDS]: it begins, and ends, this often.
expect() {
	local begins ends
	begins=$(awk -F'\t' -v name="$1" '$1 == "PS" && $2 == name { sum += $5 } END { print sum + 0 }' counts)
	ends=$(awk -F'\t' -v name="$1" '$1 == "PT" && $2 == name { sum += $5 } END { print sum + 0 }' counts)
	[ "$begins $ends" = "$2 ${3:-$2}" ] || {
		echo "$1 begins and ends $begins $ends times, expected $2 ${3:-$2}"
		cat counts errors
		return 1
	}
}

# notes: the notes of the session, in one line.
notes() {
	vigil report events.vprf | tr -s ' \n' ' '
}

# levels EVENT FUNCTION: the levels at which a function has events, without duplicates.
levels() {
	vigil report -r EVT --format csv events.vprf | awk -F, -v type="$1" -v name="$2" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$at["type"] == type && $at["program"] == name && !seen[$at["level"]]++ { print $at["level"] }' | sort | paste -sd ' '
}

@test "functions of every form: the program says the same, and each call is there" {
	for flags in -O0 -O2 -O3 '-O2 -fno-pie -no-pie' '-O1 -fcf-protection=full' '-O2 -fno-plt'; do
		# shellcheck disable=SC2086
		patched $flags
		./patched forms 1000 >plain
		events own ./patched forms 1000
		cmp plain said
		expect tiny 2000
		expect relative 1000
		expect compared 1000
		expect calls_first 1000
		expect branches 4000
		expect tail 2000
		expect table 4000
		expect keeps 1000
		expect changes_nothing 1000
		expect cramped 0
		expect loop_inside 0
		expect loop_start 0
		expect main 1
		expect leaf 1
	done
	[[ $(notes) == *"VIG3141I requested functions that have no events: 1 too short, 2 with a jump into their first bytes"*"first cramped, loop_inside, loop_start"* ]]
}

@test "recursion down a thousand levels" {
	for flags in -O0 -O2; do
		patched $flags
		events own ./patched recurse 20 1000
		expect recurse 20000
	done
}

@test "500 threads, which return, are cancelled or leave by pthread_exit, through the smallest pool" {
	patched -O2
	VIGIL_PDPSIZE=100 events own ./patched threads 500 100
	expect leaf 50251
	expect middle 501
	# A function that calls pthread_exit or is cancelled is left, and ends with its thread.
	expect thread 500
}

@test "two thousand forked processes" {
	patched -O2
	events own ./patched fork 2000 5
	expect leaf 10001
	expect middle 2001
	[ "$(awk -F'\t' '$1 == "KF" { sum += $5 } END { print sum }' counts)" = 2000 ]
}

@test "exceptions through patched functions, and what is called after them has its level" {
	command -v g++ >/dev/null || skip "there is no C++ compiler"
	for flags in -O0 -O2; do
		g++ $flags -o thrown "$programs/rethrown.cc"
		./thrown 500 >plain
		events own ./thrown 500
		cmp plain said
		for name in 'catcher(long)' 'through(long)' 'again(long)' 'thrower(long)' 'after(long)'; do
			expect "$name" 500
		done
		[ "$(levels PS 'after(long)')" = 2 ]
		[ "$(levels PS 'thrower(long)')" = 5 ]
	done
}

@test "an object of the loader that has no name is not the program" {
	compiled gcc -O2 -rdynamic -o nameless "$programs/nameless.c" -ldl
	asked all "'nameless!*'"
	events all ./nameless
	[ "$(<said)" = 9409 ]
	expect work 97
	# Neither its functions nor its instructions belong to the program: neither is searched there.
	[ "$(vigil read -f csv -l 0 -r EVT events.vprf | awk -F, '$8 == "PL" { sub(".*/", "", $17); print $17 }')" = nameless ]
	run -0 vigil report events.vprf
	[[ $output != *VIG3143W* ]]
}

@test "what is left by longjmp has ended" {
	patched -O2
	events own ./patched jump 300
	expect thrower 900
	expect leaf 301
	[ "$(levels PS leaf)" = "2 3" ]
}

@test "signal handlers on a stack of their own, and coroutines" {
	patched -O2
	events own ./patched signals 1000
	expect in_handler 1000
	expect leaf 1001
	[ "$(levels PS in_handler)" = 2 ]
	[ "$(levels PS leaf)" = "2 3" ]
	events own ./patched coroutines 1000
	# The first to end returns to main: the other stays where it is.
	expect turns 2 1
	expect leaf 2001
	[ "$(levels PS turns)" = 1 ]
}

@test "objects that are loaded and closed again and again, elsewhere each time" {
	patched -O2
	for name in one two; do
		compiled gcc -O2 -shared -fPIC -o "$name.so" "$programs/plugin.c"
	done
	asked plugins "'one.so!*','two.so!*'"
	events plugins ./patched load 200 ./one.so "$PWD/two.so"
	expect begins 400
	expect inner 1200
	expect plugged 400
	expect leaf 0
	for name in one two; do
		[ "$(awk -F'\t' '$1 == "PS" && $2 == "inner" { print $5 }' counts | sort -u)" = 600 ]
	done
}

@test "objects that are loaded while other threads are busy" {
	patched -O2
	for name in one two; do
		compiled gcc -O2 -shared -fPIC -o "$name.so" "$programs/plugin.c"
	done
	asked plugins "'one.so!*','two.so!*','patched!load'"
	events plugins ./patched beside 100 ./one.so ./two.so
	expect begins 200
	expect inner 600
	expect plugged 200
}

@test "a shell and its children with the C library patched do the same" {
	asked all "'*'" '  FNAT=ON'
	script='for i in 1 2 3; do echo $i; done; (echo inner; exit 3); echo $?; sort /etc/passwd | head -n 3; trap "echo trapped" USR1; kill -USR1 $$'
	bash -c "$script" >plain
	events all bash -c "$script"
	cmp plain said
	[ "$(awk -F'\t' '$1 == "PS" { sum += $5 } END { print sum }' counts)" -gt 1000 ]
	[ "$(awk -F'\t' '$1 == "PS" && $2 ~ /malloc/ { sum += $5 } END { print sum }' counts)" -gt 100 ]
}

@test "where a function ends is told: what its caller does afterwards is not its time" {
	for flags in '' '-pg -mfentry' -pg; do
		# shellcheck disable=SC2086
		patched -O2 $flags
		events own ./patched busy 200
		expect middle 1
		vigil report -r EPS --format csv events.vprf | python3 -c '
import csv, sys
cpu = {row["program"]: int(row["cpu_ns"]) for row in csv.DictReader(sys.stdin)}
print(cpu)
assert cpu["main"] > 100000000 and cpu["leaf"] + cpu["middle"] < cpu["main"] / 4
'
	done
}

@test "functions with patchable entries are traced without being asked for" {
	asked none ''
	patched -O2 -fpatchable-function-entry=5
	events none ./patched recurse 3 100
	expect recurse 300
	expect leaf 1
	patched -O2 -fpatchable-function-entry=7,2 -no-pie -fno-pie
	events none ./patched recurse 3 100
	expect recurse 300
	patched -O2
	events none ./patched recurse 3 100
	expect recurse 0
}

@test "what tells its events itself is not patched: no event is there twice" {
	asked all "'*'"
	for flags in -finstrument-functions '-pg -mfentry'; do
		# shellcheck disable=SC2086
		patched -O1 $flags
		events all ./patched recurse 3 100
		expect recurse 300
		expect leaf 1
	done
}

@test "what filters leave out is not patched, and what nobody asks for" {
	patched -O2
	asked only "'patched!*'" FILTER=PROGRAM '  PROGRAM=middle'
	events only ./patched bytes 0
	[ "$(cat said)" = 0 ]
	expect middle 1
	expect leaf 0
	events own ./patched bytes 0
	[ "$(cat said)" = 1 ]
	expect leaf 1
	asked none ''
	events none ./patched bytes 0
	[ "$(cat said)" = 0 ]
	asked types "'patched!*'" FILTER=PROGRAM '  LIBRARY=elsewhere'
	events types ./patched bytes 0
	[ "$(cat said)" = 0 ]
}

# programs_events: the number of events, without those of the session.
programs_events() {
	awk -F'\t' '$1 ~ /^[PK].$/ { sum += $5 } END { print sum }' counts
}

@test "what filters of numbers and times have silenced for good has its own code again" {
	patched -O2
	asked all "'patched!*'"
	events all ./patched given 20
	[ "$(cat said)" = 0 ]
	asked numbers "'patched!*'" FILTER=COUNT '  TO=50'
	events numbers ./patched given 20000
	[ "$(cat said)" = 1 ]
	[ "$(programs_events)" = 50 ]
	asked times "'patched!*'" FILTER=TIME '  TO=00:00:01'
	events times ./patched given 20000
	[ "$(cat said)" = 1 ]
	# While others may be executing it the code stays, and records nothing.
	events numbers ./patched given 500 3
	[ "$(cat said)" = 0 ]
	[ "$(programs_events)" = 50 ]
	# A child of fork has a single thread, even if its parent had more.
	events numbers ./patched fork 20 1000
	events numbers ./patched threads 20 1000
}

@test "FUNCTIONS and COVERAGE=ON exclude each other" {
	printf '%s\n' PROFILER FUNCTION=INIT "  FUNCTIONS='*',COVERAGE=ON" END-PROFILER >both
	run vigil run -q --control both true
	[ "$status" -ne 0 ]
	[[ $output == *VIG2160E* ]]
}

@test "while collecting is paused nothing is told, and levels are right after it" {
	patched -O2
	sed '/FUNCTION=START/d' own >paused
	events paused ./patched recurse 3 100
	expect recurse 0
	events paused sh -c './patched recurse 2 50; vigil start; ./patched recurse 3 100; vigil pause; ./patched recurse 5 50'
	expect recurse 300
	expect leaf 1
}

@test "a pattern that fits nothing, and a stripped program, are said" {
	patched -O2
	asked wrong "'patched!no_such_*'"
	events wrong ./patched recurse 1 10
	[[ $(notes) == *"VIG3140W FUNCTIONS=patched!no_such_*: no function with a symbol matches"* ]]
	strip patched
	events own ./patched recurse 1 10
	[[ $(notes) == *"VIG3140W FUNCTIONS=patched!*: no function with a symbol matches"* ]]
	expect recurse 0
}

@test "a killed program's events are there; vigil is killed and the program goes on" {
	patched -O2
	events own ./patched kill 1000 || true
	expect leaf 1001
	export VIGIL_PDPSIZE=100
	background vigil run -q --control own -o gone.vprf -- ./patched recurse 300 30000
	wait_for test -s gone.vprf
	program=
	for _ in $(seq 400); do
		program=$(pgrep -P $pid -x patched) && break
		sleep 0.05
	done
	[ -n "$program" ]
	kill -9 $pid
	wait $pid || true
	# It runs to its end.
	for _ in $(seq 400); do
		[ -e "/proc/$program" ] || break
		sleep 0.1
	done
	[ ! -e "/proc/$program" ]
}

# patched_samples TIMES: the program in events.vprf, with samples.
patched_samples() {
	patched -O2
	{
		echo 'ADD *'
		cat own
	} >both
	events both ./patched recurse "$1" 100
}

@test "a session with events of patched functions has samples, too" {
	patched_samples 10000
	expect recurse 1000000
	# Below main there are a hundred levels of them: a walk that cannot leave one of these never reaches main.
	python3 "$VIGIL_SOURCE/tests/profile.py" events.vprf 'fact("privilege") == "PROC" or [r for r in rows("CTR", "calls") if "main;recurse" in r["path"] and r["cumulative_samples"] > 0]'
}

# All of the time is spent below recurse, a hundred levels of patched functions below main: of stacks that break at
# one of these none reaches main. Those that do break were seen by the kernel between a function's first instruction
# and the jump after it: few instructions of a hundred, so at least 95 of 100 stacks are whole. Of 20 samples 12 are
# (4.9 deviations), of 300 263.
# bats test_tags=slow
@test "samples of the same session reach main through patched functions" {
	patched_samples 30000
	python3 "$VIGIL_SOURCE/tests/profile.py" events.vprf 'fact("privilege") == "PROC" or fact("samples_in_reports") >= 20' \
		'fact("privilege") == "PROC" or least(fact("reached_percent") / 100 * fact("samples_in_reports"), 95)'
}

@test "programs of the system, by the functions that they export" {
	cat >script.sql <<-'END'
		create table a(b);
		insert into a values (1), (2), (3);
		select sum(b) from a;
	END
	command -v sqlite3 >/dev/null || skip "there is no sqlite3"
	asked exported "'sqlite3_*'"
	sqlite3 :memory: <script.sql >plain
	events exported sqlite3 :memory: <script.sql
	cmp plain said
	begins=$(awk -F'\t' '$1 == "PS" && $2 == "sqlite3_step" { print $5 }' counts)
	[ "$begins" -ge 3 ]
	if command -v gdb >/dev/null; then
		gdb -q -batch -iex 'set debuginfod enabled off' -ex 'set breakpoint pending on' -ex 'break sqlite3_step' \
			-ex 'ignore 1 1000000' -ex 'run :memory: <script.sql >/dev/null' -ex 'info breakpoints' sqlite3 >stops 2>&1 || true
		if grep -q 'breakpoint already hit' stops; then
			[ "$(awk '/breakpoint already hit/ { print $4 }' stops)" = "$begins" ]
		fi
	fi
}

@test "Python with all its functions patched does the same" {
	python=$(readlink -f /usr/bin/python3)
	[ -x "$python" ] || skip "there is no /usr/bin/python3"
	cat >script.py <<-'END'
		import json, re
		def fib(n):
		    return n if n < 2 else fib(n - 1) + fib(n - 2)
		try:
		    json.loads("{")
		except ValueError as error:
		    print(error)
		print(fib(15), re.sub("a+", "b", "caaat"), sorted({"x": 1, "y": 2}))
	END
	asked python "'python3*!*'"
	"$python" -S script.py >plain
	events python "$python" -S script.py
	cmp plain said
	[ "$(awk -F'\t' '$1 == "PS" { sum += $5 } END { print sum }' counts)" -gt 10000 ]
}

@test "the same counts as uftrace" {
	command -v uftrace >/dev/null || skip "there is no uftrace"
	patched -O1
	uftrace record -d traced -P 'leaf' -P recurse ./patched recurse 7 100 >/dev/null 2>&1 ||
		skip "uftrace cannot patch here"
	uftrace report -d traced 2>/dev/null | awk '$NF == "recurse" { print $(NF - 1) }' >theirs
	[ -s theirs ] || skip "uftrace saw nothing"
	events own ./patched recurse 7 100
	expect recurse "$(cat theirs)"
}
