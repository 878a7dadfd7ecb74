#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# vigil extract: the data of collections and sessions as text.

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

# collected ARGUMENT...: runs collect; on a busy machine intervals may be omitted.
collected() {
	status=0
	"${as[@]}" "$vigil" collect -q "$@" || status=$?
	[ "$status" -eq 0 ] || [ "$status" -eq 4 ]
}

# same_as_live: each form of a collection is the same live and from the file.
same_as_live() {
	for form in LIST LISTALL CSV JSON; do
		collected -i 0.1 -c 3 -t "$form" -o "$form.vprf" ALL >"$form.live"
		status=0
		"${as[@]}" "$vigil" extract -t "$form" "$form.vprf" >"$form.stored" || status=$?
		# A disk or interface that appeared meanwhile has no column, live or not.
		[ "$status" -eq 0 ] || [ "$form" = CSV ]
		[ "$(wc -l <"$form.live")" -ge 4 ]
		cmp "$form.live" "$form.stored"
	done
	# All forms show the same data: as many records, and numbers where there are columns.
	grep -q '^  MEM 1 of 1' LIST.live
	grep -qE '^    available +[0-9]+ bytes$' LIST.live
	grep -qE '^    available +[0-9]+ bytes, level: .' LISTALL.live
	python3 - <<-'END'
		import csv, json
		records = [json.loads(line) for line in open("JSON.stored")]
		assert {record["snapshot"] for record in records} == {1, 2, 3}
		assert {"mem", "cpu", "pro", "own"} <= {record["record"] for record in records}
		assert all(record["items"]["available"] > 0 for record in records if record["record"] == "mem")
		rows = list(csv.reader(open("CSV.stored")))
		assert len(rows) == 4 and len({len(row) for row in rows}) == 1
	END
}

@test "live and stored data are the same text, in every form" {
	as=()
	same_as_live
}

@test "the same as an ordinary user" {
	ordinary_folder
	as=("${ordinary[@]}")
	same_as_live
}

@test "records, items and groups, as modules or in small letters" {
	collected -i 0.1 -c 2 -o all.vprf ALL
	run -0 "$vigil" extract all.vprf MEM.available mem.free cpu.USER
	[ "$(grep -cE '^    available ' <<<"$output")" -eq 2 ]
	[ "$(grep -cE '^    free ' <<<"$output")" -eq 2 ]
	# What identifies a processor is printed with its item, and nothing else.
	[ "$(grep -cE '^    number ' <<<"$output")" -eq "$(grep -cE '^    user ' <<<"$output")" ]
	[ "$(grep '^    ' <<<"$output" | awk '{ print $1 }' | sort -u | xargs)" = "available free number user" ]
	# A snapshot that was late on a loaded machine is noted with the records.
	[ "$(sed '/^  NOTE /d' <<<"$output" | grep -oE '^  [A-Z]+' | sort -u | xargs)" = "CPU MEM" ]
	# A group stands for its members, if they have records.
	"$vigil" extract all.vprf DEFAULT >default.txt
	"$vigil" extract all.vprf ADP CPU CTL DEV DSK FCP MEM NTI PAR PRO SYS >members.txt || [ $? -eq 4 ]
	cmp default.txt members.txt
	! grep -q '^  OWN' default.txt || return 1
	run -0 "$vigil" extract -t CSV all.vprf SYS.load_1 MEM.available
	[ "$(tr -cd , <<<"${lines[0]}")" = ",," ]
	[[ ${lines[0]} == 'time,'*'"mem.available (bytes)"'* ]]
	run -0 "$vigil" extract -t JSON all.vprf MEM.available
	python3 -c 'import json, sys; assert [list(json.loads(line)["items"]) for line in sys.argv[1:]] == [["available"]] * 2' "${lines[@]}"
}

