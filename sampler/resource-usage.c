/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the resource usage of processes. */
#include "common/compat.h"
#include "sampler/resource-usage.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "records/record-types.h"
#include "sampler/file-counts.h"
#include "sampler/files.h"
#include "sampler/tasks.h"

#include <fcntl.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#define LOOKS_A_SNAPSHOT 200

/* Raises a value to seen if that is larger: what only grows must never shrink. */
static void raise_to(uint64_t *value, uint64_t seen)
{
	if (seen > *value)
		*value = seen;
}

/* Reads faults, including those of children waited for; returns false if the process is gone. */
static bool read_faults(struct process *process)
{
	struct usage_counts *counts = &process->usage.counts;
	struct procfs_stat stat;

	RETURN_IF(!procfs_stat(process->base->pid, &stat), false);
	raise_to(&counts->minor_faults, stat.minor_faults + stat.children_minor_faults);
	raise_to(&counts->major_faults, stat.major_faults + stat.children_major_faults);
	return true;
}

/* Returns whether the counts could be read; otherwise sets errno. */
static bool ask_io(const struct resource_usage *usage, pid_t pid, struct procfs_io *io)
{
	return usage->held_io >= 0 && usage->held == pid ? procfs_io_reread(usage->held_io, io)
							 : procfs_io(pid, io);
}

/* Reads the calls and bytes read and written. */
static void read_io(const struct resource_usage *usage, struct process *process)
{
	struct usage_counts *counts = &process->usage.counts;
	struct procfs_io io;

	if (!ask_io(usage, process->base->pid, &io)) {
		process->usage.io_unknown |= errno == EACCES;
		return;
	}
	process->usage.io_unknown = false;
	raise_to(&counts->read_calls, io.read_calls);
	raise_to(&counts->write_calls, io.write_calls);
	raise_to(&counts->read_bytes, io.read_bytes);
	raise_to(&counts->write_bytes, io.write_bytes);
	raise_to(&counts->moved, io.moved);
}

/* Reads the memory, in pages of 4096 bytes whatever the machine's page size. tid: a live thread. */
static void read_resident(struct resource_usage *usage, struct process *process, pid_t tid)
{
	static const uint64_t unit = 4096;
	struct procfs_memory memory;
	struct procfs_life life = { 0 };

	if (!procfs_memory(tid, &memory) || !procfs_life(tid, &life))
		return;
	process->usage.resident = memory.resident / unit;
	process->usage.no_heir = life.ignored >> (SIGCHLD - 1) & 1;
	/* If the peak has not grown since the session began, only the current memory counts. */
	raise_to(&usage->peak,
		 life.peak > process->usage.peak_before ? life.peak : memory.resident);
}

/* Returns whether its first exec is over: before that it is still a child copy of vigil. */
static bool has_begun(const struct process *process)
{
	return process->live > 0 && (process->base->execs > 0 || process->image);
}

void resource_usage_init(struct resource_usage *usage, const struct resource_usage_parts *parts)
{
	const uint64_t second = (uint64_t)sysconf(_SC_CLK_TCK), now = clock_read_ns(CLOCK_BOOTTIME);

	*usage = (struct resource_usage){ .parts = *parts, .held_io = -1 };
	usage->begun = now / NSEC_PER_SEC * second + now % NSEC_PER_SEC * second / NSEC_PER_SEC;
}

void resource_usage_release(struct resource_usage *usage)
{
	if (usage->held_io >= 0)
		outside_close(usage->held_io);
	usage->held_io = -1;
	free(usage->unclaimed);
	usage->unclaimed = NULL;
	usage->unclaimed_count = usage->unclaimed_alloc = 0;
}

void resource_usage_adopt(struct resource_usage *usage, struct process *process)
{
	struct procfs_life life = { 0 };
	struct procfs_stat stat;

	if (!procfs_stat(process->base->pid, &stat) || stat.start >= usage->begun)
		return;
	read_faults(process);
	read_io(usage, process);
	usage->io_unknown |= process->usage.io_unknown;
	process->usage.before = process->usage.counts;
	if (procfs_life(process->base->pid, &life))
		process->usage.peak_before = life.peak;
}

void resource_usage_hold(struct resource_usage *usage, pid_t pid)
{
	char path[PROCFS_PATH_SIZE];

	usage->held = pid;
	usage->held_io = outside_open(procfs_process(path, pid, "io"), O_RDONLY | O_CLOEXEC);
}

void resource_usage_last_look(struct resource_usage *usage, struct process *process)
{
	read_faults(process);
	read_io(usage, process);
}

void resource_usage_look_at(struct resource_usage *usage, struct process *process)
{
	if (has_begun(process))
		resource_usage_last_look(usage, process);
}

/*
 * Reports to the files whether a process does not count what it reads and writes,
 * although others do.
 */
static void set_stranger(const struct resource_usage *usage, const struct process *process)
{
	const struct file_counts *counts = usage->parts.counts;

	files_set_stranger(usage->parts.files, process->base->pid,
			   file_counts_active(counts) &&
				   !file_counts_has(counts, process->base->pid, process->base->execs));
}

/* Reads one process: its usage, its memory and its files. */
static void look_whole(struct resource_usage *usage, struct process *process)
{
	bool was_unknown = process->usage.io_unknown;
	pid_t tid;

	if (!has_begun(process))
		return;
	/*
	 * Its parent was read before: the usage of a process that is gone meanwhile is in
	 * its parent's, or will be.
	 */
	process->usage.gone = !read_faults(process);
	if (process->usage.gone)
		return;
	read_io(usage, process);
	tid = tasks_living(usage->parts.tasks, process);
	read_resident(usage, process, tid);
	/* During an exec only root may read it. */
	usage->io_unknown |= was_unknown && process->usage.io_unknown;
	files_look(usage->parts.files, process->base->pid, tid);
	set_stranger(usage, process);
}

