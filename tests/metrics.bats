#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# System metrics: vigil collect and vigil modules, compared with /proc.

bats_require_minimum_version 1.5.0

load trace
load ordinary
load waiting
load background

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
}

# collected COMMAND...: runs it; on a busy machine intervals may be omitted, which is reported.
collected() {
	run --separate-stderr "$@"
	if [ "$status" -eq 4 ]; then
		[[ $stderr == *VIG3500W* ]] || return 1
		stderr=$(grep -v VIG3500W <<<"$stderr" || true)
		return 0
	fi
	[ "$status" -eq 0 ]
}

# has_rows FILE: whether a file has three rows below its heading.
has_rows() {
	[ "$(wc -l <"$1")" -ge 4 ]
}

teardown() {
	background_end
	[ -z "$collector" ] || kill -KILL "$collector" 2>/dev/null || true
	ordinary_end
}

@test "counters of a snapshot lie between what /proc said before and after" {
	python3 "$VIGIL_SOURCE/tests/metrics-truth.py" counters "$vigil"
}

@test "a sleeping process with known work is told exactly" {
	python3 "$VIGIL_SOURCE/tests/metrics-truth.py" process "$vigil"
}

@test "processes are all there in each snapshot, and those that sleep are told as they are" {
	python3 "$VIGIL_SOURCE/tests/metrics-truth.py" processes "$vigil"
}

@test "locks are counted as /proc has them" {
	python3 "$VIGIL_SOURCE/tests/metrics-truth.py" locks "$vigil"
}

@test "the CSV has a row an interval, rates of counters, and levels" {
	python3 "$VIGIL_SOURCE/tests/metrics-truth.py" rates "$vigil"
}

@test "as an ordinary user: what may not be read is missing, all else is there" {
	ordinary_folder
	collected "${ordinary[@]}" "$vigil" collect -q -i 0.1 -c 1 -t LIST PRO MEM
	# The first process belongs to root: its input and output are hidden from others.
	first=$(awk '/^  PRO /{ n++ } n == 1' <<<"$output")
	[[ $first == *" pid "*" 1 process"* ]]
	[ "$(id -u nobody)" -ne 0 ]
	grep -qE '^    characters_read +- bytes' <<<"$first"
	grep -qE '^    resident +[0-9]+ bytes' <<<"$first"
	grep -qE '^    available +[0-9]+ bytes' <<<"$output"
	collected "${ordinary[@]}" "$vigil" collect -i 0.1 -c 2 -o own.vprf
	[[ $stderr == *"VIG3504I own.vprf: 2 snapshots, "*" bytes"* ]]
}

@test "snapshots are aligned to the wall clock" {
	collected "$vigil" collect -i 0.5 -c 6 -t CSV SYS
	[ "${#lines[@]}" -eq 7 ]
	# How long after a multiple of the interval depends on the machine: one of six is soon enough.
	python3 - "${lines[@]:1}" <<-'END'
		import sys
		late = [float(row.split(",")[0][17:-1]) % 0.5 for row in sys.argv[1:]]
		assert min(late) < 0.05, late
	END
}

@test "without an output a live table is printed, a line an interval" {
	collected "$vigil" collect -i 0.1 -c 3
	[ "${#lines[@]}" -eq 4 ]
	[[ ${lines[0]} == "time "*"user%"*"sent MB/s" ]]
	[[ ${lines[1]} =~ ^[0-9:]{8}\ +-\ +- ]]
	# A late snapshot is soon followed by the next one: without a processor tick between the two there is no share
	# of its time. From the first to the third there is at least an interval, so one of the two has shares.
	[[ ${lines[2]} =~ ^[0-9:]{8}\ +([0-9.]+|-)\ +([0-9.]+|-) ]]
	[[ ${lines[3]} =~ ^[0-9:]{8}\ +([0-9.]+|-)\ +([0-9.]+|-) ]]
	[[ ${lines[2]} =~ ^[0-9:]{8}\ +[0-9.]+\ +[0-9.]+ ]] || [[ ${lines[3]} =~ ^[0-9:]{8}\ +[0-9.]+\ +[0-9.]+ ]]
	collected "$vigil" collect -q -i 0.1 -c 1
	[ -z "$output$stderr" ]
}

@test "on a terminal the live table has room, whatever is done to its size, and no colours" {
	python3 "$VIGIL_SOURCE/tests/live-table.py" "$vigil"
}

@test "a collection that a signal ends is whole" {
	for signal in INT TERM; do
		# A shell makes its background jobs ignore SIGINT.
		background env --default-signal=INT "$vigil" collect -i 0.1 -t CSV -o "$signal.vprf" MEM >"$signal.csv" 2>"$signal.err"
		collector=$!
		wait_for has_rows "$signal.csv"
		kill "-$signal" "$collector"
		status=0
		wait "$collector" || status=$?
		[ "$status" -eq 0 ] || grep -q VIG3500W "$signal.err"
		grep -qE "VIG3504I $signal.vprf: [0-9]+ snapshots, [0-9]+ bytes" "$signal.err"
		# As many snapshots as rows, and each row has all columns.
		told=$(grep -oE '[0-9]+ snapshots' "$signal.err" | cut -d' ' -f1)
		[ "$(wc -l <"$signal.csv")" -eq $((told + 1)) ]
		[ "$(python3 -c 'import csv, sys; print(len({len(row) for row in csv.reader(sys.stdin)}))' <"$signal.csv")" -eq 1 ]
		[ "$(stat -c %s "$signal.vprf")" -eq "$(grep -oE '[0-9]+ bytes' "$signal.err" | cut -d' ' -f1)" ]
	done
	collector=
}

