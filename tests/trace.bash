# SPDX-License-Identifier: Apache-2.0
# Where a test failed, told by bash itself: "load trace" in each .bats file.
#
# bats keeps the stack of calls in a DEBUG trap before each command of a test, some 0.3 ms each: with it a loop of a
# thousand turns is dearer than the program that it tries. Since bash 5.1 the ERR trap knows the line by itself, so the stack is kept
# there, once, and no command is trapped. What ends a test by "exit" or by a variable that is not set has no place then;
# bash's own message has one. "bats --trace" is as bats has it.
if [ "${BATS_TRACE_LEVEL:-0}" = 0 ] && ((BASH_VERSINFO[0] * 100 + BASH_VERSINFO[1] >= 501)); then
	# bats_setup_tracing: bats calls it before setup_file and before each test.
	bats_setup_tracing() {
		BATS_DEBUG_LASTLAST_STACK_TRACE=()
		BATS_DEBUG_LAST_STACK_TRACE=()
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=
		BATS_ERROR_SUFFIX=
		exec 4<&1
		trap trace_error ERR
	}

	# trace_error: the first command that fails is what failed the test; those that call it fail behind it.
	trace_error() {
		bats_check_status_from_trap
		[ -n "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
fi
