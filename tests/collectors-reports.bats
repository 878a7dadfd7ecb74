#!/usr/bin/env bats
# bats file_tags=trial
# SPDX-License-Identifier: Apache-2.0
# What data collectors say, in the reports of real sessions.

bats_require_minimum_version 1.5.0

setup_file() {
	export WORK=$BATS_FILE_TMPDIR
	cd "$WORK"
	umask 022
	[ "$(uname -m)" = x86_64 ] || skip "the program's code is for x86-64"
	gcc -g -O1 -z execstack -o memory "$VIGIL_SOURCE/tests/programs/memory.c"
	cp memory selfmade
	gcc -shared -fPIC -I"$VIGIL_SOURCE/include" -o STRBMEMO.so "$VIGIL_SOURCE/tests/collectors/memory.c"
	mkdir crash
	gcc -shared -fPIC -DCRASH=100 -I"$VIGIL_SOURCE/include" -o crash/STRBMEMO.so "$VIGIL_SOURCE/tests/collectors/memory.c"
}

setup() {
	cd "$WORK"
	command -v python3 >/dev/null || skip "python3 is not installed"
	vigil=$VIGIL_BUILD/vigil
	data=$BATS_TEST_TMPDIR/x.vprf
	summary=$BATS_TEST_TMPDIR/summary
}

# measure ARG...: vigil run with its summary kept.
measure() {
	"$vigil" run -o "$data" "$@" 2>"$summary"
}

# observe PARAMETER ARG...: the same with the collector of programs/memory.c, called for all of them.
observe() {
	measure -c "ADD *,DCC=STRBMEMO,DCCLIB='$WORK',DCCPARM='$1'" -- "${@:2}"
}

holds() {
	python3 "$VIGIL_SOURCE/tests/profile.py" "$data" "$@" || { cat "$summary" || true; return 1; }
}

# All formats: lines of at most 132 columns, and the same totals.
formats_agree() {
	"$vigil" report --all "$data" | LC_ALL=C.UTF-8 awk '{ sub(/^\f/, "") } length($0) > 132 { print; wrong = 1 } END { exit wrong }'
	"$vigil" report --all --format csv "$data" >"$BATS_TEST_TMPDIR/x.csv"
	"$vigil" report --all --format json "$data" >"$BATS_TEST_TMPDIR/x.json"
	python3 - "$BATS_TEST_TMPDIR/x.csv" "$BATS_TEST_TMPDIR/x.json" <<-'END'
		import csv, json, sys
		sums = {}
		head = []
		for row in csv.reader(open(sys.argv[1], encoding="utf-8", newline="")):
		    if row[0] == "report":
		        head = row
		    elif "samples" in head and row[head.index("samples")]:
		        key = (row[0], row[1], row[2])
		        sums[key] = sums.get(key, 0) + int(row[head.index("samples")])
		for report in json.load(open(sys.argv[2], encoding="utf-8"))["reports"]:
		    for table in report["tables"]:
		        for row in table["rows"]:
		            if row.get("samples") is not None:
		                sums[(report["code"], table["table"], row["row"])] -= row["samples"]
		assert sums and not any(sums.values()), sums
	END
	holds 'ties() == ""' 'total("PSU", "sections")["samples"] == fact("samples_in_reports")' \
		'total("TUS", "transactions")["samples"] == fact("samples_in_reports")' \
		'total("TUC", "totals")["samples"] == fact("samples_in_reports")' \
		'total("PUP", "totals")["charged_samples"] == fact("samples_in_reports")'
}

# near SAMPLES SHARE: a condition that they are that share of all, but for the margin of error, samples that are nobody's, and a
# hundredth: an area ends a turn late.
near() {
	echo "near($1, 100 * $2, unknown=(silent() if rows('MSD', 'collector_calls') else broken()) + 0.01 * fact('samples_in_reports'))"
}

@test "activity in memory that nobody names is in .PRIVATE, .HEAP and .STACK, by where it lies" {
	measure -- ./memory 900 anything heap stack
	holds "$(near 'module(".PRIVATE")' 1/3)" "$(near 'module(".HEAP")' 1/3)" "$(near 'module(".STACK")' 1/3)"
	# It is charged to the statement that called it.
	holds 'share("main") > 90'
	formats_agree
}

@test "what a collector names is its module, what it does not name stays in .PRIVATE" {
	observe '' ./memory 1200 PAYMENTS SETTLEMENT '?' heap
	holds "$(near 'module("PAYMENTS")' 1/4)" "$(near 'module("SETTLEMENT")' 1/4)" \
		"$(near 'module(".PRIVATE")' 1/4)" "$(near 'module(".HEAP")' 1/4)" \
		'collector("STRBMEMO")["outside"] == 0'
	formats_agree
}

@test "a place with a procedure in it is not moved to a pseudo-section by where it lies" {
	observe '' ./memory 800 =interpolate '?'
	holds 'share("interpolate") > 35' \
		'[row for row in rows("MEP", "procedures_charged") if row.get("procedure") == "interpolate"][0]["module"] == ".PRIVATE"' \
		"$(near 'module(".SYSTEM")' 1/2)"
	formats_agree
}

