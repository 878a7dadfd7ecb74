#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Transactions named by data collectors: which time belongs to which, and what is known of how often they began.

bats_require_minimum_version 1.5.0
load trace
load jobs
load live
load waiting
load compiled

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	umask 022
	mkdir lib
	gcc -g -O1 -o orders "$VIGIL_SOURCE/tests/programs/orders.c"
	compiled gcc -g -O1 -o shares "$VIGIL_SOURCE/tests/programs/shares.c"
	gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o lib/STRBORDE.so "$VIGIL_SOURCE/tests/collectors/orders.c"
	rules STRBRULE
	libraries=$VIGIL_BUILD/.libs
	if [ -e "$libraries/libvigil.so" ]; then
		gcc -g -O1 -I"$VIGIL_SOURCE/include" -o alternate "$VIGIL_SOURCE/tests/programs/alternate.c" -L"$libraries" -lvigil \
			-Wl,-rpath,"$libraries"
	fi
}

# rules NAME OPTION...: tests/collectors/rules.c as a collector with this name, compiled at its first use.
rules() {
	[ -e "lib/$1.so" ] || gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o "lib/$1.so" "${@:2}" "$VIGIL_SOURCE/tests/collectors/rules.c"
}

setup() {
	cd "$WORK"
	command -v python3 >/dev/null || skip "python3 is not installed"
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
	summary=$BATS_TEST_TMPDIR/summary
	truth=$BATS_TEST_TMPDIR/truth
}

# measure OPERANDS COMMAND...: an ADD with these operands, and all of $rate samples per second if that is set.
measure() {
	"$vigil" run ${rate:+--rate "$rate" --cost 100} -o "$data" -c "ADD *,DCCLIB='$WORK/lib',$1" -- "${@:2}" 2>"$summary" >"$truth"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$summary" "$truth"; "$vigil" report -r TUS "$data"; return 1; }
}

# true_of UNIT COLUMN: what the program orders itself reports: 2 how often, 3 CPU time, 4 how long; of all processes.
true_of() {
	awk -v unit="$1" -v column="$2" '$1 == unit { sum += $column } END { printf "%.0f", sum }' "$truth"
}

# all_of COLUMN: the total over all units.
all_of() {
	awk -v column="$1" '{ sum += $column } END { printf "%.0f", sum }' "$truth"
}

# waits_of UNIT: the rows of its waits, and of being ready after them, at which the program waits.
waits_of() {
	echo "[row for row in rows('ACW', 'callers') if row.get('transaction') == '$1' and row.get('procedure') == 'pause_for']"
}

# uncertain UNIT: the possible error of its waits in ns. Waits that no look saw are distributed by those that looks
# saw, sums of many terms: the rows print this margin, 1.96 deviations, and 2.5 times the margin is the 4.9 deviations
# that chance exceeds once in a million; the rows of a unit may err together, so the margins are added. A unit has
# begun some time before it is seen, as long as the profile says that the collector takes to read: for half of the
# calls, so twice that, and three times as long as the longest. The waits of rows without a place may be any unit's.
uncertain() {
	echo "(2.5 * sum(row.get('wait_margin_ns', 0) for row in $(waits_of "$1")) +" \
		"$(true_of "$1" 2) * (2000 * collector('STRBORDE')['delay_us'] + 200000) + 3000 * collector('STRBORDE')['delay_most_us'] +" \
		"sum(row['wait_total_ns'] for row in rows('ACW', 'callers') if row.get('module') in ('.NOCALLER', '.UNKNOWN')))"
}

# measure_units MS ARG...: measures orders, for longer each time until there are enough looks: a unit that takes the
# waits of the next, or of the previous one, has a quarter of all time too much or too little. UPDATE does not wait,
# and would have the waits of COMMIT or .IDLE.
measure_units() {
	local much=$1
	shift
	for _ in 1 2 3 4; do
		measure DCC=STRBORDE ./orders "$much" "$@"
		if holds "max($(uncertain UPDATE), $(uncertain COMMIT), $(uncertain .IDLE)) < 0.25 * $(all_of 4)"; then
			return 0
		fi
		echo "measured again, twice as long"
		much=$((much * 2))
	done
	echo "there were too few looks to judge"
	return 1
}

