/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Memory, page faults and input/output of the step's processes, from /proc.
 *
 * The kernel adds what a child used to its parent's numbers when the parent
 * waits for it, so a process that ended is counted on only when its parent is
 * not observed.
 */
#include "common/compat.h"
#include "sampler/core.h"

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
	raise_to(&process->usage.minor_faults, minor + children_minor);
	raise_to(&process->usage.major_faults, major + children_major);
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
	struct resource_usage *usage = &process->usage;
	char text[512];

	if (!read_proc(process->pid, "io", text, sizeof(text)))
		return;
	raise_to(&usage->read_calls, io_value(text, "syscr: "));
	raise_to(&usage->write_calls, io_value(text, "syscw: "));
	raise_to(&usage->read_bytes, io_value(text, "\nread_bytes: "));
	raise_to(&usage->write_bytes, io_value(text, "\nwrite_bytes: "));
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
	process->resident = resident * (uint64_t)sysconf(_SC_PAGESIZE) / unit;
}

/* Whether its first exec is over: before that it is still vigil's own child. */
static bool has_begun(const struct process *process)
{
	return process->live > 0 && (process->execs > 0 || process->image);
}

void resource_usage_look(struct sampler *sampler)
{
	unsigned looks = 0;
	pid_t tid;

	/* The newest come first; with more than a snapshot may look at, old ones keep their values.
	 */
	for (struct process *process = sampler->tasks.processes;
	     process && looks < LOOKS_A_SNAPSHOT; process = process->next) {
		if (!has_begun(process))
			continue;
		read_faults(process);
		read_io(process);
		tid = tasks_living(&sampler->tasks, process);
		read_resident(process, tid);
		files_look(sampler->files, process->pid, tid);
		looks++;
	}
}

void resource_usage_look_root(struct sampler *sampler)
{
	struct process *process = tasks_process(&sampler->tasks, sampler->root);

	if (!process || !has_begun(process))
		return;
	read_faults(process);
	read_io(process);
}

/* Add the values of one process to a sum. */
static void add_usage(struct resource_usage *sum, const struct resource_usage *usage)
{
	sum->minor_faults += usage->minor_faults;
	sum->major_faults += usage->major_faults;
	sum->read_bytes += usage->read_bytes;
	sum->write_bytes += usage->write_bytes;
	sum->read_calls += usage->read_calls;
	sum->write_calls += usage->write_calls;
}

void resource_usage_end(struct sampler *sampler, struct process *process)
{
	bool parent_alive = false;

	process->resident = 0;
	for (const struct process *other = sampler->tasks.processes; other; other = other->next)
		if (other->id == process->parent && other->live > 0)
			parent_alive = true;
	if (parent_alive)
		return;
	/* It may still be there, waiting to be waited for. */
	read_faults(process);
	read_io(process);
	add_usage(&sampler->ended_usage, &process->usage);
}

/* What a sum has grown by since it was told last. */
static uint64_t growth(uint64_t *told, uint64_t sum)
{
	uint64_t grown = sum > *told ? sum - *told : 0;

	*told += grown;
	return grown;
}

void resource_usage_step(struct sampler *sampler, struct record_step *row)
{
	struct resource_usage *told = &sampler->told_usage;
	struct resource_usage sum = sampler->ended_usage;

	row->resident = 0;
	for (const struct process *process = sampler->tasks.processes; process;
	     process = process->next) {
		if (process->live == 0)
			continue;
		row->resident += process->resident;
		add_usage(&sum, &process->usage);
	}
	row->minor_faults = growth(&told->minor_faults, sum.minor_faults);
	row->major_faults = growth(&told->major_faults, sum.major_faults);
	row->read_bytes = growth(&told->read_bytes, sum.read_bytes);
	row->write_bytes = growth(&told->write_bytes, sum.write_bytes);
	row->read_calls = growth(&told->read_calls, sum.read_calls);
	row->write_calls = growth(&told->write_calls, sum.write_calls);
}
