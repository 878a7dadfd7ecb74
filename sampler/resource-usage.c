/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what processes use. */
#include "common/compat.h"
#include "sampler/resource-usage.h"
#include "sampler/files.h"
#include "sampler/tasks.h"

#include <fcntl.h>
#include <unistd.h>

#define LOOKS_A_SNAPSHOT 200

/* Read a file of a process below /proc; false when it cannot be. */
static bool read_proc(pid_t pid, const char *name, char *text, size_t size)
{
	char path[64];
	ssize_t length;
	int fd;

	snprintf(path, sizeof(path), "/proc/%d/%s", pid, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	RETURN_IF(fd < 0, false);
	length = read(fd, text, size - 1);
	close(fd);
	RETURN_IF(length <= 0, false);
	text[length] = '\0';
	return true;
}

/* The larger of an old and a new value: what only grows never shrinks. */
static void raise_to(uint64_t *value, uint64_t seen)
{
	if (seen > *value)
		*value = seen;
}

/* Faults, those of children waited for included. */
static void read_faults(struct process *process)
{
	uint64_t minor, children_minor, major, children_major;
	char text[1024];
	const char *at;

	if (!read_proc(process->pid, "stat", text, sizeof(text)) || !(at = strrchr(text, ')')))
		return;
	/* state ppid pgrp session tty tpgid flags minflt cminflt majflt cmajflt */
	if (sscanf(at + 1,
		   " %*c %*d %*d %*d %*d %*d %*u %" SCNu64 " %" SCNu64 " %" SCNu64 " %" SCNu64,
		   &minor, &children_minor, &major, &children_major) != 4)
		return;
	raise_to(&process->usage.counts.minor_faults, minor + children_minor);
	raise_to(&process->usage.counts.major_faults, major + children_major);
}

/* The value after "name: " in the text of /proc/PID/io. */
static uint64_t io_value(const char *text, const char *name)
{
	const char *at = strstr(text, name);

	return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

/* Calls and bytes read and written. */
static void read_io(struct process *process)
{
	struct usage_counts *counts = &process->usage.counts;
	char text[512];

	if (!read_proc(process->pid, "io", text, sizeof(text)))
		return;
	raise_to(&counts->read_calls, io_value(text, "syscr: "));
	raise_to(&counts->write_calls, io_value(text, "syscw: "));
	raise_to(&counts->read_bytes, io_value(text, "\nread_bytes: "));
	raise_to(&counts->write_bytes, io_value(text, "\nwrite_bytes: "));
}

/* Memory, in pages of 4096 bytes whatever the machine's are. tid: a thread that lives. */
static void read_resident(struct process *process, pid_t tid)
{
	static const uint64_t unit = 4096;
	uint64_t size, resident;
	char text[256];

	if (!read_proc(tid, "statm", text, sizeof(text)) ||
	    sscanf(text, "%" SCNu64 " %" SCNu64, &size, &resident) != 2)
		return;
	process->usage.resident = resident * (uint64_t)sysconf(_SC_PAGESIZE) / unit;
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
	process->usage.resident = 0;
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
