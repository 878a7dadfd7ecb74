/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of an object, as far as needed to decide which of them can be
 * executed elsewhere: decodes them (with Zydis), and finds the targets of jumps.
 *
 * The set of possible targets is over-estimated rather than incomplete: direct
 * jumps and calls in all of a section, symbols of any type, addresses that
 * instructions compute, relocations, words of data that could be addresses, and
 * the tables of distances that compilers make for switches.
 */
#ifndef VIGIL_EVENTS_CODE_SCAN_H
#define VIGIL_EVENTS_CODE_SCAN_H

#include "program/objects/object.h"

enum code_kind {
	CODE_PLAIN,	    /* continues at the next instruction, and works at any address */
	CODE_NOTHING,	    /* the same, and does nothing */
	CODE_BRANCH,	    /* to target, or continues */
	CODE_JUMP,	    /* to target */
	CODE_JUMP_INDIRECT,
	CODE_CALL,	    /* of target */
	CODE_CALL_INDIRECT, /* target is the address of the pointer, if data_at is set */
	CODE_RETURN,
	CODE_FIXED, /* works only at its present address */
};

struct code {
	uint64_t address, target; /* in the object */
	enum code_kind kind;
	uint8_t length;
	uint8_t data_at; /* offset of the four bytes that give its data relative to its end; 0:
			  * none */
	bool makes_address; /* lea of target */
	uint8_t condition;  /* of a BRANCH: the low four bits of its opcode */
	bool adds;	    /* an addition: as before a jump through a table of distances */
	bool from_memory;   /* an indirect jump to an address in memory */
	bool indexed;	    /* and that in a table */
};

/* Returns NULL if this build can decode instructions, otherwise the reason why it cannot. */
const char *code_unknown(void);
/* Decodes the instruction at bytes, of which size are readable; returns false if there is none. */
bool code_decode(const unsigned char *bytes, size_t size, uint64_t address, struct code *code);

/* One section of instructions. */
struct code_section {
	uint64_t start, end;
	const unsigned char *bytes; /* borrowed from the object */
	unsigned char *targets; /* bit per byte: a possible target */
	unsigned char *data;	/* bit per byte: its address occurs in data, or is computed */
	unsigned char *symbols; /* bit per byte: a symbol is here */
	unsigned char *looped;	/* bit per byte: a function begins here and jumps back to it */
};

struct code_scan {
	struct object *object;
	struct code_section *sections;
	size_t count, alloc;
};

/*
 * Initializes the sections of an object; none if it has none that can be read.
 * Nothing is decoded.
 */
void code_scan_init(struct code_scan *scan, struct object *object);
/* Finds the possible targets of jumps: decodes all sections. */
void code_scan_targets(struct code_scan *scan);
void code_scan_release(struct code_scan *scan);
/* Returns the section that contains an address; NULL: none. */
const struct code_section *code_section_of(const struct code_scan *scan, uint64_t address);
/* Decodes at an address; returns false if there is no instruction. */
bool code_at(const struct code_scan *scan, uint64_t address, struct code *code);

static inline bool code_bit(const unsigned char *bits, const struct code_section *section,
			    uint64_t address)
{
	uint64_t at = address - section->start;

	return address >= section->start && address < section->end && bits[at / 8] >> at % 8 & 1;
}

#endif
