#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# Profiles in the formats of other tools: read by independent readers, and by those tools.

bats_require_minimum_version 1.5.0

load trace

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_SPOOL VIGIL_ROOT VIGIL_PROCLIB VIGIL_STEPLIB
}

# fail TEXT: reports an error, and ends the test.
fail() {
	echo "$*" >&2
	return 1
}

# session NAME: writes the synthetic session as a data set NAME.vprf, and its sums as NAME.json.
session() {
	"$VIGIL_BUILD/reports/test-listing" "$1" dataset "$1.vprf"
	"$vigil" report -f json -r MSD,WTM "$1.vprf" >"$1.json"
}

# sums FORM FILE JSON [OPTION...]: the export's sums equal those of the report.
sums() {
	"$vigil" export --to "$1" -q -o "$2.$1" "${@:4}" "$2"
	python3 "$VIGIL_SOURCE/tests/exports.py" "$1" "$2.$1" "$3"
}

# forms: the forms that have samples.
forms() {
	run -2 "$vigil" export
	awk '/^[a-z-]+ / && !/lcov|coverage/ { print $1 }' <<<"$output"
}

@test "every form has the listing's samples and ns, of each session" {
	local all=() name form
	forms >forms
	[ "$(wc -l <forms)" -ge 2 ]
	for name in threads payroll names python database loaded many truncated; do
		session $name
		while read -r form; do
			"$vigil" export --to "$form" -q -o "$name.$form" $name.vprf || fail "$form of $name"
			all+=("$form" "$name.$form" $name.json)
		done <forms
	done
	python3 "$VIGIL_SOURCE/tests/exports.py" "${all[@]}"
}

@test "the form stands before the file or behind --to" {
	session threads
	"$vigil" export folded threads.vprf >first
	"$vigil" export -t FOLDED threads.vprf >second
	cmp first second
	[ -s first ]
	run -0 --separate-stderr "$vigil" export --to folded -o third threads.vprf
	cmp first third
	[[ $stderr == *"VIG6541I third: 3024 CPU samples, 6.048 s of CPU time; 1600 waits, 0.800 s charged"* ]]
}

@test "folded stacks: tasks, callers and what was waited for" {
	session payroll
	"$vigil" export --to folded payroll.vprf >cpu
	grep -qx 'PAYCALC;_start;__libc_start_main;main;PROJECT-PENSION;cob_decimal_mul;__gmpn_mul_basecase 2436' cpu
	grep -q ';read;\[kernel\]+0x810000_\[k\] 60$' cpu
	grep -qF ';cob_decimal_div;libgmp.so.10.4.1+0xb13c 804' cpu
	"$vigil" export --to folded-waits payroll.vprf >waits
	grep -qx 'PAYCALC;_start;__libc_start_main;main;FIND-EMPLOYEE;cob_read;read;(waiting for DD MASTER, file read) 4672000000' waits
	session threads
	"$vigil" export --to folded threads.vprf >cpu
	grep -qx 'worker 7;worker_main;handle 640' cpu
}

# go_pprof OPTION... FILE: the output of go tool pprof on a machine without a network.
go_pprof() {
	command -v go >/dev/null || skip "go is not installed (golang-go)"
	HOME=$PWD PPROF_TMPDIR=$PWD GOCACHE=$PWD/cache GOFLAGS=-mod=mod go tool pprof -symbolize=none "$@" 2>pprof.err ||
		fail "$(cat pprof.err)"
}

