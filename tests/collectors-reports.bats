#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Results of data collectors in the reports of real sessions.

bats_require_minimum_version 1.5.0
load trace
load background
load live
load waiting

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

teardown() {
	background_end
}

# measure ARG...: vigil run with its summary stored, and all of $rate samples per second if that is set.
measure() {
	"$vigil" run ${rate:+--rate "$rate" --cost 100} -o "$data" "$@" 2>"$summary"
}

# observe PARAMETER ARG...: does the same with the collector of programs/memory.c, called for all samples.
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

@test "activity in memory that nobody names is in .PRIVATE, .HEAP and .STACK, by where it lies" {
	shows measure -- ./memory @200 anything heap stack holds \
		'module(".PRIVATE") > 0' 'module(".HEAP") > 0' 'module(".STACK") > 0'
	# It is charged to the statement that called it.
	holds 'charged("main") >= module(".PRIVATE") + module(".HEAP") + module(".STACK") - broken()'
	formats_agree
}

@test "what a collector names is its module, what it does not name stays in .PRIVATE" {
	shows observe '' ./memory @240 PAYMENTS SETTLEMENT '?' heap holds \
		'module("PAYMENTS") > 0' 'module("SETTLEMENT") > 0' 'module(".PRIVATE") > 0' 'module(".HEAP") > 0' \
		'collector("STRBMEMO")["outside"] == 0'
	formats_agree
}

@test "a place with a procedure in it is not moved to a pseudo-section by where it lies" {
	shows observe '' ./memory @200 =interpolate '?' holds \
		'charged("interpolate") > 0' \
		'{row["module"] for row in rows("MEP", "procedures_charged") if row.get("procedure") == "interpolate"} == {".PRIVATE"}'
	formats_agree
}

@test "all modules that begin with a prefix are one pseudo-section of .SYSTEM, of several prefixes too" {
	shows observe '' ./memory @240 ABCSORT ABCMERGE DEFPRINT GHIOTHER holds \
		'module(".NIGHTRUN") > 0' 'module("GHIOTHER") > 0' \
		'module("ABCSORT") == module("ABCMERGE") == module("DEFPRINT") == 0' \
		'{row["real_module"] for row in rows("PUP", "system") if row["section"] == ".NIGHTRUN"} == {"ABCSORT", "ABCMERGE", "DEFPRINT"}'
	formats_agree
}

@test "file names of ELF programs belong to a pseudo-section, too" {
	shows observe '' ./selfmade @200 here GHIOTHER holds \
		'module("selfmade") == 0' 'module(".ITSELF") > 0' \
		'[row["module"] for row in rows("PSU", "sections") if row["section"] == ".ITSELF"] == [".SYSTEM"]' \
		'"grouped by STRBMEMO" in {row["function"] for row in rows("PSU", "sections")}'
	formats_agree
}

# The model of the shares below: areas take turns of equal parts of the CPU time by the program's own CPU clock, each
# turn at most a tenth of a millisecond too long, and about a thousand samples follow that clock. So their numbers are
# binomial (near() of profile.py: 4.9 deviations, and the samples without an answer): of 1,000 samples 67 for a
# quarter. An area that gets the name of its neighbour, or none, is detected. The program's start and the kernel's
# part are in no area; they are less than a tenth.

# areas_have NAME...: the number of samples of these functions, by profile.py, is equal for all of them, and together
# they have all samples.
areas_have() {
	local all part
	all=$(printf ' + %s' "$@")
	for part in "$@"; do
		holds "near($part, 100 / $#, $all, silent())"
	done
	holds "least($all, 90, unknown=silent())"
}

# bats test_tags=live
@test "areas that a collector names, or does not, have their shares" {
	rate=2000 valid observe '' ./memory 500 PAYMENTS SETTLEMENT '?' heap
	areas_have 'module("PAYMENTS")' 'module("SETTLEMENT")' 'module(".PRIVATE")' 'module(".HEAP")'
}

# bats test_tags=slow
@test "areas that nobody names have their shares, and are charged to who called them" {
	valid measure -- ./memory 900 anything heap stack
	areas_have 'module(".PRIVATE")' 'module(".HEAP")' 'module(".STACK")'
	holds 'least(charged("main"), 90)'
}

# bats test_tags=slow
@test "a place with a procedure, modules in a pseudo-section, and the program itself have their shares" {
	valid observe '' ./memory 1000 =interpolate '?'
	# Both are in .PRIVATE: the procedure as in a module, the other as in a section of .SYSTEM.
	areas_have 'charged("interpolate")' '(module(".PRIVATE") - charged("interpolate"))'
	valid observe '' ./memory 1200 ABCSORT ABCMERGE DEFPRINT GHIOTHER
	holds 'near(module(".NIGHTRUN"), 75, module(".NIGHTRUN") + module("GHIOTHER"), silent())' \
		'least(module(".NIGHTRUN") + module("GHIOTHER"), 90, unknown=silent())'
	valid observe '' ./selfmade 1000 here GHIOTHER
	areas_have 'module(".ITSELF")' 'module("GHIOTHER")'
}

