#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# External modules in vigil collect, vigil extract and vigil modules.

bats_require_minimum_version 1.5.0

load trace
load ordinary
load background

setup_file() {
	export BIN=$BATS_FILE_TMPDIR/bin
	mkdir -p "$BIN"
	chmod go-w "$BATS_FILE_TMPDIR" "$BIN"
	for file in "$VIGIL_SOURCE"/doc/modules/{load-producer,idle-filter,live-consumer,limit-monitor}.c \
		"$VIGIL_SOURCE"/tests/modules/{bad,needy,private,unprepared}.c; do
		cc -std=c11 -D_GNU_SOURCE -Wall -shared -fPIC -o "$BIN/$(basename "$file" .c).so" "$file" \
			-I"$VIGIL_SOURCE/include" || return 1
	done
	for kind in TIMER EXTRACTOR; do
		cc -Wall -shared -fPIC -DBAD_$kind -o "$BIN/bad-$kind.so" "$VIGIL_SOURCE/tests/modules/bad-others.c" \
			-I"$VIGIL_SOURCE/include" || return 1
	done
}

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	unset VIGIL_MODULES
}

teardown() {
	background_end
	ordinary_end
}

# collected STATUS ARGUMENT...: runs collect every 50 ms; intervals may be omitted on a busy machine.
collected() {
	local wanted=$1
	shift
	run --separate-stderr "$vigil" collect -i 0.05 "$@"
	stderr=$(grep -v VIG3500W <<<"$stderr" || true)
	[ "$status" -eq "$wanted" ] || { [ "$wanted" -eq 0 ] && [ "$status" -eq 4 ]; }
}

# count_of RECORD: the number of JSON objects in $output that are such records.
count_of() {
	grep -c "\"record\":\"$1\"" <<<"$output" || true
}

@test "modules of a library take part, live and in the data set, beside those of vigil" {
	collected 0 -q -c 3 -p "$BIN" -m load-producer -t JSON -o a.vprf MEM
	[ "$(count_of example_load)" -ge 3 ]
	[ "$(count_of mem)" -eq 3 ]
	[ -z "$stderr" ]
	# Without the library the data is the same.
	run -0 "$vigil" extract a.vprf EXAMPLE_LOAD.tasks
	[ "$(grep -c 'EXAMPLE_LOAD 1 of 1' <<<"$output")" -ge 3 ]
	# A plain name means the module, not a group.
	collected 0 -q -c 1 -m "$BIN/load-producer.so" -t JSON example.load
	[ "$(count_of example_load)" -ge 1 ]
	[ "$(count_of cpu)" -eq 0 ]
	export VIGIL_MODULES=/nowhere:$BIN
	collected 0 -q -c 1 -m load-producer -t JSON example.load
	[ "$(count_of example_load)" -ge 1 ]
}

@test "a consumer takes the place of the text, live and stored" {
	EXAMPLE_LIST=$PWD/live collected 0 -q -c 3 -m "$BIN/live-consumer.so" -o a.vprf MEM
	[ -z "$output" ]
	EXAMPLE_LIST=$PWD/stored run -0 --separate-stderr "$vigil" extract -m "$BIN/live-consumer.so" a.vprf
	[ -z "$output$stderr" ]
	[ "$(grep -c '^. mem ' live)" -eq 3 ]
	diff live stored
	EXAMPLE_LIST=$PWD/stored run -0 "$vigil" extract -t JSON -m "$BIN/live-consumer.so" a.vprf
	[ "$(count_of mem)" -eq 3 ]
}

@test "a filter leaves records out at collection and at extraction" {
	EXAMPLE_LIMIT=-1 collected 0 -q -c 2 -m "$BIN/load-producer.so" -m "$BIN/idle-filter.so" -o all.vprf EXAMPLE.LOAD
	EXAMPLE_LIMIT=1e9 collected 0 -q -c 2 -m "$BIN/load-producer.so" -m "$BIN/idle-filter.so" -o none.vprf EXAMPLE.LOAD
	run -0 "$vigil" extract -t JSON all.vprf
	[ "$(count_of example_load)" -ge 2 ]
	EXAMPLE_LIMIT=1e9 run -0 "$vigil" extract -t JSON -m "$BIN/idle-filter.so" all.vprf
	[ "$(count_of example_load)" -eq 0 ]
	run -0 "$vigil" extract -t JSON none.vprf
	[ "$(count_of example_load)" -eq 0 ]
}