@test "a time: both ends, of day and from the first snapshot" {
	collected -i 0.2 -c 8 -o eight.vprf SYS
	"$vigil" extract -t CSV eight.vprf SYS.tasks >all.csv
	python3 - <<-'END' >ends
		import csv, datetime
		times = [datetime.datetime.fromisoformat(row[0][:-1]) for row in list(csv.reader(open("all.csv")))[1:]]
		seconds = [(time - times[0]).total_seconds() for time in times]
		# Between snapshots, so that no rounding counts.
		print((seconds[1] + seconds[2]) / 2, (seconds[4] + seconds[5]) / 2)
		print(times[0].strftime("%Y-%m-%dT%H:%M:%S"))
	END
	read -r from to <ends
	run -0 "$vigil" extract -t CSV --from "+$from" --to "+$to" eight.vprf SYS.tasks
	[ "$(cut -d, -f1 <<<"$output" | tail -n +2)" = "$(cut -d, -f1 all.csv | sed -n 4,6p)" ]
	run -0 "$vigil" extract -t CSV --from "+$to" eight.vprf SYS.tasks
	[ "$(cut -d, -f1 <<<"$output" | tail -n +2)" = "$(cut -d, -f1 all.csv | tail -n +7)" ]
	# Times of day are local; the last second that began before the first snapshot selects everything.
	day=$(tail -1 ends)
	TZ=UTC run -0 "$vigil" extract -t CSV --from "$day" eight.vprf SYS.tasks
	[ "$output" = "$(cat all.csv)" ]
	TZ=XXX+3 run -4 "$vigil" extract --from "$day" eight.vprf SYS.tasks
	TZ=XXX-3 run -4 --separate-stderr "$vigil" extract --to "$day" eight.vprf SYS.tasks
	[ -z "$output" ]
	[[ $stderr == *"VIG3544W eight.vprf has no snapshot of the requested time"* ]]
	run -2 "$vigil" extract --from +2 --to +1 eight.vprf
	run -2 "$vigil" extract --from 25:00 eight.vprf
	[[ $output == *"'25:00' is not a time"* ]]
	run -8 "$vigil" extract --from 10:00 "$VIGIL_SOURCE/tests/dataset/version-1.0.vprf"
	[[ $output == *"VIG3543E the data set does not contain the time of day"* ]]
}

@test "names that are wrong are told, with what may have been meant, and nothing is written" {
	collected -i 0.1 -c 1 -o a.vprf SYS MEM
	run -8 --separate-stderr "$vigil" extract -o out.txt a.vprf MEN MEM.avail MEM.freee SYS.xyzzy NOSUCH
	[[ $stderr == *"VIG3540E 'MEN' is neither a record of a.vprf nor a module; did you mean MEM?"* ]]
	[[ $stderr == *"VIG3541E 'MEM.avail': records of MEM have no item avail; did you mean available?"* ]]
	[[ $stderr == *"VIG3541E 'MEM.freee': records of MEM have no item freee; did you mean free?"* ]]
	grep -qx "vigil: VIG3541E 'SYS.xyzzy': records of SYS have no item xyzzy" <<<"$stderr"
	grep -qx "vigil: VIG3540E 'NOSUCH' is neither a record of a.vprf nor a module" <<<"$stderr"
	[ -z "$output" ]
	[ ! -e out.txt ]
	# A module that took no part: the others are printed.
	run -4 --separate-stderr "$vigil" extract a.vprf DSK MEM
	[ "$stderr" = "vigil: VIG3542W a.vprf has no records of DSK" ]
	[[ $output == *"  MEM 1 of 1"* ]]
	run -2 "$vigil" extract a.vprf .free
	run -2 "$vigil" extract a.vprf MEM.
	run -2 "$vigil" extract -t XML a.vprf
	run -2 "$vigil" extract
	run -2 "$vigil" extract -o a.vprf a.vprf
	[[ $output == *"a.vprf is an input and would be overwritten"* ]]
	run -8 "$vigil" extract missing.vprf
	[[ $output == *"VIG0030E missing.vprf cannot be read"* ]]
}