# units_have_their_own: what the program reports on its waits, each with the time until it executes again, holds;
# measure_units ensures that the uncertainty is small enough to detect an error. The time in force has what these rows
# have, and the CPU time. Of that UPDATE has the part that the program reports, of samples binomial (profile.py),
# except for those without an answer and those for which the collector reads when the program has continued.
units_have_their_own() {
	local unit moved conditions=()
	for unit in COMMIT .IDLE; do
		conditions+=("abs(sum(row['wait_total_ns'] for row in $(waits_of $unit)) - $(true_of $unit 4)) <= $(uncertain $unit)")
	done
	for unit in UPDATE COMMIT .IDLE; do
		conditions+=("abs(transaction_row('$unit')['wait_charged_ns'] - sum(row['wait_charged_ns'] for row in rows('ACW', 'callers') if row.get('transaction') == '$unit')) <= 10000")
	done
	moved="min(1, (2000 * collector('STRBORDE')['delay_us'] * $(true_of UPDATE 2) + 3000 * collector('STRBORDE')['delay_most_us']) / $(true_of UPDATE 3))"
	holds "sum(row['wait_total_ns'] for row in $(waits_of UPDATE)) <= $(uncertain UPDATE)" "${conditions[@]}" \
		"least(transaction_row('UPDATE')['samples'], 100 * $(true_of UPDATE 3) / $(all_of 3), unknown=silent() + $moved * fact('samples_in_reports'))"
}

# units_are_counted CONDITION...: how often they began cannot be seen in samples: a lower bound is reported, and no
# mean.
units_are_counted() {
	local conditions=() unit
	for unit in UPDATE COMMIT .IDLE; do
		conditions+=("1 <= transaction_row('$unit')['count'] <= $(true_of $unit 2)" \
			"transaction_row('$unit')['count_kind'] == 'AT LEAST'" "'mean_ns' not in transaction_row('$unit')")
	done
	holds 'ties() == ""' "${conditions[@]}" "$@"
	"$vigil" report -r TUS "$data" | grep -Eq '^COMMIT  .* >=[0-9,]+ +- '
}

@test "units that a collector names are counted as often as they were seen at least" {
	measure DCC=STRBORDE ./orders 1000 1000 3000 2000
	units_are_counted
	# Units of half a second are all seen.
	measure DCC=STRBORDE ./orders 900 100000 500000 250000
	units_are_counted "transaction_row('COMMIT')['count'] == $(true_of COMMIT 2)"
}

# bats test_tags=live
@test "units of half a second have their own waits" {
	rate=1000 measure_units 2500 100000 500000 250000
	units_have_their_own
}

# bats test_tags=slow,limit:200
@test "units of milliseconds have their own waits, though most are not looked at" {
	measure_units 6000 1000 3000 2000
	units_have_their_own
}

# bats test_tags=slow,limit:200
@test "units of processes side by side are each process's own" {
	measure_units 5000 2000 5000 3000 3
	units_have_their_own
}

@test "at the end of the session a collector may tell how often a transaction began" {
	rules STRBLAST -DVARIANT='"LAST"' -DFLAGS=VIGIL_LAST
	shows measure "DCC=STRBLAST,DCCPARM='transaction=WORK count=7000'" ./shares @150 holds "transaction_row('WORK')['samples'] > 0" \
		"collector('STRBLAST')['answers'] - 1 > 0"
	holds 'transaction_row("WORK")["count"] == 7000' 'transaction_row("WORK")["count_kind"] == "EXACT"' \
		'abs(transaction_row("WORK")["mean_ns"] * 7000 - transaction_row("WORK")["elapsed_ns"]) <= 7000' \
		'not [row for row in rows("TUS", "transactions") if "UNSEEN" in row["transaction"]]' \
		'collector("STRBLAST")["answers"] > 1'
	shows measure "DCC=STRBLAST,DCCPARM='transaction=WORK count=7000 inexact'" ./shares @150 holds "transaction_row('WORK')['samples'] > 0"
	holds 'transaction_row("WORK")["count"] == 7000' 'transaction_row("WORK")["count_kind"] == "AT LEAST"'
}

