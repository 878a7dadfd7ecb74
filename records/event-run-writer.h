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
 * Begins a stretch of count slots, the first one at clock->before, each of which
 * event_run_put then adds. The caller sets task and level before the first stretch
 * of a run.
 */
void event_run_clock(struct event_run_writer *run, const struct event_clock *clock, size_t count);
/* Returns the number, from 1, of a step that is new, or not at its place in the table. */
uint32_t event_run_find_step(struct event_run_writer *run, const struct event_step *step);
/*
 * Adds the sums of plain events from a time to another, at which CPU time was cpu
 * and end_cpu, to a run that is bare: count steps, of which last is that of the
 * last event. The caller sets task and level before the first events of a run.
 */
void event_run_add(struct event_run_writer *run, const struct event_step *steps, size_t count, size_t last,
		   const struct event_run_span *span);
/* Adds the run, which has a slot, to a set of EVENT_RUN records, and empties it. */
void event_run_finish(struct event_run_writer *run, struct recordset *to);

/* Returns where the search for a step begins in a table of a size. */
static inline size_t event_run_place(uint32_t site, uint32_t resumes, int32_t deeper,
				     size_t table_size)
{
	const uint64_t key = ((uint64_t)resumes << 32 | site) + ((uint64_t)(uint32_t)deeper << 29);

	return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (table_size - 1);
}

/*
 * Adds a slot to a run, in a stretch begun by event_run_clock: an event at a site
 * and level, and another one, a level higher, where resumes is not 0. clock is
 * that of the stretch. (Scalars: a struct built for each slot would be stored in
 * parts and loaded as a whole, which the processor waits for.)
 */
static inline void event_run_put(struct event_run_writer *run, struct event_clock *clock,
				 uint64_t time, uint64_t level, uint32_t site, uint32_t resumes,
				 int64_t code)
{
	const int64_t cpu = event_clock_at(clock, time);
	const int32_t deeper = (int32_t)(level - run->end_level);
	const uint64_t elapsed = time - run->end;
	uint32_t number = run->table[event_run_place(site, resumes, deeper, run->table_size)];
	struct event_step *step = run->steps + (number ? number - 1 : 0);

	if (!number || step->site != site || step->resumes != resumes || step->deeper != deeper ||
	    step->code != code) {
		number = event_run_find_step(run, &(struct event_step){ .site = site,
									.resumes = resumes,
									.deeper = deeper,
									.code = code });
		step = &run->steps[number - 1];
	}
	step->hits++;
	/* Of the first slot these are 0: see event_run_clock. */
	run->steps[run->last].elapsed += elapsed;
	run->steps[run->last].cpu += (uint64_t)(cpu - run->end_cpu);
	run->last = number - 1;
	run->end_level = resumes ? level - 1 : level;
	run->end = time;
	run->end_cpu = cpu;
	run->slots++;
	run->rows += resumes ? 2 : 1;
	if (run->bare)
		return;
	assert(run->times_length + VARINT_MAX <= run->times_alloc &&
	       run->numbers_length + VARINT_MAX <= run->numbers_alloc);
	run->times_length = (size_t)(varint_write(run->times + run->times_length, elapsed) - run->times);
	run->numbers_length =
		(size_t)(varint_write(run->numbers + run->numbers_length, number - 1) - run->numbers);
}

#endif
