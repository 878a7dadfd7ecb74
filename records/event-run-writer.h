/* SPDX-License-Identifier: Apache-2.0 */
/* Writes runs of events (event-runs.h). */
#ifndef VIGIL_RECORDS_EVENT_RUN_WRITER_H
#define VIGIL_RECORDS_EVENT_RUN_WRITER_H

#include "common/varint.h"
#include "records/event-runs.h"

#include <assert.h>

/* A run being written. It is empty while it has no slots. */
struct event_run_writer {
	uint64_t task;	/* as in the record */
	uint64_t level; /* of the event before the first slot, or of the first one */
	uint64_t transaction; /* of all events; only of a bare run */
	uint64_t end_level; /* of the last event */
	uint64_t slots, rows;
	uint64_t time, end; /* ns: of the first and the last slot */
	int64_t cpu, end_cpu;
	uint32_t last; /* number of the step of the last slot */
	bool bare;     /* only the sums are wanted: the slots themselves are not written */
	struct event_step *steps;
	size_t step_count, step_alloc;
	uint32_t *table;   /* by hash of the sites: number of the step + 1, 0: free */
	size_t table_size; /* a power of two, at least twice step_count */
	unsigned char *times, *numbers; /* of the slots: varints */
	size_t times_length, numbers_length, times_alloc, numbers_alloc;
	struct strbuf clocks;
	struct event_clock clock; /* as last written */
};

/* Times of events, ns, and CPU time at them. */
struct event_run_span {
	uint64_t time, end;
	int64_t cpu, end_cpu;
};

void event_run_writer_init(struct event_run_writer *run);
/* Frees its memory; it can be used again. */
void event_run_writer_release(struct event_run_writer *run);
/*
 * Appends the clock of a stretch of count slots, the first one at clock->before, for
 * event_run_stretch. The caller sets task and level before the first stretch of a
 * run.
 */
void event_run_clock(struct event_run_writer *run, const struct event_clock *clock, size_t count);
/* Returns the number, from 1, of a step that is new, or not at its place in the table. */
uint32_t event_run_find_step(struct event_run_writer *run, uint64_t sites, int32_t deeper, int64_t code);
/*
 * Adds the sums of plain events from a time to another, at which CPU time was cpu
 * and end_cpu, to a run that is bare: count steps, of which last is that of the
 * last event. The caller sets task and level before the first events of a run.
 */
void event_run_add(struct event_run_writer *run, const struct event_step *steps, size_t count, size_t last,
		   const struct event_run_span *span);
/* Adds the run, which has a slot, to a set of EVENT_RUN records, and empties it. */
void event_run_finish(struct event_run_writer *run, struct recordset *to);

/* Returns the sites of a step in one word, which is read at once where they stand one behind the other. */
static inline uint64_t event_run_sites(uint32_t site, uint32_t resumes)
{
	return (uint64_t)resumes << 32 | site;
}

/* Returns where the search for a step begins in a table of a size. */
static inline size_t event_run_place(uint64_t sites, int64_t deeper, size_t table_size)
{
	const uint64_t key = sites + ((uint64_t)deeper << 29);

	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table_size - 1);
}

/*
 * Slots that are being added to a run. What changes with each of them is here, and
 * not in the run: a variable whose address nobody has stays in registers, whatever
 * bytes are written.
 */
struct event_run_stretch {
	struct event_run_writer *run;
	struct event_clock clock;
	uint64_t end_level, end;
	int64_t end_cpu;
	uint64_t resumed; /* number of slots with a second event */
	struct event_step *steps, *last;
	const uint32_t *table;
	size_t table_size;
	bool bare;
	unsigned char *times, *numbers;
};

/* Begins a stretch of count slots: see event_run_clock. event_run_put adds each, and event_run_close ends it. */
static inline struct event_run_stretch event_run_open(struct event_run_writer *run,
						      const struct event_clock *clock, size_t count)
{
	event_run_clock(run, clock, count);
	return (struct event_run_stretch){ .run = run,
					   .clock = *clock,
					   .end_level = run->end_level,
					   .end = run->end,
					   .end_cpu = run->end_cpu,
					   .steps = run->steps,
					   .last = run->steps + run->last,
					   .table = run->table,
					   .table_size = run->table_size,
					   .bare = run->bare,
					   .times = run->times + run->times_length,
					   .numbers = run->numbers + run->numbers_length };
}

/*
 * Adds a slot: an event at the first of two sites (event_run_sites) and at a level,
 * and another one, a level higher, at the second, where that is not 0. (Scalars of
 * one size: what is stored in parts and loaded as a whole, a struct or a word, the
 * processor waits for.)
 */
static inline void event_run_put(struct event_run_stretch *to, uint64_t time, uint64_t level,
				 uint64_t sites, int64_t code)
{
	const int64_t cpu = event_clock_at(&to->clock, time);
	const int64_t deeper = (int64_t)(level - to->end_level);
	const uint64_t elapsed = time - to->end, resumes = sites >> 32 != 0;
	uint64_t number = to->table[event_run_place(sites, deeper, to->table_size)];
	struct event_step *step = to->steps + (number ? number - 1 : 0);

	if (!number || event_run_sites(step->site, step->resumes) != sites || step->deeper != deeper ||
	    step->code != code) {
		number = event_run_find_step(to->run, sites, (int32_t)deeper, code);
		/* The first slot of a run is the first step, and adds nothing to the one before it. */
		to->last = to->run->steps + (to->steps ? to->last - to->steps : 0);
		to->steps = to->run->steps;
		to->table = to->run->table;
		to->table_size = to->run->table_size;
		step = &to->steps[number - 1];
	}
	step->hits++;
	/* Of the first slot these are 0: see event_run_clock. */
	to->last->elapsed += elapsed;
	to->last->cpu += (uint64_t)(cpu - to->end_cpu);
	to->last = step;
	to->end_level = level - resumes;
	to->end = time;
	to->end_cpu = cpu;
	to->resumed += resumes;
	if (to->bare)
		return;
	to->times = varint_write(to->times, elapsed);
	to->numbers = varint_write(to->numbers, number - 1);
}

/* Ends a stretch, after its count slots; sets the clock to the last one. */
static inline void event_run_close(const struct event_run_stretch *stretch, size_t count, struct event_clock *clock)
{
	struct event_run_writer *run = stretch->run;

	*clock = stretch->clock;
	run->end_level = stretch->end_level;
	run->end = stretch->end;
	run->end_cpu = stretch->end_cpu;
	run->slots += count;
	run->rows += count + stretch->resumed;
	run->last = (uint32_t)(stretch->last - stretch->steps);
	run->times_length = (size_t)(stretch->times - run->times);
	run->numbers_length = (size_t)(stretch->numbers - run->numbers);
	assert(run->times_length <= run->times_alloc && run->numbers_length <= run->numbers_alloc);
}

#endif
