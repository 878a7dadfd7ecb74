#!/usr/bin/env bats
# SPDX-License-Identifier: Apache-2.0
# The newest snapshot as OpenMetrics text, in a file and on a port, read by the parsers of Prometheus.

bats_require_minimum_version 1.5.0

load trace
load ordinary
load waiting
load background

setup() {
	vigil=$VIGIL_BUILD/vigil
	cd "$BATS_TEST_TMPDIR" || return 1
	collector=
}

teardown() {
	background_end
	[ -z "$collector" ] || kill -KILL "$collector" 2>/dev/null || true
	ordinary_end
}

# collected COMMAND...: runs it; on a busy machine intervals may be omitted, which is reported.
collected() {
	run --separate-stderr "$@"
	[ "$status" -eq 0 ] || { [ "$status" -eq 4 ] && [[ $stderr == *VIG3500W* ]]; }
}

# parsed FILE [JSON]: the parsers of Prometheus accept it.
parsed() {
	local status=0
	/usr/bin/python3 "$VIGIL_SOURCE/tests/openmetrics.py" parse "$@" || status=$?
	[ "$status" -ne 77 ] || skip "python3-prometheus-client is not installed"
	[ "$status" -eq 0 ]
}

@test "the file is what the parsers of Prometheus read, and what the records say" {
	collected "$vigil" collect -q -i 0.1 -c 3 -t JSON --openmetrics all.prom ALL
	printf '%s\n' "$output" >all.json
	[ "$(tail -n 1 all.prom)" = "# EOF" ]
	# Values recorded only with the first snapshot are in the last one.
	grep -q '^vigil_par_info{name="kernel.pid_max",' all.prom
	! ls | grep -F .part || return 1
	parsed all.prom all.json
}

@test "an ordinary user's file, in a folder of his own" {
	ordinary_folder
	collected "${ordinary[@]}" "$vigil" collect -q -i 0.1 -c 1 --openmetrics own.prom
	grep -q '^vigil_mem_available_bytes [0-9]' own.prom
	parsed own.prom
}

@test "the file is replaced as a whole: who reads it never sees a part" {
	background "$vigil" collect -q -i 0.02 --openmetrics whole.prom CPU MEM SYS
	collector=$!
	wait_for test -s whole.prom
	for _ in $(seq 100); do
		[ "$(tail -n 1 whole.prom)" = "# EOF" ]
	done
	kill "$collector"
	wait "$collector" || [ $? -eq 4 ]
	collector=
}

@test "a file that cannot be written is told once, and the collection goes on" {
	mkdir folder
	run -4 --separate-stderr "$vigil" collect -i 0.05 -c 3 -t JSON --openmetrics folder MEM
	[ "$(grep -c VIG3694W <<<"$stderr")" -eq 1 ]
	[[ $stderr == *"VIG3694W folder is a folder"* ]]
	[ "$(grep -c '"record":"mem"' <<<"$output")" -eq 3 ]
	run -2 "$vigil" collect --openmetrics-port 65536
}

@test "the port answers on the loopback interface alone, and no client holds the collection" {
	background "$vigil" collect -i 0.1 -t JSON --openmetrics-port 0 MEM >live.json 2>said
	collector=$!
	wait_for test -s said
	if grep -q 'built without libmicrohttpd' said; then
		skip "libmicrohttpd-dev is not installed"
	fi
	wait_for grep -q VIG3696I said
	port=$(sed -n 's,.*VIG3696I .*http://127.0.0.1:\([0-9]*\)/metrics$,\1,p' said)
	/usr/bin/python3 "$VIGIL_SOURCE/tests/openmetrics.py" port "$port" live.json
	# No other user can read it.
	run -8 --separate-stderr "$vigil" collect -c 1 --openmetrics-port "$port"
	[[ $stderr == *"VIG3503E cannot listen on port $port of 127.0.0.1"* ]]
	kill "$collector"
	wait "$collector" || [ $? -eq 4 ]
	collector=
}

@test "what a COLLECT statement says comes while it lasts, and once" {
	mkdir sub
	background "$vigil" control >first 2>said <<-'END'
		EXTRACT INPUT='none.vprf'
		COLLECT INTERVAL=0.05,COUNT=100000,MODULES=MEM,OPENMETRICS='sub/now.prom'
	END
	collector=$!
	wait_for test -s sub/now.prom
	# Messages of the statement before precede it.
	wait_for grep -q 'VIG[0-9]*E .*none.vprf' said
	mv sub away
	wait_for grep -q 'VIG3694W' said
	kill -0 "$collector"
	mv away sub
	wait_for grep -q 'VIG3695I' said
	kill -0 "$collector"
	kill -TERM "$collector"
	status=0
	wait "$collector" || status=$?
	[ "$status" -eq 8 ]
	collector=
	[ "$(grep -c 'VIG[0-9]*E .*none.vprf' said)" -eq 1 ]
	[ "$(grep -c 'VIG3694W' said)" -eq 1 ]
	[ "$(grep -c 'VIG3695I' said)" -eq 1 ]
	[ "$(grep -n 'none.vprf' said | head -1 | cut -d: -f1)" -lt "$(grep -n VIG3694W said | cut -d: -f1)" ]
}
