/* SPDX-License-Identifier: Apache-2.0 */
/* SYS: the machine as a whole: load, times, interrupts, limits. */
#include "common/compat.h"
#include "metrics/kinds.h"

#include <utmp.h>

static const struct metric_file files[] = {
	{ "/proc/stat", METRIC_KEYS },
	{ "/proc/loadavg", METRIC_WORDS },
	{ "/proc/uptime", METRIC_WORDS },
	{ "/proc/sys/kernel/random/entropy_avail", METRIC_WORDS },
	{ "/proc/sys/kernel/pid_max", METRIC_WORDS },
	{ "/proc/sys/kernel/threads-max", METRIC_WORDS },
	{ "/proc/sys/kernel/msgmni", METRIC_WORDS },
	{ "/proc/sys/fs/aio-nr", METRIC_WORDS },
	{ "/proc/sys/fs/aio-max-nr", METRIC_WORDS },
	{ "/proc/sys/kernel/pty/nr", METRIC_WORDS },
	{ "/proc/sys/kernel/pty/max", METRIC_WORDS },
	{ "/run/utmp", METRIC_OTHER },
};

enum { LOADAVG = 2, UTMP = 12 };

enum { LOAD_1, LOAD_5, LOAD_15, RUNNABLE, TASKS };

static const struct metric_item items[] = {
	REAL_LEVEL("load_1", "tasks", COLUMN(2, 1),
		   "Tasks that execute, are ready to, or wait for a disk; mean of about 1 minute."),
	REAL_LEVEL("load_5", "tasks", COLUMN(2, 2), "The same; mean of about 5 minutes."),
	REAL_LEVEL("load_15", "tasks", COLUMN(2, 3), "The same; mean of about 15 minutes."),
	LEVEL("tasks_runnable", "tasks", MADE, "Tasks that execute or are ready to."),
	LEVEL("tasks", "tasks", MADE, "Number of tasks, each thread counted."),
	IDENTITY("last_pid", "id", COLUMN(2, 5), "The last process ID assigned."),
	COUNTER("uptime", "ns", COLUMN_SCALED(3, 1, 1000000000),
		"Time since the machine was started."),
	COUNTER("idle_time", "ns", COLUMN_SCALED(3, 2, 1000000000),
		"Idle time, total of all processors."),
	COUNTER("user", "ns", KEY_COLUMN(1, "cpu", 1, METRIC_TICKS),
		"Time in user mode of all processors, including virtual machines."),
	COUNTER("nice", "ns", KEY_COLUMN(1, "cpu", 2, METRIC_TICKS),
		"Time in user mode of low-priority tasks, including virtual machines."),
	COUNTER("system", "ns", KEY_COLUMN(1, "cpu", 3, METRIC_TICKS), "Time in the kernel."),
	COUNTER("idle", "ns", KEY_COLUMN(1, "cpu", 4, METRIC_TICKS), "Idle time."),
	COUNTER("io_wait", "ns", KEY_COLUMN(1, "cpu", 5, METRIC_TICKS),
		"Idle time while a task waited for a disk; an estimate by the kernel."),
	COUNTER("interrupts_time", "ns", KEY_COLUMN(1, "cpu", 6, METRIC_TICKS),
		"Time in interrupt handlers."),
	COUNTER("soft_interrupts_time", "ns", KEY_COLUMN(1, "cpu", 7, METRIC_TICKS),
		"Time in deferred interrupt work (softirqs)."),
	COUNTER("stolen", "ns", KEY_COLUMN(1, "cpu", 8, METRIC_TICKS),
		"Time that the hypervisor gave to others while there was work (steal)."),
	COUNTER("guest", "ns", KEY_COLUMN(1, "cpu", 9, METRIC_TICKS),
		"Time in virtual machines; included in user."),
	COUNTER("guest_nice", "ns", KEY_COLUMN(1, "cpu", 10, METRIC_TICKS),
		"Time in low-priority virtual machines; included in nice."),
	COUNTER("interrupts", "count", KEY_COLUMN(1, "intr", 1, 0), "Interrupts."),
	COUNTER("context_switches", "count", KEY_COLUMN(1, "ctxt", 1, 0), "Context switches."),
	IDENTITY("boot_time", "s", KEY(1, "btime"),
		 "When the machine was started, seconds since 1970 UTC."),
	COUNTER("forks", "count", KEY(1, "processes"), "Processes and threads created."),
	LEVEL("running", "tasks", KEY(1, "procs_running"),
	      "Tasks that execute or are ready to, when /proc/stat was read."),
	LEVEL("blocked", "tasks", KEY(1, "procs_blocked"), "Tasks that wait for a disk."),
	COUNTER("soft_interrupts", "count", KEY_COLUMN(1, "softirq", 1, 0),
		"Softirqs (deferred interrupt work)."),
	COUNTER("soft_high", "count", KEY_COLUMN(1, "softirq", 2, 0), "Softirqs of high priority."),
	COUNTER("soft_timer", "count", KEY_COLUMN(1, "softirq", 3, 0), "Softirqs for timers."),
	COUNTER("soft_network_send", "count", KEY_COLUMN(1, "softirq", 4, 0),
		"Softirqs for sending packets."),
	COUNTER("soft_network_receive", "count", KEY_COLUMN(1, "softirq", 5, 0),
		"Softirqs for receiving packets."),
	COUNTER("soft_block", "count", KEY_COLUMN(1, "softirq", 6, 0),
		"Softirqs for block devices."),
	COUNTER("soft_block_poll", "count", KEY_COLUMN(1, "softirq", 7, 0),
		"Softirqs for polled block devices."),
	COUNTER("soft_tasklet", "count", KEY_COLUMN(1, "softirq", 8, 0),
		"Softirqs of drivers (tasklets)."),
	COUNTER("soft_scheduler", "count", KEY_COLUMN(1, "softirq", 9, 0),
		"Softirqs for balancing the load of processors."),
	COUNTER("soft_high_resolution_timer", "count", KEY_COLUMN(1, "softirq", 10, 0),
		"Softirqs for high-resolution timers."),
	COUNTER("soft_rcu", "count", KEY_COLUMN(1, "softirq", 11, 0),
		"Softirqs for RCU: they free what readers no longer use."),
	LEVEL("entropy", "bits", COLUMN(4, 1), "Entropy available in the kernel."),
	LEVEL("pid_max", "count", COLUMN(5, 1), "Maximum number of process IDs."),
	LEVEL("threads_max", "count", COLUMN(6, 1), "Maximum number of tasks."),
	LEVEL("message_queues_max", "count", COLUMN(7, 1),
	      "Maximum number of System V message queues."),
	LEVEL("asynchronous_requests", "count", COLUMN(8, 1),
	      "Asynchronous I/O requests for which contexts have room."),
	LEVEL("asynchronous_requests_max", "count", COLUMN(9, 1),
	      "Maximum number of asynchronous I/O requests."),
	LEVEL("terminals", "count", COLUMN(10, 1), "Pseudo-terminals in use."),
	LEVEL("terminals_max", "count", COLUMN(11, 1), "Maximum number of pseudo-terminals."),
	LEVEL("users", "count", MADE, "Sessions of users that are logged in (utmp)."),
};

