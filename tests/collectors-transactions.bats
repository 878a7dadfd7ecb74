#!/usr/bin/env bats
# bats file_tags=trial
# SPDX-License-Identifier: Apache-2.0
# Transactions that data collectors name: whose time is whose, and what is known of how often they began.

bats_require_minimum_version 1.5.0
load jobs

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	umask 022
	mkdir lib
	gcc -g -O1 -o orders "$VIGIL_SOURCE/tests/programs/orders.c"
	gcc -g -O1 -o shares "$VIGIL_SOURCE/tests/programs/shares.c"
	gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o lib/STRBORDE.so "$VIGIL_SOURCE/tests/collectors/orders.c"
	rules STRBRULE
	rules STRBHELD -DVARIANT='"HELD"' -DFLAGS=VIGIL_HOLD
	rules STRBLAST -DVARIANT='"LAST"' -DFLAGS=VIGIL_LAST
	rules STRBFAST -DVARIANT='"FAST"' -DFLAGS=VIGIL_PROMPT
	libraries=$VIGIL_BUILD/.libs
	if [ -e "$libraries/libvigil.so" ]; then
		gcc -g -O1 -I"$VIGIL_SOURCE/include" -o alternate "$VIGIL_SOURCE/tests/programs/alternate.c" -L"$libraries" -lvigil \
			-Wl,-rpath,"$libraries"
	fi
}

# rules NAME OPTION...: tests/collectors/rules.c as a collector of that name.
rules() {
	gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o "lib/$1.so" "${@:2}" "$VIGIL_SOURCE/tests/collectors/rules.c"
}

setup() {
	cd "$WORK"
	command -v python3 >/dev/null || skip "python3 is not installed"
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
	summary=$BATS_TEST_TMPDIR/summary
	truth=$BATS_TEST_TMPDIR/truth
}

# measure OPERANDS COMMAND...: an ADD with these operands.
measure() {
	"$vigil" run -o "$data" -c "ADD *,DCCLIB='$WORK/lib',$1" -- "${@:2}" 2>"$summary" >"$truth"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$summary" "$truth"; "$vigil" report -r TUS "$data"; return 1; }
}

# true_of UNIT COLUMN: what the program orders itself says: 2 how often, 3 CPU time, 4 how long; of all processes.
true_of() {
	awk -v unit="$1" -v column="$2" '$1 == unit { sum += $column } END { printf "%.0f", sum }' "$truth"
}

# off UNIT: by how much its time in force is off, as a part of all time.
off() {
	echo "abs(transaction_row('$1')['elapsed_ns'] - $(true_of "$1" 4)) / $(awk '{ sum += $4 } END { printf "%.0f", sum }' "$truth")"
}

# Of two ways to be wrong - a unit takes the waits of the next, or those of the one before - each is off by 0.3 or more.
units_have_their_own() {
	holds "$(off UPDATE) < 0.15" "$(off COMMIT) < 0.2" "$(off .IDLE) < 0.2" 'ties() == ""' \
		"least(transaction_row('UPDATE')['samples'], 80, unknown=silent())"
	# How often they began cannot be seen in samples: at least so often, and no mean.
	for unit in UPDATE COMMIT .IDLE; do
		holds "1 <= transaction_row('$unit')['count'] <= $(true_of $unit 2)" \
			"transaction_row('$unit')['count_kind'] == 'AT LEAST'" "'mean_ns' not in transaction_row('$unit')"
	done
	"$vigil" report -r TUS "$data" | grep -Eq '^COMMIT  .* >=[0-9,]+ +- '
}

@test "units of milliseconds have their own waits, though most are not looked at" {
	measure DCC=STRBORDE ./orders 6000 1000 3000 2000
	units_have_their_own
}

@test "units of processes side by side are each process's own" {
	measure DCC=STRBORDE ./orders 5000 2000 5000 3000 3
	units_have_their_own
}

@test "units of half a second are counted as they are" {
	measure DCC=STRBORDE ./orders 2500 100000 500000 250000
	units_have_their_own
	holds "transaction_row('COMMIT')['count'] == $(true_of COMMIT 2)"
}

@test "at the end of the session a collector may tell how often a transaction began" {
	measure "DCC=STRBLAST,DCCPARM='transaction=WORK count=7000'" ./shares 300
	holds 'transaction_row("WORK")["count"] == 7000' 'transaction_row("WORK")["count_kind"] == "EXACT"' \
		'abs(transaction_row("WORK")["mean_ns"] * 7000 - transaction_row("WORK")["elapsed_ns"]) <= 7000' \
		'not [row for row in rows("TUS", "transactions") if "UNSEEN" in row["transaction"]]' \
		'collector("STRBLAST")["answers"] > 100'
	measure "DCC=STRBLAST,DCCPARM='transaction=WORK count=7000 inexact'" ./shares 300
	holds 'transaction_row("WORK")["count"] == 7000' 'transaction_row("WORK")["count_kind"] == "AT LEAST"'
}

