/* SPDX-License-Identifier: Apache-2.0 */
/* x86-64: the signal frames made by the kernel. */
#include "common/compat.h"
#include "program/unwind/unwind-arch.h"

const uint16_t unwind_signal_offsets[UNWIND_REGISTERS] = {
	/* struct ucontext: gregs begin at 40 with r8..r15 rdi rsi rbp rbx rdx rax rcx rsp rip */
	[0] = 40 + 8 * 13,  [1] = 40 + 8 * 12, [2] = 40 + 8 * 14, [3] = 40 + 8 * 11,
	[4] = 40 + 8 * 9,   [5] = 40 + 8 * 8,  [6] = 40 + 8 * 10, [7] = 40 + 8 * 15,
	[8] = 40 + 8 * 0,   [9] = 40 + 8 * 1,  [10] = 40 + 8 * 2, [11] = 40 + 8 * 3,
	[12] = 40 + 8 * 4,  [13] = 40 + 8 * 5, [14] = 40 + 8 * 6, [15] = 40 + 8 * 7,
	[16] = 40 + 8 * 16,
};

bool unwind_is_signal_return(const unsigned char *code, size_t size)
{
	/* mov $15, %rax (long or short form); syscall */
	static const unsigned char with_rax[] = { 0x48, 0xc7, 0xc0, 0x0f, 0, 0, 0, 0x0f, 0x05 };
	static const unsigned char with_eax[] = { 0xb8, 0x0f, 0, 0, 0, 0x0f, 0x05 };

	return (size >= sizeof(with_rax) && memcmp(code, with_rax, sizeof(with_rax)) == 0) ||
	       (size >= sizeof(with_eax) && memcmp(code, with_eax, sizeof(with_eax)) == 0);
}
