# SPDX-License-Identifier: Apache-2.0
# bats file_tags=file:600
# Data collectors that misbehave: each is switched off or counted, and the step, the session and its data stay intact.
# And timing: what a collector reads of a program that changes while it is read.

bats_require_minimum_version 1.5.0
load trace
load background
load compiled

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	mkdir free held
	collector() {
		gcc -O2 -shared -fPIC -I"$VIGIL_SOURCE/include" "$@"
	}
	for name in BAD GOOD; do
		collector -o STRB$name.so "$VIGIL_SOURCE/tests/collectors/STRB$name.c"
	done
	collector -DFLAGS=0 -o free/STRBSWIT.so "$VIGIL_SOURCE/tests/collectors/STRBSWIT.c"
	collector -DFLAGS=VIGIL_HOLD -o held/STRBSWIT.so "$VIGIL_SOURCE/tests/collectors/STRBSWIT.c"
	compiled gcc -g -O2 -pthread -o shares "$VIGIL_SOURCE/tests/programs/shares.c"
	gcc -g -O2 -o switcher "$VIGIL_SOURCE/tests/programs/switcher.c"
	printf '#!/bin/sh\n%s\n%s\n' './shares "$1"; [ -z "$2" ] || { sleep "$2"; ./shares "$1"; }' 'exit 7' >step
	printf '#!/bin/sh\n%s\n%s\n' './shares 800' 'sleep "$1"; exit 7' >sleeper
	chmod 755 step sleeper
}

setup() {
	cd "$WORK"
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
}

teardown() {
	background_end
}

# measure WRONG MS ENOUGH EXPRESSION...: a session in which the misbehaving collector is called first, then a good
# one, each up to four times per millisecond; the step has return code 7. On a busy machine collectors are called
# rarely: sessions get longer until ENOUGH is true. Then all expressions are judged.
measure() {
	local ms
	for ms in "$2" $(($2 * 2)) $(($2 * 4)) $(($2 * 16)); do
		run -7 "$vigil" run -q --rate 4000 --cost 100 -o "$data" \
			-c "ADD *,PROGRAM=STEP,DCC=(STRBBAD,STRBGOOD),DCCLIB='$WORK',DCCPARM='$1'" -- ./step "$ms" "$pause"
		status=0
		enough="good('answers') > 60 and ($3)" holds "${@:4}" || status=$?
		[ "$status" -eq 3 ] || return "$status"
	done
	echo "never: $3"
	return 1
}

# holds EXPRESSION...: with bad, good, swit(COLUMN): a column of the collector's row. Status 3: the session was not
# $enough.
holds() {
	python3 - "$data" "$@" <<'END'
import os, sys
sys.path.insert(0, os.path.join(os.environ["VIGIL_SOURCE"], "tests"))
import importlib.util
spec = importlib.util.spec_from_file_location("vigil_profile", os.path.join(os.environ["VIGIL_SOURCE"], "tests", "profile.py"))
module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
profile = module.Profile(sys.argv[1])

def row(name):
    found = {}
    for table in ("data_collectors", "collector_calls"):
        for line in profile.rows("MSD", table):
            if line["collector"] == name:
                found.update(line)
    return found

def transaction(name):
    return sum(line["samples"] for line in profile.rows("TUS", "transactions") if line["transaction"] == name)

names = {"module": profile.module, "silent": profile.silent, "bad": row("STRBBAD").get, "good": row("STRBGOOD").get, "swit": row("STRBSWIT").get,
         "transaction": transaction, "fact": profile.fact, "notes": profile.notes, "ties": profile.ties}
failed = 0
if not eval(os.environ.get("enough", "True"), names):
    module.explain(os.environ["enough"], names)
    sys.exit(3)
for expression in sys.argv[2:]:
    if not eval(expression, names):
        failed = 1
        module.explain(expression, names)
sys.exit(failed)
END
}

# stays_whole WRONG MS ENOUGH EXPRESSION...: checks what is true of every session here, and the expressions. Its
# totals add up, and the other collector continued: it named its transaction in every sample for which it was called
# in time. No collector is called for the kernel's time where that is estimated.
stays_whole() {
	measure "$@" 'ties() == ""' 'fact("samples_taken") == fact("samples_processed") + fact("samples_thinned")' \
		'good("state") == "CALLED"' 'good("problem") == ""' \
		'good("torn") == 0 and good("outside") == 0' 'transaction("GOOD") > 0' \
		'transaction("GOOD") >= fact("samples_processed") - good("late") - fact("samples_kernel_estimated") - fact("samples_residue")'
}