@test "go tool pprof reads times, waits, callers, lines, inlined functions, labels and build ids" {
	session payroll
	"$vigil" export --to pprof -q -o payroll.pb.gz payroll.vprf
	go_pprof -top -nodecount=100 -nodefraction=0 -unit=ns payroll.pb.gz >top
	grep -qx 'Type: cpu' top
	grep -qE '^Duration: 12s, Total samples = 5028000000ns' top
	grep -qE '^ *2436000000ns +48.45% .*2436000000ns +48.45%  __gmpn_mul_basecase$' top
	grep -qE '3804000000ns +75.66%  PROJECT-PENSION$' top
	go_pprof -top -unit=ns -sample_index=wait payroll.pb.gz >top
	grep -qE '^Duration: 12s, Total samples = 6972000000ns' top
	go_pprof -top -sample_index=waits payroll.pb.gz >top
	grep -qE 'Total samples = 5436' top
	go_pprof -tags -sample_index=wait payroll.pb.gz >tags
	grep -qE '^ +file: Total 6.7s' tags
	grep -qE '4.7s .*: MASTER$' tags
	grep -qE '4.7s .*: PAY.MASTER$' tags
	go_pprof -raw payroll.pb.gz >raw
	grep -qE 'COMPUTE-TAX /src/paycalc.cob:148 ' raw
	grep -qE '^1: 0x[0-9a-f]+/0x[0-9a-f]+/0x0 /jobs/load/PAYCALC ' raw
	go_pprof -traces -sample_index=wait -tagfocus=dataset:PAY.TRANS payroll.pb.gz >traces
	grep -qE '^ +task:  PAYCALC$' traces
	grep -q READ-TRANSACTION traces
	! grep -q FIND-EMPLOYEE traces || return 1
}

# browser FILE URL: the page at URL some time after it was loaded.
browser() {
	command -v chromium >/dev/null || skip "chromium is not installed"
	timeout 100 chromium --headless --no-sandbox --disable-dev-shm-usage --enable-unsafe-swiftshader \
		--user-data-dir="$PWD/browser" --virtual-time-budget=20000 --dump-dom "$2" >"$1" 2>browser.err ||
		fail "$(tail -5 browser.err)"
}

@test "speedscope's own page shows the profiles of all values and tasks" {
	(cd "$VIGIL_SOURCE/tests/speedscope" && sha256sum --quiet -c CHECKSUMS)
	session threads
	"$vigil" export --to speedscope -q -o threads.speedscope threads.vprf
	python3 -c '
import base64, json
with open("threads.speedscope", "rb") as stream, open("load.js", "w") as script:
    script.write("speedscope.loadFileFromBase64(\"threads\", %s)" % json.dumps(base64.b64encode(stream.read()).decode()))'
	browser page "file://$VIGIL_SOURCE/tests/speedscope/index.html#localProfilePath=$PWD/load.js"
	grep -q '<title>server - speedscope</title>' page
	for row in 'CPU time=6.05s' 'CPU samples=3,024' 'charged wait=800.00ms' 'waits=1,600' 'worker 7: CPU time=1.34s' \
		'worker 7: charged wait=100.00ms'; do
		grep -oE '<span>[^<]*</span></td><td class="[^"]*">[^<]*' page | sed 's/<span>//; s/<.*>/=/' | grep -qx "$row" ||
			fail "no $row"
	done
}

@test "speedscope: a frame is a line of a function, and what was waited for" {
	session payroll
	"$vigil" export --to speedscope payroll.vprf | python3 -c '
import json, sys
file = json.load(sys.stdin)
frames = file["shared"]["frames"]
stacks = {}
for profile in file["profiles"]:
    for sample, weight in zip(profile["samples"], profile["weights"]):
        stacks[profile["name"], ";".join(frames[at]["name"] for at in sample)] = weight
root = "_start;__libc_start_main;main;"
assert stacks["CPU samples", root + "PROJECT-PENSION;cob_decimal_mul;__gmpn_mul_basecase"] == 2436, stacks
assert stacks["charged wait", root + "FIND-EMPLOYEE;cob_read;read;(waiting for DD MASTER, file read)"] == 4672000000
assert {"name": "COMPUTE-TAX", "file": "/src/paycalc.cob", "line": 148} in frames
assert {"name": "COMPUTE-TAX", "file": "/src/paycalc.cob", "line": 146} in frames
assert len(file["profiles"]) == 4, "one task needs no profiles of its own"'
}

# annotated OPTION... FILE: the output of callgrind_annotate.
annotated() {
	command -v callgrind_annotate >/dev/null || skip "callgrind_annotate is not installed (valgrind)"
	callgrind_annotate "$@" 2>annotate.err || fail "$(cat annotate.err)"
	[ ! -s annotate.err ] || fail "$(cat annotate.err)"
}

