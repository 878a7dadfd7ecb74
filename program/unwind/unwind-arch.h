/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The processor-dependent part of the walk. One implementation per processor
 * (unwind-x86_64.c), together with routine_analyse of routine.h.
 */
#ifndef VIGIL_PROGRAM_UNWIND_UNWIND_ARCH_H
#define VIGIL_PROGRAM_UNWIND_UNWIND_ARCH_H

#include "program/unwind/unwind.h"

#define REGISTER_FRAME 6   /* rbp */
#define REGISTER_STACK 7   /* rsp */
#define REGISTER_RETURN 16 /* rip */
/* Callee-saved registers: rbx rbp r12..r15. */
#define REGISTERS_CALLEE_SAVED ((1u << 3) | (1u << 6) | (1u << 12) | (1u << 13) | (1u << 14) | (1u << 15))

/* Returns whether this is the code by which a signal handler returns to the kernel. */
bool unwind_is_signal_return(const unsigned char *code, size_t size);
#define SIGNAL_RETURN_LONGEST 9
/* Offsets of the interrupted code's registers from the stack pointer in that code. */
extern const uint16_t unwind_signal_offsets[UNWIND_REGISTERS];

#endif
