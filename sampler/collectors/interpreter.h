/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collectors of interpreters have in common: they know processes,
 * find the interpreter in a process once, walk from the thread's state to what
 * its program executes, read again what is torn, and answer with places that
 * stand for all native frames from the innermost one in the interpreter
 * outwards.
 *
 * A collector has a structure of its own that begins with struct interpreter,
 * and one for each process that begins with struct interpreter_process; both
 * are zeroed when they are new.
 */
#ifndef VIGIL_SAMPLER_COLLECTORS_INTERPRETER_H
#define VIGIL_SAMPLER_COLLECTORS_INTERPRETER_H

#include "sampler/collectors/pages.h"
#include "sampler/collectors/process-table.h"

enum interpreter_found {
	INTERPRETER_ABSENT = 0, /* it is not in these objects */
	INTERPRETER_KNOWN,
	INTERPRETER_UNKNOWN, /* a version that cannot be looked at */
};

struct interpreter_process {
	enum interpreter_found found;
	uint32_t calls;		   /* before it was found */
	struct vigil_mapping text; /* the interpreter's instructions; path is not valid */
};

struct interpreter {
	struct processes processes;
	struct pages pages; /* of the call at hand; pages.area is its area */
	struct vigil_place places[VIGIL_PLACES_MAX];
	size_t place_count;
};

/* What one interpreter does in a way of its own. */
struct interpreter_kind {
	size_t size, process_size; /* of the two structures */
	/* Objects that it may be in, with * as in vigil_symbol_address; NULL at the end. It is
	   looked for in the first, in the task's program, then in the others. */
	const char *const *objects;
	/* Find it in objects whose name matches pattern, and fill the process's structure, text
	   included. A version that is unknown is told here. */
	enum interpreter_found (*find)(struct interpreter *interpreter,
				       struct interpreter_process *process, const char *pattern);
	/* A call for a task of the process begins. False: the task executes nothing of a program.
	 */
	bool (*begin)(struct interpreter *interpreter, struct interpreter_process *process);
	/* Set the places, innermost first; -1 when what was read does not fit together. */
	int (*walk)(struct interpreter *interpreter, struct interpreter_process *process);
	/* Free what a process's structure holds, not itself. */
	void (*release)(void *process);
};

/* The entry of a collector. */
enum vigil_outcome interpreter_collect(struct vigil_communication *area,
				       const struct interpreter_kind *kind);

#endif