@test "callgrind_annotate reads the totals, callers and callees" {
	session payroll
	"$vigil" export --to callgrind -q -o payroll.out payroll.vprf
	annotated payroll.out >flat
	grep -qE '^5,028 .*5,028,000,000 .*5,436 .*6,972,000,000 .*PROGRAM TOTALS$' flat
	grep -qE '^2,436 .*2,436,000,000 .*:__gmpn_mul_basecase \[.*/libgmp.so.10.4.1\]$' flat
	annotated --inclusive=yes --tree=both --show=CpuNs,WaitNs --sort=WaitNs payroll.out >tree
	grep -qE '^3,804,000,000 .* 48,000,000 .*\* +/src/paycalc.cob:PROJECT-PENSION ' tree
	grep -qE '4,672,000,000 .*< /src/paycalc.cob:FIND-EMPLOYEE \(4,800x\)' tree
	grep -qE '> +\?\?\?:\(waiting for DD TRANS, file read\) \(480x\)' tree
}

@test "callgrind: a function that calls itself counts a stack once for each call" {
	cc -O0 -g -o deep -x c - <<<'
#include <time.h>
static volatile unsigned long work;
static void down(int depth) { if (depth) down(depth - 1); else for (unsigned long i = 0; i < 50000000; i++) work += i; }
int main(void) { down(20); return 0; }'
	"$vigil" run -q -o deep.vprf -- ./deep
	"$vigil" report -f json -r MSD,WTM deep.vprf >deep.json
	"$vigil" export --to callgrind -q -o deep.out deep.vprf
	python3 "$VIGIL_SOURCE/tests/exports.py" callgrind deep.out deep.json
}

# phased: measures a program that works in first, sleeps, and works in second, as phased.vprf. slept() of phased_profile.py
# returns the ns of the sleep according to the profile.
phased() {
	cat >phased.c <<-'END'
		#include <time.h>
		#include <unistd.h>
		static volatile unsigned long work;
		#define PASSED(from, to) ((to.tv_sec - from.tv_sec) * 1000 + (to.tv_nsec - from.tv_nsec) / 1000000)
		static void spin(void) {
			struct timespec begun, now;
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
			do {
				for (int i = 0; i < 20000; i++) work += i;
				clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
			} while (PASSED(begun, now) < 150);
		}
		__attribute__((noinline)) static void first(void) { spin(); work++; }
		__attribute__((noinline)) static void second(void) {
			struct timespec begun, now;
			clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &begun);
			do { work++; clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now); } while (PASSED(begun, now) < 150);
			work++;
		}
		int main(void) { first(); usleep(999000); second(); return 0; }
	END
	cc -O0 -g -o phased phased.c
	"$vigil" run -q --rate 1000 -o phased.vprf -- ./phased
	"$vigil" report -f json -r MSD,WTM phased.vprf >phased.json
	cat >phased_profile.py <<-'END'
		import json
		def slept():
		    with open("phased.json", encoding="utf-8") as stream:
		        rows = json.load(stream)["reports"][1]["tables"][0]["rows"]
		    return sum(row["wait_total_ns"] for row in rows if row["reason"] == "SLEEP")
	END
}

@test "trace events: what came first stands first, waits between, transactions beside" {
	phased
	sums chrome phased.vprf phased.json
	PYTHONPATH=. python3 - <<-'END'
		import json
		from phased_profile import slept
		with open("phased.vprf.chrome", encoding="utf-8") as stream:
		    file = json.load(stream)
		spans = {}
		for event in file["traceEvents"]:
		    if event["ph"] == "X":
		        spans.setdefault(event["name"], []).append((event["ts"], event["ts"] + event["dur"]))
		first, second = spans["first"], spans["second"]
		assert max(end for _, end in first) + 100000 < min(start for start, _ in second), (first, second)
		assert abs(sum(end - start for start, end in spans["waiting, sleep"]) - slept() / 1e3) < 1, spans["waiting, sleep"]
		main = sum(end - start for start, end in spans["main"])
		assert main >= sum(end - start for name in ("first", "second") for start, end in spans[name]) * 0.99
		frames = file["stackFrames"]
		sleeps = [event["sf"] for event in file["traceEvents"] if event["name"] == "waiting, sleep"]
		names = []
		at = sleeps[0]
		while at is not None:
		    names.append(frames[at]["name"])
		    at = frames[at].get("parent")
		assert "main" in names and "usleep" in names, names
	END
	session threads
	"$vigil" export --to chrome threads.vprf | python3 -c '
import json, sys
samples = {}
for event in json.load(sys.stdin)["traceEvents"]:
    if event.get("cat") == "transaction":
        samples[event["name"]] = samples.get(event["name"], 0) + event["args"]["samples"]
assert samples == {"ORDER": 4 * 126, "QUERY": 4 * 168, ".IDLE": 4 * 210}, samples'
}

