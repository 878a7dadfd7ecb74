#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Long collections: several files by size and time, nothing lost between them, each complete by itself, and full
# disks.

bats_require_minimum_version 1.5.0

load trace
load ordinary

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
}

teardown() {
	ordinary_end
}

# collected STATUS ARGUMENT...: runs collect every 50 ms, with its JSON in live.json and its messages in said;
# intervals may be omitted on a busy machine. Through a pipe, since the limits of files must not apply to the text.
collected() {
	local wanted=$1 status=0
	shift
	{
		ulimit -f "${limit:-unlimited}"
		"$vigil" collect -i 0.05 -t JSON "$@" 2>said || echo $? >status
	} | cat >live.json
	[ ! -e status ] || read -r status <status
	rm -f status
	[ "$status" -eq "$wanted" ] || { [ "$status" -eq 4 ] && [ "$wanted" -eq 0 ]; }
}

# records RECORD FILE: the number of records of a type in a JSON text.
records() {
	grep -c "\"record\":\"$1\"" "$2" || true
}

@test "files by size: none is larger, and together they are what was live" {
	# Not modules that grow with what other processes start meanwhile: it cannot be foreseen that the next
	# snapshot is larger than any before.
	collected 0 -c 20 -o long.vprf --size 12k MEM SYS INET
	files=(long-*Z.vprf)
	[ "${#files[@]}" -ge 2 ]
	# In the first of them the size of a snapshot is unknown.
	for file in "${files[@]:1}"; do
		[ "$(stat -c %s "$file")" -le 12288 ]
		run -0 "$vigil" extract -t JSON "$file" MEM
	done
	grep -qE "VIG3504I long.vprf: 20 snapshots, [0-9]+ bytes in ${#files[@]} files, the newest is ${files[-1]}\$" said
	[ ! -e long.vprf ]
	# Except for the header of the collection, which each file repeats.
	"$vigil" extract -t JSON "${files[@]}" | grep -v '"record":"colhdr"' >stored.json
	grep -v '"record":"colhdr"' live.json | diff - stored.json
	# A time range extends across the ends of files, too.
	"$vigil" extract -t CSV "${files[@]}" SYS.tasks >all.csv
	[ "$(wc -l <all.csv)" -eq 21 ]
}

@test "each file is whole by itself: what is told once is in its first snapshot" {
	collected 0 -c 16 -o long.vprf --size 300k DEFAULT
	files=(long-*Z.vprf)
	[ "${#files[@]}" -ge 1 ]
	collected 0 -c 6 -o timed.vprf --rotate 1 -i 0.4 DEV PAR
	files=(timed-*Z.vprf)
	[ "${#files[@]}" -ge 2 ]
	"$vigil" extract -t JSON "${files[0]}" >first.json
	"$vigil" extract -t JSON "${files[1]}" >second.json
	[ "$(records par first.json)" -gt 500 ]
	# Some parameters change all the time, so they are recorded again.
	for file in first second; do
		python3 - "$file.json" >"$file.names" <<-'EOF'
			import json, sys
			first = None
			for line in open(sys.argv[1]):
			    record = json.loads(line)
			    first = record["snapshot"] if first is None else first
			    if record["snapshot"] == first and record["record"] in ("par", "dev"):
			        print(record["record"], record["items"]["name"])
		EOF
	done
	[ "$(sort first.names | comm -3 - <(sort second.names) | wc -l)" -le 5 ]
}

@test "the newest files are kept, and nothing else is removed" {
	touch long-20200101T000000.000Z.vprf long-20200101T000000.000Z.vprf.old long-x.vprf other-20200101T000000.000Z.vprf
	collected 0 -c 12 -o "$PWD/long.vprf" --size 8k --keep 2 MEM INET
	[ "$(find . -name 'long-2*Z.vprf' | wc -l)" -eq 2 ]
	[ ! -e long-20200101T000000.000Z.vprf ]
	[ -e long-20200101T000000.000Z.vprf.old ]
	[ -e long-x.vprf ]
	[ -e other-20200101T000000.000Z.vprf ]
	# They are the newest.
	"$vigil" extract -t JSON "$PWD"/long-2*Z.vprf >kept.json
	grep '"record":"mem"' live.json | tail -n 1 >newest
	grep '"record":"mem"' kept.json | tail -n 1 | diff newest -
}

