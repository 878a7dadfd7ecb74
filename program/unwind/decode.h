/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decodes the effect of an instruction on the stack and on the flow of control:
 * just enough to follow the stack pointer through code that has no call-frame
 * information. There is one implementation per processor (decode-x86_64.c).
 */
#ifndef VIGIL_PROGRAM_UNWIND_DECODE_H
#define VIGIL_PROGRAM_UNWIND_DECODE_H

#include "common/compat.h"

enum instruction_kind {
	INSTRUCTION_OTHER = 0,
	INSTRUCTION_PUSH,	/* number, or -1: not a register */
	INSTRUCTION_POP,	/* number, or -1 */
	INSTRUCTION_ADJUST,	/* stack pointer += value */
	INSTRUCTION_STACK_LOST, /* stack pointer set in a way that cannot be followed */
	INSTRUCTION_STACK_FROM, /* stack pointer = register number + value */
	INSTRUCTION_COPY_STACK, /* register number = stack pointer + value */
	INSTRUCTION_LEAVE,
	INSTRUCTION_SAVE,     /* memory[base + value] = register number */
	INSTRUCTION_LOAD,     /* register number = memory[base + value] */
	INSTRUCTION_JUMP,     /* to target */
	INSTRUCTION_BRANCH,   /* to target, or continue */
	INSTRUCTION_INDIRECT, /* jump to an unknown target */
	INSTRUCTION_CALL,     /* target, or 0: indirect */
	INSTRUCTION_RETURN,
	INSTRUCTION_STOP, /* control does not continue */
};

struct instruction {
	enum instruction_kind kind;
	unsigned length;
	int number, base; /* registers, in DWARF's numbers */
	int64_t value;
	uint64_t target;
};

/*
 * Decodes the instruction at bytes, of which size are readable; returns false if
 * it is not valid.
 */
bool decode_instruction(const unsigned char *bytes, size_t size, uint64_t address,
			struct instruction *instruction);

/* A call that ends at an address. */
struct call_site {
	bool direct;
	uint64_t target; /* if direct */
	uint64_t slot;	 /* if the call goes through a table of addresses at a fixed address, its
			  * slot, else 0 */
};

/*
 * Decodes the call instruction that ends right after bytes[0..size); end is the
 * address of its end.
 */
bool decode_call_before(const unsigned char *bytes, size_t size, uint64_t end,
			struct call_site *call);
#define CALL_LONGEST 8

/*
 * Finds the number of the system call that was entered by the instruction that
 * ends right after bytes[0..size): from the code before it, or from a register
 * (DWARF's numbers) that still has it. Returns false if neither shows it.
 */
bool decode_system_call(const unsigned char *bytes, size_t size, const uint64_t *registers,
			long *number);
#define SYSTEM_CALL_REACH 32
/* Returns whether code seems to contain an instruction that enters a system call. */
bool decode_has_system_call(const unsigned char *code, size_t size);

/* Returns the slot through which a linkage stub jumps; 0 if the code is not such a stub. */
uint64_t decode_stub_slot(const unsigned char *bytes, size_t size, uint64_t address);
#define STUB_LONGEST 16
/*
 * In a linkage stub: returns the offset of the canonical frame address from the
 * stack pointer; 0: not a stub.
 */
unsigned decode_stub_depth(const unsigned char *bytes, size_t size);

#endif
