/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PRO: the processes.
 *
 * Most processes of a machine sleep. If a process has not executed since the last
 * snapshot, by the clock of all its threads (process-watch.h), it is unchanged
 * except for what others can do to it: take its memory (statm), set its priority,
 * end its parent, move it to another process group, take its terminal. All of
 * these are checked, and no other file of it is read. After UNREAD_MAX snapshots
 * all files are.
 *
 * A process that is ready but has not got a processor yet has not executed either.
 * If more tasks are ready than were found, stat of some others is read, of each
 * within READY_WITHIN snapshots; that of processes found ready is read each time.
 *
 * Without clocks, stat is read each time. If the only thread of a process has not
 * executed, by schedstat, its status and its input and output are unchanged.
 */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "common/idmap.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "metrics/process-watch.h"
#include "metrics/task-statistics.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STAT = 1, STATUS, IO, SCHEDULE, MEMORY, DELAYS };

static const struct metric_file files[] = {
	{ "/proc/PID/stat", METRIC_OTHER },
	{ "/proc/PID/status", METRIC_KEYS },
	{ "/proc/PID/io", METRIC_KEYS },
	{ "/proc/PID/schedstat", METRIC_WORDS },
	{ "/proc/PID/statm", METRIC_OTHER },
};

static const char *const file_names[] = { "stat", "status", "io", "schedstat", "statm" };

/* Snapshots after which the files of a process are read even if it has not executed. */
enum { UNREAD_MAX = 60 };
/* Snapshots within which a ready process that has not executed is reported as ready. */
enum { READY_WITHIN = 10 };
/* Flag of kernel threads, which have no user memory (linux/sched.h). */
#define KERNEL_THREAD UINT64_C(0x00200000)

#define COMMAND_MAX 200
/* Number of the word after the name in stat that differs between executed programs. */
#define ARGUMENTS_AT 46