#define USERS (ARRAY_SIZE(items) - 1)

/* Counts the sessions; without the file their number is unknown. */
static void take_users(struct metric_source *source)
{
	const struct metric_text *text = &source->texts[UTMP - 1];
	struct utmp entry;

	if (!text->last)
		return;
	source->values[USERS] = 0;
	for (size_t at = 0; text->file.text.length - at >= sizeof(entry); at += sizeof(entry)) {
		memcpy(&entry, text->last + at, sizeof(entry));
		source->values[USERS] += entry.ut_type == USER_PROCESS;
	}
}

/* Completes the record: the fourth word of loadavg is "runnable/tasks". */
static bool complete(struct metric_source *source)
{
	const char *text = source->texts[LOADAVG - 1].last;
	const char *slash = text ? strchr(text, '/') : NULL, *word = slash;

	take_users(source);
	if (!slash)
		return true;
	while (word > text && word[-1] != ' ')
		word--;
	metric_set(&items[RUNNABLE], word, (size_t)(slash - word), &source->values[RUNNABLE], NULL);
	metric_set(&items[TASKS], slash + 1, strcspn(slash + 1, " \n"), &source->values[TASKS],
		   NULL);
	return true;
}

const struct metric_kind system_kind = {
	.name = "SYS",
	.record = "sys",
	.summary = "the machine as a whole: load, processor time, interrupts, limits",
	.meaning = "The machine as a whole.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.complete = complete,
};