@test "Firefox profiler: threads with samples and waits in time, lines, build ids" {
	phased
	sums firefox phased.vprf phased.json
	PYTHONPATH=. BUILD_ID=$(readelf -n phased | awk '/Build ID/ { print $3 }') python3 - <<-'END'
		import json
		import os
		from phased_profile import slept
		with open("phased.vprf.firefox", encoding="utf-8") as stream:
		    file = json.load(stream)
		shared = file["shared"]
		def names(stack):
		    while stack is not None:
		        frame = shared["stackTable"]["frame"][stack]
		        function = shared["frameTable"]["func"][frame]
		        yield shared["stringArray"][shared["funcTable"]["name"][function]], shared["frameTable"]["line"][frame], function
		        stack = shared["stackTable"]["prefix"][stack]
		times = {"first": [], "second": []}
		for thread in file["threads"]:
		    now = 0
		    for stack, delta in zip(thread["samples"]["stack"], thread["samples"]["timeDeltas"]):
		        now += delta
		        for name, line, function in names(stack):
		            if name in times:
		                times[name].append(now)
		                assert line, name
		                source = shared["sources"]["filename"][shared["funcTable"]["source"][function]]
		                assert shared["stringArray"][source].endswith("/phased.c")
		                library = file["libs"][shared["resourceTable"]["lib"][shared["funcTable"]["resource"][function]]]
		                assert library["codeId"] == os.environ["BUILD_ID"]
		                swapped = bytes.fromhex(library["codeId"])[:16]
		                swapped = swapped[3::-1] + swapped[5:3:-1] + swapped[7:5:-1] + swapped[8:]
		                assert library["breakpadId"] == swapped.hex().upper() + "0"
		assert len(times["first"]) > 20 and len(times["second"]) > 20, times
		assert max(times["first"]) + 100 < min(times["second"]), (times["first"][-5:], times["second"][:5])
		sleeps = [(names(data["cause"]["stack"]), end - start) for thread in file["threads"]
		          for data, start, end in zip(thread["markers"]["data"], thread["markers"]["startTime"], thread["markers"]["endTime"])
		          if data["type"] == "wait" and data["reason"] == "SLEEP"]
		assert abs(sum(length for _, length in sleeps) - slept() / 1e6) < 0.001
		assert "main" in [name for name, _, _ in sleeps[0][0]]
	END
}

@test "perf script text: what perf itself prints of a step and this have one form" {
	phased
	sums perf-script phased.vprf phased.json
	grep -qE '^phased +[0-9]+/[0-9]+ +[0-9]+\.[0-9]{9}: [0-9]+ cpu-clock: $' phased.vprf.perf-script
	grep -qE '^	 *[0-9a-f]+ (first|spin)(\+0x[0-9a-f]+)? \(.*/phased\)$' phased.vprf.perf-script
	grep -qE '^	 +0 \(waiting, sleep\) \(\[wait\]\)$' phased.vprf.perf-script
	# As in stackcollapse-perf: the first event only, frames from the outermost inward.
	awk '/^[^\t]/ && NF { event = $NF; stack = ""; next }
		/^\t/ { name = $2; sub(/\+0x.*/, "", name); stack = name (stack == "" ? "" : ";" stack); next }
		!NF && event == "cpu-clock:" { lines[stack]++ }
		END { for (stack in lines) print stack, lines[stack] }' phased.vprf.perf-script >collapsed
	"$vigil" export --to folded phased.vprf | sed 's/^[^;]*;//; s/_\[[ik]\]//g' >folded
	[ "$(grep -c ';first;spin' collapsed)" -ge 1 ]
	[ "$(awk '/main;second/ { sum += $NF } END { print sum }' collapsed)" = "$(awk '/main;second/ { sum += $NF } END { print sum }' folded)" ]
	if command -v perf >/dev/null && perf record -q -g -e cpu-clock -o perf.data ./phased 2>/dev/null &&
		perf script -i perf.data --ns -F comm,pid,tid,time,period,event,ip,sym,symoff,dso >theirs 2>/dev/null; then
		# Lines that only perf's own form has are ours. Before it is phased it may be seen with perf's own
		# name.
		sed -nE '/^phased.*:$|^phased.*: $/p' theirs | sed -E 's/ +/ /g; s/[0-9]+/N/g; s/:[a-zA-Z]*: ?$/: /' | sort -u | head -1 >form
		grep '^phased' phased.vprf.perf-script | sed -E 's/ +/ /g; s/[0-9]+/N/g' | grep cpu-clock | sort -u >ours
		diff form ours
	fi
}