@test "a monitor says when an item passes a bound and when it is back" {
	collected 4 -q -c 2 -m "$BIN/limit-monitor.so=mem.total>1" MEM
	[[ $stderr =~ ^"vigil: VIG3691W EXAMPLE.LIMIT: mem.total is "[0-9.e+]+": above 1"$ ]]
	collected 0 -c 2 -t JSON -m "$BIN/limit-monitor.so=mem.total<1" MEM
	[ -z "$stderr" ]
	collected 8 -q -c 2 -m "$BIN/limit-monitor.so" MEM
	[[ $stderr == *"VIG3692E EXAMPLE.LIMIT: '' is not RECORD.ITEM<BOUND"* ]]
	# It reads stored data, too.
	collected 0 -q -c 2 -o a.vprf MEM
	run -4 --separate-stderr "$vigil" extract -t JSON -m "$BIN/limit-monitor.so=mem.total>1" a.vprf
	[[ $stderr == *"VIG3691W EXAMPLE.LIMIT: mem.total is "* ]]
}

# A module that hangs is waited for this long; on a fully loaded machine good ones need some time.
@test "modules that crash, hang or exit are named; the collection and its data set are whole" {
	collected 8 -q -c 4 --patience 5 -m "$BIN/bad.so" -t JSON -o a.vprf MEM
	for how in "CRASH: it is switched off: it was ended by signal 11" "ABORT: it is switched off: it was ended by signal 6" \
		"EXIT: it is switched off: it called exit (3)" "HANG: it is switched off: it did not return" \
		"AFTER: lost BAD.CRASH"; do
		[[ $stderr == *"VIG3691W BAD.$how"* ]]
	done
	[[ $stderr == *"VIG3692E BAD.ERROR: the tape is torn"* ]]
	[ "$(count_of mem)" -eq 4 ]
	[ "$(count_of good)" -ge 4 ]
	[ "$(count_of bad_crash)" -eq 1 ]
	run -0 "$vigil" extract -t JSON a.vprf
	[ "$(count_of mem)" -eq 4 ]
	[ "$(count_of bad_crash)" -eq 1 ]
}

@test "a module without its privilege is not started, and who comes after it is told" {
	collected 8 -c 2 -t JSON -m "$BIN/needy.so" MEM
	[[ $stderr == *"VIG3692E NEEDY: it needs /nonexistent/key, which is not available"* ]]
	[[ $stderr == *"VIG3690I NEEDY.AFTER: goes on without NEEDY"* ]]
	[ "$(count_of needy)" -eq 0 ]
	[ "$(count_of after_needy)" -ge 2 ]
	[ "$(count_of mem)" -eq 2 ]
	run -0 "$vigil" modules -m "$BIN/needy.so"
	[[ $output == *"not available: it needs /nonexistent/key, which is not available"*"of $BIN/needy.so"* ]]
}

@test "a library that is not there, or that others could change, ends the command before it begins" {
	collected 8 -c 1 -o a.vprf -m nobody
	[ "$stderr" = "vigil: VIG3692E there is no library nobody" ]
	mkdir open
	cp "$BIN/load-producer.so" open/
	chmod 777 open
	collected 8 -c 1 -o a.vprf -m "$PWD/open/load-producer.so"
	[[ $stderr == *"VIG3692E library $PWD/open/load-producer.so is not trusted: "*"everybody can write to it"* ]]
	run -8 --separate-stderr "$vigil" extract -m nobody a.vprf
	[ "$stderr" = "vigil: VIG3692E there is no library nobody" ]
	[ ! -e a.vprf ]
	run -0 "$vigil" modules -p "$PWD/open"
	[[ $output == *"library $PWD/open/load-producer.so is not trusted: "* ]]
	run -2 "$vigil" collect --patience never
}

