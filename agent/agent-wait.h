/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How vigil's part in a measured program waits: for room in the data pool, for
 * the monitor's answer. What the program waits for is measured, and this is
 * none of it, so the call says whose it is (wait-area.h). It is made here and
 * not by the C library, so that it stands in vigil's part of the program.
 */
#ifndef VIGIL_AGENT_AGENT_WAIT_H
#define VIGIL_AGENT_AGENT_WAIT_H

#include "agent/wait-area.h"

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Wait while word is seen, as FUTEX_WAIT does: also less long. longest: NULL for ever. errno stays. */
static inline void agent_wait(const uint32_t *word, uint32_t seen, const struct timespec *longest)
{
#if defined(__x86_64__)
	register const struct timespec *timeout __asm__("r10") = longest;
	register uint64_t unread __asm__("r8") = 0;
	register uint64_t mark __asm__("r9") = AGENT_WAIT_MARK;
	long result = SYS_futex;

	__asm__ volatile("syscall"
			 : "+a"(result)
			 : "D"(word), "S"((long)FUTEX_WAIT), "d"((long)seen), "r"(timeout), "r"(unread), "r"(mark)
			 : "rcx", "r11", "memory");
#else
	syscall(SYS_futex, word, FUTEX_WAIT, seen, longest, NULL, AGENT_WAIT_MARK);
#endif
}

#endif