@test "OTLP profiles: tasks, waits and data sets are attributes, objects have build ids" {
	session payroll
	"$vigil" export --to otlp -q -o payroll.otlp payroll.vprf 2>/dev/null || skip "built without protobuf-c"
	PYTHONPATH=$VIGIL_SOURCE/tests python3 - <<-'END'
		import wire
		with open("payroll.otlp", "rb") as stream:
		    data = wire.message(stream.read())
		tables = wire.message(wire.one(data, 2))
		texts = [text.decode() for text in tables[5]]
		def attribute(number):
		    pair = wire.message(tables[6][number])
		    value = wire.message(wire.one(pair, 2))
		    return texts[wire.one(pair, 1)], value[1][0].decode() if 1 in value else wire.one(value, 3)
		def names(stack):
		    for location in wire.numbers(wire.message(tables[7][stack])[1]):
		        for line in wire.message(tables[2][location])[3]:
		            line = wire.message(line)
		            yield texts[wire.one(wire.message(tables[3][wire.one(line, 1)]), 1)], wire.one(line, 2)
		found = {}
		for profile in wire.message(wire.message(data[1][0])[2][0])[2]:
		    profile = wire.message(profile)
		    kind = texts[wire.one(wire.message(profile[1][0]), 1)]
		    assert wire.one(profile, 3) == 1763674445000000000 and wire.one(profile, 4) == 12000000000
		    assert wire.one(profile, 6) == 1000000
		    for sample in map(wire.message, profile[2]):
		        found[kind, tuple(names(wire.one(sample, 1)))] = (
		            wire.numbers(sample[4])[0], dict(map(attribute, wire.numbers(sample[2]))))
		outer = (("main", 12), ("__libc_start_main", 0), ("_start", 0))
		value, attributes = found["wait", (("read", 0), ("cob_read", 0), ("FIND-EMPLOYEE", 130)) + outer]
		assert value == 4672000000
		assert attributes == {"thread.name": "PAYCALC", "thread.id": 4001, "process.pid": 4001,
		                      "process.executable.name": "PAYCALC", "vigil.wait.reason": "FILE READ",
		                      "vigil.wait.file": "MASTER", "vigil.wait.dataset": "PAY.MASTER"}, attributes
		assert found["waits", (("read", 0), ("cob_read", 0), ("FIND-EMPLOYEE", 130)) + outer][0] == 4800
		assert found["samples", (("COMPUTE-TAX", 146),) + outer][0] == 348
		assert found["cpu", (("COMPUTE-TAX", 146),) + outer][0] == 348000000
		resource = wire.message(wire.message(data[1][0])[1][0])
		assert b"vigil.job" in resource[1][2]
	END
}

@test "tasks and transactions are selected" {
	session threads
	run -0 "$vigil" export --to folded --task 'worker 7' threads.vprf
	[ "$(wc -l <<<"$output")" -eq 2 ]
	[[ $output != *"worker 6"* ]]
	run -0 "$vigil" export --to folded --task 'WORKER*' threads.vprf
	[ "$(wc -l <<<"$output")" -eq 14 ]
	run -0 "$vigil" export --to folded --transaction ORDER threads.vprf
	[ "$(sed 's/;.*//' <<<"$output" | sort -u | tr '\n' ' ')" = "server worker 4 " ]
	run -0 "$vigil" export --to folded --transaction .NOTRAN threads.vprf
	[ "$(sed 's/;.*//' <<<"$output" | sort -u | tr '\n' ' ')" = "worker 3 worker 7 " ]
	run -4 --separate-stderr "$vigil" export --to folded --task nobody threads.vprf
	[[ $stderr == *"VIG6542W nothing was selected: the export has no samples"* ]]
	[ -z "$output" ]
}

