/* SPDX-License-Identifier: Apache-2.0 */
/* Writes runs of events. */
#include "common/compat.h"
#include "records/event-run-writer.h"
#include "common/xalloc.h"

#include <endian.h>

/* Size of a new table of steps, a power of two. */
enum { TABLE_SIZE = 64 };

void event_run_writer_init(struct event_run_writer *run)
{
	*run = (struct event_run_writer){ 0 };
	strbuf_init(&run->clocks);
}

void event_run_writer_release(struct event_run_writer *run)
{
	free(run->steps);
	free(run->table);
	free(run->times);
	free(run->numbers);
	strbuf_release(&run->clocks);
	event_run_writer_init(run);
}

static size_t place_of(const struct event_run_writer *run, const struct event_step *step)
{
	return event_run_place(event_run_sites(step->site, step->resumes), step->deeper, run->table_size);
}

/* Enters a step into the table, which has space. */
static void enter(struct event_run_writer *run, uint32_t number)
{
	const struct event_step *step = &run->steps[number];
	size_t at = place_of(run, step);

	while (run->table[at])
		at = (at + 1) & (run->table_size - 1);
	run->table[at] = number + 1;
}

/* Makes a table of a size, with all steps. */
static void make_table(struct event_run_writer *run, size_t size)
{
	free(run->table);
	run->table = xcalloc(size, sizeof(*run->table));
	run->table_size = size;
	for (uint32_t i = 0; i < run->step_count; i++)
		enter(run, i);
}

uint32_t event_run_find_step(struct event_run_writer *run, uint64_t sites, int32_t deeper, int64_t code)
{
	size_t at = event_run_place(sites, deeper, run->table_size);

	for (; run->table[at]; at = (at + 1) & (run->table_size - 1)) {
		const struct event_step *step = &run->steps[run->table[at] - 1];

		if (event_run_sites(step->site, step->resumes) == sites && step->deeper == deeper &&
		    step->code == code)
			return run->table[at];
	}
	GROW(run->steps, run->step_count + 1, run->step_alloc);
	run->steps[run->step_count++] = (struct event_step){ .site = (uint32_t)sites,
							     .resumes = (uint32_t)(sites >> 32),
							     .deeper = deeper,
							     .code = code };
	if (2 * run->step_count > run->table_size)
		make_table(run, 2 * run->table_size);
	else
		enter(run, (uint32_t)run->step_count - 1);
	return (uint32_t)run->step_count;
}

/* Appends the difference of two numbers. */
static void put_difference(struct strbuf *out, int64_t value, int64_t base)
{
	strbuf_addvarint(out, varint_zigzag((uint64_t)value - (uint64_t)base));
}

/* Returns the bits of a slope: one with few digits ends in zero bytes, which come first here. */
static uint64_t slope_bits(double slope)
{
	uint64_t bits;

	memcpy(&bits, &slope, sizeof(bits));
	return __builtin_bswap64(bits);
}

void event_run_add(struct event_run_writer *run, const struct event_step *steps, size_t count, size_t last,
		   const struct event_run_span *span)
{
	if (!run->table)
		make_table(run, TABLE_SIZE);
	if (!run->slots) {
		run->end_level = run->level;
		run->time = span->time;
		run->cpu = span->cpu;
	} else if (span->time > run->end) {
		run->steps[run->last].elapsed += span->time - run->end;
		run->steps[run->last].cpu += span->cpu > run->end_cpu ? (uint64_t)(span->cpu - run->end_cpu) : 0;
	}
	for (size_t i = 0; i < count; i++) {
		uint64_t sites = event_run_sites(steps[i].site, steps[i].resumes);
		uint32_t number = event_run_find_step(run, sites, steps[i].deeper, steps[i].code);
		struct event_step *step = &run->steps[number - 1];

		step->hits += steps[i].hits;
		step->elapsed += steps[i].elapsed;
		step->cpu += steps[i].cpu;
		run->rows += steps[i].hits * (steps[i].resumes ? 2 : 1);
		if (i == last)
			run->last = number - 1;
	}
	run->end = span->end;
	run->end_cpu = span->end_cpu;
	run->slots += count;
}

/* Begins a run at the first slot of a stretch. */
static void begin(struct event_run_writer *run, const struct event_clock *clock)
{
	struct event_clock first = *clock;

	if (!run->table)
		make_table(run, TABLE_SIZE);
	run->last = 0;
	run->end_level = run->level;
	run->time = run->end = clock->before;
	run->cpu = run->end_cpu = event_clock_at(&first, clock->before);
	run->clock = (struct event_clock){ .anchor = run->time, .most = run->cpu };
	put_difference(&run->clocks, clock->cpu, 0);
}

/* Appends the clock of a stretch. */
static void put_clock(struct event_run_writer *run, const struct event_clock *clock, size_t count)
{
	strbuf_addvarint(&run->clocks, count);
	put_difference(&run->clocks, (int64_t)clock->anchor, (int64_t)run->clock.anchor);
	put_difference(&run->clocks, clock->paid, run->clock.paid);
	put_difference(&run->clocks, clock->cost, run->clock.cost);
	strbuf_addvarint(&run->clocks, slope_bits(clock->slope));
	put_difference(&run->clocks, clock->most, run->clock.most);
	run->clock = *clock;
}

void event_run_clock(struct event_run_writer *run, const struct event_clock *clock, size_t count)
{
	if (!run->slots)
		begin(run, clock);
	if (run->bare)
		return;
	put_clock(run, clock, count);
	GROW(run->times, run->times_length + count * VARINT_MAX, run->times_alloc);
	GROW(run->numbers, run->numbers_length + count * VARINT_MAX, run->numbers_alloc);
}

/* Appends the table of steps. */
static void put_steps(struct strbuf *out, const struct event_run_writer *run)
{
	uint32_t before = 0;

	strbuf_addvarint(out, run->step_count);
	strbuf_addvarint(out, run->last);
	for (size_t i = 0; i < run->step_count; i++) {
		const struct event_step *step = &run->steps[i];

		put_difference(out, step->site, before);
		strbuf_addvarint(out, step->resumes);
		put_difference(out, step->deeper, 0);
		strbuf_addvarint(out, step->code == INT64_MIN ? 0 : varint_zigzag((uint64_t)step->code) + 1);
		strbuf_addvarint(out, step->hits);
		strbuf_addvarint(out, step->elapsed);
		strbuf_addvarint(out, step->cpu);
		before = step->site;
	}
}

void event_run_finish(struct event_run_writer *run, struct recordset *to)
{
	struct record_event_run record = { .task = run->task,
					   .count = run->rows,
					   .level = run->level,
					   .transaction = run->transaction,
					   .time = run->time,
					   .end = run->end,
					   .cpu = run->cpu,
					   .end_cpu = run->end_cpu };
	struct strbuf steps = STRBUF_INIT;

	put_steps(&steps, run);
	record.times = recordset_put_bytes(to, run->times, run->times_length);
	record.numbers = recordset_put_bytes(to, run->numbers, run->numbers_length);
	record.steps = recordset_put_bytes(to, steps.text, steps.length);
	record.clocks = recordset_put_bytes(to, run->clocks.text, run->clocks.length);
	recordset_add(to, &record);
	strbuf_release(&steps);
	strbuf_reset(&run->clocks);
	run->times_length = run->numbers_length = 0;
	run->slots = run->rows = run->transaction = 0;
	run->step_count = 0;
	memset(run->table, 0, run->table_size * sizeof(*run->table));
}