@test "all modules that begin with a prefix are one pseudo-section of .SYSTEM, of several prefixes too" {
	observe '' ./memory 1200 ABCSORT ABCMERGE DEFPRINT GHIOTHER
	holds "$(near 'module(".NIGHTRUN")' 3/4)" "$(near 'module("GHIOTHER")' 1/4)" \
		'module("ABCSORT") == module("ABCMERGE") == module("DEFPRINT") == 0' \
		'{row["real_module"] for row in rows("PUP", "system") if row["section"] == ".NIGHTRUN"} == {"ABCSORT", "ABCMERGE", "DEFPRINT"}'
	formats_agree
}

@test "file names of ELF programs belong to a pseudo-section, too" {
	observe '' ./selfmade 800 here GHIOTHER
	holds 'module("selfmade") == 0' "$(near 'module(".ITSELF")' 1/2)" \
		'[row["module"] for row in rows("PSU", "sections") if row["section"] == ".ITSELF"] == [".SYSTEM"]' \
		'"grouped by STRBMEMO" in {row["function"] for row in rows("PSU", "sections")}'
	formats_agree
}

@test "the ID text of a collector is in the SUBSYSTEM field" {
	observe '' ./memory 300 PAYMENTS
	holds 'fact("subsystem") == "MEMORY TEST"'
	"$vigil" report -r MSD "$data" | grep -q 'SUBSYSTEM \.* MEMORY TEST'
}

@test "each transaction of a collector has a detail line and a subsection; a name of 255 characters is whole" {
	local long name
	long="SELECT % FROM ORDERS WHERE $(printf 'COLUMN%03d = PARAMETER AND ' {1..20})"
	observe "$long" ./memory 1200 CUSTOMER .OVERHEAD INVOICES
	name=${long/\%/INVOICES}
	name=${name:0:255}
	holds 'len([row for row in rows("TUS", "transactions") if row["transaction"].startswith("SELECT ")]) == 3' \
		"$(near "transaction(\"$name\") * fact(\"samples_in_reports\") / 100" 1/3)" \
		"{row['transaction'] for row in rows('TUC', 'sections')} >= {row['transaction'] for row in rows('TUS', 'transactions') if row['samples']}"
	grep -qF "$name" <("$vigil" report -r TUS --format csv "$data")
	# The listing has it in pieces that end at blanks.
	"$vigil" report -r TUS,TLX --lines 0 "$data" >"$BATS_TEST_TMPDIR/listing"
	tr -s ' \n' ' ' <"$BATS_TEST_TMPDIR/listing" | grep -qF "$name"
	formats_agree
}

@test "transactions whose names begin with a point are overhead, and all activity is accounted for" {
	observe '%' ./memory 900 .PARSE .IDLE ORDER1
	holds "$(near 'transaction(".PARSE") * fact("samples_in_reports") / 100' 1/3)" \
		"$(near 'transaction(".IDLE") * fact("samples_in_reports") / 100' 1/3)" \
		"$(near 'transaction("ORDER1") * fact("samples_in_reports") / 100' 1/3)" \
		'abs(sum(row["cpu_total_percent"] for row in rows("TUS", "transactions")) - 100) < 0.001'
}

@test "a collector that crashes is switched off, and summary and profile say so" {
	measure -c "ADD *,DCC=STRBMEMO,DCCLIB='$WORK/crash'" -- ./memory 900 PAYMENTS
	grep -q 'VIG6101W data collector STRBMEMO was switched off after [0-9]* calls: ' "$summary"
	holds '"VIG6101W" in notes()' 'module("PAYMENTS") > 0' 'module(".PRIVATE") > module("PAYMENTS")' \
		'rows("MSD", "data_collectors")[0]["state"] == "SWITCHED OFF"'
	formats_agree
}

@test "a session that is killed keeps the names that collectors gave" {
	"$vigil" run --quiet -o "$data" -c "ADD *,DCC=STRBMEMO,DCCLIB='$WORK'" -- ./memory 60000 =interpolate PAYMENTS &
	local session=$! child tries
	for tries in {1..100}; do
		sleep 0.2
		! "$vigil" report -r PSU "$data" 2>/dev/null | grep -q '^\.PRIVATE' || break
	done
	child=$(pgrep -P $session -x memory)
	kill -KILL $session
	kill -KILL $child || true
	wait $session || true
	holds 'share("interpolate") > 0' '"VIG6001W" in notes() or "VIG6002W" in notes()'
}

@test "of a Python program the reports name its procedures, and libraries are charged to them" {
	measure -- python3 "$VIGIL_SOURCE/tests/programs/archive.py" 1500
	holds 'sum(row["answers"] for row in rows("MSD", "collector_calls") if row["collector"] == "STRBPYTH") > 0' ||
		skip "this Python is not one that the collector knows"
	holds 'any(row["module"] == "archive.py" for row in rows("PSU", "sections"))' \
		'"return zlib.compress(data, 9)" in [row["text"] for row in rows("MEP", "statements_charged") if row["procedure"] == "Archive.compress"]' \
		'{row["procedure"] for row in rows("ACE", "callers") if row["service"] == ".LIBZ" and row["module"] == "archive.py"} >= {"Archive.compress"}'
	grep -Eq '^ *(CPU time)? +[0-9.]+ %  .* \(archive.py\)$' "$summary"
	formats_agree
}
