/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The instructions of an object, as far as it must be known which of them can be
 * executed elsewhere: decodes them (by Zydis), and finds what of them is jumped to.
 *
 * Where a jump may lead is over-estimated rather than missed: direct jumps and
 * calls of all of a section, symbols of any type, addresses that instructions
 * make, relocations, words of data that could be addresses, and tables of
 * distances as compilers make them for switches.
 */
#ifndef VIGIL_EVENTS_CODE_SCAN_H
#define VIGIL_EVENTS_CODE_SCAN_H

#include "program/objects/object.h"

enum code_kind {
	CODE_PLAIN,	    /* goes on behind itself, and does the same anywhere */
	CODE_NOTHING,	    /* the same, and does nothing */
	CODE_BRANCH,	    /* to target or on */
	CODE_JUMP,	    /* to target */
	CODE_JUMP_INDIRECT,
	CODE_CALL,	    /* of target */
	CODE_CALL_INDIRECT, /* target is where the address stands, when data_at is given */
	CODE_RETURN,
	CODE_FIXED, /* must stay where it is */
};

struct code {
	uint64_t address, target; /* in the object's terms */
	enum code_kind kind;
	uint8_t length;
	uint8_t data_at; /* where four bytes stand that say where its data is, from its end; 0: none */
	bool makes_address; /* lea of target */
	uint8_t condition;  /* of a BRANCH: the last four bits of its code */
	bool adds;	    /* it is an addition: before a jump through a table of distances */
	bool from_memory;   /* an indirect jump to an address that stands in memory */
	bool indexed;	    /* and that in a table */
};

/* Whether this vigil can decode instructions, and if not, why. */
const char *code_unknown(void);
/* Decode the instruction at bytes, of which size can be read; false when there is none. */
bool code_decode(const unsigned char *bytes, size_t size, uint64_t address, struct code *code);

/* One section of instructions. */
struct code_section {
	uint64_t start, end;
	const unsigned char *bytes; /* the object's */
	unsigned char *targets; /* a bit for each byte: something may lead here */
	unsigned char *data;	/* a bit for each byte: an address of it is somewhere in data or made */
	unsigned char *symbols; /* a bit for each byte: a symbol stands here */
	unsigned char *looped;	/* a bit for each byte: a function begins here and jumps back to it */
};

struct code_scan {
	struct object *object;
	struct code_section *sections;
	size_t count, alloc;
};

/* The sections of an object; none when it has none that can be read. Nothing is decoded. */
void code_scan_init(struct code_scan *scan, struct object *object);
/* Find where jumps may lead: decodes all of them. */
void code_scan_targets(struct code_scan *scan);
void code_scan_release(struct code_scan *scan);
/* The section that holds an address; NULL: none. */
const struct code_section *code_section_of(const struct code_scan *scan, uint64_t address);
/* Decode at an address; false where no instruction is. */
bool code_at(const struct code_scan *scan, uint64_t address, struct code *code);

static inline bool code_bit(const unsigned char *bits, const struct code_section *section,
			    uint64_t address)
{
	uint64_t at = address - section->start;

	return address >= section->start && address < section->end && bits[at / 8] >> at % 8 & 1;
}

#endif
