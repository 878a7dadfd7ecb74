/* SPDX-License-Identifier: Apache-2.0 */
/* Builds a session from a recording. */
#include "common/compat.h"
#include "session/import/imported.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "session/import/imported-names.h"

/* Maximum number of snapshots of a recording; they are at least a second apart. */
#define SNAPSHOTS 3600

int imported_begin(struct imported *made, const char *path, bool replace,
		   const struct imported_facts *facts, struct error *err)
{
	memset(made, 0, sizeof(*made));
	made->facts = *facts;
	made->now = facts->start;
	made->snapshot_interval = (facts->end - facts->start) / SNAPSHOTS + 1;
	if (made->snapshot_interval < NSEC_PER_SEC)
		made->snapshot_interval = NSEC_PER_SEC;
	made->next_snapshot = facts->start + made->snapshot_interval;
	imported_objects_init(&made->objects, facts->written);
	stacks_init(&made->stacks, &made->objects.list);
	imported_tasks_init(&made->tasks, facts->switches, facts->start);
	made->names = names_new();
	return imported_file_begin(&made->file, path, replace, err);
}

void imported_release(struct imported *made)
{
	imported_file_release(&made->file);
	names_free(made->names);
	free(made->frame_cache);
	imported_tasks_release(&made->tasks);
	stacks_release(&made->stacks);
	imported_objects_release(&made->objects);
}

/* Ends the snapshot at a time. */
static void end_snapshot(struct imported *made, uint64_t time, bool last)
{
	struct snapshot *snapshot = &made->file.snapshot;

	imported_tasks_advance(&made->tasks, time);
	imported_tasks_rows(&made->tasks, &made->file, time, last);
	stacks_frame_rows(&made->stacks, snapshot_set(snapshot, RECORD_FRAME));
	stacks_rows(&made->stacks, snapshot_set(snapshot, RECORD_STACK));
	imported_file_next_snapshot(&made->file, time, last);
}

void imported_at(struct imported *made, uint64_t time)
{
	if (time < made->now)
		time = made->now;
	if (time > made->facts.end)
		time = made->facts.end;
	while (time >= made->next_snapshot) {
		end_snapshot(made, made->next_snapshot, false);
		made->next_snapshot += made->snapshot_interval;
	}
	made->now = time;
	imported_tasks_advance(&made->tasks, time);
}

void imported_sample(struct imported *made, struct imported_task *task, uint32_t stack,
		     double weight, bool kernel, bool whole)
{
	const struct step_clock *clock = &made->tasks.clock;
	struct record_sample row = {
		.time = made->now,
		.task = 0,
		.stack = stack,
		.kind = kernel ? SAMPLE_KERNEL : SAMPLE_USER,
		.flags = whole ? 0 : SAMPLE_BROKEN,
	};

	imported_tasks_seen(&made->tasks, task, made->now);
	imported_tasks_executes(&made->tasks, task);
	task->stack = stack;
	task->process->samples++;
	row.task = task->id;
	if (made->facts.switches && clock->running <= 1)
		row.flags |= SAMPLE_SOLO;
	/* The sum is rounded at half a period. */
	for (made->credit += weight; made->credit >= (double)made->facts.period / 2 &&
				     made->samples < made->facts.samples;
	     made->credit -= (double)made->facts.period) {
		imported_file_add(&made->file, RECORD_SAMPLE, &row);
		made->samples++;
		made->whole += whole;
		made->broken += !whole;
	}
}

/* Adds attributes for data that a recording does not have. */
static void add_unknown(struct imported *made)
{
	struct imported_file *file = &made->file;

	imported_file_attribute(file, ATTR_IO_UNKNOWN, "1");
	imported_file_attribute(file, ATTR_MEMORY_UNKNOWN, "1");
	if (!made->facts.switches)
		imported_file_attribute(file, ATTR_WAITS_UNKNOWN, "1");
	if (!made->facts.switches)
		return;
	imported_file_attribute(file, ATTR_SWITCHES, "%" PRIu64, made->tasks.switch_count);
	imported_file_attribute(file, ATTR_CPU_EXACT, "%" PRIu64, made->tasks.cpu);
}

int imported_end(struct imported *made, const char *path, uint64_t lost)
{
	struct imported_file *file = &made->file;

	imported_at(made, made->facts.end);
	imported_names_rows(made);
	add_unknown(made);
	imported_file_attribute(file, ATTR_VERSION, "%s", PACKAGE_VERSION);
	imported_file_attribute(file, ATTR_DATA_SET, "%s", path);
	imported_file_attribute(file, ATTR_SWITCHES_LOST, "%" PRIu64, lost);
	imported_file_attribute(file, ATTR_TAKEN, "%" PRIu64, made->samples + lost);
	imported_file_attribute(file, ATTR_PROCESSED, "%" PRIu64, made->samples);
	imported_file_attribute(file, ATTR_THINNED, "0");
	imported_file_attribute(file, ATTR_LOST, "%" PRIu64, lost);
	imported_file_attribute(file, ATTR_STACKS_WHOLE, "%" PRIu64, made->whole);
	imported_file_attribute(file, ATTR_STACKS_BROKEN, "%" PRIu64, made->broken);
	imported_file_attribute(file, ATTR_STACKS_CUT, "0");
	imported_file_attribute(file, ATTR_PERIOD_INITIAL, "%" PRIu64, made->facts.period);
	imported_file_attribute(file, ATTR_PERIOD, "%" PRIu64, made->facts.period);
	imported_file_attribute(file, ATTR_START, "%" PRIu64, made->facts.start);
	imported_file_attribute(file, ATTR_END, "%" PRIu64, made->facts.end);
	imported_file_attribute(file, ATTR_COMPLETE, "1");
	end_snapshot(made, made->facts.end, true);
	return imported_file_end(file);
}
