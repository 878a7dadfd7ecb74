/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor-dependent part of reading registers from a sample: which the
 * kernel is asked for, and their numbers in the unwinder.
 */
#ifndef VIGIL_PROGRAM_UNWIND_ARCH_H
#define VIGIL_PROGRAM_UNWIND_ARCH_H

#include "program/unwind/unwind.h"

/*
 * The sample_regs_user mask for perf_event_open; it includes the instruction and
 * the stack pointer.
 */
extern const uint64_t arch_register_mask;
/* The ABI that a sample must have for its stack to be walked (PERF_SAMPLE_REGS_ABI_64). */
extern const uint64_t arch_register_abi;
/* The DWARF numbers of the stack pointer and of the instruction pointer. */
#define ARCH_STACK_POINTER 7
#define ARCH_INSTRUCTION 16
/*
 * Stores the values of a sample, which are in the kernel's order, in registers and
 * known of input.
 */
void arch_registers(const uint64_t *values, struct unwind_input *input);
/*
 * As arch_registers, for a sample with the registers of mask: missing ones are
 * marked as unknown.
 */
void arch_registers_of(uint64_t mask, const uint64_t *values, struct unwind_input *input);

/*
 * Returns whether these registers are those of a program inside a system call
 * whose result the kernel has not stored yet; and the six arguments of the call.
 */
bool arch_in_call(const uint64_t *registers);
void arch_call_arguments(const uint64_t *registers, uint64_t *arguments);

/*
 * Reads the registers of a stopped thread that this thread traces; returns false
 * if that fails or they cannot be walked from (a 32-bit program).
 */
bool arch_stopped_registers(pid_t tid, struct unwind_input *input);

#endif
