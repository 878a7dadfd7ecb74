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
	LEVEL("running", "tasks", KEY(1, "procs_running"), "Tasks that execute or want to."),
	LEVEL("blocked", "tasks", KEY(1, "procs_blocked"), "Tasks that wait for a disk."),
	LEVEL("tasks", "tasks", MADE, "Tasks there are, threads counted one by one."),
	IDENTITY("last_pid", "id", COLUMN(2, 5), "The process number that was given last."),
	LEVEL("pid_max", "count", COLUMN(3, 1), "Process numbers there can be."),
	LEVEL("threads_max", "count", COLUMN(4, 1), "Tasks there can be."),
	LEVEL("group_tasks", "tasks", COLUMN(5, 1),
	      "Tasks of the container, the outermost control group that is seen here; the machine "
	      "itself has none."),
	LEVEL("group_tasks_max", "count", COLUMN(6, 1),
	      "Tasks it may have; missing where there is no limit."),
	LEVEL("group_tasks_peak", "tasks", COLUMN(7, 1), "The most tasks it had."),
	COUNTER("group_refusals", "count", KEY(8, "max"),
		"Processes and threads that were refused because it has its tasks."),
	COUNTER("remote_calls", "count", KEY_COLUMN(9, "rpc", 1, 0),
		"Calls of procedures of other machines (RPC) for its file systems."),
	COUNTER("remote_retries", "count", KEY_COLUMN(9, "rpc", 2, 0),
		"Such calls that were sent again."),
	COUNTER("remote_credentials", "count", KEY_COLUMN(9, "rpc", 3, 0),
		"How often the proof of who calls was renewed."),
	LEVEL("namespaces_max", "count", COLUMN(10, 1),
	      "Name spaces of process numbers that a user may make."),
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
	.summary = "creation of processes: how many, limits, refusals; calls to other machines",
	.meaning = "What makes processes.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.needs = STAT,
	.complete = complete,
};
