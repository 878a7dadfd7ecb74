/* SPDX-License-Identifier: Apache-2.0 */
/* Finds out which processes exist and which have executed. */
#include "common/compat.h"
#include "metrics/process-watch.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/*
 * Minimum number of process numbers that are checked one by one, in addition to
 * one for each known process.
 */
enum { NUMBERS_MIN = 64 };

/*
 * The initial PID name space, outside of which there is no process, has this
 * number (linux/proc_ns.h).
 */
#define FIRST_NAME_SPACE "pid:[4026531836]"

/*
 * Returns the clock id for the CPU time of a process, like clock_getcpuclockid but
 * without its check.
 */
static uint64_t clock_of(uint64_t pid)
{
	struct timespec used;

	if (clock_gettime((clockid_t)(~(unsigned)pid << 3 | 2), &used) < 0)
		return UINT64_MAX;
	return clock_timespec_ns(&used);
}

bool process_priority(uint64_t pid, struct process_priority *priority)
{
	memset(priority, 0, sizeof(*priority));
	return syscall(SYS_sched_getattr, (pid_t)pid, priority, sizeof(*priority), 0) == 0;
}

/*
 * Determines whether /proc is that of this process, and whether there are no
 * processes outside its name space.
 */
static void begin(struct process_watch *watch)
{
	char path[PROCFS_PATH_SIZE], target[64], number[32];

	watch->begun = true;
	watch->load = open(procfs_path(path, "/proc/loadavg"), O_RDONLY | O_CLOEXEC);
	snprintf(number, sizeof(number), "%ld", (long)getpid());
	if (strcmp(procfs_path(path, "/proc"), "/proc") != 0 ||
	    procfs_link("/proc/self", target, sizeof(target)) < 0 || strcmp(target, number) != 0)
		return;
	watch->has_clocks = clock_of((uint64_t)getpid()) != UINT64_MAX;
	watch->counts = watch->has_clocks &&
			procfs_link("/proc/self/ns/pid", target, sizeof(target)) > 0 &&
			strcmp(target, FIRST_NAME_SPACE) == 0;
}

/*
 * Reads "0.00 0.01 0.05 3/161 4711": the number of ready tasks, and the last
 * process number assigned.
 */
static uint64_t read_load(struct process_watch *watch)
{
	char text[128], *at = text;
	uint64_t ready;

	watch->ready = UINT64_MAX;
	if (watch->load < 0 || procfs_reread(watch->load, text, sizeof(text)) < 1)
		return 0;
	for (int i = 0; i < 3 && at; i++)
		at = strchr(at + 1, ' ');
	RETURN_IF(!at, 0);
	ready = strtoull(at, &at, 10);
	RETURN_IF(*at != '/', 0);
	at = strchr(at, ' ');
	RETURN_IF(!at, 0);
	watch->ready = ready;
	return strtoull(at, NULL, 10);
}

/* Returns the kernel's count of folders in /proc: one a process, and some others. */
static uint64_t folders(void)
{
	struct stat status;

	return stat("/proc", &status) == 0 ? (uint64_t)status.st_nlink : 0;
}

static void add(struct process_watch *watch, uint64_t pid, uint64_t clock)
{
	GROW(watch->list, watch->count + 1, watch->alloc);
	watch->list[watch->count++] = (struct process_seen){ pid, clock };
}

/* Lists /proc. */
static void list(struct process_watch *watch)
{
	struct procfs_numbers walk;
	long pid;

	watch->count = 0;
	watch->looks = 0;
	procfs_processes(&walk);
	while ((pid = procfs_next_number(&walk)) > 0)
		add(watch, (uint64_t)pid,
		    watch->has_clocks ? clock_of((uint64_t)pid) : UINT64_MAX);
	watch->uncounted_excess = watch->counts ? folders() - watch->count : 0;
}

/* Reads the clocks of the known processes, and removes those without one. */
static void read_clocks(struct process_watch *watch)
{
	size_t kept = 0;

	for (size_t i = 0; i < watch->count; i++) {
		uint64_t pid = watch->list[i].pid, clock = clock_of(pid);

		if (clock != UINT64_MAX)
			watch->list[kept++] = (struct process_seen){ pid, clock };
	}
	watch->count = kept;
}

/*
 * Returns whether a number is that of a visible process; the number of this thread
 * has a clock, too.
 */
static bool is_process(uint64_t pid)
{
	char path[PROCFS_PATH_SIZE];

	return (pid == (uint64_t)getpid() || pid != (uint64_t)syscall(SYS_gettid)) &&
	       access(procfs_process(path, (pid_t)pid, "stat"), F_OK) == 0;
}

static int compare(const void *a, const void *b)
{
	const struct process_seen *one = a, *other = b;

	return (one->pid > other->pid) - (one->pid < other->pid);
}

/*
 * Adds processes whose numbers were assigned since the look before the last: a
 * process may have had a number by then without being visible. Returns false when
 * /proc must be listed.
 */
static bool add_new(struct process_watch *watch, uint64_t newest)
{
	size_t known = watch->count;

	if (!newest || newest < watch->newest || watch->newest < watch->earlier ||
	    newest - watch->earlier > NUMBERS_MIN + known)
		return false;
	for (uint64_t pid = watch->earlier + 1; pid <= newest; pid++) {
		const struct process_seen wanted = { .pid = pid };
		uint64_t clock;

		if (known && bsearch(&wanted, watch->list, known, sizeof(wanted), compare))
			continue;
		clock = clock_of(pid);
		if (clock != UINT64_MAX && is_process(pid))
			add(watch, pid, clock);
	}
	if (watch->count > known)
		qsort(watch->list, watch->count, sizeof(*watch->list), compare);
	return !watch->counts || folders() == watch->count + watch->uncounted_excess;
}

/* Continues from the state of the last look. Returns false when /proc must be listed. */
static bool continue_watch(struct process_watch *watch, uint64_t newest)
{
	if (!watch->has_clocks || !watch->count || ++watch->looks >= PROCESS_WATCH_LIST)
		return false;
	read_clocks(watch);
	return add_new(watch, newest);
}

void process_watch_look(struct process_watch *watch)
{
	uint64_t newest;

	if (!watch->begun)
		begin(watch);
	newest = read_load(watch);
	if (!continue_watch(watch, newest))
		list(watch);
	watch->earlier = watch->newest;
	watch->newest = newest;
}

void process_watch_release(struct process_watch *watch)
{
	if (watch->begun && watch->load >= 0)
		close(watch->load);
	free(watch->list);
}
