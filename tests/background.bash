# SPDX-License-Identifier: Apache-2.0
# Programs that run concurrently with a test: "load background" in a .bats file, background_end in its teardown. A
# test fails if it leaves a process behind (tests/runner), so all background processes are started here.

# background COMMAND...: starts it in the background with the caller's redirections; $pid is its process.
background() {
	# Without <&0 a shell gives it an empty standard input.
	"$@" <&0 3>&- &
	pid=$!
	background_started+=("$pid")
}

# stop_all PID...: stops processes, and waits until all of their threads are stopped: a thread that got the signal stops
# the others when it gets the processor.
stop_all() {
	local looks one
	kill -STOP "$@"
	for one; do
		for looks in $(seq 1000); do
			grep -q '^State:.[^T]' /proc/"$one"/task/*/status || break
			sleep 0.01
		done
	done
}

# background_tree PID...: these processes and all their descendants.
background_tree() {
	local found=$* ahead=$*
	while [ -n "$ahead" ]; do
		ahead=$(ps -o pid= --ppid "$(echo $ahead | tr ' ' ,)" 2>/dev/null | tr -d ' ' | tr '\n' ' ')
		found="$found $ahead"
	done
	echo "$found"
}

# background_end: ends the background processes that still run, with their descendants, and waits for them.
background_end() {
	local left
	[ ${#background_started[@]} -gt 0 ] || return 0
	left=$(background_tree "${background_started[@]}")
	# shellcheck disable=SC2086
	kill -KILL $left 2>/dev/null || true
	wait "${background_started[@]}" 2>/dev/null || true
	background_started=()
}
