# SPDX-License-Identifier: Apache-2.0
# Reports where a test failed, by means of bash itself: "load trace" in each .bats file.
#
# bats records the call stack in a DEBUG trap before each command of a test, which costs some 0.3 ms each: a loop of a
# thousand turns then costs more than the program under test. Since bash 5.1 the ERR trap knows the line by itself, so
# the stack is recorded there, once, and commands are not trapped. A test ended by "exit" or by an unset variable then
# has no location; bash's own message has one. "bats --trace" is unchanged.
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

	# trace_error: the first command that fails is the one that failed the test; its callers fail after it.
	trace_error() {
		bats_check_status_from_trap
		[ -n "$BATS_DEBUG_LAST_STACK_TRACE_IS_VALID" ] || bats_capture_stack_trace
		BATS_DEBUG_LAST_STACK_TRACE_IS_VALID=1
	}
fi