@test "an export of samples is written whole or not at all" {
	session threads
	for form in $(forms); do
		echo precious >out
		run -8 bash -c "ulimit -f 0; '$vigil' export $form -o out threads.vprf"
		[[ $output == *"VIG0031E"* ]]
		[ "$(cat out)" = precious ]
		run -8 bash -c "'$vigil' export $form threads.vprf >/dev/full"
		[[ $output == *"VIG0031E"* ]]
	done
	[ "$(ls | tr '\n' ' ')" = "out threads.json threads.vprf " ]
}

@test "data sets without samples, and what is no data set" {
	session empty
	run -8 "$vigil" export --to folded -o out empty.vprf
	[[ $output == *"VIG6540E empty.vprf has no samples and no waits: there is nothing to export"* ]]
	session events
	run -8 "$vigil" export --to folded -o out events.vprf
	[[ $output == *"VIG6540E events.vprf has no samples"* ]]
	run -8 "$vigil" export --to folded -o out missing.vprf
	[[ $output == *"VIG0030E"* ]]
	[ ! -e out ]
}

@test "a session that was killed: what is whole is exported, with a warning" {
	session threads
	head -c $(($(stat -c %s threads.vprf) - 60)) threads.vprf >cut.vprf
	"$vigil" report -f json -r MSD,WTM cut.vprf >cut.json || [ $? -eq 4 ]
	local all=() form
	for form in $(forms); do
		run -4 --separate-stderr "$vigil" export --to "$form" -o "cut.$form" cut.vprf
		[[ $stderr == *"VIG0014W cut.vprf is damaged: "* ]]
		all+=("$form" "cut.$form" cut.json)
	done
	python3 "$VIGIL_SOURCE/tests/exports.py" "${all[@]}"
}

@test "wrong command lines of forms with samples" {
	session threads
	run -2 "$vigil" export --to pdf threads.vprf
	[[ $output == *"unknown form 'pdf'; the forms are"*folded* ]]
	run -2 "$vigil" export --to folded
	run -2 "$vigil" export --to folded threads.vprf threads.vprf
	[[ $output == *"folded has one data set, not 2"* ]]
	run -2 "$vigil" export --to folded --below 50 threads.vprf
	[[ $output == *"--program and --below select coverage; folded has samples"* ]]
	run -2 "$vigil" export --to lcov --task x threads.vprf
	[[ $output == *"lcov has coverage"* ]]
	run -2 "$vigil" export --to folded -o threads.vprf threads.vprf
	[[ $output == *"--output would overwrite threads.vprf, which is an input"* ]]
}

@test "a step that was measured: each form has its samples, waits and names" {
	cc -O1 -g -pthread -o busy "$VIGIL_SOURCE/tests/programs/busy.c"
	"$vigil" run -q -o busy.vprf -- sh -c './busy 3 200; sleep 1'
	"$vigil" report -f json -r MSD,WTM busy.vprf >busy.json
	local all=() form
	for form in $(forms); do
		"$vigil" export --to "$form" -q -o "busy.vprf.$form" busy.vprf
		all+=("$form" "busy.vprf.$form" busy.json)
	done
	python3 "$VIGIL_SOURCE/tests/exports.py" "${all[@]}"
	build=$(readelf -n busy | awk '/Build ID/ { print $3 }')
	if [ -e busy.vprf.pprof ]; then
		gunzip -c <busy.vprf.pprof | grep -aq "$build"
		grep -aq "$build" busy.vprf.otlp
	fi
	grep -q '^busy [123];.*start_thread;spin' busy.vprf.folded
	grep -q '^sleep;.*(waiting, sleep) ' busy.vprf.folded-waits
}