# bats test_tags=slow
@test "transactions of a collector have their shares" {
	valid observe '%' ./memory 900 .PARSE .IDLE ORDER1
	areas_have 'transaction_row(".PARSE")["samples"]' 'transaction_row(".IDLE")["samples"]' 'transaction_row("ORDER1")["samples"]'
}

@test "the ID text of a collector is in the SUBSYSTEM field" {
	shows observe '' ./memory @100 PAYMENTS holds 'collector("STRBMEMO")["answers"] > 0'
	holds 'fact("subsystem") == "MEMORY TEST"'
	"$vigil" report -r MSD "$data" | grep -q 'SUBSYSTEM \.* MEMORY TEST'
}

# samples_of NAME: at least one sample of a transaction was seen; 255 characters of its name are kept.
samples_of() {
	echo "transaction_row('${1:0:255}')['samples'] > 0"
}

@test "each transaction of a collector has a detail line and a subsection; a name of 255 characters is whole" {
	local long name
	long="SELECT % FROM ORDERS WHERE $(printf 'COLUMN%03d = PARAMETER AND ' {1..20})"
	name=${long/\%/INVOICES}
	name=${name:0:255}
	shows observe "$long" ./memory @240 CUSTOMER .OVERHEAD INVOICES holds "$(samples_of "${long/\%/CUSTOMER}")" \
		"$(samples_of "${long/\%/.OVERHEAD}")" "$(samples_of "$name")"
	holds 'len([row for row in rows("TUS", "transactions") if row["transaction"].startswith("SELECT ")]) == 3' \
		"transaction_row('$name')['samples'] > 0" \
		"{row['transaction'] for row in rows('TUC', 'sections')} >= {row['transaction'] for row in rows('TUS', 'transactions') if row['samples']}"
	grep -qF "$name" <("$vigil" report -r TUS --format csv "$data")
	# The listing splits it at blanks.
	"$vigil" report -r TUS,TLX --lines 0 "$data" >"$BATS_TEST_TMPDIR/listing"
	tr -s ' \n' ' ' <"$BATS_TEST_TMPDIR/listing" | grep -qF "$name"
	formats_agree
}

@test "transactions whose names begin with a point are overhead, and all activity is accounted for" {
	shows observe '%' ./memory @200 .PARSE .IDLE ORDER1 holds "$(samples_of .PARSE)" "$(samples_of .IDLE)" "$(samples_of ORDER1)"
	holds '{".PARSE", ".IDLE", "ORDER1"} <= {row["transaction"] for row in rows("TUS", "transactions") if row["samples"]}' \
		'abs(sum(row["cpu_total_percent"] for row in rows("TUS", "transactions")) - 100) < 0.001'
}

@test "a collector that crashes is switched off, and summary and profile say so" {
	# It crashes at its 101st call: that takes longer on a machine on which it is called rarely.
	shows measure -c "ADD *,DCC=STRBMEMO,DCCLIB='$WORK/crash'" -- ./memory @300 PAYMENTS holds \
		'notes().count("VIG6101W") > 0' 'module("PAYMENTS") > 0' 'module(".PRIVATE") > 0'
	grep -q 'VIG6101W data collector STRBMEMO was switched off after [0-9]* calls: ' "$summary"
	# What it named before the crash has the name, what comes after has none.
	holds '"VIG6101W" in notes()' 'module("PAYMENTS") > 0' 'module(".PRIVATE") > 0' \
		'rows("MSD", "data_collectors")[0]["state"] == "SWITCHED OFF"'
	formats_agree
}

# What is executed before the collector is loaded is in .PRIVATE, too: the file has the name if a report has it.
names_something() {
	"$vigil" report -r MEP "$data" 2>/dev/null | grep -q interpolate
}

@test "a session that is killed keeps the names that collectors gave" {
	local session child
	background "$vigil" run --quiet -o "$data" -c "ADD *,DCC=STRBMEMO,DCCLIB='$WORK'" -- ./memory 60000 =interpolate PAYMENTS
	session=$pid
	wait_for names_something
	child=$(pgrep -P "$session" -x memory)
	kill -KILL "$session"
	kill -KILL "$child"
	wait "$session" || true
	holds 'share("interpolate") > 0' '"VIG6001W" in notes() or "VIG6002W" in notes()'
}

@test "of a Python program the reports name its procedures, and libraries are charged to them" {
	measure -- python3 "$VIGIL_SOURCE/tests/programs/archive.py" 400
	holds 'sum(row["answers"] for row in rows("MSD", "collector_calls") if row["collector"] == "STRBPYTH") > 0' ||
		skip "this Python is not one that the collector knows"
	holds 'any(row["module"] == "archive.py" for row in rows("PSU", "sections"))' \
		'"return zlib.compress(data, 9)" in [row["text"] for row in rows("MEP", "statements_charged") if row["procedure"] == "Archive.compress"]' \
		'{row["procedure"] for row in rows("ACE", "callers") if row["service"] == ".LIBZ" and row["module"] == "archive.py"} >= {"Archive.compress"}'
	grep -Eq '^ *(CPU time)? +[0-9.]+ %  .* \(archive.py\)$' "$summary"
	formats_agree
}