@test "--start and --end" {
	before=$(date +%s)
	collected "$vigil" collect --start +1 --end +2 -i 0.5 -t CSV MEM
	[ "${#lines[@]}" -ge 2 ]
	[ "${#lines[@]}" -le 6 ]
	first=$(date -d "$(cut -d, -f1 <<<"${lines[1]}")" +%s)
	[ "$first" -ge $((before + 1)) ]
	run -2 "$vigil" collect --end "2001-01-01 00:00" MEM
	[[ $output == *"the collection would end before it begins"* ]]
	run -2 "$vigil" collect --start 25:00 MEM
	[[ $output == *"'25:00' is not a time"* ]]
}

@test "what is wrong is told, and nothing is written" {
	run -8 "$vigil" collect -c 1 CPU NONE
	[[ $output == *"VIG3506E there is no module NONE; 'vigil modules' lists them"* ]]
	for interval in 0 0.001 -1 100000 1s nan; do
		run -2 "$vigil" collect -c 1 --interval="$interval"
		[[ $output == *"VIG3501E '$interval' is not an interval"* ]]
	done
	run -2 "$vigil" collect -c 0
	run -2 "$vigil" collect -t XML
	[[ $output == *"unknown form 'XML'"* ]]
	echo mine >there.vprf
	run -8 "$vigil" collect -c 1 -o there.vprf
	[[ $output == *"VIG3502E there.vprf exists already"* ]]
	[ "$(cat there.vprf)" = mine ]
	collected "$vigil" collect -q -i 0.1 -c 1 --replace -o there.vprf
	[ "$(head -c 4 there.vprf)" != mine ]
	run -8 "$vigil" collect -c 1 -o /dev/null
	[[ $output == *"/dev/null cannot be the file of a data set"* ]]
	run -8 "$vigil" collect -c 1 -o .
	run -8 "$vigil" collect -c 1 -o missing/a.vprf
	[ ! -e missing ]
}

@test "a full disk: what was written before is kept, and said" {
	run -8 --separate-stderr bash -c 'ulimit -f 200; exec "$0" collect -i 0.02 -c 5000 -o full.vprf ALL' "$vigil"
	[[ $stderr == *"VIG3503E writing sample data set full.vprf failed"*"can be read"* ]]
	[ -s full.vprf ]
	if [ -w /dev/full ]; then
		run -8 --separate-stderr bash -c '"$0" collect -i 0.1 -c 3 -t CSV MEM >/dev/full' "$vigil"
		[[ $stderr == *"VIG3503E the output cannot be written: No space left on device"* ]]
	fi
}

@test "a reader that has seen enough ends the collection without a message" {
	run -0 --separate-stderr bash -c '"$0" collect -i 0.05 -t CSV MEM | head -2 | wc -l' "$vigil"
	[ "$output" = 2 ]
	[ -z "$stderr" ]
}

# most_are_left_out: OWN counts at least most intervals of the second.
most_are_left_out() {
	[ "$(awk '$1 == "intervals_left_out" { last = $2 } END { print last + 0 }' late.txt)" -ge 7 ]
}

@test "intervals that were left out are marked in the data, and said" {
	background "$vigil" collect -i 0.1 -t LIST SYS >late.txt 2>late.err
	collector=$!
	wait_for grep -q 'SNAPSHOT 2 ' late.txt
	stop_all "$collector"
	sleep 1
	kill -CONT "$collector"
	# On a busy machine an interval may have been omitted before it was stopped: the end comes when those of the
	# second are reported.
	wait_for most_are_left_out
	grep -q 'NOTE [0-9]* intervals have no snapshot' late.txt
	kill -TERM "$collector"
	status=0
	wait "$collector" || status=$?
	collector=
	[ "$status" -eq 4 ]
	grep -qE 'VIG3500W [0-9]+ intervals have no snapshot' late.err
	most_are_left_out
}

@test "vigil modules lists modules, items and groups, and why a set is empty" {
	run -0 --separate-stderr "$vigil" modules
	[ -z "$stderr" ]
	# More than a thousand metrics, without those of processes.
	[ "$(awk '$2 ~ /^producer/ && $1 != "PRO" { sum += $3 * $4 } END { print sum }' <<<"$output")" -gt 1000 ]
	for name in ADP CGR CLU COLHDR CPS CPU CTL CVC DDSC DEV DLM DSK DTM EXEC FCP GLX INET IRQ LWS MEM NFS NFSOP NTI OWN PAR PDSC PRO PSI SRV SYS XFC XVC \
		DEFAULT CLUSTER ALL TIMER DATASET; do
		grep -qE "^$name +(producer|grouper|timer|consumer)" <<<"$output"
	done
	# A line for each producer without records gives the reason.
	empty=$(awk '$2 ~ /^producer/ && $4 == 0' <<<"$output" | wc -l)
	[ "$(grep -cE '^ {48}no records: .' <<<"$output" || true)" -eq "$empty" ]
	run -0 "$vigil" modules cpu Default
	grep -qE '^user +ns +counter +Time in user mode' <<<"$output"
	grep -qE '^number +id +identity +The processor\.' <<<"$output"
	[[ $output == *"Its members: ADP CPU CTL DEV DSK FCP MEM NTI PAR PRO SYS"* ]]
	run -8 "$vigil" modules NONE
	[[ $output == *"VIG3506E there is no module NONE"* ]]
}
