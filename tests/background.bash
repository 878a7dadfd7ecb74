# SPDX-License-Identifier: Apache-2.0
# Programs beside a test: "load background" in a .bats file, background_end in its teardown. What a test leaves running fails
# it (tests/runner), so whatever is started beside a test is started here.

# background COMMAND...: starts it beside the test, with the caller's redirections; $pid is its process.
background() {
	# Without <&0 a shell gives it an empty standard input.
	"$@" <&0 3>&- &
	pid=$!
	background_started+=("$pid")
}

# background_tree PID...: these and all that descend from them.
background_tree() {
	local found=$* ahead=$*
	while [ -n "$ahead" ]; do
		ahead=$(ps -o pid= --ppid "$(echo $ahead | tr ' ' ,)" 2>/dev/null | tr -d ' ' | tr '\n' ' ')
		found="$found $ahead"
	done
	echo "$found"
}

# background_end: ends what still runs of it, with its descendants, and waits for that.
background_end() {
	local left
	[ ${#background_started[@]} -gt 0 ] || return 0
	left=$(background_tree "${background_started[@]}")
	# shellcheck disable=SC2086
	kill -KILL $left 2>/dev/null || true
	wait "${background_started[@]}" 2>/dev/null || true
	background_started=()
}
