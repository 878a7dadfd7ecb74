/* SPDX-License-Identifier: Apache-2.0 */
/* The way from a call to the places of an interpreter's program. */
#include "common/compat.h"
#include "sampler/collectors/interpreter.h"

#define READS_MAX 3

/* The collector's memory, from its first call on. */
static struct interpreter *interpreter_of(struct vigil_communication *area,
					  const struct interpreter_kind *kind)
{
	struct interpreter *interpreter = processes_anchor(area, kind->size);

	RETURN_IF(!interpreter, NULL);
	interpreter->processes.size = kind->process_size;
	interpreter->processes.release = kind->release;
	return interpreter;
}

/* Look for the interpreter in all objects it may be in. */
static enum interpreter_found find(struct interpreter *interpreter,
				   struct interpreter_process *process,
				   const struct interpreter_kind *kind)
{
	const char *program = interpreter->pages.area->task->program;
	enum interpreter_found found = kind->find(interpreter, process, kind->objects[0]);

	if (found == INTERPRETER_ABSENT)
		found = kind->find(interpreter, process, program);
	for (size_t i = 1; found == INTERPRETER_ABSENT && kind->objects[i]; i++)
		found = kind->find(interpreter, process, kind->objects[i]);
	return found;
}

/*
 * Whether the process is one whose interpreter is known. The interpreter may
 * not be mapped yet, or never be: calls 1, 2, 4, 8, ... look for it.
 */
static bool recognize(struct interpreter *interpreter, struct interpreter_process *process,
		      const struct interpreter_kind *kind)
{
	if (process->found == INTERPRETER_ABSENT) {
		process->calls++;
		RETURN_IF(process->calls & (process->calls - 1), false);
		process->found = find(interpreter, process, kind);
	}
	return process->found == INTERPRETER_KNOWN;
}

/*
 * Name the places (one or more) for the innermost frame of the stack that
 * lies in the interpreter's instructions; frames of libraries inside it stay.
 * Where none lies there (a stack that could not be followed so far) it is the
 * outermost frame that is known.
 */
static void answer(struct vigil_communication *area, const struct interpreter *interpreter,
		   const struct vigil_mapping *text)
{
	const struct vigil_task *task = area->task;
	uint32_t level = 0;

	while (level < task->frame_count &&
	       (task->frames[level] < text->start || task->frames[level] >= text->end))
		level++;
	if (level < task->frame_count) {
		area->base = text->start;
		area->size = text->end - text->start;
	} else {
		level = task->frame_count ? (uint32_t)task->frame_count - 1 : 0;
		area->base = task->frame_count ? task->frames[level] : area->address;
		area->size = 1;
	}
	area->module = interpreter->places[0].module;
	area->level = level;
	area->places = interpreter->places;
	area->place_count = interpreter->place_count;
}

enum vigil_outcome interpreter_collect(struct vigil_communication *area,
				       const struct interpreter_kind *kind)
{
	struct interpreter *interpreter = interpreter_of(area, kind);
	struct interpreter_process *process =
		interpreter ? processes_find(&interpreter->processes, area->task) : NULL;

	RETURN_IF(!process, VIGIL_NOT_MINE);
	pages_begin(&interpreter->pages, area);
	RETURN_IF(!recognize(interpreter, process, kind), VIGIL_NOT_MINE);
	RETURN_IF(!kind->begin(interpreter, process), VIGIL_DONE);
	/* What is torn is read once more, a moment later. */
	for (int i = 1; kind->walk(interpreter, process); i++) {
		RETURN_IF(i == READS_MAX, VIGIL_TORN);
		pages_begin(&interpreter->pages, area);
	}
	if (interpreter->place_count)
		answer(area, interpreter, &process->text);
	return VIGIL_DONE;
}
