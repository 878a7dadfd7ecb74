/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor-specific part of coverage: the address of a thread after a
 * breakpoint, and system calls without the C library, whose functions may be
 * interposed.
 */
#ifndef VIGIL_AGENT_COVERAGE_COVERAGE_PROCESSOR_H
#define VIGIL_AGENT_COVERAGE_COVERAGE_PROCESSOR_H

#include "agent/agent.h"

#include <sys/syscall.h>
#include <ucontext.h>

#if defined(__x86_64__)

#define COVERAGE_BREAK_AFTER 1 /* bytes from a breakpoint to a thread's address after it */

static inline uint64_t coverage_place_of(const ucontext_t *context)
{
	return (uint64_t)context->uc_mcontext.gregs[REG_RIP] - COVERAGE_BREAK_AFTER;
}

static inline void coverage_go_on_at(ucontext_t *context, uint64_t address)
{
	context->uc_mcontext.gregs[REG_RIP] = (greg_t)address;
}

/*
 * Emulates the first instruction of the loader's empty function, which the
 * breakpoint has replaced.
 */
static inline void coverage_return(ucontext_t *context, uint64_t address, uint32_t original)
{
	uint64_t *stack = (uint64_t *)context->uc_mcontext.gregs[REG_RSP];

	if (original == 0xf3) { /* endbr64 */
		coverage_go_on_at(context, address + 4);
		return;
	}
	coverage_go_on_at(context, *stack);
	context->uc_mcontext.gregs[REG_RSP] += 8;
}

/* Returns whether coverage_return can emulate the beginning of the function at address. */
static inline bool coverage_can_return(const unsigned char *at)
{
	return at[0] == 0xc3 || (at[0] == 0xf3 && at[1] == 0x0f && at[2] == 0x1e && at[3] == 0xfa);
}

static inline long coverage_call(long number, long a, long b, long c, long d)
{
	register long fourth __asm__("r10") = d;
	long result;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(a), "S"(b), "d"(c), "r"(fourth)
			 : "rcx", "r11", "memory");
	return result;
}

#elif defined(__aarch64__)

#define COVERAGE_BREAK_AFTER 0

static inline uint64_t coverage_place_of(const ucontext_t *context)
{
	return context->uc_mcontext.pc;
}

static inline void coverage_go_on_at(ucontext_t *context, uint64_t address)
{
	context->uc_mcontext.pc = address;
}

static inline void coverage_return(ucontext_t *context, uint64_t address, uint32_t original)
{
	bool is_return = original == UINT32_C(0xd65f03c0);

	context->uc_mcontext.pc = is_return ? context->uc_mcontext.regs[30] : address + 4;
}

/* A return, or a landing pad before it. */
static inline bool coverage_can_return(const unsigned char *at)
{
	uint32_t instruction;

	memcpy(&instruction, at, sizeof(instruction));
	return instruction == UINT32_C(0xd65f03c0) || instruction == UINT32_C(0xd503245f);
}

static inline long coverage_call(long number, long a, long b, long c, long d)
{
	register long call __asm__("x8") = number, first __asm__("x0") = a;
	register long second __asm__("x1") = b, third __asm__("x2") = c, fourth __asm__("x3") = d;

	__asm__ volatile("svc #0"
			 : "+r"(first)
			 : "r"(call), "r"(second), "r"(third), "r"(fourth)
			 : "memory");
	return first;
}

#else
#error "coverage by places does not know this processor"
#endif

#endif
