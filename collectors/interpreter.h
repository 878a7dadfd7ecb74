/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the collectors of interpreters have in common: they know processes,
 * find the interpreter in a process once, walk from the thread's state to what
 * its program executes, read again what is torn, and answer with places that
 * stand for all native frames from the innermost one in the interpreter's loop
 * outwards: the functions that the loop calls, the interpreter's own included,
 * stay on the stack. So do those that stand between two calls of the loop, where
 * it is known which places each of them executes (their homes).
 *
 * A collector has a structure of its own that begins with struct interpreter,
 * and one for each process that begins with struct interpreter_process; both
 * are zeroed when they are new.
 */
#ifndef VIGIL_COLLECTORS_INTERPRETER_H
#define VIGIL_COLLECTORS_INTERPRETER_H

#include "collectors/loop.h"
#include "collectors/pages.h"
#include "collectors/process-table.h"

enum interpreter_found {
	INTERPRETER_ABSENT = 0, /* it is not in these objects */
	INTERPRETER_KNOWN,
	INTERPRETER_UNKNOWN, /* a version that cannot be looked at */
};

struct interpreter_process {
	enum interpreter_found found;
	uint32_t calls;		   /* before it was found */
	struct vigil_mapping text; /* the interpreter's instructions; path is not valid */
	struct loop_range loop;	   /* of them, the function that executes the program's */
	/* How far above the loop's stack pointer a place's home lies, once it was seen. */
	uint64_t home_offset;
};

struct interpreter {
	struct processes processes;
	struct pages pages; /* of the call at hand; pages.area is its area */
	struct vigil_place places[VIGIL_PLACES_MAX];
	size_t place_count;
	/* Where on the thread's stack the loop that executes each place keeps something; 0:
	   unknown. Places that one call of the loop executes have one home. */
	uint64_t homes[VIGIL_PLACES_MAX];
	struct vigil_between betweens[VIGIL_PLACES_MAX];
	unsigned reads; /* in vain, of the call at hand */
};

/* What one interpreter does in a way of its own. */
struct interpreter_kind {
	size_t size, process_size; /* of the two structures */
	/* Objects that it may be in, with * as in vigil_symbol_address; NULL at the end. It is
	   looked for in the first, in the task's program, then in the others. */
	const char *const *objects;
	/* Find it in objects whose name matches pattern, and fill the process's structure, text
	   and loop included (interpreter_code). A version that is unknown is told here. */
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

/* Note where the interpreter's loop is, which begins at address; -1 when nothing is mapped there.
 */
int interpreter_code(const struct vigil_communication *area, struct interpreter_process *process,
		     uint64_t loop);
/* Whether there is room for another place, once recursion is folded: calls that repeat are kept
   twice. */
bool interpreter_room(struct interpreter *interpreter);
/* The home of the loop's innermost call, and of the one that called it, by the sampled stack; 0:
   not known, or there is none. */
struct interpreter_homes {
	uint64_t inner, outer;
};
struct interpreter_homes interpreter_homes(const struct vigil_communication *area,
					   const struct interpreter_process *process);
/* Homes are numbers of calls of the loop, the innermost 1: make them places of the stack. 0 where
   the stack has not just so many calls: the program has gone on, or they could not be counted. */
void interpreter_calls(struct interpreter *interpreter, const struct interpreter_process *process,
		       uint64_t calls);
/* The entry of a collector. */
enum vigil_outcome interpreter_collect(struct vigil_communication *area,
				       const struct interpreter_kind *kind);

#endif