# is_cut_off WRONG REASON [MS]: the collector is switched off with this reason, which a note reports too.
is_cut_off() {
	stays_whole "$1" "${3:-60}" 'bad("state") != "CALLED"' 'bad("state") == "SWITCHED OFF"' "'$2' in bad('problem')" 'bad("calls") >= 20' \
		'notes().count("VIG6101W") == 1'
	"$vigil" report --report MSD "$data" >"$BATS_TEST_TMPDIR/text"
	grep -q STRBBAD "$BATS_TEST_TMPDIR/text"
}

# is_rejected WRONG COLUMN: its answers from the 20th on are counted in this column and not used; it continues to be
# called. Answers that were too late for their sample (LATE) are not checked.
is_rejected() {
	stays_whole "$1" 60 "bad('$2') > 0 and bad('$2') + bad('late') > 60" 'bad("state") == "CALLED"' 'bad("problem") == ""' \
		'bad("answers") <= 19' "bad('$2') + bad('answers') <= bad('calls')"
}

@test "a collector that crashes is switched off, and the profile says so" {
	is_cut_off SEGV "killed by signal 11 (SIGSEGV) in its entry point"
}

@test "a collector whose stack overflows is switched off" {
	is_cut_off STACK "killed by signal 11 (SIGSEGV) in its entry point"
}

@test "a collector that aborts is switched off" {
	is_cut_off ABORT "killed by signal 6 (SIGABRT) in its entry point"
}

@test "a collector that raises a signal is switched off" {
	is_cut_off RAISE "killed by signal 11 (SIGSEGV) in its entry point"
}

@test "a collector that calls exit is switched off" {
	is_cut_off EXIT "exited with status 3 in its entry point"
}

@test "a collector that calls _exit is switched off" {
	is_cut_off _EXIT "exited with status 4 in its entry point"
}

# In both cases vigil takes up to ten seconds to be certain, from the 20th call on: the step sleeps longer than that
# after the last sample, and the two sessions run concurrently.
@test "a collector that loops or sleeps for ever is switched off" {
	local sessions=()
	for wrong in LOOP SLEEP; do
		background "$vigil" run -q --cost 100 -o "$BATS_TEST_TMPDIR/$wrong.vprf" \
			-c "ADD *,PROGRAM=SLEEPER,DCC=(STRBBAD,STRBGOOD),DCCLIB='$WORK',DCCPARM='$wrong'" \
			-- ./sleeper 14
		sessions+=("$pid")
	done
	for session in "${sessions[@]}"; do
		status=0
		wait "$session" || status=$?
		[ "$status" -eq 7 ]
	done
	for wrong in LOOP SLEEP; do
		data=$BATS_TEST_TMPDIR/$wrong.vprf
		# The other collector is called some twenty times up to then, and hundreds of times after that.
		holds 'bad("state") == "SWITCHED OFF"' '"it did not return" in bad("problem")' \
			'bad("calls") == 20' 'ties() == ""' 'good("problem") == ""' 'good("answers") > 40'
	done
}

@test "a collector that leaks is switched off before the machine is sick" {
	stays_whole LEAK 100 'bad("state") != "CALLED" or bad("calls") >= 400' 'bad("state") == "SWITCHED OFF"' 'bad("problem") != ""' 'bad("calls") < 400'
}

@test "a collector that leaks shared memory is switched off" {
	# Its memory is checked every second.
	pause=1.1 stays_whole MAP 40 'bad("state") != "CALLED" or bad("calls") >= 1100' 'bad("state") == "SWITCHED OFF"' 'bad("problem") != ""' 'bad("calls") < 1100'
}

@test "a collector that takes 2 ms of CPU time in every call is switched off" {
	is_cut_off BURN "too slow: it uses" 500
}

@test "a collector that sleeps 2 ms in every call is switched off" {
	is_cut_off NAP "too slow: it sleeps" 500
}

@test "a collector that takes 50 ms once loses the samples of that time and no others" {
	stays_whole ONCE 120 'bad("answers") > 60' 'bad("state") == "CALLED"' 'bad("late") >= 1'
}

@test "a collector that writes over the memory it shares with vigil is cut off or rejected" {
	stays_whole SCRIBBLE 60 True 'bad("state") == "SWITCHED OFF" or bad("answers") < bad("calls")'
}

@test "a collector that closes all descriptors harms itself only" {
	stays_whole CLOSE 60 True
}

@test "a collector that opens files for ever harms itself only" {
	stays_whole FILES 60 True
}