void resource_usage_look(struct resource_usage *usage)
{
	struct process *process = usage->parts.tasks->processes;

	/* The newest; if there are more than a snapshot may read, old ones keep their values. */
	for (unsigned looks = 1; process && process->next && looks < LOOKS_A_SNAPSHOT;
	     process = process->next)
		looks += has_begun(process);
	/* Parents are older than their children, and read before them. */
	for (; process; process = process->previous)
		look_whole(usage, process);
}

/* Adds the values of one process to a sum. */
static void add(struct usage_counts *sum, const struct usage_counts *counts)
{
	sum->minor_faults += counts->minor_faults;
	sum->major_faults += counts->major_faults;
	sum->read_bytes += counts->read_bytes;
	sum->write_bytes += counts->write_bytes;
	sum->read_calls += counts->read_calls;
	sum->write_calls += counts->write_calls;
	sum->moved += counts->moved;
}

/* Does the same without the part before the session. */
static void add_session(struct usage_counts *sum, const struct process_usage *usage)
{
	const struct usage_counts *before = &usage->before;

	add(sum, &(struct usage_counts){
			 .minor_faults = usage->counts.minor_faults - before->minor_faults,
			 .major_faults = usage->counts.major_faults - before->major_faults,
			 .read_bytes = usage->counts.read_bytes - before->read_bytes,
			 .write_bytes = usage->counts.write_bytes - before->write_bytes,
			 .read_calls = usage->counts.read_calls - before->read_calls,
			 .write_calls = usage->counts.write_calls - before->write_calls,
			 .moved = usage->counts.moved - before->moved,
		 });
}

/*
 * Returns the process that gets the usage of another when that has ended; NULL:
 * none that is observed.
 */
static const struct process *heir_of(const struct tasks *tasks, const struct process *process)
{
	for (const struct process *other = tasks->processes; other; other = other->next)
		/* If records that name the parent were lost, the oldest process gets it. */
		if (other->base->id == process->base->parent ||
		    (!process->base->parent && !other->next && other != process))
			return other->live > 0 && !other->usage.no_heir ? other : NULL;
	return NULL;
}

static bool used_before(const struct usage_counts *before)
{
	return before->minor_faults | before->major_faults | before->read_bytes |
	       before->write_bytes | before->read_calls | before->write_calls;
}

/* Notes a process with usage before the session that has ended: its parent will get that too. */
static void leave_unclaimed(struct resource_usage *usage, const struct process *process)
{
	if (!used_before(&process->usage.before))
		return;
	GROW(usage->unclaimed, usage->unclaimed_count + 1, usage->unclaimed_alloc);
	usage->unclaimed[usage->unclaimed_count++] =
		(struct usage_unclaimed){ process->base->pid, process->base->parent, process->usage.before };
}

/* A process that has waited for some children has got their usage before the session. */
static void claim(struct resource_usage *usage, struct process *process)
{
	size_t kept = 0;

	for (size_t i = 0; i < usage->unclaimed_count; i++) {
		const struct usage_unclaimed *one = &usage->unclaimed[i];

		if (one->parent == process->base->id && procfs_state(one->pid, one->pid) == 0)
			add(&process->usage.before, &one->before);
		else
			usage->unclaimed[kept++] = *one;
	}
	usage->unclaimed_count = kept;
}

void resource_usage_end(struct resource_usage *usage, struct process *process)
{
	set_stranger(usage, process);
	if (heir_of(usage->parts.tasks, process)) {
		leave_unclaimed(usage, process);
		return;
	}
	/* It may still exist, until its parent waits for it. */
	read_faults(process);
	read_io(usage, process);
	claim(usage, process);
	add_session(&usage->ended, &process->usage);
}

/* Returns the growth of a sum since it was last reported. */
static uint64_t growth(uint64_t *reported, uint64_t sum)
{
	/*
	 * The difference is negative while a parent's last reading is older than its
	 * child's end.
	 */
	uint64_t grown = (int64_t)(sum - *reported) > 0 ? sum - *reported : 0;

	*reported += grown;
	return grown;
}

void resource_usage_step(struct resource_usage *usage, struct record_step *row)
{
	struct usage_counts *reported = &usage->reported;
	struct usage_counts sum = usage->ended;

	row->resident = 0;
	for (struct process *process = usage->parts.tasks->processes; process;
	     process = process->next) {
		if (process->live == 0 || process->usage.gone)
			continue;
		claim(usage, process);
		row->resident += process->usage.resident;
		add_session(&sum, &process->usage);
	}
	row->moved_bytes = growth(&reported->moved, sum.moved);
	usage->moved = usage->io_unknown ? 0 : reported->moved;
	row->minor_faults = growth(&reported->minor_faults, sum.minor_faults);
	row->major_faults = growth(&reported->major_faults, sum.major_faults);
	row->read_bytes = growth(&reported->read_bytes, sum.read_bytes);
	row->write_bytes = growth(&reported->write_bytes, sum.write_bytes);
	row->read_calls = growth(&reported->read_calls, sum.read_calls);
	row->write_calls = growth(&reported->write_calls, sum.write_calls);
}
