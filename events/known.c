/* SPDX-License-Identifier: Apache-2.0 */
/* Takes events at places that were seen before. */
#include "common/compat.h"
#include "events/known.h"
#include "events/settle.h"
#include "records/record-types.h"

/* Number of slots taken before space for their rows is checked again. */
enum { AT_ONCE = 1024 };

static size_t function_place(uint64_t address)
{
	return (size_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 32) % KNOWN_FUNCTIONS;
}

static size_t place_of(uint64_t mark, uint32_t program)
{
	return (size_t)((mark ^ program) * UINT64_C(0x9e3779b97f4a7c15) >> 32) % KNOWN_PLACES;
}

void event_known_function(struct event_known *known, const struct event_process *process,
			  uint64_t address, uint32_t program)
{
	known->functions[function_place(address)] =
		(struct known_function){ address, process, program };
}

uint32_t event_known_program(const struct event_known *known, const struct event_process *process,
			     uint64_t address)
{
	const struct known_function *function = &known->functions[function_place(address)];

	return function->address == address && function->process == process ? function->program : 0;
}

void event_known_place(struct event_known *known, uint64_t mark, uint32_t program, uint64_t site)
{
	known->places[place_of(mark, program)] =
		(struct known_place){ mark, program, (uint32_t)site };
}

void event_known_forget(struct event_known *known)
{
	memset(known->functions, 0, sizeof(known->functions));
}

/*
 * Returns the site of events of a type at a program, if it is in the tables and
 * they are kept; else 0.
 */
static inline uint32_t site_at(const struct event_decoder *decoder, uint32_t program,
			       enum event_type type)
{
	if (!program || !event_filter_accepts(decoder->filter, program, type))
		return 0;
	return (uint32_t)decoder->sites->programs[program - 1]->sites[type];
}

/* Returns the site of a statement, section or paragraph; 0 unknown. */
static inline uint32_t site_of_place(const struct event_decoder *decoder,
				     const struct event_task *task, uint64_t mark)
{
	uint32_t program = task->frame_count ? task->frames[task->frame_count - 1].program
					     : task->process->program;
	const struct known_place *place = &decoder->known.places[place_of(mark, program)];

	return place->mark == mark && place->program == program ? place->site : 0;
}

static inline void put(struct event_decoder *decoder, struct event_task *task, uint64_t time,
		       uint32_t site, uint32_t resumes)
{
	struct event_waiting *event = event_settle_next(task);

	/* Members are set one by one: a whole struct would be built elsewhere first and copied. */
	event->time = time;
	event->site = site;
	event->level = (uint32_t)task->frame_count;
	event->code = INT64_MIN;
	event->data = 0;
	event->transaction = 0;
	event->resumes = resumes;
	if (decoder->history->count) {
		event->transaction =
			(uint32_t)transaction_history_at(decoder->history, task->tid, time);
		task->waiting_other += event->transaction != 0;
	}
	decoder->offered += resumes ? 2 : 1;
}

static inline bool take_place(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			      uint64_t time)
{
	uint32_t site = site_of_place(decoder, task, mark);

	if (!site)
		return false;
	event_task_is_at(task, mark);
	put(decoder, task, time, site, 0);
	return true;
}

static inline bool take_entry(struct event_decoder *decoder, struct event_task *task,
			      uint64_t address, uint64_t time)
{
	const struct known_function *function = &decoder->known.functions[function_place(address)];
	uint32_t site;

	if (function->address != address || function->process != task->process ||
	    task->frame_count == task->frame_alloc)
		return false;
	site = site_at(decoder, function->program, EVENT_PS);
	if (!site)
		return false;
	task->frames[task->frame_count++] = (struct event_frame){ function->program, address };
	put(decoder, task, time, site, 0);
	return true;
}

/* Ends the innermost function; its caller resumes. */
static inline bool take_return(struct event_decoder *decoder, struct event_task *task,
			       uint64_t address, uint64_t time)
{
	const struct event_frame *frame = task->frames + task->frame_count;
	uint32_t ends, goes_on = 0;

	if (!task->frame_count || frame[-1].key != address)
		return false;
	ends = site_at(decoder, frame[-1].program, EVENT_PT);
	if (task->frame_count > 1)
		goes_on = site_at(decoder, frame[-2].program, EVENT_PR);
	/* After the last function a task may become blocked. */
	if (!ends || (!goes_on && (task->frame_count > 1 || event_filter_blocks(decoder->filter))))
		return false;
	put(decoder, task, time, ends, goes_on);
	task->frame_count--;
	return true;
}

/* Takes one event if it is in the tables. */
static inline bool take(struct event_decoder *decoder, struct event_task *task, uint64_t mark,
			uint64_t time)
{
	switch (mark & 0xff) {
	case EVENT_MARK_ENTRY:
		return take_entry(decoder, task, EVENT_MARK_VALUE(mark), time);
	case EVENT_MARK_RETURN:
		return take_return(decoder, task, EVENT_MARK_VALUE(mark), time);
	case EVENT_MARK_SECTION:
	case EVENT_MARK_PARAGRAPH:
	case EVENT_MARK_STATEMENT:
		return take_place(decoder, task, mark, time);
	default:
		return false;
	}
}

size_t event_known_take(struct event_decoder *decoder, struct event_task *task,
			const struct event_slot *slots, size_t count)
{
	size_t done = 0;

	if (!task->process || task->process->is_vigil || !task->start || task->anchored ||
	    !event_filter_is_steady(decoder->filter))
		return 0;
	if (count > AT_ONCE)
		count = AT_ONCE;
	event_settle_reserve(task, count);
	for (; done < count; done++) {
		uint64_t time = event_pool_time(decoder->pool, slots[done].word);

		if (time < task->last)
			time = task->last;
		if (!take(decoder, task, slots[done].mark, time))
			break;
		task->last = time;
	}
	if (!done)
		return 0;
	task->waiting_other += task->database_calls ? done : 0;
	task->written += done;
	task->changed = true;
	task->running = true;
	return done;
}
