/* SPDX-License-Identifier: Apache-2.0 */
/* Takes the sums of threads. */
#include "common/compat.h"
#include "events/tallies.h"
#include "agent/event-patch-area.h"
#include "common/xalloc.h"
#include "events/addresses.h"
#include "records/record-types.h"

/* Returns the function with a key, blocking it if filters do; 0: it is blocked. */
static uint32_t function_of(struct event_decoder *decoder, struct event_task *task, uint64_t key)
{
	struct event_process *process = task->process;
	uint32_t function = event_known_program(&decoder->known, process, key);

	if (function)
		return function;
	function = event_function_at(decoder, process, key, task->tallied.end);
	if (event_filter_program(decoder->filter, function)) {
		event_known_function(&decoder->known, process, key, function);
		return function;
	}
	if (process && !(key & EVENT_FUNCTION_NUMBER))
		event_pool_block(decoder->pool, process->image, key);
	return 0;
}

/* Returns the site of the function that resumes: with a key, or active below all tallied; 0: none. */
static uint32_t site_of_resumed(struct event_decoder *decoder, struct event_task *task, uint64_t key)
{
	uint32_t function = key ? function_of(decoder, task, key) : 0;

	if (!key && task->frame_count)
		function = task->frames[task->frame_count - 1].program;
	return function ? (uint32_t)event_sites_get(decoder->sites, EVENT_PR, function, NULL) : 0;
}

/* Adds a step of a task. */
static void add_step(struct event_decoder *decoder, struct event_task *task, const struct event_tally_step *from)
{
	struct event_tallied *tallied = &task->tallied;
	uint64_t key = EVENT_MARK_VALUE(from->mark), kind = from->mark & 0xff;
	bool ends = kind == EVENT_MARK_RETURN;
	struct event_step step = { .code = INT64_MIN,
				   .hits = from->hits,
				   .elapsed = event_pool_duration(decoder->pool, from->elapsed) };
	uint32_t function;

	if (!from->hits || (!ends && kind != EVENT_MARK_ENTRY))
		return;
	if (key & EVENT_FUNCTION_NUMBER)
		decoder->patched = true;
	else
		decoder->functions = true;
	if (task->process && task->process->is_vigil)
		return;
	function = function_of(decoder, task, key);
	if (!function) {
		decoder->offered += from->hits;
		decoder->filter->rejected += from->hits;
		return;
	}
	step.site = (uint32_t)event_sites_get(decoder->sites, ends ? EVENT_PT : EVENT_PS, function, NULL);
	step.resumes = ends ? site_of_resumed(decoder, task, from->resumes) : 0;
	decoder->offered += from->hits * (step.resumes ? 2 : 1);
	tallied->hits += from->hits;
	task->written += from->hits;
	GROW(tallied->steps, tallied->count + 1, tallied->alloc);
	tallied->steps[tallied->count++] = step;
}

/* Sets from when to when the sums are, in ticks. */
static void set_times(const struct event_decoder *decoder, struct event_task *task, uint64_t start, uint64_t end)
{
	struct event_tallied *tallied = &task->tallied;

	tallied->start = event_pool_time(decoder->pool, start);
	tallied->end = event_pool_time(decoder->pool, end);
	if (tallied->end < tallied->start)
		tallied->end = tallied->start;
}

void event_tallies_take(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			const struct event_slot *data)
{
	uint64_t steps = (EVENT_MARK_MORE(mark) - 1) / 2;

	if (!EVENT_MARK_MORE(mark))
		return;
	set_times(decoder, task, data->word, data->mark);
	task->tallied.block = (uint64_t)EVENT_MARK_NUMBER(mark);
	for (uint64_t i = 0; i < steps; i++) {
		const struct event_slot *at = data + EVENT_TALLY_SLOTS(i);

		add_step(decoder, task,
			 &(struct event_tally_step){ at[0].word, at[0].mark, at[1].word, at[1].mark });
	}
	task->tallied.complete = EVENT_MARK_LENGTH(mark) == 1;
	task->changed = true;
	task->running = true;
}

/* Returns whether a step is in the last block that was written, and was not cleared after it. */
static bool was_written(const struct event_tally *tally, uint64_t step)
{
	for (uint64_t i = tally->from; i < tally->to && i < EVENT_TALLY_STEPS; i++)
		if (tally->list[i] == step)
			return true;
	return false;
}

/* Adds the function that was active when the thread ended, for the place of its end. */
static void add_active(struct event_decoder *decoder, struct event_task *task, const struct event_tally_step *open)
{
	uint64_t key = (open->mark & 0xff) == EVENT_MARK_ENTRY ? EVENT_MARK_VALUE(open->mark) : open->resumes;
	uint32_t function = key ? function_of(decoder, task, key) : 0;

	if (!function)
		return;
	GROW(task->frames, task->frame_count + 1, task->frame_alloc);
	task->frames[task->frame_count++] = (struct event_frame){ function, key };
}

void event_tallies_left(struct event_decoder *decoder, struct event_task *task, bool gone)
{
	struct event_tally *tally = task->tallied.left ? NULL : event_pool_tally(decoder->pool, task->lane);
	uint64_t used, open;
	bool cut;

	if (!tally)
		return;
	task->tallied.left = true;
	/* It was killed after it had written a block, before it had cleared all steps of that. */
	cut = tally->to && tally->block == task->tallied.block;
	used = tally->used < EVENT_TALLY_STEPS ? tally->used : EVENT_TALLY_STEPS - 1;
	open = tally->open < EVENT_TALLY_STEPS ? tally->open : 0;
	if (tally->last)
		set_times(decoder, task, tally->start, tally->last);
	for (uint64_t i = 1; i <= used; i++)
		if (i != open && tally->steps[i].hits && !(cut && was_written(tally, i)))
			add_step(decoder, task, &tally->steps[i]);
	if (open && !(cut && was_written(tally, open)))
		add_step(decoder, task, &tally->steps[open]);
	task->tallied.complete = true;
	if (open)
		add_active(decoder, task, &tally->steps[open]);
	if (gone)
		event_pool_free_tally(decoder->pool, tally);
}
