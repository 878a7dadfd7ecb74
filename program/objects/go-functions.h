/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The function table that every Go program contains for its run time (.gopclntab),
 * even if the program is stripped: names, start addresses, and the stack used by
 * each function at each instruction.
 *
 * Supported are the versions of Go 1.16 and 1.17, of 1.18 and 1.19, and from 1.20
 * on, for 64-bit programs. Nothing is copied: results live as long as the object's
 * image. The table may be damaged: then functions are missing.
 */
#ifndef VIGIL_PROGRAM_OBJECTS_GO_FUNCTIONS_H
#define VIGIL_PROGRAM_OBJECTS_GO_FUNCTIONS_H

#include "program/objects/cursor.h"
#include "program/objects/object.h"

struct go_functions {
	const unsigned char *bytes; /* NULL: no table */
	size_t size, count;
	uint64_t text; /* base address of the function starts */
	uint64_t names, frames, table;
	bool wide;  /* Go 1.16 and 1.17: starts are addresses */
	bool lines; /* from 1.20 on: functions have their first line */
};

struct go_function {
	size_t number;
	uint64_t start, end; /* in the object's terms */
	const char *name;
	bool outermost;	 /* it has no caller */
	bool switches;	 /* it switches to another stack and makes its calls there */
	bool by_hand;	 /* written in assembly */
	uint64_t frames; /* position for go_frames_begin */
};

/*
 * Iterates over the bytes of stack that a function uses, below its return address,
 * by address range.
 */
struct go_frames {
	struct cursor cursor;
	uint64_t from, to;
	int64_t bytes;
	bool begun;
};

/* Finds the table; returns false if the object has none in a supported version. */
bool go_functions_open(struct go_functions *functions, struct object *object);
/* Uses a table that begins at offset in a section; returns false if there is none. */
bool go_functions_open_at(struct go_functions *functions, struct object *object,
			  const struct object_section *section, uint64_t offset);
/* Reads function number; returns false if it is damaged. */
bool go_function_at(const struct go_functions *functions, size_t number,
		    struct go_function *function);
/* Finds the function that contains an address; returns false if there is none. */
bool go_function_find(const struct go_functions *functions, uint64_t address,
		      struct go_function *function);
void go_frames_begin(struct go_frames *frames, const struct go_functions *functions,
		     const struct go_function *function);
/* Advances to the next address range; returns false after the last. */
bool go_frames_next(struct go_frames *frames);

#endif
