/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The common part of the collectors of interpreters: they keep a table of
 * processes, find the interpreter in a process once, walk from the thread's state
 * to what its program executes, read again what is inconsistent, and answer with
 * places that replace all native frames from the innermost one in the
 * interpreter's loop outwards. The functions that the loop calls, including the
 * interpreter's internal ones, stay on the stack. So do frames between two calls
 * of the loop, if it is known which places each of these calls executes (their
 * homes).
 *
 * A collector has a structure that begins with struct interpreter, and one for
 * each process that begins with struct interpreter_process; both are zeroed when
 * they are created.
 */
#ifndef VIGIL_COLLECTORS_INTERPRETER_H
#define VIGIL_COLLECTORS_INTERPRETER_H

#include "collectors/loop.h"
#include "collectors/pages.h"
#include "collectors/process-table.h"

enum interpreter_found {
	INTERPRETER_ABSENT = 0, /* not found in these objects */
	INTERPRETER_KNOWN,
	INTERPRETER_UNKNOWN, /* an unsupported version */
};

struct interpreter_process {
	enum interpreter_found found;
	uint32_t calls;		   /* number of calls before it was found */
	struct vigil_mapping text; /* the interpreter's instructions; path is not valid */
	struct loop_range loop;	   /* the function that executes the program's instructions */
	/* Offset of a place's home from the loop's stack pointer, once it was seen. */
	uint64_t home_offset;
};

struct interpreter {
	struct processes processes;
	struct pages pages; /* of the current call; pages.area is its area */
	struct vigil_place places[VIGIL_PLACES_MAX];
	size_t place_count;
	/*
	 * For each place, the address on the thread's stack of something kept by the call
	 * of the loop that executes it; 0: unknown. Places executed by one call of the
	 * loop have the same home.
	 */
	uint64_t homes[VIGIL_PLACES_MAX];
	struct vigil_between betweens[VIGIL_PLACES_MAX];
	unsigned reads; /* failed reads of the current call */
};

/* The operations specific to one interpreter. */
struct interpreter_kind {
	size_t size, process_size; /* of the collector's structure and the process structure */
	/*
	 * Objects that may contain it, with * as in vigil_symbol_address; ends with NULL.
	 * It is looked for in the first, in the task's program, then in the others.
	 */
	const char *const *objects;
	/*
	 * Finds it in objects whose name matches pattern, and fills the process's
	 * structure including text and loop (interpreter_code). Reports an unsupported
	 * version.
	 */
	enum interpreter_found (*find)(struct interpreter *interpreter,
				       struct interpreter_process *process, const char *pattern);
	/*
	 * Begins a call for a task of the process. Returns false if the task executes no
	 * program.
	 */
	bool (*begin)(struct interpreter *interpreter, struct interpreter_process *process);
	/* Sets the places, innermost first; returns -1 if the data read is inconsistent. */
	int (*walk)(struct interpreter *interpreter, struct interpreter_process *process);
	/* Frees the contents of a process's structure, not the structure. */
	void (*release)(void *process);
};

/*
 * Records the interpreter's loop, which begins at address; returns -1 if nothing
 * is mapped there.
 */
int interpreter_code(const struct vigil_communication *area, struct interpreter_process *process,
		     uint64_t loop);
/*
 * Returns whether there is space for another place after folding recursion:
 * repeated calls are kept twice.
 */
bool interpreter_has_space(struct interpreter *interpreter);
/*
 * The homes of the loop's innermost call and of the one that called it, from the
 * sampled stack; 0: unknown, or none.
 */
struct interpreter_homes {
	uint64_t inner, outer;
};
struct interpreter_homes interpreter_homes(const struct vigil_communication *area,
					   const struct interpreter_process *process);
/*
 * Converts homes that are numbers of calls of the loop (1 is the innermost) to
 * stack addresses. They become 0 if the stack does not have exactly that many
 * calls: the program has continued, or they could not be counted.
 */
void interpreter_homes_of_calls(struct interpreter *interpreter, const struct interpreter_process *process,
		       uint64_t calls);
/* The entry function of a collector. */
enum vigil_outcome interpreter_collect(struct vigil_communication *area,
				       const struct interpreter_kind *kind);

#endif
