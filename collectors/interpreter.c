/* SPDX-License-Identifier: Apache-2.0 */
/* The steps from a call of a collector to the places of an interpreter's program. */
#include "common/compat.h"
#include "collectors/interpreter.h"

#define READS_MAX 3
/* Maximum number of nested calls of the loop that are distinguished. */
#define CALLS_MAX 128
/* Maximum number of calls in a cycle of recursion that is recognized. */
#define ROUND_MAX 8

/* Returns the collector's memory, allocated at its first call. */
static struct interpreter *interpreter_of(struct vigil_communication *area,
					  const struct interpreter_kind *kind)
{
	struct interpreter *interpreter = processes_anchor(area, kind->size);

	RETURN_IF(!interpreter, NULL);
	interpreter->processes.size = kind->process_size;
	interpreter->processes.release = kind->release;
	return interpreter;
}

/* Looks for the interpreter in all objects that may contain it. */
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
 * Returns whether the process has a known interpreter. The interpreter may not be
 * mapped yet, or never be: only calls 1, 2, 4, 8, ... look for it.
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

int interpreter_code(const struct vigil_communication *area, struct interpreter_process *process,
		     uint64_t loop)
{
	RETURN_IF(!loop || vigil_mapping_at(area, loop, &process->text), -1);
	process->loop = loop_function(area, loop);
	return 0;
}

/* Returns whether two texts are equal; NULL: no text. */
static bool same_text(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

/*
 * Returns whether the last places of count repeat the same cycle of calls for the
 * third time; lines may differ.
 */
static bool is_third_cycle(const struct vigil_place *places, size_t count, size_t round)
{
	if (count < 3 * round)
		return false;
	for (size_t i = count - 2 * round; i < count; i++)
		if (!same_text(places[i].procedure, places[i - round].procedure) ||
		    !same_text(places[i].section, places[i - round].section) ||
		    !same_text(places[i].module, places[i - round].module))
			return false;
	return true;
}

bool interpreter_has_space(struct interpreter *interpreter)
{
	struct vigil_place *places = interpreter->places;
	uint64_t *homes = interpreter->homes;
	size_t kept = 0;

	if (interpreter->place_count < VIGIL_PLACES_MAX)
		return true;
	for (size_t i = 0; i < interpreter->place_count; i++) {
		homes[kept] = homes[i];
		places[kept++] = places[i];
		for (size_t round = 1; round <= ROUND_MAX; round++)
			if (is_third_cycle(places, kept, round)) {
				kept -= round;
				break;
			}
	}
	interpreter->place_count = kept;
	return kept < VIGIL_PLACES_MAX;
}

/* Remembers the offset of a place's home from the loop's stack pointer. */
static void learn_offset(const struct vigil_communication *area,
			 const struct interpreter *interpreter, struct interpreter_process *process)
{
	uint32_t level = loop_home(area, interpreter->homes[0]);

	if (level > 0 && level < area->task->frame_count &&
	    loop_has(&process->loop, area->task->frames[level]))
		process->home_offset = interpreter->homes[0] - area->task->stack_pointers[level];
}

struct interpreter_homes interpreter_homes(const struct vigil_communication *area,
					   const struct interpreter_process *process)
{
	const struct vigil_task *task = area->task;
	struct interpreter_homes homes = { 0, 0 };

	for (size_t i = 0; process->home_offset && i < task->frame_count && !homes.outer; i++) {
		if (!loop_has(&process->loop, task->frames[i]))
			continue;
		RETURN_IF(!task->stack_pointers[i], homes);
		*(homes.inner ? &homes.outer : &homes.inner) =
			task->stack_pointers[i] + process->home_offset;
	}
	return homes;
}

void interpreter_homes_of_calls(struct interpreter *interpreter, const struct interpreter_process *process,
		       uint64_t calls)
{
	const struct vigil_task *task = interpreter->pages.area->task;
	uint64_t homes[CALLS_MAX + 1] = { 0 }, found = 0;

	for (size_t i = 0; task->stack_pointers && i < task->frame_count; i++)
		if (loop_has(&process->loop, task->frames[i]) && found++ < CALLS_MAX)
			homes[found] = task->stack_pointers[i];
	if (found != calls || found > CALLS_MAX || !(task->flags & VIGIL_WHOLE))
		memset(homes, 0, sizeof(homes));
	for (size_t i = 0; i < interpreter->place_count; i++) {
		uint64_t number = interpreter->homes[i];

		interpreter->homes[i] = number <= CALLS_MAX ? homes[number] : 0;
	}
}

/*
 * Finds the frames between places with different homes and stores them in
 * interpreter->betweens; returns their number.
 */
static size_t find_frames_between(const struct vigil_communication *area, struct interpreter *interpreter,
			    const struct interpreter_process *process)
{
	const uint64_t *homes = interpreter->homes;
	uint32_t frame_total = (uint32_t)area->task->frame_count;
	size_t count = 0;

	for (uint32_t i = 1; i < interpreter->place_count; i++) {
		uint32_t from, to;
		bool between = homes[i] > homes[i - 1];

		if (!between)
			continue;
		from = loop_home(area, homes[i - 1]);
		to = loop_home(area, homes[i]);
		if (to >= frame_total || from < area->level || to <= from + 1)
			continue;
		/* Frames of omitted places cannot be attributed. */
		for (uint32_t level = from + 1; level < to; level++)
			between = between && !loop_has(&process->loop, area->task->frames[level]);
		if (between)
			interpreter->betweens[count++] =
				(struct vigil_between){ i, from + 1, to - from - 1 };
	}
	return count;
}

/* Answers with the places (at least one), which replace the frames from the loop outwards. */
static void answer(struct vigil_communication *area, struct interpreter *interpreter,
		   struct interpreter_process *process)
{
	const struct loop_range code = { process->text.start, process->text.end };

	loop_level(area, &code, &process->loop, 1);
	loop_begin(area, &code, interpreter->homes[0]);
	learn_offset(area, interpreter, process);
	area->betweens = interpreter->betweens;
	area->between_count = find_frames_between(area, interpreter, process);
	area->module = interpreter->places[0].module;
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
	/* An inconsistent read is repeated a moment later. */
	interpreter->reads = 0;
	while (kind->walk(interpreter, process)) {
		RETURN_IF(++interpreter->reads == READS_MAX, VIGIL_TORN);
		pages_begin(&interpreter->pages, area);
	}
	if (interpreter->place_count)
		answer(area, interpreter, process);
	return VIGIL_DONE;
}
