/* SPDX-License-Identifier: Apache-2.0 */
/* Reads runs of events. */
#include "common/compat.h"
#include "records/event-runs.h"
#include "common/varint.h"
#include "common/xalloc.h"

/* Numbers being read; after the end, or an invalid one, bad stays set and 0 is read. */
struct numbers {
	const unsigned char *at, *end;
	bool bad;
};

/* Returns the numbers in the bytes of a member of a record. */
static struct numbers numbers_of(const struct recordset *set, struct record_bytes bytes)
{
	const unsigned char *at = (const unsigned char *)set->bytes.text + bytes.offset;

	if (bytes.length == RECORD_BYTES_MISSING)
		return (struct numbers){ NULL, NULL, true };
	return (struct numbers){ at, at + bytes.length, false };
}

static inline uint64_t next(struct numbers *numbers)
{
	uint64_t value;

	if (!varint_read(&numbers->at, numbers->end, &value))
		numbers->bad = true;
	return value;
}

/* Reads a number stored as the difference from base. */
static int64_t next_difference(struct numbers *numbers, int64_t base)
{
	return (int64_t)((uint64_t)base + varint_unzigzag(next(numbers)));
}

/* Reads a number that may be missing. */
static int64_t next_code(struct numbers *numbers)
{
	const uint64_t value = next(numbers);

	return value ? (int64_t)varint_unzigzag(value - 1) : INT64_MIN;
}

bool event_run_is_bare(const struct record_event_run *run)
{
	return run->numbers.length == 0;
}

bool event_run_read_steps(struct event_run_steps *steps, const struct recordset *set, size_t row)
{
	const struct record_event_run *record = recordset_get(set, row);
	struct numbers numbers = numbers_of(set, record->steps);
	const uint64_t count = next(&numbers), last = next(&numbers);
	int64_t site = 0;

	/* Each has seven numbers. */
	if (numbers.bad || !count || last >= count ||
	    count > (uint64_t)(numbers.end - numbers.at) / 7)
		return false;
	GROW(steps->steps, (size_t)count, steps->alloc);
	steps->count = (size_t)count;
	steps->last = (uint32_t)last;
	for (size_t i = 0; i < steps->count; i++) {
		struct event_step *step = &steps->steps[i];

		step->site = (uint32_t)(site = next_difference(&numbers, site));
		step->resumes = (uint32_t)next(&numbers);
		step->deeper = (int32_t)next_difference(&numbers, 0);
		step->code = next_code(&numbers);
		step->hits = next(&numbers);
		step->elapsed = next(&numbers);
		step->cpu = next(&numbers);
	}
	return !numbers.bad;
}

static double slope_of(uint64_t bits)
{
	double slope;

	bits = __builtin_bswap64(bits);
	memcpy(&slope, &bits, sizeof(slope));
	/* Only a damaged one is not a number. */
	return slope >= -EVENT_CLOCK_SLOPE_MAX && slope <= EVENT_CLOCK_SLOPE_MAX ? slope : 0;
}

/* Reads the clock of the next stretch, based on that of the stretch before. Returns its slots. */
static uint64_t next_clock(struct numbers *clocks, struct event_clock *clock)
{
	const uint64_t count = next(clocks);

	clock->anchor = (uint64_t)next_difference(clocks, (int64_t)clock->anchor);
	clock->paid = next_difference(clocks, clock->paid);
	clock->cost = next_difference(clocks, clock->cost);
	clock->slope = slope_of(next(clocks));
	clock->most = next_difference(clocks, clock->most);
	return clocks->bad ? 0 : count;
}

/* A run being expanded. */
struct expansion {
	const struct event_run_steps *steps;
	struct numbers times, numbers, clocks;
	uint64_t task, level, time;
	struct event_clock clock;
	struct recordset *events;
};

static void add_event(struct expansion *run, uint64_t site, int64_t code, int64_t cpu)
{
	struct record_event *row = recordset_extend(run->events, 1);

	*row = (struct record_event){ .time = run->time,
				      .idle = (int64_t)(run->time - (uint64_t)cpu),
				      .task = run->task,
				      .site = site,
				      .level = run->level,
				      .code = code };
}

/* Appends the events of the next slot. Returns false at the end, and where the run is damaged. */
static bool expand_slot(struct expansion *run)
{
	const uint64_t number = next(&run->numbers), elapsed = next(&run->times);
	const struct event_step *step;
	int64_t cpu;

	if (run->numbers.bad || run->times.bad || number >= run->steps->count)
		return false;
	step = &run->steps->steps[number];
	run->time += elapsed;
	if (run->time - run->clock.anchor + EVENT_CLOCK_LENGTH_MAX > 2 * EVENT_CLOCK_LENGTH_MAX)
		return false;
	cpu = event_clock_at(&run->clock, run->time);
	run->level += (uint64_t)step->deeper;
	add_event(run, step->site, step->code, cpu);
	if (!step->resumes)
		return true;
	run->level--;
	add_event(run, step->resumes, INT64_MIN, cpu);
	return true;
}

/* Expands all stretches. */
static void expand_all(struct expansion *run)
{
	int64_t cpu = next_difference(&run->clocks, 0);
	struct event_clock base = run->clock;
	uint64_t count;

	while (run->clocks.at < run->clocks.end && (count = next_clock(&run->clocks, &base))) {
		struct numbers first = run->times;

		run->clock = base;
		run->clock.cpu = cpu;
		run->clock.before = run->time + next(&first);
		while (count-- > 0)
			if (!expand_slot(run))
				return;
		cpu = run->clock.cpu;
	}
}

/* Expands a run whose steps were read. */
static void expand(const struct event_run_steps *steps, const struct recordset *set, size_t row,
		   struct recordset *events)
{
	const struct record_event_run *record = recordset_get(set, row);
	struct expansion run = { .steps = steps,
				 .times = numbers_of(set, record->times),
				 .numbers = numbers_of(set, record->numbers),
				 .clocks = numbers_of(set, record->clocks),
				 .task = record->task,
				 .level = record->level,
				 .time = record->time,
				 .clock = { .anchor = record->time, .most = record->cpu },
				 .events = events };

	expand_all(&run);
}

void event_run_expand(const struct recordset *set, size_t row, struct recordset *events)
{
	struct event_run_steps steps = { 0 };

	if (event_run_read_steps(&steps, set, row))
		expand(&steps, set, row, events);
	free(steps.steps);
}

void event_runs_expand(struct snapshot *snapshot)
{
	struct recordset *set = snapshot_set(snapshot, RECORD_EVENT_RUN);
	struct recordset *events = snapshot_set(snapshot, RECORD_EVENT);
	struct event_run_steps steps = { 0 };
	uint64_t most = EVENT_RUNS_MAX;

	for (size_t i = 0; i < set->count; i++) {
		const struct record_event_run *record = recordset_get(set, i);

		/* A slot takes at least two bytes, and makes at most two events. */
		if (record->numbers.length > most)
			break;
		most -= record->numbers.length;
		if (event_run_read_steps(&steps, set, i))
			expand(&steps, set, i, events);
	}
	free(steps.steps);
	recordset_clear(set);
}