@test "of a damaged file all whole snapshots are written, and what is missing is said" {
	collected -i 0.05 -c 20 -o many.vprf SYS PRO
	"$vigil" extract many.vprf >whole.txt
	size=$(stat -c %s many.vprf)
	last=0
	for part in 60 90; do
		head -c $((size * part / 100)) many.vprf >cut.vprf
		run -4 --separate-stderr "$vigil" extract -o cut.txt cut.vprf
		[[ $stderr == *"VIG0014W cut.vprf is damaged: The sample data set was not finished or is cut off"* ]]
		# Exactly a prefix of the whole text that ends with a snapshot.
		cmp -n "$(stat -c %s cut.txt)" cut.txt whole.txt
		found=$(grep -c '^SNAPSHOT ' cut.txt)
		[ "$found" -ge 1 ]
		[ "$found" -lt 20 ]
		[ "$found" -ge "$last" ]
		last=$found
		rest=$(tail -c +$(($(stat -c %s cut.txt) + 1)) whole.txt | head -1)
		[[ $rest == "SNAPSHOT $((found + 1)) "* ]]
	done
	# Every file of the catalogue of damaged files.
	while IFS=$'\t' read -r name what; do
		case $name in
		'#'*) continue ;;
		esac
		expected=4
		[[ $what != error:* ]] || expected=8
		[ "$name" != version-1.0.vprf ] || expected=0
		run "-$expected" --separate-stderr "$vigil" extract "$VIGIL_SOURCE/tests/dataset/$name"
		case $expected in
		4) [[ $stderr == *"VIG0014W "*"/$name is damaged: ${what#*rows. }" ]] || return 1 ;;
		8) [[ $stderr == *"VIG0030E "*"${what##*...}" ]] || return 1 ;;
		0) [ -z "$stderr" ] || return 1 ;;
		esac
	done <"$VIGIL_SOURCE/tests/dataset/damaged.list"
}

@test "the records of a measurement session" {
	run -0 "$vigil" run -c 'ADD *,METRICS=OFF' -o session.vprf -- sh -c 'i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done'
	run -0 "$vigil" extract -t JSON session.vprf
	python3 - "${lines[@]}" <<-'END'
		import json, sys
		records = [json.loads(line) for line in sys.argv[1:]]
		assert {"attribute", "process", "task", "step"} <= {record["record"] for record in records}
		assert any(record["items"]["key"].startswith("program") for record in records if record["record"] == "attribute")
	END
	run -0 "$vigil" extract session.vprf STEP.exec
	[ "$(grep -cE '^    (time|exec) +[0-9]+ ns$' <<<"$output")" -ge 2 ]
	run -8 "$vigil" extract -t CSV session.vprf
	[[ $output == *"VIG3545E session.vprf has no system metrics"* ]]
	run -8 "$vigil" extract -t CSV session.vprf STEP
	[[ $output == *"VIG3545E CSV has no columns for 'STEP'"* ]]
}

@test "a collection has no profile: it is said what shows it" {
	collected -i 0.1 -c 1 -o a.vprf
	for command in report read; do
		run -8 --separate-stderr "$vigil" "$command" a.vprf
		[ -z "$output" ]
		[[ $stderr == *"VIG0030E a.vprf holds system metrics and no measurement session; 'vigil extract' shows them"* ]]
	done
}

@test "a reader that has seen enough, a full disk" {
	collected -i 0.1 -c 2 -o a.vprf ALL
	run -0 --separate-stderr bash -c '"$0" extract a.vprf | head -2 | wc -l' "$vigil"
	[ "$output" = 2 ]
	[ -z "$stderr" ]
	if [ -w /dev/full ]; then
		run -8 --separate-stderr bash -c '"$0" extract a.vprf >/dev/full' "$vigil"
		[[ $stderr == *"VIG0031E the output cannot be written: No space left on device"* ]]
	fi
}
