/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what processes use. */
#include "common/compat.h"
#include "sampler/resource-usage.h"
#include "common/procfs.h"
#include "sampler/files.h"
#include "sampler/tasks.h"

#define LOOKS_A_SNAPSHOT 200

/* The larger of an old and a new value: what only grows never shrinks. */
static void raise_to(uint64_t *value, uint64_t seen)
{
	if (seen > *value)
		*value = seen;
}

/* Faults, those of children waited for included. */
static void read_faults(struct process *process)
{
	struct usage_counts *counts = &process->usage.counts;
	struct procfs_stat stat;

	if (!procfs_stat(process->pid, &stat))
		return;
	raise_to(&counts->minor_faults, stat.minor_faults + stat.children_minor_faults);
	raise_to(&counts->major_faults, stat.major_faults + stat.children_major_faults);
}

/* Calls and bytes read and written. */
static void read_io(struct process *process)
{
	struct usage_counts *counts = &process->usage.counts;
	struct procfs_io io;

	if (!procfs_io(process->pid, &io))
		return;
	raise_to(&counts->read_calls, io.read_calls);
	raise_to(&counts->write_calls, io.write_calls);
	raise_to(&counts->read_bytes, io.read_bytes);
	raise_to(&counts->write_bytes, io.write_bytes);
}

/* Memory, in pages of 4096 bytes whatever the machine's are. tid: a thread that lives. */
static void read_resident(struct process *process, pid_t tid)
{
	static const uint64_t unit = 4096;
	struct procfs_memory memory;

	if (procfs_memory(tid, &memory))
		process->usage.resident = memory.resident / unit;
}

/* Whether its first exec is over: before that it is still vigil's own child. */
static bool has_begun(const struct process *process)
{
	return process->live > 0 && (process->execs > 0 || process->image);
}

void resource_usage_init(struct resource_usage *usage, const struct resource_usage_parts *parts)
{
	*usage = (struct resource_usage){ .parts = *parts };
}

void resource_usage_look_at(struct process *process)
{
	if (!has_begun(process))
		return;
	read_faults(process);
	read_io(process);
}

void resource_usage_look(struct resource_usage *usage)
{
	unsigned looks = 0;
	pid_t tid;

	/* The newest come first; with more than a snapshot may look at, old ones keep their values.
	 */
	for (struct process *process = usage->parts.tasks->processes;
	     process && looks < LOOKS_A_SNAPSHOT; process = process->next) {
		if (!has_begun(process))
			continue;
		resource_usage_look_at(process);
		tid = tasks_living(usage->parts.tasks, process);
		read_resident(process, tid);
		files_look(usage->parts.files, process->pid, tid);
		looks++;
	}
}

/* Add the values of one process to a sum. */
static void add(struct usage_counts *sum, const struct usage_counts *counts)
{
	sum->minor_faults += counts->minor_faults;
	sum->major_faults += counts->major_faults;
	sum->read_bytes += counts->read_bytes;
	sum->write_bytes += counts->write_bytes;
	sum->read_calls += counts->read_calls;
	sum->write_calls += counts->write_calls;
}

/* Whether the process that started another lives. */
static bool parent_lives(const struct tasks *tasks, const struct process *process)
{
	for (const struct process *other = tasks->processes; other; other = other->next)
		if (other->id == process->parent)
			return other->live > 0;
	return false;
}

void resource_usage_end(struct resource_usage *usage, struct process *process)
{
	if (parent_lives(usage->parts.tasks, process))
		return;
	/* It may still be there, waiting to be waited for. */
	read_faults(process);
	read_io(process);
	add(&usage->ended, &process->usage.counts);
}

/* What a sum has grown by since it was told last. */
static uint64_t growth(uint64_t *told, uint64_t sum)
{
	uint64_t grown = sum > *told ? sum - *told : 0;

	*told += grown;
	return grown;
}

void resource_usage_step(struct resource_usage *usage, struct record_step *row)
{
	struct usage_counts *told = &usage->told;
	struct usage_counts sum = usage->ended;

	row->resident = 0;
	for (const struct process *process = usage->parts.tasks->processes; process;
	     process = process->next) {
		if (process->live == 0)
			continue;
		row->resident += process->usage.resident;
		add(&sum, &process->usage.counts);
	}
	row->minor_faults = growth(&told->minor_faults, sum.minor_faults);
	row->major_faults = growth(&told->major_faults, sum.major_faults);
	row->read_bytes = growth(&told->read_bytes, sum.read_bytes);
	row->write_bytes = growth(&told->write_bytes, sum.write_bytes);
	row->read_calls = growth(&told->read_calls, sum.read_calls);
	row->write_calls = growth(&told->write_calls, sum.write_calls);
}
