/* SPDX-License-Identifier: Apache-2.0 */
/* Converts the request to the communication area, and that to the answer. */
#include "common/compat.h"
#include "sampler/host/answer.h"

#include "sampler/host/access.h"
#include "sampler/host/guarded-read.h"

/* Maximum length of the path of a source file. */
#define FILE_MAX 4096

/* Fills in the task of a request. */
static void prepare_task(struct vigil_task *task, const struct call_request *request)
{
	task->pid = request->pid;
	task->tid = request->tid;
	task->state = request->state;
	task->flags = request->flags;
	task->time = request->time;
	task->generation = request->generation;
	task->program = request->program;
	memcpy(task->registers, request->registers, sizeof(task->registers));
	task->known = request->known;
	task->frames = request->frames;
	task->frame_count = request->frame_count;
	task->stack_pointers = request->stack_pointers;
	task->stack_address = request->stack_address;
	task->stack = request->stack;
	task->stack_size = request->stack_size;
}

void answer_prepare(struct call_given *given, const struct call_request *request,
		    const char *parameter, void *anchor)
{
	prepare_task(&given->task, request);
	given->module = request->module_known ? request->module : NULL;
	given->transaction = request->transaction_known ? request->transaction : NULL;
	memset(given->work_area, 0, sizeof(given->work_area));
	given->area = (struct vigil_communication){
		.address = request->address,
		.task = &given->task,
		.base = request->base,
		.size = request->size,
		.module = given->module,
		.transaction = given->transaction,
		.anchor = anchor,
		.work_area = given->work_area,
		.parameter = parameter,
		.access = &access_functions,
	};
}

/* Copies a name, where NULL is ""; returns false if the pointer is invalid. */
static bool take_name(char to[static CALL_NAME], const char *from)
{
	to[0] = '\0';
	return !from || guard_text(to, CALL_NAME, from) >= 0;
}

/* The texts of the places, consecutively; offset 0 is "". */
struct texts {
	struct call_answer *answer;
	uint32_t used;
	bool full;
};

/*
 * Copies a text if there is space, and returns its offset in *offset; returns
 * false if the pointer is invalid.
 */
static bool take_text(struct texts *texts, const char *from, size_t size, uint32_t *offset)
{
	size_t space = sizeof(texts->answer->texts) - texts->used;
	int length;

	*offset = 0;
	RETURN_IF(!from, true);
	texts->full = texts->full || space < 2;
	RETURN_IF(texts->full, true);
	length = guard_text(texts->answer->texts + texts->used, space < size ? space : size, from);
	RETURN_IF(length < 0, false);
	if (space < size && (size_t)length == space - 1) {
		texts->full = true;
	} else if (length) {
		*offset = texts->used;
		texts->used += (uint32_t)length + 1;
	}
	return true;
}

/* Does the same, but reuses the text of the previous place if the pointer is the same. */
static bool take_again(struct texts *texts, const char *from, size_t size, const char *before,
		       uint32_t before_offset, uint32_t *offset)
{
	if (from && from == before) {
		*offset = before_offset;
		return true;
	}
	return take_text(texts, from, size, offset);
}

/* Copies the places until one does not fit; returns false if a pointer is invalid. */
static bool take_places(const struct vigil_communication *area, struct call_answer *answer)
{
	struct texts texts = { .answer = answer, .used = 1 };
	struct vigil_place before = { 0 };
	struct call_place none = { 0 };
	size_t count = area->place_count;

	if (count > VIGIL_PLACES_MAX)
		count = VIGIL_PLACES_MAX;
	answer->truncated = area->place_count > count;
	answer->texts[0] = '\0';
	for (size_t i = 0; i < count; i++) {
		const struct call_place *last = i ? &answer->places[i - 1] : &none;
		struct call_place taken;
		struct vigil_place place;

		if (!guard_copy(&place, area->places + i, sizeof(place)) ||
		    !take_again(&texts, place.module, CALL_NAME, before.module, last->module,
				&taken.module) ||
		    !take_again(&texts, place.section, CALL_NAME, before.section, last->section,
				&taken.section) ||
		    !take_again(&texts, place.procedure, CALL_NAME, before.procedure,
				last->procedure, &taken.procedure) ||
		    !take_again(&texts, place.file, FILE_MAX, before.file, last->file, &taken.file))
			return false;
		answer->truncated |= texts.full;
		RETURN_IF(texts.full, true);
		taken.line = place.line;
		answer->places[answer->place_count++] = taken;
		before = place;
	}
	return true;
}

/* Copies the frames that stay between the places; returns false if the pointer is invalid. */
static bool take_betweens(const struct vigil_communication *area, struct call_answer *answer)
{
	size_t count = area->between_count;

	if (count > VIGIL_PLACES_MAX)
		count = VIGIL_PLACES_MAX;
	RETURN_IF(count && !guard_copy(answer->betweens, area->betweens,
				       count * sizeof(*answer->betweens)),
		  false);
	answer->between_count = (uint32_t)count;
	return true;
}

/* Copies the module and what executes in it, if the entry point changed any of it. */
static bool take_module(const struct call_given *given, const struct call_request *request,
			struct call_answer *answer)
{
	const struct vigil_communication *area = &given->area;

	answer->place_count = answer->between_count = answer->truncated = 0;
	answer->module_named = area->module != given->module || area->base != request->base ||
			       area->size != request->size || area->place_count != 0;
	RETURN_IF(!answer->module_named, true);
	answer->base = area->base;
	answer->size = area->size;
	answer->level = area->level;
	return take_name(answer->module, area->module) && take_places(area, answer) &&
	       take_betweens(area, answer);
}

/* Copies the transaction, if another one was given. */
static bool take_transaction(const struct call_given *given, struct call_answer *answer)
{
	const char *transaction = given->area.transaction;

	answer->transaction_state = CALL_UNCHANGED;
	RETURN_IF(!transaction || transaction == given->transaction, true);
	RETURN_IF(!take_name(answer->transaction, transaction), false);
	answer->transaction_state = answer->transaction[0] ? CALL_NAMED : CALL_RESET;
	return true;
}

void answer_take(const struct call_given *given, const struct call_request *request,
		 enum vigil_outcome outcome, struct call_answer *answer)
{
	answer->outcome = (uint32_t)outcome;
	RETURN_IF(outcome == VIGIL_NOT_MINE || outcome == VIGIL_TORN, );
	answer->id_given = given->area.id != NULL;
	if (outcome != VIGIL_DONE || !take_module(given, request, answer) ||
	    !take_transaction(given, answer) || !take_name(answer->id, given->area.id))
		answer->outcome = CALL_RUBBISH;
}
