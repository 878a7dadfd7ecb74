/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPS: services that create processes, here and for other machines. Linux has no
 * such cluster service, so it is the rate and the limits of process creation, and
 * the calls of this machine to others.
 */
#include "common/compat.h"
#include "metrics/kinds.h"

static const struct metric_file files[] = {
	{ "/proc/stat", METRIC_KEYS },
	{ "/proc/loadavg", METRIC_WORDS },
	{ "/proc/sys/kernel/pid_max", METRIC_WORDS },
	{ "/proc/sys/kernel/threads-max", METRIC_WORDS },
	{ "/sys/fs/cgroup/pids.current", METRIC_WORDS },
	{ "/sys/fs/cgroup/pids.max", METRIC_WORDS },
	{ "/sys/fs/cgroup/pids.peak", METRIC_WORDS },
	{ "/sys/fs/cgroup/pids.events", METRIC_KEYS },
	{ "/proc/net/rpc/nfs", METRIC_KEYS },
	{ "/proc/sys/user/max_pid_namespaces", METRIC_WORDS },
	/* Control groups of version 1 have the same files elsewhere. */
	{ "/sys/fs/cgroup/pids/pids.current", METRIC_OTHER },
	{ "/sys/fs/cgroup/pids/pids.max", METRIC_OTHER },
	{ "/sys/fs/cgroup/pids/pids.events", METRIC_OTHER },
};

enum { STAT = 1, LOADAVG = 2, OLD_CURRENT = 11, OLD_MAX, OLD_EVENTS };
enum { TASKS = 3, GROUP_TASKS = 7, GROUP_MAX = 8, GROUP_REFUSALS = 10 };

static const struct metric_item items[] = {
	COUNTER("created", "count", KEY(1, "processes"), "Processes and threads created."),
	LEVEL("running", "tasks", KEY(1, "procs_running"), "Tasks that execute or are ready to."),
	LEVEL("blocked", "tasks", KEY(1, "procs_blocked"), "Tasks that wait for a disk."),
	LEVEL("tasks", "tasks", MADE, "Number of tasks, each thread counted."),
	IDENTITY("last_pid", "id", COLUMN(2, 5), "The last process ID assigned."),
	LEVEL("pid_max", "count", COLUMN(3, 1), "Maximum number of process IDs."),
	LEVEL("threads_max", "count", COLUMN(4, 1), "Maximum number of tasks."),
	LEVEL("group_tasks", "tasks", COLUMN(5, 1),
	      "Tasks of the container, the outermost control group visible here; missing on the "
	      "machine itself."),
	LEVEL("group_tasks_max", "count", COLUMN(6, 1),
	      "Maximum number of tasks of the container; missing: no limit."),
	LEVEL("group_tasks_peak", "tasks", COLUMN(7, 1),
	      "Highest number of tasks that the container had."),
	COUNTER("group_refusals", "count", KEY(8, "max"),
		"Processes and threads refused because the container had reached its limit."),
	COUNTER("remote_calls", "count", KEY_COLUMN(9, "rpc", 1, 0),
		"Remote procedure calls (RPC) to other machines for file systems."),
	COUNTER("remote_retries", "count", KEY_COLUMN(9, "rpc", 2, 0),
		"Such calls that were retransmitted."),
	COUNTER("remote_credentials", "count", KEY_COLUMN(9, "rpc", 3, 0),
		"How often the credentials of the caller were renewed."),
	LEVEL("namespaces_max", "count", COLUMN(10, 1),
	      "Maximum number of PID namespaces of a user."),
};

/* Sets an item without a value from the word after a mark in a text, if there is one. */
static void set_word(struct metric_source *source, size_t item, unsigned file, const char *mark)
{
	const char *text = source->texts[file - 1].last, *at = text ? strstr(text, mark) : NULL;

	if (!at || source->values[item] != UINT64_MAX)
		return;
	at += strlen(mark);
	metric_set(&items[item], at, strcspn(at, " \n"), &source->values[item], NULL);
}

static bool complete(struct metric_source *source)
{
	set_word(source, TASKS, LOADAVG, "/");
	set_word(source, GROUP_TASKS, OLD_CURRENT, "");
	set_word(source, GROUP_MAX, OLD_MAX, "");
	set_word(source, GROUP_REFUSALS, OLD_EVENTS, "max ");
	return true;
}

const struct metric_kind process_services_kind = {
	.name = "CPS",
	.record = "cps",
	.summary = "creation of processes: counts, limits, refusals; calls to other machines",
	.meaning = "The creation of processes.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.needs = STAT,
	.complete = complete,
};
