/* SPDX-License-Identifier: Apache-2.0 */
/* Finds processes as they start. */
#include "common/compat.h"
#include "session/watch/lookout.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/watch/connector.h"

#include <stdlib.h>

/* Maximum number of processes that are not young inspected per look. */
#define IN_TURNS 8

struct seen {
	pid_t pid;
	uint64_t since; /* monotonic */
};

struct lookout {
	int fd; /* of the connector; -1: none */
	struct seen *seen, *before;
	size_t count, alloc, before_alloc;
	size_t turn;	    /* next process in rotation */
	pid_t last;	    /* newest process number at the last look */
	pid_t *found;
	size_t found_count, found_alloc;
};

void pace_spend(struct pace *pace, uint64_t ns)
{
	const uint64_t now = clock_monotonic_ns();
	const uint64_t passed = pace->began ? now - pace->began : 0;
	uint64_t wait;

	pace->spent += ns;
	pace->times++;
	pace->debt = (pace->debt > passed ? pace->debt - passed : 0) + ns * LOOKOUT_PART;
	if (pace->debt > 10 * NSEC_PER_SEC)
		pace->debt = 10 * NSEC_PER_SEC;
	pace->began = now;
	wait = pace->debt;
	if (wait < LOOKOUT_SHORTEST * NSEC_PER_MSEC)
		wait = LOOKOUT_SHORTEST * NSEC_PER_MSEC;
	if (wait > LOOKOUT_LONGEST * NSEC_PER_MSEC)
		wait = LOOKOUT_LONGEST * NSEC_PER_MSEC;
	pace->next = now + wait;
}

struct lookout *lookout_new(bool connector)
{
	struct lookout *lookout = xcalloc(1, sizeof(*lookout));

	lookout->fd = connector ? connector_open() : -1;
	return lookout;
}

void lookout_free(struct lookout *lookout)
{
	if (!lookout)
		return;
	connector_close(lookout->fd);
	free(lookout->seen);
	free(lookout->before);
	free(lookout->found);
	free(lookout);
}

void lookout_leave(struct lookout *lookout)
{
	connector_leave(lookout->fd);
	lookout->fd = -1;
}

int lookout_descriptor(const struct lookout *lookout)
{
	return lookout->fd;
}

bool lookout_has_events(const struct lookout *lookout)
{
	return lookout->fd >= 0;
}

static void add_found(struct lookout *lookout, pid_t pid)
{
	GROW(lookout->found, lookout->found_count + 1, lookout->found_alloc);
	lookout->found[lookout->found_count++] = pid;
}

/* Returns the newest process number of the machine; -1: unknown. */
static pid_t newest_number(void)
{
	char path[PROCFS_PATH_SIZE], text[128], *last;

	RETURN_IF(procfs_read(procfs_path(path, "/proc/loadavg"), text, sizeof(text)) < 0, -1);
	last = strrchr(text, ' ');
	return last ? (pid_t)strtol(last, NULL, 10) : -1;
}

static int by_number(const void *a, const void *b)
{
	const struct seen *one = a, *other = b;

	return one->pid < other->pid ? -1 : one->pid > other->pid;
}

/* Reads the list of processes; new ones get the time now. */
static void read_list(struct lookout *lookout, uint64_t now)
{
	struct procfs_numbers walk;
	struct seen *swap = lookout->before;
	const size_t before_count = lookout->count, swap_alloc = lookout->before_alloc;
	size_t at = 0;
	long pid;

	lookout->before = lookout->seen;
	lookout->before_alloc = lookout->alloc;
	lookout->seen = swap;
	lookout->alloc = swap_alloc;
	lookout->count = 0;
	procfs_processes(&walk);
	while ((pid = procfs_next_number(&walk)) >= 0) {
		GROW(lookout->seen, lookout->count + 1, lookout->alloc);
		lookout->seen[lookout->count++] = (struct seen){ .pid = (pid_t)pid };
	}
	qsort(lookout->seen, lookout->count, sizeof(*lookout->seen), by_number);
	for (size_t i = 0; i < lookout->count; i++) {
		struct seen *one = &lookout->seen[i];

		while (at < before_count && lookout->before[at].pid < one->pid)
			at++;
		one->since = at < before_count && lookout->before[at].pid == one->pid
				     ? lookout->before[at].since
				     : now;
	}
}

/* Chooses the young processes, and some of the others. */
static void choose(struct lookout *lookout, bool all, uint64_t now)
{
	const uint64_t young = LOOKOUT_YOUNG * NSEC_PER_SEC;

	for (size_t i = 0; i < lookout->count; i++)
		if (all || now - lookout->seen[i].since < young)
			add_found(lookout, lookout->seen[i].pid);
	for (size_t i = 0; i < IN_TURNS && i < lookout->count && !all; i++) {
		lookout->turn = (lookout->turn + 1) % lookout->count;
		if (now - lookout->seen[lookout->turn].since >= young)
			add_found(lookout, lookout->seen[lookout->turn].pid);
	}
}

/* Scans /proc. */
static void look(struct lookout *lookout, bool all)
{
	const uint64_t now = clock_monotonic_ns();
	const pid_t newest = newest_number();

	if (all || newest < 0 || newest != lookout->last || !lookout->count)
		read_list(lookout, now);
	lookout->last = newest;
	choose(lookout, all, now);
}

/* Takes what the kernel has reported; false if reports were lost. */
static bool take_reported(struct lookout *lookout)
{
	pid_t pid;
	int result;

	while ((result = connector_next(lookout->fd, &pid)) > 0) {
		bool there = false;

		for (size_t i = lookout->found_count; i > 0 && !there; i--)
			there = lookout->found[i - 1] == pid;
		if (!there)
			add_found(lookout, pid);
		if (lookout->found_count >= 1000)
			return false;
	}
	return result == 0;
}

size_t lookout_take(struct lookout *lookout, bool all, const pid_t **processes)
{
	lookout->found_count = 0;
	if (lookout->fd >= 0 && !take_reported(lookout))
		all = true;
	if (lookout->fd < 0 || all) {
		lookout->found_count = 0;
		look(lookout, all);
	}
	*processes = lookout->found;
	return lookout->found_count;
}
