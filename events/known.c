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
 * Events of a task that are being taken. What changes with each of them is here, and
 * not in the task: a variable whose address nobody has stays in registers, whatever
 * is written elsewhere.
 */
struct taken {
	struct event_decoder *decoder;
	struct event_task *task;
	struct event_program *const *programs;
	bool filtered;		    /* there are filters */
	struct event_waiting *next; /* where the next one is put */
	uint64_t last, times;	    /* time of the last one; number of distinct times */
	uint64_t offered;
};

/*
 * Returns the site of events of a type at a program, if it is in the tables and
 * they are kept; else 0.
 */
static inline uint32_t site_at(const struct taken *taken, uint32_t program, enum event_type type)
{
	if (!program || (taken->filtered && !event_filter_accepts(taken->decoder->filter, program, type)))
		return 0;
	return (uint32_t)taken->programs[program - 1]->sites[type];
}

/* Returns the site of a statement, section or paragraph; 0 unknown. */
static inline uint32_t site_of_place(const struct taken *taken, uint64_t mark)
{
	const struct event_task *task = taken->task;
	uint32_t program = task->frame_count ? task->frames[task->frame_count - 1].program
					     : task->process->program;
	const struct known_place *place = &taken->decoder->known.places[place_of(mark, program)];

	return place->mark == mark && place->program == program ? place->site : 0;
}

static inline void put(struct taken *taken, uint64_t time, uint32_t site, uint32_t resumes)
{
	struct event_waiting *event = taken->next++;

	/* Members are set one by one: a whole struct would be built elsewhere first and copied. */
	event->time = time;
	event->site = site;
	event->level = (uint32_t)taken->task->frame_count;
	event->code = INT64_MIN;
	event->data = 0;
	event->transaction = 0;
	event->resumes = resumes;
	taken->times += time != taken->last;
	taken->last = time;
	taken->offered += resumes ? 2 : 1;
}

static inline bool take_place(struct taken *taken, uint64_t mark, uint64_t time)
{
	uint32_t site = site_of_place(taken, mark);

	if (!site)
		return false;
	event_task_is_at(taken->task, mark);
	put(taken, time, site, 0);
	return true;
}

static inline bool take_entry(struct taken *taken, uint64_t address, uint64_t time)
{
	const struct known_function *function = &taken->decoder->known.functions[function_place(address)];
	struct event_task *task = taken->task;
	uint32_t site;

	if (function->address != address || function->process != task->process ||
	    task->frame_count == task->frame_alloc)
		return false;
	site = site_at(taken, function->program, EVENT_PS);
	if (!site)
		return false;
	task->frames[task->frame_count++] = (struct event_frame){ function->program, address };
	put(taken, time, site, 0);
	return true;
}

/* Ends the innermost function; its caller resumes. */
static inline bool take_return(struct taken *taken, uint64_t address, uint64_t time)
{
	struct event_task *task = taken->task;
	const struct event_frame *frame = task->frames + task->frame_count;
	uint32_t ends, goes_on = 0;

	if (!task->frame_count || frame[-1].key != address)
		return false;
	ends = site_at(taken, frame[-1].program, EVENT_PT);
	if (task->frame_count > 1)
		goes_on = site_at(taken, frame[-2].program, EVENT_PR);
	/* After the last function a task may become blocked. */
	if (!ends || (!goes_on && (task->frame_count > 1 || event_filter_blocks(taken->decoder->filter))))
		return false;
	put(taken, time, ends, goes_on);
	task->frame_count--;
	return true;
}

/* Takes one event if it is in the tables. */
static inline bool take(struct taken *taken, uint64_t mark, uint64_t time)
{
	switch (mark & 0xff) {
	case EVENT_MARK_ENTRY:
		return take_entry(taken, EVENT_MARK_VALUE(mark), time);
	case EVENT_MARK_RETURN:
		return take_return(taken, EVENT_MARK_VALUE(mark), time);
	case EVENT_MARK_SECTION:
	case EVENT_MARK_PARAGRAPH:
	case EVENT_MARK_STATEMENT:
		return take_place(taken, mark, time);
	default:
		return false;
	}
}

/* Takes what is in the tables; returns the number of slots. */
static size_t take_known(struct taken *taken, const struct event_slot *slots, size_t count)
{
	const struct event_clocks clocks = event_pool_clocks(taken->decoder->pool);
	uint64_t last = taken->task->last;
	size_t done = 0;

	for (; done < count; done++) {
		uint64_t time = event_clocks_time(&clocks, slots[done].word);

		if (time < last)
			time = last;
		if (!take(taken, slots[done].mark, time))
			break;
		last = time;
	}
	taken->task->last = last;
	return done;
}

/* Sets the transactions of a task's last events. */
static void set_transactions(struct event_decoder *decoder, struct event_task *task, size_t count)
{
	for (size_t i = task->waiting_count - count; decoder->history->count && i < task->waiting_count; i++) {
		struct event_waiting *event = &task->waiting[i];

		event->transaction = (uint32_t)transaction_history_at(decoder->history, task->tid, event->time);
		task->waiting_other += event->transaction != 0;
	}
}

size_t event_known_take(struct event_decoder *decoder, struct event_task *task,
			const struct event_slot *slots, size_t count)
{
	struct taken taken = { .decoder = decoder,
			       .task = task,
			       .programs = decoder->sites->programs,
			       .filtered = decoder->filter->request };
	size_t done;

	if (!task->process || task->process->is_vigil || !task->start || task->anchored ||
	    !event_filter_is_steady(decoder->filter))
		return 0;
	if (count > AT_ONCE)
		count = AT_ONCE;
	event_settle_reserve(task, count);
	taken.next = task->waiting + task->waiting_count;
	taken.last = event_settle_last(task);
	done = take_known(&taken, slots, count);
	if (!done)
		return 0;
	task->waiting_count += done;
	task->waiting_times += taken.times;
	decoder->offered += taken.offered;
	set_transactions(decoder, task, done);
	task->waiting_other += task->database_calls ? done : 0;
	task->written += done;
	task->changed = true;
	task->running = true;
	return done;
}
