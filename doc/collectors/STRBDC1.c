/* SPDX-License-Identifier: Apache-2.0 */
/*
 * STRBDC1 - example of a data collector: attributes time to the statements of a
 * fourth-generation language instead of to its interpreter (tinterpt.c).
 *
 * While the interpreter's loop is on the stack, the time belongs to the program it
 * interprets. The collector returns this program as transaction and as module, and
 * the statement as the place that executes in the module.
 *
 *	vigil-config --build STRBDC1.c
 *
 * It is not bound to a program name, so a request must name it: DCC=(STRBDC1).
 */
#include <vigil/collector.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tmain.h"

static const char *const programs[] = { VIGIL_ALWAYS, NULL };

/*
 * What is cached from call to call: symbols are searched once for a process, not
 * for each sample. Another process, or another program in the same one
 * (generation), has other addresses.
 */
struct known {
	pid_t pid;
	uint64_t generation;
	uint64_t anchor;	       /* of TMAINCB, 0: not this interpreter */
	struct vigil_symbol interpret; /* the loop: start and size; its texts are not copied */
	struct vigil_mapping code;     /* mapping of the interpreter's code */
	char program[16], statement[16], file[256];
	struct vigil_place place;
};

/*
 * Returns the collector's memory. area->anchor points to it: NULL at the first
 * call, and from then on left unchanged by vigil.
 */
static struct known *knowledge(struct vigil_communication *area)
{
	const struct vigil_task *task = area->task;
	struct known *known = (struct known *)area->anchor;

	if (!known)
		area->anchor = known = (struct known *)calloc(1, sizeof(*known));
	if (known && (known->pid != task->pid || known->generation != task->generation)) {
		uint64_t loop = vigil_symbol_address(area, "tinterpt*", "interpret");

		known->pid = task->pid;
		known->generation = task->generation;
		known->anchor = vigil_symbol_address(area, "tinterpt*", "tmaincb");
		if (!loop || vigil_symbol_at(area, loop, &known->interpret) != 0 ||
		    vigil_mapping_at(area, loop, &known->code) != 0)
			known->anchor = 0;
	}
	return known;
}

/*
 * Returns the index of the frame by which the interpreter executes if its loop is
 * on the stack; -1: it is not. Frames below that one are libraries and the kernel,
 * which also work for the statement and are kept.
 */
static int find_level(const struct vigil_communication *area, const struct known *known)
{
	const struct vigil_task *task = area->task;
	int level = -1;

	for (size_t i = 0; i < task->frame_count; i++) {
		uint64_t address = task->frames[i];

		if (level < 0 && address >= known->code.start && address < known->code.end)
			level = (int)i;
		if (address - known->interpret.start < known->interpret.size)
			return level;
	}
	return -1;
}

/* Reads a control block; false unless it has its eye-catcher. */
static int read_block(const struct vigil_communication *area, const void *address, void *block,
		      size_t size, const char *eye)
{
	return vigil_read(area, (uint64_t)(uintptr_t)address, block, size) == size &&
	       memcmp(block, eye, 8) == 0;
}

/* Copies the program and the statement to the collector's own texts. */
static void keep(struct known *known, const struct tcurprog *program)
{
	size_t length = sizeof(program->name);

	while (length > 0 && program->name[length - 1] == ' ')
		length--;
	snprintf(known->program, sizeof(known->program), "%.*s", (int)length, program->name);
	snprintf(known->statement, sizeof(known->statement), "%.6s", program->statement);
	snprintf(known->file, sizeof(known->file), "%.*s", (int)sizeof(program->file),
		 program->file);
	known->place.module = known->program;
	known->place.procedure = known->statement;
	known->place.file = known->file;
	known->place.line = program->line;
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	struct known *known = knowledge(area);
	struct tmaincb main_block;
	struct tcurtask task;
	struct tcurprog program;
	int level;

	if (!known || !known->anchor)
		return VIGIL_NOT_MINE;
	level = find_level(area, known);
	/*
	 * Outside the loop the time is the interpreter's own work: overhead, under a name
	 * of its own.
	 */
	if (level < 0) {
		area->transaction = ".TINTERP";
		return VIGIL_DONE;
	}
	if (!read_block(area, (const void *)(uintptr_t)known->anchor, &main_block,
			sizeof(main_block), TMAINCB_EYE) ||
	    !read_block(area, main_block.task, &task, sizeof(task), TCURTASK_EYE))
		return VIGIL_TORN;
	/* Between two scripts no program is current. */
	if (!task.program) {
		area->transaction = ".TINTERP";
		return VIGIL_DONE;
	}
	if (!read_block(area, task.program, &program, sizeof(program), TCURPROG_EYE))
		return VIGIL_TORN;

	keep(known, &program);
	area->transaction = known->program;
	area->id = "TINTERPT";
	/* The module is the interpreter's code, under the name of the program it interprets; ... */
	area->module = known->program;
	area->base = known->code.start;
	area->size = known->code.end - known->code.start;
	/* ... within it, the statement replaces the interpreter's own frames. */
	area->places = &known->place;
	area->place_count = 1;
	area->level = (uint32_t)level;
	return VIGIL_DONE;
}

VIGIL_COLLECTOR("STRBDC1", "G-00", VIGIL_PROMPT, NULL, programs, entry);
