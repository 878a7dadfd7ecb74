/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What depends on the processor when registers are taken from a sample: which
 * the kernel is asked for, and where they go in the unwinder's numbering.
 */
#ifndef VIGIL_PROGRAM_UNWIND_ARCH_H
#define VIGIL_PROGRAM_UNWIND_ARCH_H

#include "program/unwind/unwind.h"

/* The sample_regs_user mask for perf_event_open; the instruction and the stack pointer are in it.
 */
extern const uint64_t arch_register_mask;
/* The ABI a sample must have so that its stack can be walked (PERF_SAMPLE_REGS_ABI_64). */
extern const uint64_t arch_register_abi;
/* The DWARF numbers of the stack pointer and of the instruction pointer. */
#define ARCH_STACK_POINTER 7
#define ARCH_INSTRUCTION 16
/* Lay the values of a sample, in the kernel's order, into registers and known of input. */
void arch_registers(const uint64_t *values, struct unwind_input *input);
/* The same of a sample that has other registers, as its mask says: those that are missing are not
   known. */
void arch_registers_of(uint64_t mask, const uint64_t *values, struct unwind_input *input);

/* Whether these registers are those of a program inside a system call, of which the kernel has not
   made the result yet; and the six arguments of the call. */
bool arch_in_call(const uint64_t *registers);
void arch_call_arguments(const uint64_t *registers, uint64_t *arguments);

/* Take the registers of a thread that this one traces and that stands still; false when they cannot
   be had or cannot be walked from (a 32-bit program). */
bool arch_held_registers(pid_t tid, struct unwind_input *input);

#endif