@test "vigil modules lists modules of others with their state, and describes them" {
	run -0 --separate-stderr "$vigil" modules -p "$BIN" --patience 5
	[ -z "$stderr" ]
	grep -A1 -E '^EXAMPLE.LOAD +producer +5 +1  the load of the machine$' <<<"$output" | grep -q " of $BIN/load-producer.so\$"
	grep -qE '^EXAMPLE.LIMIT +monitor ' <<<"$output"
	# The producers were called once: errors in that call are reported, too.
	grep -A1 '^BAD.AFTER' <<<"$output" | grep -q " of $BIN/bad.so\$"
	run -0 "$vigil" modules -p "$BIN" -m load-producer --patience 5 example.load
	[[ $output == "EXAMPLE.LOAD: the load of the machine"*"built for version 1 of"*"Can be: producer"*"Needs: /proc/loadavg"* ]]
	[[ $output == *"Record type example_load; records now: 1."*"average "*"level"* ]]
	run -8 "$vigil" modules -p "$BIN" -m nobody
}

@test "records are stored in their module's own form, and shown in the other; a group of others has members of vigil" {
	collected 0 -q -c 3 -m "$BIN/private.so" -t JSON -o a.vprf GROUP
	[ "$(count_of big)" -ge 3 ]
	[ "$(count_of mem)" -eq 3 ]
	[ "$(count_of cpu)" -eq 0 ]
	[ "$(count_of small)" -eq 0 ]
	grep '"record":"big"' <<<"$output" >live
	run -0 "$vigil" extract -t JSON a.vprf
	[ "$(count_of big)" -eq 0 ]
	[ "$(count_of small)" -ge 3 ]
	run -0 "$vigil" extract -t JSON -m "$BIN/private.so" a.vprf
	[ "$(count_of small)" -eq 0 ]
	diff live <(grep '"record":"big"' <<<"$output")
	# Likewise in several files.
	collected 0 -q -c 8 -m "$BIN/private.so" -t JSON -o b.vprf --size 9k NUMBERS INET
	grep '"record":"big"' <<<"$output" >live
	files=(b-*Z.vprf)
	[ "${#files[@]}" -ge 2 ]
	run -0 "$vigil" extract -t JSON -m "$BIN/private.so" "${files[@]}"
	diff live <(grep '"record":"big"' <<<"$output")
}

@test "a timer of others takes the place of the interval; when it crashes the collection ends in order" {
	run --separate-stderr "$vigil" collect -q -i 3600 -m "$BIN/bad-TIMER.so" -t JSON -o a.vprf MEM
	[ "$status" -eq 4 ]
	[[ $stderr == *"VIG3691W BAD.TIMER: it is switched off: it was ended by signal 11"* ]]
	[ "$(count_of mem)" -eq 4 ]
	run -0 "$vigil" extract -t JSON a.vprf
	[ "$(count_of mem)" -eq 4 ]
}

@test "an extractor of others reads in the place of vigil; when it crashes the extraction ends in order" {
	run -4 --separate-stderr "$vigil" extract -t JSON -m "$BIN/bad-EXTRACTOR.so" nothing.there
	[[ $stderr == *"VIG3691W BAD.TAPE: it is switched off: it was ended by signal 11"* ]]
	[ "$(count_of taped)" -eq 2 ]
	[[ $output == *'"number":71,"title":"side B"'* ]]
}

@test "an ordinary user's modules, in a folder of his own" {
	ordinary_folder
	"${ordinary[@]}" mkdir -m 755 own
	"${ordinary[@]}" dd of=own/load-producer.so status=none <"$BIN/load-producer.so"
	run --separate-stderr "${ordinary[@]}" "$vigil" collect -q -i 0.05 -c 1 -p "$PWD/own" -m load-producer -t JSON EXAMPLE.LOAD
	[ "$status" -eq 0 ] || [[ $stderr == *VIG3500W* ]]
	[ "$(count_of example_load)" -ge 1 ]
	run -0 "${ordinary[@]}" "$vigil" modules -p "$PWD/own"
	[[ $output == *"of $PWD/own/load-producer.so"* ]]
}