@test "a collector refines the transaction of the application that is in force at the sample" {
	[ -x alternate ] || skip "libvigil is not built here"
	rules STRBHELD -DVARIANT='"HELD"' -DFLAGS=VIGIL_HOLD
	rules STRBFAST -DVARIANT='"FAST"' -DFLAGS=VIGIL_PROMPT
	for collector in STRBRULE STRBFAST STRBHELD; do
		shows measure "DCC=$collector,DCCPARM='refine'" ./alternate @150 4000 2000 holds \
			'transaction_row("A/SUB")["samples"] > 0' 'transaction_row("B/SUB")["samples"] > 0' 'ties() == ""'
	done
}

# refined COLLECTOR MS: two thirds of the CPU time are the first's, as the program itself reports; the samples follow
# that clock, and what they say of the application's own time is exact. So the first's are binomial (near() of
# profile.py: 4.9 deviations, 74 of 1,000 for two thirds): a sample with the refinement of the previous one would be
# off by more. The refined ones are all but those without an answer: no collector is called for the kernel's time,
# which an ordinary user cannot sample and which is estimated.
refined() {
	local turns first second
	valid measure "DCC=$1,DCCPARM='refine'" ./alternate "$2" 4000 2000
	read -r turns first second <"$truth"
	echo "$turns turns"
	holds "near(transaction_row('A/SUB')['samples'] + transaction_row('A')['samples'], 100 * $first / ($first + $second), unknown=silent())" \
		"near(transaction_row('B/SUB')['samples'] + transaction_row('B')['samples'], 100 * $second / ($first + $second), unknown=silent())" \
		'least(transaction_row("A/SUB")["samples"] + transaction_row("B/SUB")["samples"], 100, unknown=silent() + module(".KERNEL"))'
}

# bats test_tags=live
@test "what a collector refines has the share of the application's own" {
	[ -x alternate ] || skip "libvigil is not built here"
	rate=2000 refined STRBRULE 500
}

# bats test_tags=slow
@test "what collectors of other kinds refine has the share of the application's own" {
	[ -x alternate ] || skip "libvigil is not built here"
	rules STRBHELD -DVARIANT='"HELD"' -DFLAGS=VIGIL_HOLD
	rules STRBFAST -DVARIANT='"FAST"' -DFLAGS=VIGIL_PROMPT
	refined STRBFAST 1000
	refined STRBHELD 1000
}

@test "what the application names is counted and has its mean" {
	local turns first second
	[ -x alternate ] || skip "libvigil is not built here"
	measure 'DCC=STRBRULE' ./alternate 300 20000 10000
	read -r turns first second <"$truth"
	holds "transaction_row('A')['count'] == $turns" "transaction_row('B')['count'] == $turns" 'transaction_row("A")["count_kind"] == "EXACT"' \
		'transaction_row("A")["mean_ns"] >= 20e6' "$first >= 20e6 * $turns and $second >= 10e6 * $turns"
}

# A sleep is never shorter than requested.
@test "a transaction that only waits has its section" {
	local turns first second
	[ -x alternate ] || skip "libvigil is not built here"
	measure 'DCC=STRBRULE' ./alternate 300 10000 30000 sleep
	read -r turns first second <"$truth"
	holds "sum(row['wait_total_ns'] for row in rows('TUC', 'sections') if row['transaction'] == 'B') >= 0.03e9 * $turns" \
		'ties() == ""'
}

# The program reports the CPU time of its sleeps (a call each, and what the processor does besides): a percent or two
# of 300 samples.
# bats test_tags=slow
@test "a transaction that only waits has the samples of its calls alone" {
	local turns first second
	[ -x alternate ] || skip "libvigil is not built here"
	valid measure 'DCC=STRBRULE' ./alternate 300 10000 30000 sleep
	read -r turns first second <"$truth"
	echo "$turns turns"
	holds "near(sum(row['samples'] for row in rows('TUC', 'sections') if row['transaction'] == 'B'), 100 * $second / ($first + $second), unknown=silent())"
}

# For each call at most four samples have the name: one sample represents this many where vigil rarely gets the CPU.
# Those that were late before the end keep the name, too.
@test "what a collector named ends when it is switched off" {
	shows measure "DCC=STRBRULE,DCCPARM='transaction=WORK do=crash after=40'" ./shares @400 holds \
		'notes().count("VIG6101W") > 0' "transaction_row('WORK')['samples'] > 0" "transaction_row('.NOTRAN')['samples'] > 0"
	grep -q 'VIG6101W data collector STRBRULE was switched off after 40 calls' "$summary"
	holds 'transaction_row("WORK")["count"] == 1' "0 < transaction_row('WORK')['samples'] <= 160 + collector('STRBRULE')['late']" \
		"transaction_row('.NOTRAN')['samples'] > 0"
}

