/* SPDX-License-Identifier: Apache-2.0 */
/* Reads memory of this process that may not be mapped. */
#include "common/compat.h"
#include "sampler/host/guarded-read.h"

#include <setjmp.h>
#include <signal.h>

#define UNCHECKED __attribute__((noinline, no_sanitize("address", "undefined")))

/*
 * State for the signal handler, which gets no context: where to continue, and
 * whether a copy is in progress.
 */
static sigjmp_buf way_out;
static volatile sig_atomic_t copying;

/* Leaves the copy that faulted; faults of other code end the process. */
static void on_fault(int number)
{
	if (copying)
		siglongjmp(way_out, 1);
	signal(number, SIG_DFL);
	raise(number);
}

void guard_start(void)
{
	struct sigaction action = { .sa_handler = on_fault, .sa_flags = SA_NODEFER };

	sigaction(SIGSEGV, &action, NULL);
	sigaction(SIGBUS, &action, NULL);
}

/* Copies size bytes, or if text up to the NUL; returns the number copied. */
static UNCHECKED size_t copy_bytes(char *to, const volatile char *from, size_t size, bool text)
{
	size_t length = 0;

	for (; length < size; length++) {
		to[length] = from[length];
		if (text && !to[length])
			break;
	}
	return length;
}

bool guard_copy(void *to, const void *from, size_t size)
{
	if (sigsetjmp(way_out, 0)) {
		copying = 0;
		return false;
	}
	copying = 1;
	copy_bytes(to, from, size, false);
	copying = 0;
	return true;
}

int guard_text(char *to, size_t size, const char *from)
{
	size_t length;

	to[0] = '\0';
	if (sigsetjmp(way_out, 0)) {
		copying = 0;
		to[0] = '\0';
		return -1;
	}
	copying = 1;
	length = copy_bytes(to, from, size - 1, true);
	copying = 0;
	to[length] = '\0';
	return (int)length;
}