@test "COLLECT and EXTRACT have modules of others, files of a size, and OpenMetrics text" {
	"$vigil" control >first 2>said <<-END || [ $? -eq 4 ]
		COLLECT INTERVAL=0.05,COUNT=4,LIBRARY='load-producer',PATH='$BIN',PATIENCE=5,
		  MODULES=MEM,FORMAT=JSON,DSNAME='a.vprf',OPENMETRICS='a.prom'
		COLLECT INTERVAL=0.02,COUNT=120,DSNAME='$PWD/long.vprf',SIZE=16K,KEEP=2,
		  MODULES=(MEM,SYS)
		COLLECT INTERVAL=0.05,COUNT=2,DSNAME='$PWD/timed.vprf',ROTATE=DAILY,MODULES=MEM
		EXTRACT INPUT='a.vprf',RECORDS=EXAMPLE_LOAD.tasks
	END
	EXAMPLE_LIST=$PWD/consumed "$vigil" control <<<"EXTRACT INPUT='a.vprf',LIBRARY='$BIN/live-consumer.so'"
	[ "$(grep -c '"record":"example_load"' first)" -ge 3 ]
	[ "$(grep -c 'EXAMPLE_LOAD 1 of 1' first)" -ge 3 ]
	# An external consumer gets from the file what it gets for the command.
	EXAMPLE_LIST=$PWD/by-command "$vigil" extract -m "$BIN/live-consumer.so" a.vprf
	grep -q '^1 mem ' consumed
	cmp consumed by-command
	tail -1 a.prom | grep -qx '# EOF'
	grep -q '^vigil_mem_total' a.prom
	files=(long-*Z.vprf)
	[ "${#files[@]}" -eq 2 ]
	[ "$(stat -c %s "${files[0]}")" -le 16384 ]
	timed=(timed-*Z.vprf)
	[ -s "${timed[0]}" ]
	# The same on a port while the collection runs.
	port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	background "$vigil" control <<<"COLLECT INTERVAL=0.1,END='+20',OPENMETRICS-PORT=$port,MODULES=MEM" >scraped 2>&1
	collector=$pid
	for _ in $(seq 100); do
		/usr/bin/python3 -c "import urllib.request; print(urllib.request.urlopen('http://127.0.0.1:$port/metrics').read().decode())" \
			>page 2>/dev/null && break
		kill -0 "$collector" || break
		sleep 0.1
	done
	kill "$collector" 2>/dev/null || true
	wait "$collector" || true
	grep -q 'built without libmicrohttpd' scraped || grep -q '^vigil_mem_total' page
}

@test "what COLLECT and EXTRACT cannot do with modules and files is found before anything is done" {
	run -8 --separate-stderr "$vigil" control <<-'END'
		COLLECT COUNT=1,DSNAME='never.vprf'
		COLLECT COUNT=1,DSNAME='x.vprf',SIZE=100
		COLLECT COUNT=1,DSNAME='x.vprf',ROTATE=WEEKLY
		EXTRACT INPUT='x.vprf',PATIENCE=0
	END
	[ ! -e never.vprf ]
	for id in VIG3720E VIG3721E VIG3724E; do
		[[ $output$stderr == *"$id "* ]] || { echo "$id is missing"; return 1; }
	done
	run -8 "$vigil" control <<<"COLLECT COUNT=1,LIBRARY='none-such'"
	[[ $output == *VIG3692E* ]]
}

@test "what a module of others says while an extraction is prepared is said once" {
	collected 0 -q -c 2 -o a.vprf MEM
	unset EXAMPLE_LIST
	run --separate-stderr "$vigil" extract -m "$BIN/live-consumer.so" a.vprf MEM
	[ "$(grep -c 'VIG3692E EXAMPLE.LIST: EXAMPLE_LIST does not name a file' <<<"$stderr")" -eq 1 ]
	run --separate-stderr "$vigil" extract -m "$BIN/unprepared.so" a.vprf MEM
	[ "$(grep -c 'VIG3692E UNPREPARED: there is no tape' <<<"$stderr")" -eq 1 ]
	[ "$(grep -c 'there is no tape' <<<"$stderr")" -eq 1 ]
	run --separate-stderr "$vigil" collect -q -c 1 -o b.vprf -m "$BIN/unprepared.so" MEM
	[ "$(grep -c 'there is no tape' <<<"$stderr")" -eq 1 ]
}