# The call takes all there is, and after a second of CPU time the collector is switched off. Its name ends when it has
# not answered for 5 ms.
@test "what a collector named ends when it does not answer" {
	shows measure "DCC=STRBRULE,DCCPARM='transaction=WORK do=spin after=20'" ./shares @300 holds \
		"transaction_row('.NOTRAN')['samples'] > 0" "transaction_row('WORK')['samples'] > 0"
}

# Of three seconds of CPU time a hundred calls have an answer, each for one sample, that is a millisecond, or for four
# where vigil rarely gets the CPU; with the 5 ms that is 15 in 100 at most. Of the samples that are kept (3,000, or a
# quarter) this share is binomial: 4.9 deviations. In the second until it is switched off, in which the collector uses
# CPU time concurrently with the program, another 33 in 100 would have the name.
# bats test_tags=slow
@test "what a collector named ends long before it is switched off" {
	measure "DCC=STRBRULE,DCCPARM='transaction=WORK do=spin after=100'" ./shares 3000
	holds "fact('samples_in_reports') > 500" \
		"0 < transaction_row('WORK')['samples'] <= 0.15 * fact('samples_in_reports') + 4.9 * (0.15 * 0.85 * fact('samples_in_reports')) ** 0.5"
}

@test "texts of several collectors stand in SUBSYSTEM side by side" {
	rules STRBFAST -DVARIANT='"FAST"' -DFLAGS=VIGIL_PROMPT
	shows measure "DCC=(STRBRULE,STRBFAST),DCCPARM=('id=IMSPROD','id=CICS')" ./shares @150 holds \
		'collector("STRBRULE")["answers"] > 0' 'collector("STRBFAST")["answers"] > 0'
	holds 'fact("subsystem") == "IMSPROD, CICS"'
}

@test "answers that come too late are noted, in a short session too" {
	shows measure "DCC=STRBRULE,DCCPARM='transaction=WORK late=10'" ./shares @200 holds \
		'"VIG6105I" in notes()' "collector('STRBRULE')['late'] > 0"
	"$vigil" report -r MSD "$data" | tr -s ' \n' ' ' | grep -q "VIG6105I data collector STRBRULE had no answer in time for [0-9]* samples"
}

@test "OPTIONS of the profile are the operands of the request" {
	rules STRBFAST -DVARIANT='"FAST"' -DFLAGS=VIGIL_PROMPT
	measure "DCC=(STRBRULE,STRBFAST),DCCPARM=('id=''X''',''),MAPPROGRAM=PAYROLL" ./shares 50
	holds "fact('options') == \"DCC=(STRBRULE,STRBFAST), DCCLIB='$WORK/lib', DCCPARM=('id=''X''',''), MAPPROGRAM=PAYROLL\""
	"$vigil" run -o "$data" -- ./shares 20 2>"$summary"
	holds 'fact("options") == "NONE"'
}

@test "the log of a job names a collector that was switched off, and one that was not loaded" {
	in_own_folder
	cp "$WORK/shares" bin/SHARES
	export VIGIL_COLLECTORS=$WORK/lib
	gcc -shared -fPIC -DFAULT=13 -I"$VIGIL_SOURCE/include" -o "$WORK/lib/STRBWRNG.so" "$VIGIL_SOURCE/tests/collectors/fault.c"
	# It crashes at its 20th call: that takes longer on a machine on which it is called rarely.
	for ms in 200 800 3200; do
		job <<DECK
//A        JOB
//S1       EXEC PGM=SHARES,PARM='$ms'
//VIGIL    DD *
  ADD A,STEP=S1,DCC=(STRBRULE,STRBWRNG),DCCPARM='do=crash'
/*
DECK
		[ "$status" -eq 0 ]
		! has 'STRBRULE was switched off' || break
	done
	has 'VIG3411W step S1: data collector STRBRULE was switched off after '
	has 'signal 11 (SIGSEGV)'
	has 'VIG3411W step S1: data collector STRBWRNG was not loaded: '
}