static const struct metric_item items[] = {
	IDENTITY("pid", "process", MADE, "Process ID."),
	TEXT_IDENTITY("name", "name", MADE, "Name of its first thread, at most 15 bytes."),
	TEXT_IDENTITY("command", "name", MADE,
		      "Its command line, words separated by blanks, at most 200 bytes; kernel "
		      "threads have none."),
	TEXT_LEVEL("state", "name", COLUMN(STAT, 1),
		   "State of its first thread: R executes or is ready to, S sleeps, D waits for a "
		   "disk, T is stopped, Z has ended, I idles in the kernel. R may be recorded up "
		   "to 10 snapshots late for a process that is ready but has not executed yet."),
	IDENTITY("parent", "id", COLUMN(STAT, 2), "Process ID of its parent."),
	IDENTITY("group", "id", COLUMN(STAT, 3), "Its process group."),
	IDENTITY("session", "id", COLUMN(STAT, 4), "Its session."),
	IDENTITY("terminal", "id", COLUMN(STAT, 5), "Device number of its terminal; 0: none."),
	LEVEL("flags", "flags", COLUMN(STAT, 7), "Its kernel flags (PF_...)."),
	COUNTER("minor_faults", "count", COLUMN(STAT, 8),
		"Page faults that did not wait for a disk."),
	COUNTER("children_minor_faults", "count", COLUMN(STAT, 9),
		"The same of ended children that it has waited for."),
	COUNTER("major_faults", "count", COLUMN(STAT, 10), "Page faults that waited for a disk."),
	COUNTER("children_major_faults", "count", COLUMN(STAT, 11),
		"The same of ended children that it has waited for."),
	COUNTER("user", "ns", COLUMN_SCALED(STAT, 12, METRIC_TICKS),
		"Processor time in user mode."),
	COUNTER("system", "ns", COLUMN_SCALED(STAT, 13, METRIC_TICKS),
		"Processor time in the kernel."),
	COUNTER("children_user", "ns", COLUMN_SCALED(STAT, 14, METRIC_TICKS),
		"Processor time in user mode of ended children that it has waited for."),
	COUNTER("children_system", "ns", COLUMN_SCALED(STAT, 15, METRIC_TICKS),
		"Processor time in the kernel of ended children that it has waited for."),
	SIGNED_LEVEL("priority", "level", COLUMN(STAT, 16),
		     "Its kernel priority: 20 plus nice; below 0 for real time."),
	SIGNED_LEVEL("nice", "level", COLUMN(STAT, 17),
		     "Its nice value: from -20 (highest priority) to 19 (lowest)."),
	LEVEL("threads", "count", COLUMN(STAT, 18), "Number of its threads."),
	IDENTITY("start", "ns", COLUMN_SCALED(STAT, 20, METRIC_TICKS),
		 "When it was started, as time since the start of the machine."),
	LEVEL("virtual", "bytes", COLUMN(STAT, 21), "Size of its address space."),
	LEVEL("resident", "bytes", COLUMN_SCALED(STAT, 22, METRIC_PAGES),
	      "Part of its address space that is in memory."),
	LEVEL("processor", "id", COLUMN(STAT, 37),
	      "The processor on which its first thread executed last."),
	LEVEL("real_time_priority", "level", COLUMN(STAT, 38),
	      "Real-time priority; 0 for other tasks."),
	LEVEL("policy", "id", COLUMN(STAT, 39), "Its scheduling policy (SCHED_...)."),
	COUNTER("block_delay", "ns", COLUMN_SCALED(STAT, 40, METRIC_TICKS),
		"Time for which its first thread waited for block devices, if the kernel counts "
		"it."),
	COUNTER("guest", "ns", COLUMN_SCALED(STAT, 41, METRIC_TICKS),
		"Time in virtual machines; included in user."),
	COUNTER("children_guest", "ns", COLUMN_SCALED(STAT, 42, METRIC_TICKS),
		"The same of ended children that it has waited for."),
	IDENTITY("user_id", "id", KEY_COLUMN(STATUS, "Uid", 1, 0), "Real user ID."),
	IDENTITY("effective_user_id", "id", KEY_COLUMN(STATUS, "Uid", 2, 0),
		 "Effective user ID."),
	IDENTITY("saved_user_id", "id", KEY_COLUMN(STATUS, "Uid", 3, 0), "Saved user ID."),
	IDENTITY("file_user_id", "id", KEY_COLUMN(STATUS, "Uid", 4, 0),
		 "User ID for file access."),
	IDENTITY("group_id", "id", KEY_COLUMN(STATUS, "Gid", 1, 0), "Real group ID."),
	IDENTITY("effective_group_id", "id", KEY_COLUMN(STATUS, "Gid", 2, 0),
		 "Effective group ID."),
	IDENTITY("saved_group_id", "id", KEY_COLUMN(STATUS, "Gid", 3, 0), "Saved group ID."),
	IDENTITY("file_group_id", "id", KEY_COLUMN(STATUS, "Gid", 4, 0),
		 "Group ID for file access."),
	LEVEL("descriptors_room", "count", KEY(STATUS, "FDSize"),
	      "Size of its file descriptor table."),
	LEVEL("virtual_peak", "bytes", KEY_SCALED(STATUS, "VmPeak", 1024),
	      "Maximum size of its address space."),
	LEVEL("locked", "bytes", KEY_SCALED(STATUS, "VmLck", 1024), "Memory that it has locked."),
	LEVEL("pinned", "bytes", KEY_SCALED(STATUS, "VmPin", 1024),
	      "Memory that is pinned for devices."),
	LEVEL("resident_peak", "bytes", KEY_SCALED(STATUS, "VmHWM", 1024),
	      "Maximum of its memory (high-water mark)."),
	LEVEL("anonymous", "bytes", KEY_SCALED(STATUS, "RssAnon", 1024),
	      "Its anonymous memory."),
	LEVEL("file", "bytes", KEY_SCALED(STATUS, "RssFile", 1024),
	      "Its memory with file pages."),
	LEVEL("shared", "bytes", KEY_SCALED(STATUS, "RssShmem", 1024), "Its shared memory."),
	LEVEL("data", "bytes", KEY_SCALED(STATUS, "VmData", 1024), "Address space of its data."),
	LEVEL("stack", "bytes", KEY_SCALED(STATUS, "VmStk", 1024), "Address space of its stack."),
	LEVEL("text", "bytes", KEY_SCALED(STATUS, "VmExe", 1024),
	      "Address space of its program code."),
	LEVEL("libraries", "bytes", KEY_SCALED(STATUS, "VmLib", 1024),
	      "Address space of its libraries."),
	LEVEL("page_tables", "bytes", KEY_SCALED(STATUS, "VmPTE", 1024), "Its page tables."),
	LEVEL("swapped", "bytes", KEY_SCALED(STATUS, "VmSwap", 1024),
	      "Its memory that is in swap."),
	LEVEL("huge_pages", "bytes", KEY_SCALED(STATUS, "HugetlbPages", 1024),
	      "Its memory from the huge page pools."),
	LEVEL("seccomp", "id", KEY(STATUS, "Seccomp"),
	      "Whether its system calls are restricted: 0 no, 1 strictly, 2 by a filter."),
	LEVEL("traced_by", "id", KEY(STATUS, "TracerPid"), "The process that traces it; 0: none."),
	COUNTER("voluntary_switches", "count", KEY(STATUS, "voluntary_ctxt_switches"),
		"How often its first thread gave up the processor to wait (voluntary switches)."),
	COUNTER("involuntary_switches", "count", KEY(STATUS, "nonvoluntary_ctxt_switches"),
		"How often its first thread lost the processor to another (involuntary switches)."),
	COUNTER("characters_read", "bytes", KEY(IO, "rchar"),
		"Bytes that it read, from files and everything else."),
	COUNTER("characters_written", "bytes", KEY(IO, "wchar"),
		"Bytes that it wrote, to files and everything else."),
	COUNTER("read_calls", "count", KEY(IO, "syscr"), "Calls that read."),
	COUNTER("write_calls", "count", KEY(IO, "syscw"), "Calls that write."),
	COUNTER("bytes_read", "bytes", KEY(IO, "read_bytes"),
		"Bytes fetched from block devices for it."),
	COUNTER("bytes_written", "bytes", KEY(IO, "write_bytes"),
		"Bytes that it caused to be written to block devices."),
	COUNTER("cancelled_write_bytes", "bytes", KEY(IO, "cancelled_write_bytes"),
		"Bytes counted as written but discarded before they reached a device."),
	COUNTER("run_time", "ns", COLUMN(SCHEDULE, 1), "Time for which its first thread executed."),
	COUNTER("run_delay", "ns", COLUMN(SCHEDULE, 2),
		"Time for which its first thread was ready and waited for a processor."),
	COUNTER("slices", "count", COLUMN(SCHEDULE, 3),
		"How often its first thread got a processor."),
	/* In the order of enum task_delay: number and time. */
	COUNTER("processor_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads had to wait for a processor. This and the following items "
		"come from taskstats (EXEC)."),
	COUNTER("processor_delay", "ns", COLUMN(DELAYS, 0),
		"Time for which its threads were ready and waited for a processor."),
	COUNTER("disk_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads waited for block devices."),
	COUNTER("disk_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	COUNTER("swap_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads waited for pages from swap."),
	COUNTER("swap_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	COUNTER("reclaim_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads had to reclaim memory before they got some."),
	COUNTER("reclaim_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	COUNTER("thrashing_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads waited for pages that had been reclaimed shortly before."),
	COUNTER("thrashing_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	COUNTER("compaction_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads waited for memory compaction."),
	COUNTER("compaction_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	COUNTER("copy_delays", "count", COLUMN(DELAYS, 0),
		"How often its threads waited for the copy of a shared page (copy on write)."),
	COUNTER("copy_delay", "ns", COLUMN(DELAYS, 0), "Total time of these waits."),
	TEXT_IDENTITY(
		"control_group", "name", MADE,
		"The control group in which its program was started; of version 2 if both versions "
		"exist."),
	TEXT_LEVEL("privileges", "flags", KEY(STATUS, "CapEff"),
		   "Its effective capabilities (CAP_...), a hexadecimal bit mask."),
	LEVEL("no_new_privileges", "flag", KEY(STATUS, "NoNewPrivs"),
	      "Whether no program that it starts can gain privileges: 1 yes, 0 no."),
	TEXT_LEVEL("processors_allowed", "name", KEY(STATUS, "Cpus_allowed_list"),
		   "Processors on which it may execute."),
	TEXT_LEVEL("nodes_allowed", "name", KEY(STATUS, "Mems_allowed_list"),
		   "Memory nodes from which it may get memory."),
	LEVEL("huge_pages_allowed", "flag", KEY(STATUS, "THP_enabled"),
	      "Whether it may get transparent huge pages: 1 yes, 0 no."),
	LEVEL("ending_signal", "id", COLUMN(STAT, 36),
	      "The signal that its parent receives when it ends."),
	IDENTITY("numa_group", "id", KEY(STATUS, "Ngid"),
		 "The group of tasks that share memory (NUMA); 0: none."),
};

#define ITEM_COUNT ARRAY_SIZE(items)

/* Bytes kept of the line of stat; enough for an ordinary process. */
enum { STAT_KEPT = 480 };
/* Bytes kept of the line of statm. */
enum { STATM_KEPT = 96 };

/* A process seen so far. */
struct process {
	uint64_t pid;
	uint64_t snapshot;		 /* the last one in which it was reported */
	uint64_t seen;			 /* the last one in which it existed */
	uint64_t clock;			 /* its clock then; UINT64_MAX: unknown */
	bool executed;			 /* since the previous snapshot, as far as is known */
	bool has_values;			 /* it has values of this snapshot */
	uint64_t image;			 /* address of its arguments: changes with each exec */
	int fds[ARRAY_SIZE(file_names)]; /* -1: not open */
	bool refused[ARRAY_SIZE(file_names)];
	bool complete;		     /* values of the last snapshot are present: */
	uint64_t values[ITEM_COUNT];
	char stat[STAT_KEPT]; /* the text they come from; a longer one is parsed again each time */
	size_t stat_length;
	/* State that others can change, as of reading its files; valid if it had not executed. */
	bool external_state_read;
	struct process_priority priority;
	char memory[STATM_KEPT];
};

struct processes {
	struct process **list; /* owned, with its elements */
	size_t count, alloc;
	struct idmap by_pid; /* index in list */
	struct process_watch watch;
	uint64_t snapshot;
	uint64_t missing[ITEM_COUNT]; /* values of an empty record */
	size_t open, open_max;	      /* number of descriptors */
	size_t next_check;		      /* index of the process last checked for its state */
	/* Indexes of items, looked up by name once. */
	size_t pid, name, command, state, parent, process_group, session, terminal, flags, threads,
		resident, run_time, slices, start, delays, group;
	uint64_t ready, ended, dead; /* names of states */
};

/* Returns the item of a name. */
static size_t item_of(const char *name)
{
	size_t item = 0;

	while (strcmp(items[item].name, name) != 0)
		item++;
	return item;
}

/* Looks up the items; a third of the process's descriptors may be used. */
static void prepare(struct processes *all, struct strmap *strings)
{
	struct rlimit limit;

	idmap_init(&all->by_pid);
	metric_clear(items, ITEM_COUNT, all->missing);
	all->open_max = 256;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		all->open_max = (size_t)(limit.rlim_cur < 60000 ? limit.rlim_cur : 60000) / 3;
	all->pid = item_of("pid");
	all->name = item_of("name");
	all->command = item_of("command");
	all->state = item_of("state");
	all->parent = item_of("parent");
	all->process_group = item_of("group");
	all->session = item_of("session");
	all->terminal = item_of("terminal");
	all->flags = item_of("flags");
	all->threads = item_of("threads");
	all->resident = item_of("resident");
	all->run_time = item_of("run_time");
	all->slices = item_of("slices");
	all->start = item_of("start");
	all->delays = item_of("processor_delays");
	all->group = item_of("control_group");
	all->ready = strmap_put(strings, "R");
	all->ended = strmap_put(strings, "Z");
	all->dead = strmap_put(strings, "X");
}

/* Closes the files of a process. */
static void close_files(struct processes *all, struct process *process)
{
	for (size_t i = 0; i < ARRAY_SIZE(file_names); i++) {
		if (process->fds[i] < 0)
			continue;
		close(process->fds[i]);
		process->fds[i] = -1;
		all->open--;
	}
}

/* Initializes a process, new or with a reused number. */
static void begin_process(struct processes *all, struct process *process)
{
	close_files(all, process);
	memset(process->refused, 0, sizeof(process->refused));
	process->complete = false;
	process->image = 0;
}

/* Returns the state of a process. */
static struct process *find(struct processes *all, uint64_t pid)
{
	struct process *process;
	uint64_t at;

	if (idmap_get(&all->by_pid, pid, &at))
		return all->list[at];
	process = xcalloc(1, sizeof(*process));
	process->pid = pid;
	memset(process->fds, 0xff, sizeof(process->fds));
	GROW(all->list, all->count + 1, all->alloc);
	idmap_put(&all->by_pid, pid, all->count);
	all->list[all->count++] = process;
	return process;
}

/* Removes the processes that were not seen in this snapshot. */
static void forget(struct processes *all)
{
	for (size_t i = all->count; i-- > 0;) {
		struct process *process = all->list[i];

		if (process->snapshot == all->snapshot)
			continue;
		close_files(all, process);
		idmap_remove(&all->by_pid, process->pid);
		free(process);
		all->list[i] = all->list[--all->count];
		if (i < all->count)
			idmap_put(&all->by_pid, all->list[i]->pid, i);
	}
}

/*
 * Reads a file of a process, which stays open while descriptors are available.
 * Returns its length, -1 with errno.
 */
static ssize_t read_file(struct processes *all, struct process *process, unsigned file, char *text,
			 size_t size)
{
	char path[PROCFS_PATH_SIZE];
	int *fd = &process->fds[file - 1];
	ssize_t length;

	if (*fd >= 0)
		return procfs_reread(*fd, text, size);
	procfs_process(path, (pid_t)process->pid, file_names[file - 1]);
	if (all->open >= all->open_max)
		return procfs_read(path, text, size);
	*fd = open(path, O_RDONLY | O_CLOEXEC);
	if (*fd < 0)
		return -1;
	all->open++;
	length = procfs_reread(*fd, text, size);
	if (length < 0) {
		close(*fd);
		*fd = -1;
		all->open--;
	}
	return length;
}

/* Reads one of the files that may be refused, and takes its values. */
static void take_file(struct metric_source *source, struct process *process, unsigned file)
{
	char text[4096];

	if (process->refused[file - 1])
		return;
	if (read_file(source->own, process, file, text, sizeof(text)) < 0) {
		process->refused[file - 1] = errno == EACCES || errno == EPERM || errno == ENOENT;
		return;
	}
	metric_parse(&source->texts[file - 1].plan, files[file - 1].form, text, source->values,
		    source->strings);
}

/* Reads the command line, when a program begins. */
static void take_command(struct metric_source *source, const struct process *process)
{
	const struct processes *all = source->own;
	char path[PROCFS_PATH_SIZE], text[COMMAND_MAX + 1];
	ssize_t length = procfs_read(procfs_process(path, (pid_t)process->pid, "cmdline"), text,
				     sizeof(text));

	while (length > 0 && !text[length - 1])
		length--;
	for (ssize_t i = 0; i < length; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
	if (length > 0)
		source->values[all->command] = strmap_put_n(source->strings, text, (size_t)length);
}

/* Reads the control group, when a program begins. */
static void take_group(struct metric_source *source, const struct process *process)
{
	const struct processes *all = source->own;
	char path[PROCFS_PATH_SIZE], text[4096];
	const char *line = text;

	if (procfs_read(procfs_process(path, (pid_t)process->pid, "cgroup"), text, sizeof(text)) <
	    1)
		return;
	/* Lines "number:controllers:path"; number 0 is the hierarchy of version 2. */
	if (strncmp(text, "0::", 3) != 0 && strstr(text, "\n0::"))
		line = strstr(text, "\n0::") + 1;
	line = strchr(line, ':');
	line = line ? strchr(line + 1, ':') : NULL;
	if (line)
		source->values[all->group] =
			strmap_put_n(source->strings, line + 1, strcspn(line + 1, "\n"));
}

/* Returns the address of the program's arguments, 0 when it is not reported. */
static uint64_t image_of(const char *at)
{
	for (unsigned word = 0; word < ARGUMENTS_AT && at; word++) {
		at = strchr(at, ' ');
		at = at ? at + 1 : NULL;
	}
	return at ? strtoull(at, NULL, 10) : 0;
}

/* Parses the line of stat. Returns false when it is invalid. */
static bool take_stat(struct metric_source *source, const char *text, uint64_t *image)
{
	const struct processes *all = source->own;
	const char *name = strchr(text, '('), *end = strrchr(text, ')');

	if (!name || !end || end < name)
		return false;
	source->values[all->name] =
		strmap_put_n(source->strings, name + 1, (size_t)(end - name - 1));
	metric_parse_line(&source->texts[STAT - 1].plan, end + 1, source->values, source->strings);
	*image = image_of(end);
	return source->values[all->start] != UINT64_MAX;
}

/* Returns whether all files of a process must be read again, whatever it did. */
static bool is_due(const struct processes *all, const struct process *process)
{
	return (process->pid + all->snapshot) % UNREAD_MAX == 0;
}

/* Returns whether a process has done nothing since the snapshot of its old values. */
static bool is_idle(const struct processes *all, const struct process *process,
		    const uint64_t *values)
{
	const uint64_t *old = process->values;

	if (is_due(all, process))
		return false;
	return process->complete &&
	       (!process->executed ||
		(values[all->threads] == 1 && old[all->threads] == 1)) &&
	       values[all->slices] != UINT64_MAX && values[all->slices] == old[all->slices] &&
	       values[all->run_time] == old[all->run_time] &&
	       values[all->resident] == old[all->resident];
}

/* Files that have no new data on an idle process. */
enum { OF_SCHEDULE = 1U << SCHEDULE, OF_OTHERS = 1U << STATUS | 1U << IO | 1U << DELAYS };

/* Copies the items of some files from other values. */
static void set_items(uint64_t *values, const uint64_t *others, unsigned of)
{
	for (size_t i = 0; i < ITEM_COUNT; i++)
		if (of >> items[i].from.file & 1)
			values[i] = others[i];
}

/* Takes the values of stat; for a new program, also those that are read only once. */
static bool take_changed_stat(struct metric_source *source, struct process *process,
			      const char *text)
{
	struct processes *all = source->own;
	uint64_t image;

	memcpy(source->values, all->missing, sizeof(all->missing));
	source->values[all->pid] = process->pid;
	RETURN_IF(!take_stat(source, text, &image), false);
	if (process->complete && process->values[all->start] != source->values[all->start])
		begin_process(all, process);
	if (process->complete && process->image == image &&
	    process->values[all->name] == source->values[all->name]) {
		source->values[all->command] = process->values[all->command];
		source->values[all->group] = process->values[all->group];
	} else {
		take_command(source, process);
		take_group(source, process);
	}
	process->image = image;
	return true;
}

/*
 * Reads stat. An open file may belong to an ended process whose number is reused.
 * For a sleeping process the text is mostly identical.
 */
static bool read_stat(struct metric_source *source, struct process *process)
{
	char text[2048];
	bool open = process->fds[STAT - 1] >= 0;
	ssize_t length = read_file(source->own, process, STAT, text, sizeof(text));

	if (length < 0) {
		RETURN_IF(!open, false);
		begin_process(source->own, process);
		length = read_file(source->own, process, STAT, text, sizeof(text));
		RETURN_IF(length < 0, false);
	}
	if (process->complete && length > 0 && process->stat_length == (size_t)length &&
	    memcmp(process->stat, text, (size_t)length) == 0) {
		memcpy(source->values, process->values, sizeof(process->values));
		return true;
	}
	RETURN_IF(!take_changed_stat(source, process, text), false);
	process->stat_length = (size_t)length < sizeof(process->stat) ? (size_t)length : 0;
	memcpy(process->stat, text, process->stat_length);
	return true;
}

/* Queries the kernel for the delays of the process. */
static void take_delays(struct metric_source *source, uint64_t pid)
{
	const struct processes *all = source->own;
	uint64_t *values = source->values + all->delays;
	struct task_delays delays;

	if (!source->support->tasks || !task_statistics_ask(source->support->tasks, pid, &delays))
		return;
	/* For a process that has ended meanwhile the kernel reports 0. */
	if (source->values[all->slices] != UINT64_MAX &&
	    delays.count[DELAY_CPU] < source->values[all->slices])
		return;
	for (size_t i = 0; i < DELAY_KINDS; i++) {
		values[2 * i] = delays.count[i];
		values[2 * i + 1] = delays.total[i];
	}
}

/*
 * Reads the state that others can change for a process that does not execute; it
 * is incomplete if it does.
 */
static void read_external_state(struct processes *all, struct process *process,
			      struct process_priority *priority, char memory[STATM_KEPT])
{
	bool has_memory = !process->complete || !(process->values[all->flags] & KERNEL_THREAD);

	memory[0] = '\0';
	if (!process_priority(process->pid, priority))
		memset(priority, 0, sizeof(*priority));
	if (has_memory && read_file(all, process, MEMORY, memory, STATM_KEPT) < 0)
		memory[0] = '\0';
}

/* Takes the values of one process. Returns false when there is none. */
static bool take_process(struct metric_source *source, struct process *process)
{
	struct processes *all = source->own;

	/* First of all: changes from now on are seen at the next snapshot. */
	process->external_state_read = !process->executed;
	if (process->external_state_read)
		read_external_state(all, process, &process->priority, process->memory);
	RETURN_IF(!read_stat(source, process), false);
	set_items(source->values, all->missing, OF_SCHEDULE);
	take_file(source, process, SCHEDULE);
	if (is_idle(all, process, source->values)) {
		set_items(source->values, process->values, OF_OTHERS);
	} else {
		set_items(source->values, all->missing, OF_OTHERS);
		take_file(source, process, STATUS);
		take_file(source, process, IO);
		take_delays(source, process->pid);
	}
	memcpy(process->values, source->values, sizeof(process->values));
	process->complete = true;
	process->has_values = true;
	return true;
}

/* Returns an existing process; NULL: none. */
static struct process *find_seen(const struct processes *all, uint64_t pid)
{
	uint64_t at;

	return idmap_get(&all->by_pid, pid, &at) && all->list[at]->seen == all->snapshot
		       ? all->list[at]
		       : NULL;
}

/*
 * Returns whether a process may have been affected by another one: by the end of
 * its parent, by its parent moving it to another process group, by its session
 * leader taking its terminal.
 */
static bool may_be_affected(const struct processes *all, const struct process *process)
{
	const uint64_t *values = process->values;
	const struct process *parent, *first;

	if (values[all->terminal]) {
		first = find_seen(all, values[all->session]);
		RETURN_IF(!first || first->executed, true);
	}
	RETURN_IF(!values[all->parent], false);
	parent = find_seen(all, values[all->parent]);
	RETURN_IF(!parent, true);
	RETURN_IF(!parent->executed, false);
	return !parent->has_values || parent->values[all->state] == all->ended ||
	       parent->values[all->state] == all->dead ||
	       (uint64_t)getpgid((pid_t)process->pid) != values[all->process_group];
}

/* Returns whether a process is unchanged, except that it may be ready now. */
static bool is_unchanged(struct processes *all, struct process *process)
{
	struct process_priority priority;
	char memory[STATM_KEPT];

	RETURN_IF(process->executed || !process->external_state_read || process->values[all->state] == all->ready ||
			  is_due(all, process) || may_be_affected(all, process),
		  false);
	read_external_state(all, process, &priority, memory);
	return memcmp(&priority, &process->priority, sizeof(priority)) == 0 &&
	       strcmp(memory, process->memory) == 0;
}

/* Finds out which processes exist, and which of them have executed. */
static void look(struct processes *all)
{
	process_watch_look(&all->watch);
	for (size_t i = 0; i < all->watch.count; i++) {
		const struct process_seen *seen = &all->watch.list[i];
		struct process *process = find(all, seen->pid);

		process->executed = !process->complete || seen->clock == UINT64_MAX ||
				    process->clock != seen->clock;
		process->clock = seen->clock;
		process->seen = all->snapshot;
		process->has_values = false;
	}
}

/* Takes a process. Returns 1 if it is ready, otherwise 0. */
static uint64_t take_state(struct metric_source *source, struct process *process)
{
	const struct processes *all = source->own;

	process->complete = take_process(source, process);
	return process->complete && process->values[all->state] == all->ready;
}

/* Returns whether stat is unchanged. */
static bool says_the_same(struct processes *all, struct process *process)
{
	char text[2048];
	ssize_t length = read_file(all, process, STAT, text, sizeof(text));

	return length > 0 && process->stat_length == (size_t)length &&
	       memcmp(process->stat, text, (size_t)length) == 0;
}

/* Takes some of the unchanged processes, in turn, if more tasks are ready than are known. */
static void take_ready(struct metric_source *source, uint64_t ready)
{
	struct processes *all = source->own;
	size_t most = (all->watch.count + READY_WITHIN - 1) / READY_WITHIN;

	for (size_t i = 0; i < all->watch.count && most && ready < all->watch.ready; i++) {
		struct process *process;

		all->next_check = (all->next_check + 1) % all->watch.count;
		process = find_seen(all, all->watch.list[all->next_check].pid);
		if (!process->complete || process->has_values)
			continue;
		most--;
		if (!says_the_same(all, process))
			ready += take_state(source, process);
	}
}

/* Takes the processes that have changed. */
static void take_all(struct metric_source *source)
{
	struct processes *all = source->own;
	uint64_t ready = 0;

	for (size_t i = 0; i < all->watch.count; i++) {
		struct process *process = find_seen(all, all->watch.list[i].pid);

		if (!is_unchanged(all, process))
			ready += take_state(source, process);
	}
	take_ready(source, ready);
}

static void read_all(struct metric_source *source)
{
	struct processes *all = source->own;

	if (!all->open_max)
		prepare(all, source->strings);
	all->snapshot++;
	look(all);
	take_all(source);
	for (size_t i = 0; i < all->watch.count; i++) {
		struct process *process = find_seen(all, all->watch.list[i].pid);

		if (!process->complete)
			continue;
		process->snapshot = all->snapshot;
		recordset_add(source->set, process->values);
	}
	forget(all);
}

static void release(struct metric_source *source)
{
	struct processes *all = source->own;

	all->snapshot++;
	forget(all);
	idmap_release(&all->by_pid);
	free(all->list);
	process_watch_release(&all->watch);
}

static const char *const after[] = { "?EXEC", NULL };

const struct metric_kind processes_kind = {
	.name = "PRO",
	.record = "pro",
	.summary = "processes: time, memory, faults, input and output, waits",
	.meaning = "A process.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "there are no processes in /proc",
	.after = after,
	.private_size = sizeof(struct processes),
	.read = read_all,
	.release = release,
};