@test "a collector that makes processes harms itself only" {
	stays_whole FORK 60 True
}

@test "a module name that leads nowhere is rejected" {
	is_rejected MODULE torn
}

@test "a transaction name that leads nowhere is rejected" {
	is_rejected TRANS torn
}

@test "an ID text that leads nowhere is rejected" {
	is_rejected ID torn
}

@test "places that lead nowhere are rejected" {
	is_rejected PLACES torn
}

@test "an absurd number of places is rejected" {
	is_rejected COUNT torn
}

@test "a level that the stack does not have is dropped and counted" {
	is_rejected LEVEL outside
}

@test "a name that never ends is rejected" {
	is_rejected UNENDED torn
}

@test "a return value that is no outcome is rejected" {
	is_rejected OUTCOME torn
}

@test "a communication area full of rubbish is rejected" {
	is_rejected AREA torn
}

# Without another collector after it, its names reach the reports.
@test "names of any length and of any bytes do not spoil a report" {
	for wrong in WIDE BINARY; do
		for ms in 150 1200 4800 9600; do
			"$vigil" run -q -o "$data" \
				-c "ADD *,PROGRAM=SHARES,DCC=(STRBBAD),DCCLIB='$WORK',DCCPARM='$wrong'" -- ./shares $ms
			status=0
			enough='bad("answers") > 60' holds 'ties() == ""' 'bad("state") == "CALLED"' || status=$?
			[ "$status" -eq 3 ] || break
		done
		[ "$status" -eq 0 ]
		for format in text csv json; do
			"$vigil" report --all --format $format "$data" >"$BATS_TEST_TMPDIR/$format"
			iconv -f UTF-8 -t UTF-8 "$BATS_TEST_TMPDIR/$format" >/dev/null
		done
		# No escape sequences reach the terminal.
		run ! grep -q "$(printf '\033')" "$BATS_TEST_TMPDIR/text"
	done
}

# count_of COLUMN: a count in the collector's row, as listings print it.
count_of() {
	"$vigil" report --report MSD --format json "$data" | python3 -c "
import json, sys
for table in json.load(sys.stdin)['reports'][0]['tables']:
    if table['table'] == 'collector_calls':
        print(format(table['rows'][0]['$1'], ','))"
}

# switch FOLDER [ENOUGH]: measures the switching program with a pause between the two reads; sets calls, torn and
# declined as counted by the collector itself. It is measured again if the program did not keep its rate (a virtual
# machine that is stopped uses its CPU time), or the collector rarely saw it executing: until ENOUGH is true.
switch() {
	for ms in 400 400 1500 6000; do
		rm -f "$BATS_TEST_TMPDIR/count"
		"$vigil" run -q -o "$data" -c "ADD *,PROGRAM=SWITCHER,DCC=(STRBSWIT),DCCLIB='$WORK/$1',DCCPARM='P $BATS_TEST_TMPDIR/count'" \
			-- ./switcher $ms >"$BATS_TEST_TMPDIR/rate"
		read -r calls torn declined <"$BATS_TEST_TMPDIR/count" || { calls=0; torn=0; declined=0; }
		read -r rate <"$BATS_TEST_TMPDIR/rate"
		echo "rate $rate, calls $calls, torn $torn, declined $declined"
		# A million switches per second of CPU time.
		[ "$rate" -le 900000 ] || [ "$calls" -le 10 ] || ! eval "${2:-true}" || return 0
	done
	return 1
}

@test "without a hold torn reads are counted, and as many as the collector counted itself" {
	switch free '[ "$torn" -gt 0 ]'
	# A call that was not answered in time is late and not torn, whatever it was for the collector. The collector counts a call at
	# its end: one in which the session ends it, it has not counted, and not answered.
	holds "swit('calls') - $calls - $declined in (0, 1)" "swit('torn') <= $torn" \
		"swit('calls') - swit('answers') - swit('torn') >= swit('calls') - $calls - $declined" \
		"swit('torn') + (swit('calls') - swit('answers') - swit('torn')) >= $torn" 'ties() == ""'
	"$vigil" report --report MSD "$data" >"$BATS_TEST_TMPDIR/text"
	grep "STRBSWIT .* $(count_of torn) " "$BATS_TEST_TMPDIR/text"
}

@test "with a hold what is read belongs together in every call" {
	switch held
	holds 'swit("torn") == 0' 'swit("held") > 0' 'swit("answers") > 0' 'ties() == ""'
	# The collector itself saw a torn state only where it was too late for its sample.
	holds "swit('held') >= $calls" "swit('held') - swit('answers') >= $torn"
}
