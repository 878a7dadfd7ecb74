/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The table of functions that every Go program carries (.gopclntab), as its
 * run time needs it: it stays when a program is stripped. It has names, where
 * functions begin and how much of the stack each has taken at each instruction.
 *
 * Known are the forms of Go 1.16 and 1.17, 1.18 and 1.19, and from 1.20 on, of
 * 64-bit programs. Nothing is copied: what is given lives as long as the
 * object's image. The table may be damaged: then functions are missing.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_GO_FUNCTIONS_H
#define VIGIL_PROGRAM_OBJECTS_GO_FUNCTIONS_H

#include "program/objects/cursor.h"
#include "program/objects/object.h"

struct go_functions {
	const unsigned char *bytes; /* NULL: there is none */
	size_t size, count;
	uint64_t text; /* what the starts of functions are relative to */
	uint64_t names, frames, table;
	bool wide;  /* Go 1.16 and 1.17: starts are addresses */
	bool lines; /* from 1.20 on: functions know their first line */
};

struct go_function {
	size_t number;
	uint64_t start, end; /* in the object's terms */
	const char *name;
	bool outermost;	 /* nothing called it */
	bool switches;	 /* it changes to another stack, and calls from there */
	bool by_hand;	 /* an assembler made it */
	uint64_t frames; /* for go_frames_begin */
};

/* Bytes of the stack that a function has taken, below its return address, up to an address. */
struct go_frames {
	struct cursor cursor;
	uint64_t from, to;
	int64_t bytes;
	bool begun;
};

/* Find the table; false when the object has none that is known. */
bool go_functions_open(struct go_functions *functions, struct object *object);
/* Take a table that begins at offset in a section; false when none does. */
bool go_functions_open_at(struct go_functions *functions, struct object *object,
			  const struct object_section *section, uint64_t offset);
/* Function number; false when it is damaged. */
bool go_function_at(const struct go_functions *functions, size_t number,
		    struct go_function *function);
/* The function that holds an address; false when there is none. */
bool go_function_find(const struct go_functions *functions, uint64_t address,
		      struct go_function *function);
void go_frames_begin(struct go_frames *frames, const struct go_functions *functions,
		     const struct go_function *function);
/* The next stretch; false behind the last. */
bool go_frames_next(struct go_frames *frames);

#endif
