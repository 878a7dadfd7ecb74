#!/usr/bin/env bats
# bats file_tags=trial
# SPDX-License-Identifier: Apache-2.0
# Data collectors from the request to the report; their rules one by one are in sampler/test-collect.c.

bats_require_minimum_version 1.5.0
load jobs

setup() {
	in_own_folder
	command -v gcc >/dev/null || skip "gcc is not installed"
	command -v python3 >/dev/null || skip "python3 is not installed"
	umask 022
	export HOME=$BATS_TEST_TMPDIR/home
	unset XDG_DATA_HOME VIGIL_COLLECTORS
	mkdir lib
	data=$BATS_TEST_TMPDIR/x.vprf
	gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o lib/STRBRULE.so "$VIGIL_SOURCE/tests/collectors/rules.c"
	gcc -g -O2 -o bin/shares "$VIGIL_SOURCE/tests/programs/shares.c"
}

# measure WORDS COMMAND...: with the collector of tests/collectors/rules.c, which does what the words say.
measure() {
	local words=$1
	shift
	"$vigil" run -o "$data" -c "ADD *,DCC=STRBRULE,DCCLIB='$BATS_TEST_TMPDIR/lib',DCCPARM='$words'" -- "$@" \
		2>"$BATS_TEST_TMPDIR/summary"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$BATS_TEST_TMPDIR/summary"; return 1; }
}

calls='[row for row in rows("MSD", "collector_calls") if row["collector"] == "STRBRULE"][0]'

@test "a module and a transaction that a collector names are in the profile, and the profile ties out" {
	measure 'module=PAYROLL place=statement transaction=ORDERS' bin/shares 1000
	holds 'least(charged("statement"), 80, unknown=silent())' 'ties() == ""' "$calls[\"calls\"] >= 500" "$calls[\"outside\"] == 0" \
		'[row["count"] for row in rows("TUS", "transactions") if row["transaction"] == "ORDERS"] == [1]'
}

@test "modules of a pseudo-section are reported under .SYSTEM in that section" {
	measure 'module=ABCMOD range=forced' bin/shares 1000
	holds '[row for row in rows("PSU", "sections") if row["module"] == ".SYSTEM" and row["section"] == ".GROUP"]' \
		'ties() == ""'
}

@test "what no collector identifies is reported in .PRIVATE" {
	[ "$(uname -m)" = x86_64 ] || skip "the program executes instructions of x86-64"
	gcc -O2 -o bin/private "$VIGIL_SOURCE/tests/programs/private.c"
	measure 'log=' bin/private 500
	holds '[row for row in rows("PSU", "sections") if ".PRIVATE" in (row["module"], row["section"])]'
}

@test "a collector sees the transaction that the application named and may name another" {
	libraries=$VIGIL_BUILD/.libs
	[ -e "$libraries/libvigil.so" ] || skip "libvigil is not built here"
	cat >named.c <<-'END'
	#include <vigil/vigil.h>
	#include <time.h>
	int main(void) {
		struct timespec t;
		vigil_transaction("MINE");
		/* Hardly ever in the kernel, where an ordinary user's samples are not taken. */
		do {
			for (volatile int i = 0; i < 100000; i++) ;
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
		} while (t.tv_sec < 1);
		return 0;
	}
	END
	gcc -I"$VIGIL_SOURCE/include" named.c -o bin/named -L"$libraries" -lvigil -Wl,-rpath,"$libraries"
	measure "log=$BATS_TEST_TMPDIR/log" bin/named
	[ "$(grep -c ' transaction=MINE ' log)" -ge 100 ]
	holds '[row["count"] for row in rows("TUS", "transactions") if row["transaction"] == "MINE"] == [1]'
	measure 'transaction=THEIRS' bin/named
	holds 'least(transaction_row("THEIRS")["samples"], 80, unknown=silent())'
}

@test "a text of a collector is shown under SUBSYSTEM" {
	measure 'id=IMSPROD' bin/shares 300
	run "$vigil" report -r MSD "$data"
	[[ $output =~ SUBSYSTEM\ \.+\ IMSPROD ]]
}

@test "a collector that crashes leaves the program and its profile whole" {
	measure 'do=crash' bin/shares 1000
	holds 'abs(fact("cpu_samples_ns") - fact("cpu_switches_ns")) <= 0.02 * fact("cpu_switches_ns") + 3e6 + 30e3 * fact("switches")' \
		'near(charged("half"), 50)' 'ties() == ""' '"VIG6101W" in notes()'
	grep -q 'VIG6101W data collector STRBRULE was switched off .*signal 11 (SIGSEGV) in its entry point' summary
	grep -q 'return code 0' summary
}

@test "without kernel events a collector still names places and transactions" {
	VIGIL_PRIVILEGE=PROC measure 'module=LANG place=statement transaction=WORK' bin/shares 1000
	holds 'fact("privilege") == "PROC"' 'share("statement") > 50' 'ties() == ""'
}

@test "the process of a collector is no part of a job's step" {
	cp bin/shares bin/SHARES
	export VIGIL_COLLECTORS=$BATS_TEST_TMPDIR/lib
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHARES,PARM='500'
//VIGIL    DD *
  ADD A,STEP=S1,DCC=STRBRULE
/*
DECK
	[ "$status" -eq 0 ]
	has 'VIG5305I step S1 was measured'
	hasnt VIG5041
	hasnt VIG5044
	data=$last/S1.vprf
	: >summary
	holds "$calls[\"calls\"] > 0"
}

@test "a job measured with a collector that holds its tasks ends with the program's own code" {
	gcc -shared -fPIC -DFLAGS=VIGIL_HOLD -I"$VIGIL_SOURCE/include" -o lib/STRBRULE.so \
		"$VIGIL_SOURCE/tests/collectors/rules.c"
	gcc -O2 -o bin/signals "$VIGIL_SOURCE/tests/programs/signals.c"
	measure '' bin/signals 500
	grep -q 'return code 0' summary
	holds "$calls[\"held\"] > 0"
}

@test "a program goes on when vigil is killed while it holds its tasks" {
	gcc -shared -fPIC -DFLAGS=VIGIL_HOLD -I"$VIGIL_SOURCE/include" -o lib/STRBRULE.so \
		"$VIGIL_SOURCE/tests/collectors/rules.c"
	cat >runs <<-'END'
	#!/bin/sh
	echo $$ >pid
	bin/shares 3000
	echo done >ended
	END
	chmod +x runs
	measure "log=$BATS_TEST_TMPDIR/log" ./runs 3>&- &
	for _ in $(seq 200); do
		[ ! -s log ] || break
		sleep 0.1
	done
	[ -s log ]
	kill -9 "$(ps -o ppid= -p "$(cat pid)" | tr -d ' ')"
	for _ in $(seq 600); do
		[ ! -s ended ] || break
		sleep 0.1
	done
	[ "$(cat ended)" = done ]
}
