#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Data collectors from the request to the report; sampler/test-collect.c tests their rules one by one. The programs
# end by their own CPU clock: each second of it has at least 250 samples, whatever else the machine does.

bats_require_minimum_version 1.5.0
load trace
load background
load jobs
load live
load waiting
load compiled

setup_file() {
	command -v gcc >/dev/null || skip "gcc is not installed"
	command -v python3 >/dev/null || skip "python3 is not installed"
	export WORK=$BATS_FILE_TMPDIR
	umask 022
	cd "$WORK" || return 1
	mkdir lib hold
	rules() { gcc -shared -fPIC -I"$VIGIL_SOURCE/include" "$@" "$VIGIL_SOURCE/tests/collectors/rules.c"; }
	rules -o lib/STRBRULE.so
	rules -DFLAGS=VIGIL_HOLD -o hold/STRBRULE.so
	compiled gcc -g -O2 -o shares "$VIGIL_SOURCE/tests/programs/shares.c"
}

setup() {
	in_own_folder
	umask 022
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_DATA_HOME VIGIL_COLLECTORS
	library=$WORK/lib
	data=$BATS_TEST_TMPDIR/x.vprf
	cp "$WORK/shares" bin
}

teardown() {
	background_end
}

# measure WORDS [OPTION...] -- COMMAND...: measures with the collector of tests/collectors/rules.c, which does what
# the words say.
measure() {
	local words=$1
	shift
	"$vigil" run -o "$data" -c "ADD *,DCC=STRBRULE,DCCLIB='$library',DCCPARM='$words'" "$@" 2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

# Samples that the listing reports as unanswered or estimated.
UNSAID='(silent() + fact("samples_kernel_estimated") + fact("samples_residue"))'

@test "a module and a transaction that a collector names are in the profile, and the profile ties out" {
	shows measure 'module=PAYROLL place=statement transaction=ORDERS' -- bin/shares @200 holds \
		"charged('statement') + $UNSAID >= fact('samples_in_reports')" 'charged("statement") > 0' 'ties() == ""' \
		'collector("STRBRULE")["calls"] > 0' 'collector("STRBRULE")["outside"] == 0' 'transaction_row("ORDERS")["count"] == 1'
}

@test "modules of a pseudo-section are reported under .SYSTEM in that section" {
	shows measure 'module=ABCMOD range=forced' -- bin/shares @200 holds \
		'[row for row in rows("PSU", "sections") if row["module"] == ".SYSTEM" and row["section"] == ".GROUP"]' \
		'ties() == ""'
}

@test "what no collector identifies is reported in .PRIVATE" {
	[ "$(uname -m)" = x86_64 ] || skip "the program executes instructions of x86-64"
	gcc -O2 -o bin/private "$VIGIL_SOURCE/tests/programs/private.c"
	shows measure 'log=' -- bin/private @150 holds \
		'[row for row in rows("PSU", "sections") if ".PRIVATE" in (row["module"], row["section"])]'
}

@test "a collector sees the transaction that the application named and may name another" {
	libraries=$VIGIL_BUILD/.libs
	[ -e "$libraries/libvigil.so" ] || skip "libvigil is not built here"
	cat >named.c <<-'END'
	#include <vigil/vigil.h>
	#include <stdlib.h>
	#include <time.h>
	int main(int argc, char **argv) {
		struct timespec t;
		long until = (argc > 1 ? atol(argv[1]) : 150) * 1000000;
		vigil_transaction("MINE");
		/* Hardly ever in the kernel, where an ordinary user's samples are not taken. */
		do {
			for (volatile int i = 0; i < 100000; i++) ;
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		} while (t.tv_sec * 1000000000 + t.tv_nsec < until);
		return 0;
	}
	END
	gcc -I"$VIGIL_SOURCE/include" named.c -o bin/named -L"$libraries" -lvigil -Wl,-rpath,"$libraries"
	# Until it was called at all: on a busy machine it may be loaded late.
	for ms in 150 600 2400; do
		measure "log=$BATS_TEST_TMPDIR/log" -- bin/named $ms
		! grep -q ' transaction=MINE ' log || break
	done
	grep -q ' transaction=MINE ' log
	holds 'transaction_row("MINE")["count"] == 1'
	shows measure 'transaction=THEIRS' -- bin/named @150 holds \
		"transaction_row('THEIRS')['samples'] + $UNSAID >= fact('samples_in_reports')" 'transaction_row("THEIRS")["samples"] > 0'
}

@test "a text of a collector is shown under SUBSYSTEM" {
	shows measure 'id=IMSPROD' -- bin/shares @150 holds 'collector("STRBRULE")["answers"] > 0'
	run "$vigil" report -r MSD "$data"
	[[ $output =~ SUBSYSTEM\ \.+\ IMSPROD ]]
}

# A profile that ends with the collector has 20 samples; one of 800 ms has at least 200.
@test "a collector that crashes leaves the program and its profile whole" {
	shows measure 'do=crash' -- bin/shares @800 holds \
		'fact("samples_in_reports") >= 100' 'charged("half") > 0' 'charged("third") > 0' 'charged("fifth") > 0' 'ties() == ""' \
		'"VIG6101W" in notes()' 'collector("STRBRULE")["calls"] == 20'
	grep -q 'VIG6101W data collector STRBRULE was switched off .*signal 11 (SIGSEGV) in its entry point' summary
	grep -q 'return code 0' summary
}

# 1000 samples, binomial (near): 50 % are measured to within 8, 30 to 7. These are vigil's own places, so missing
# answers do not matter; what the first twenty calls, or the crash, charge to a wrong place from then on is detected.
# bats test_tags=live
@test "where a collector crashed the shares are those of the program" {
	measure 'do=crash' --cost 100 --rate 2000 -- bin/shares 500
	holds 'near(charged("half"), 50)' 'near(charged("third"), 30)' 'near(charged("fifth"), 20)'
}

# There is a look every 10 ms, and what it finds represents all that the task used since the last one.
@test "without kernel events a collector still names places and transactions" {
	VIGIL_PRIVILEGE=PROC shows measure 'module=LANG place=statement transaction=WORK' -- bin/shares @300 holds \
		'fact("privilege") == "PROC"' 'charged("statement", "LANG") > 0' 'transaction_row("WORK")["samples"] > 0' 'ties() == ""' \
		'{row["procedure"] for row in rows("MEP", "procedures_charged")} <= {"statement", "(place not known)"}'
}

@test "the process of a collector is no part of a job's step" {
	cp bin/shares bin/SHARES
	export VIGIL_COLLECTORS=$library
	: >summary
	# Until it was called at all: on a busy machine it may be loaded late.
	for ms in 200 800 3200; do
		job <<DECK
//A        JOB
//S1       EXEC PGM=SHARES,PARM='$ms'
//VIGIL    DD *
  ADD A,STEP=S1,DCC=STRBRULE
/*
DECK
		[ "$status" -eq 0 ]
		has 'VIG5305I step S1 was measured'
		hasnt VIG5041
		hasnt VIG5044
		data=$last/S1.vprf
		! holds 'collector("STRBRULE")["calls"] > 0' || break
	done
	holds 'collector("STRBRULE")["calls"] > 0'
}

# The programs that it starts see only their own stops, signals and codes.
@test "a job measured with a collector that holds its tasks ends with the program's own code" {
	library=$WORK/hold
	gcc -O2 -o bin/signals "$VIGIL_SOURCE/tests/programs/signals.c"
	shows measure '' -- bin/signals @300 holds 'collector("STRBRULE")["held"] > 0'
	grep -q 'return code 0' summary
}

@test "a program goes on when vigil is killed while it holds its tasks" {
	library=$WORK/hold
	program runs <<-'END'
		echo $$ >pid
		bin/shares 100 go
		echo done >ended
	END
	background measure "log=$BATS_TEST_TMPDIR/log" -- bin/runs
	# The collector may be called for the shell before that has reported its pid.
	wait_for test -s pid
	wait_for test -s log
	kill -9 "$(ps -o ppid= -p "$(cat pid)" | tr -d ' ')"
	touch go
	wait_for test -s ended
	[ "$(cat ended)" = done ]
}
