/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How the agent waits in a measured program: for space in the data pool, or for
 * the monitor's answer. The program's waits are measured and these are not part of
 * them, so the call carries a mark (wait-area.h). The system call is made here
 * rather than through the C library, so that its address lies in the agent.
 */
#ifndef VIGIL_AGENT_AGENT_WAIT_H
#define VIGIL_AGENT_AGENT_WAIT_H

#include "agent/wait-area.h"

#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Waits while *word equals seen, like FUTEX_WAIT: it may return early. longest:
 * NULL: no limit. errno is preserved.
 */
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