@test "a collector refines the transaction of the application that is in force at the sample" {
	[ -x alternate ] || skip "libvigil is not built here"
	# Time in the kernel, which an ordinary user cannot sample, is estimated: no collector is asked about it.
	for collector in STRBRULE STRBFAST STRBHELD; do
		measure "DCC=$collector,DCCPARM='refine'" ./alternate 1500 4000 2000
		holds 'near(transaction_row("A/SUB")["samples"] + transaction_row("A")["samples"], 100 * 2 / 3, unknown=silent())' \
			'near(transaction_row("B/SUB")["samples"] + transaction_row("B")["samples"], 100 / 3, unknown=silent())' \
			'least(transaction_row("A/SUB")["samples"] + transaction_row("B/SUB")["samples"], 95, unknown=silent() + module(".KERNEL"))' \
			'ties() == ""'
	done
}

@test "what the application names is counted and has its mean" {
	[ -x alternate ] || skip "libvigil is not built here"
	measure 'DCC=STRBRULE' ./alternate 600 20000 10000
	holds 'transaction_row("A")["count"] in (20, 21)' 'transaction_row("A")["count_kind"] == "EXACT"' \
		'transaction_row("A")["mean_ns"] >= 20e6'
}

@test "a transaction that only waits has its section" {
	[ -x alternate ] || skip "libvigil is not built here"
	measure 'DCC=STRBRULE' ./alternate 300 10000 30000 sleep
	holds 'sum(row["wait_total_ns"] for row in rows("TUC", "sections") if row["transaction"] == "B") >= 30 * 0.03e9' \
		'sum(row["samples"] for row in rows("TUC", "sections") if row["transaction"] == "B") <= 0.05 * fact("samples_in_reports")' \
		'ties() == ""'
}

@test "what a collector named ends when it is switched off" {
	measure "DCC=STRBRULE,DCCPARM='transaction=WORK do=crash after=100'" ./shares 1500
	grep -q 'VIG6101W data collector STRBRULE was switched off after 100 calls' "$summary"
	# Those of a tick may come before the end is seen. Where vigil does not get a processor in time a sample stands for up to four.
	holds 'transaction_row("WORK")["count"] == 1' \
		"50 * fact('rate_final') / fact('rate_initial') <= transaction_row('WORK')['samples'] <= 100 + collector('STRBRULE')['late'] + 0.1 * fact('samples_in_reports')" \
		"least(transaction_row('.NOTRAN')['samples'], 80)"
}

@test "what a collector named ends when it does not answer, long before it is switched off" {
	# The call takes all there is: after a second of CPU time it is switched off.
	measure "DCC=STRBRULE,DCCPARM='transaction=WORK do=spin after=100'" ./shares 3000
	holds "least(transaction_row('.NOTRAN')['samples'], 50)" \
		"transaction_row('WORK')['samples'] >= 50 * fact('rate_final') / fact('rate_initial')"
}

@test "texts of several collectors stand in SUBSYSTEM side by side" {
	measure "DCC=(STRBRULE,STRBFAST),DCCPARM=('id=IMSPROD','id=CICS')" ./shares 300
	holds 'fact("subsystem") == "IMSPROD, CICS"'
}

@test "answers that come too late are noted, in a short session too" {
	measure "DCC=STRBRULE,DCCPARM='transaction=WORK late=10'" ./shares 600
	holds '"VIG6105I" in notes()' "collector('STRBRULE')['late'] > 0"
	"$vigil" report -r MSD "$data" | tr -s ' \n' ' ' | grep -q "VIG6105I data collector STRBRULE had no answer in time for [0-9]* samples"
}

@test "OPTIONS of the profile are the operands of the request" {
	measure "DCC=(STRBRULE,STRBFAST),DCCPARM=('id=''X''',''),MAPPROGRAM=PAYROLL" ./shares 200
	holds "fact('options') == \"DCC=(STRBRULE,STRBFAST), DCCLIB='$WORK/lib', DCCPARM=('id=''X''',''), MAPPROGRAM=PAYROLL\""
	"$vigil" run -o "$data" -- ./shares 100 2>"$summary"
	holds 'fact("options") == "NONE"'
}

@test "the log of a job names a collector that was switched off, and one that was not loaded" {
	in_own_folder
	cp "$WORK/shares" bin/SHARES
	export VIGIL_COLLECTORS=$WORK/lib
	gcc -shared -fPIC -DFAULT=13 -I"$VIGIL_SOURCE/include" -o "$WORK/lib/STRBWRNG.so" "$VIGIL_SOURCE/tests/collectors/fault.c"
	job <<'DECK'
//A        JOB
//S1       EXEC PGM=SHARES,PARM='500'
//VIGIL    DD *
  ADD A,STEP=S1,DCC=(STRBRULE,STRBWRNG),DCCPARM='do=crash'
/*
DECK
	[ "$status" -eq 0 ]
	has 'VIG3411W step S1: data collector STRBRULE was switched off after '
	has 'signal 11 (SIGSEGV)'
	has 'VIG3411W step S1: data collector STRBWRNG was not loaded: '
}
