# SPDX-License-Identifier: Apache-2.0
# What the tests of events share: "load profiler" in a .bats file.

# init NAME [INIT-OPERAND...] [-- LINE...]: a PROFILER block that starts immediately.
init() {
	local name=$1
	shift
	{
		echo PROFILER
		echo FUNCTION=INIT
		while [ $# -gt 0 ] && [ "$1" != -- ]; do
			echo "  $1"
			shift
		done
		[ $# -gt 0 ] && shift
		[ $# -gt 0 ] && printf '%s\n' "$@"
		echo FUNCTION=START
		echo END-PROFILER
	} >"$name"
}

# block NAME EVENT-KEYWORD... [-- FILTER-LINE...]: the same with a filter of events.
block() {
	local name=$1 keywords=()
	shift
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		keywords+=("  $1")
		shift
	done
	[ $# -gt 0 ] && shift
	init "$name" -- FILTER=EVENT "${keywords[@]}" "$@"
}

# events BLOCK PROGRAM [ARGUMENT]...: runs it; its output is in said, its events in counts.
events() {
	local block=$1
	shift
	vigil run -q --control "$block" -o events.vprf -- "$@" >said 2>errors
	"$VIGIL_BUILD/tests/event-counts" events.vprf >counts
}
