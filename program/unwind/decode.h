/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What an instruction does to the stack and to the flow of control: just
 * enough to follow the stack pointer through code that has no call-frame
 * information. One implementation a processor (decode-x86_64.c).
 */
#ifndef VIGIL_PROGRAM_UNWIND_DECODE_H
#define VIGIL_PROGRAM_UNWIND_DECODE_H

#include "common/compat.h"

enum instruction_kind {
	INSTRUCTION_OTHER = 0,
	INSTRUCTION_PUSH,	/* number, or -1 for what is no register */
	INSTRUCTION_POP,	/* number, or -1 */
	INSTRUCTION_ADJUST,	/* stack pointer += value */
	INSTRUCTION_STACK_LOST, /* stack pointer set in a way that is not followed */
	INSTRUCTION_STACK_FROM, /* stack pointer = register number + value */
	INSTRUCTION_COPY_STACK, /* register number = stack pointer + value */
	INSTRUCTION_LEAVE,
	INSTRUCTION_SAVE,     /* memory[base + value] = register number */
	INSTRUCTION_LOAD,     /* register number = memory[base + value] */
	INSTRUCTION_JUMP,     /* to target */
	INSTRUCTION_BRANCH,   /* to target or on */
	INSTRUCTION_INDIRECT, /* jump to where is not known */
	INSTRUCTION_CALL,     /* target, or 0 when indirect */
	INSTRUCTION_RETURN,
	INSTRUCTION_STOP, /* nothing follows */
};

struct instruction {
	enum instruction_kind kind;
	unsigned length;
	int number, base; /* registers, DWARF's numbers */
	int64_t value;
	uint64_t target;
};

/* Decode the instruction at bytes, of which size can be read; false when there is none. */
bool decode_instruction(const unsigned char *bytes, size_t size, uint64_t address,
			struct instruction *instruction);

/* A call that ends at an address. */
struct call_site {
	bool direct;
	uint64_t target; /* of a direct call */
	uint64_t slot;	 /* of a call through a table of addresses at a fixed place, or 0 */
};

/* The call instruction that ends right behind bytes[0..size); end is its end's address. */
bool decode_call_before(const unsigned char *bytes, size_t size, uint64_t end,
			struct call_site *call);
#define CALL_LONGEST 8

/*
 * The number of the system call that was entered by the instruction that ends right behind
 * bytes[0..size): the code before tells it, or a register (DWARF's numbers) that kept it. False
 * where they do not.
 */
bool decode_system_call(const unsigned char *bytes, size_t size, const uint64_t *registers,
			long *number);
#define SYSTEM_CALL_REACH 32

/* The slot through which a linkage stub jumps; 0 when the code is no such stub. */
uint64_t decode_stub_slot(const unsigned char *bytes, size_t size, uint64_t address);
#define STUB_LONGEST 16
/* In a linkage stub: how far the canonical frame address is from the stack pointer; 0: no stub. */
unsigned decode_stub_depth(const unsigned char *bytes, size_t size);

#endif
