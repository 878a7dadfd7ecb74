/* SPDX-License-Identifier: Apache-2.0 */
/* Registers of a sample on x86-64: from the kernel's order to DWARF's. */
#include "common/compat.h"
#include "program/unwind/arch.h"
#include "common/outside.h"

#include <asm/perf_regs.h>
#include <linux/perf_event.h>
#include <sys/ptrace.h>
#include <sys/user.h>

/* The kernel's register numbers, indexed by DWARF's: rax rdx rcx rbx rsi rdi rbp rsp r8-r15 rip. */
static const unsigned char kernel_number[UNWIND_REGISTERS] = {
	PERF_REG_X86_AX,  PERF_REG_X86_DX,  PERF_REG_X86_CX,  PERF_REG_X86_BX,	PERF_REG_X86_SI,
	PERF_REG_X86_DI,  PERF_REG_X86_BP,  PERF_REG_X86_SP,  PERF_REG_X86_R8,	PERF_REG_X86_R9,
	PERF_REG_X86_R10, PERF_REG_X86_R11, PERF_REG_X86_R12, PERF_REG_X86_R13, PERF_REG_X86_R14,
	PERF_REG_X86_R15, PERF_REG_X86_IP,
};

/* The code segment of 64-bit programs. */
#define SEGMENT_WIDE 0x33

#define BIT(n) (UINT64_C(1) << (n))

const uint64_t arch_register_mask =
	BIT(PERF_REG_X86_AX) | BIT(PERF_REG_X86_BX) | BIT(PERF_REG_X86_CX) | BIT(PERF_REG_X86_DX) |
	BIT(PERF_REG_X86_SI) | BIT(PERF_REG_X86_DI) | BIT(PERF_REG_X86_BP) | BIT(PERF_REG_X86_SP) |
	BIT(PERF_REG_X86_IP) | BIT(PERF_REG_X86_R8) | BIT(PERF_REG_X86_R9) | BIT(PERF_REG_X86_R10) |
	BIT(PERF_REG_X86_R11) | BIT(PERF_REG_X86_R12) | BIT(PERF_REG_X86_R13) |
	BIT(PERF_REG_X86_R14) | BIT(PERF_REG_X86_R15);

const uint64_t arch_register_abi = PERF_SAMPLE_REGS_ABI_64;

void arch_registers_of(uint64_t mask, const uint64_t *values, struct unwind_input *input)
{
	input->known = 0;
	for (unsigned number = 0; number < UNWIND_REGISTERS; number++) {
		uint64_t bit = BIT(kernel_number[number]);

		if (!(mask & bit))
			continue;
		input->registers[number] = values[__builtin_popcountll(mask & (bit - 1))];
		input->known |= UINT32_C(1) << number;
	}
}

void arch_registers(const uint64_t *values, struct unwind_input *input)
{
	arch_registers_of(arch_register_mask, values, input);
}

bool arch_in_call(const uint64_t *registers)
{
	/* The kernel keeps this value in rax until the call has ended. */
	return (int64_t)registers[0] == -ENOSYS;
}

void arch_call_arguments(const uint64_t *registers, uint64_t *arguments)
{
	/* rdi rsi rdx r10 r8 r9 */
	static const unsigned char numbers[] = { 5, 4, 1, 10, 8, 9 };

	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		arguments[i] = registers[numbers[i]];
}

bool arch_stopped_registers(pid_t tid, struct unwind_input *input)
{
	struct user_regs_struct from;

	RETURN_IF(outside_trace(PTRACE_GETREGS, tid, 0, &from) < 0 || from.cs != SEGMENT_WIDE, false);
	const uint64_t values[UNWIND_REGISTERS] = {
		from.rax, from.rdx, from.rcx, from.rbx, from.rsi, from.rdi,
		from.rbp, from.rsp, from.r8,  from.r9,	from.r10, from.r11,
		from.r12, from.r13, from.r14, from.r15, from.rip,
	};
	memcpy(input->registers, values, sizeof(values));
	input->known = (UINT32_C(1) << UNWIND_REGISTERS) - 1;
	return true;
}