@test "files given in the wrong order are told" {
	"$vigil" collect -q -i 0.05 -c 1 -o a.vprf MEM || [ $? -eq 4 ]
	"$vigil" collect -q -i 0.05 -c 1 -o b.vprf MEM || [ $? -eq 4 ]
	run -0 --separate-stderr "$vigil" extract -t JSON a.vprf b.vprf MEM
	[ "$(grep -c '"record":"mem"' <<<"$output")" -eq 2 ]
	run -4 --separate-stderr "$vigil" extract -t JSON b.vprf a.vprf MEM
	[[ $stderr == "vigil: VIG3698W a.vprf begins before b.vprf ends" ]]
	run -8 "$vigil" extract a.vprf missing.vprf
}

@test "a file that cannot be written any more costs the live outputs nothing" {
	limit=15 collected 8 -c 20 -o full.vprf MEM SYS INET
	[ "$(records mem live.json)" -eq 20 ]
	grep -q 'VIG3697E writing sample data set .*full.vprf failed.*File too large.*; the collection continues without it$' said
	[ "$(grep -c VIG3697E said)" -eq 2 ]
	missed=$(sed -n 's/.*VIG3697E full.vprf: \([0-9]*\) snapshots could not be stored/\1/p' said)
	"$vigil" extract -t JSON full.vprf MEM >stored.json || [ $? -eq 4 ]
	[ $(($(records mem stored.json) + missed)) -eq 20 ]
	# Without other consumers of the data it ends.
	ulimit -f 16
	run -8 --separate-stderr "$vigil" collect -q -i 0.05 -o other.vprf MEM SYS INET
	[[ $stderr == *"VIG3503E "*"File too large"* ]]
}

@test "of several files another is begun after a gap, which is told in it" {
	limit=16 collected 8 -c 40 -o full.vprf --rotate daily MEM SYS INET
	[ "$(records mem live.json)" -eq 40 ]
	files=(full-*Z.vprf)
	[ "${#files[@]}" -ge 2 ]
	"$vigil" extract "${files[1]}" NOTE >notes || [ $? -eq 4 ]
	grep -qE '[0-9]+ snapshots before this one could not be stored' notes
	missed=$(sed -n 's/.*VIG3697E full.vprf: \([0-9]*\) snapshots could not be stored/\1/p' said)
	"$vigil" extract -t JSON "${files[@]}" MEM >stored.json || [ $? -eq 4 ]
	[ $(($(records mem stored.json) + missed)) -eq 40 ]
}

@test "what is missing is counted wherever a file ends, also when only its end cannot be written" {
	"$vigil" collect -q -i 0.01 -c 2 -o whole.vprf --rotate daily MEM || [ $? -eq 4 ]
	whole=$(stat -c %s whole-*Z.vprf)
	for ((bytes = whole - 60; bytes < whole + 6; bytes += 2)); do
		rm -f full*
		prlimit --fsize="$bytes" "$vigil" collect -i 0.01 -t JSON -c 2 -o full.vprf --rotate daily MEM 2>said | cat >live.json
		missed=$(sed -n 's/.*VIG3697E full.vprf: \([0-9]*\) snapshots could not be stored/\1/p' said)
		"$vigil" extract -t JSON full-*Z.vprf MEM >stored.json 2>damage || [ $? -eq 4 ]
		[ $(($(records mem stored.json) + ${missed:-0})) -eq 2 ]
	done
}

@test "what is wrong on the command line is said" {
	run -2 "$vigil" collect -o a.vprf --size 100
	run -2 "$vigil" collect -o a.vprf --size 10X
	run -2 "$vigil" collect -o a.vprf --rotate weekly
	run -2 "$vigil" collect -o a.vprf --rotate 0
	run -2 "$vigil" collect -o a.vprf --rotate daily --keep 0
	run -2 "$vigil" collect -o a.vprf --keep 3
	run -2 "$vigil" collect --rotate daily
	[ ! -e a.vprf ]
}

@test "an ordinary user's files" {
	ordinary_folder
	"${ordinary[@]}" "$vigil" collect -q -i 0.05 -c 6 -o own.vprf --size 8k --keep 3 MEM INET || [ $? -eq 4 ]
	files=(own-*Z.vprf)
	[ "${#files[@]}" -ge 2 ]
	[ "${#files[@]}" -le 3 ]
}
