/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU: the activity of each processor.
 *
 * The number of interrupts of a processor is only in the lines of
 * /proc/interrupts, which on a large machine is longer than all other texts
 * together. It is parsed here only if IRQ reads it anyway.
 */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "metrics/shared-texts.h"

#include <fcntl.h>
#include <unistd.h>

static const struct metric_file files[] = {
	{ "/proc/stat", METRIC_OTHER },
	{ "/proc/softirqs", METRIC_OTHER },
	{ "/proc/schedstat", METRIC_OTHER },
	{ "/proc/interrupts", METRIC_OTHER },
};

enum { STAT = 1, SOFTIRQS, SCHEDSTAT, INTERRUPTS };
enum {
	NUMBER,
	USER,
	FIRST_SOFT = 11,
	SOFT_COUNT = 10,
	FREQUENCY = 29,
	SOCKET,
	CORE,
	HOT,
	HAD = HOT + 2,
	HAD_OF_DEVICES
};

static const struct metric_item items[] = {
	IDENTITY("number", "id", MADE, "The processor."),
	COUNTER("user", "ns", COLUMN_SCALED(1, 2, METRIC_TICKS),
		"Time in user mode, including virtual machines."),
	COUNTER("nice", "ns", COLUMN_SCALED(1, 3, METRIC_TICKS),
		"Time in user mode of low-priority tasks, including virtual machines."),
	COUNTER("system", "ns", COLUMN_SCALED(1, 4, METRIC_TICKS), "Time in the kernel."),
	COUNTER("idle", "ns", COLUMN_SCALED(1, 5, METRIC_TICKS), "Idle time."),
	COUNTER("io_wait", "ns", COLUMN_SCALED(1, 6, METRIC_TICKS),
		"Idle time while a task that last executed here waited for a disk; an estimate by "
		"the kernel."),
	COUNTER("interrupts", "ns", COLUMN_SCALED(1, 7, METRIC_TICKS),
		"Time in interrupt handlers."),
	COUNTER("soft_interrupts", "ns", COLUMN_SCALED(1, 8, METRIC_TICKS),
		"Time in deferred interrupt work (softirqs)."),
	COUNTER("stolen", "ns", COLUMN_SCALED(1, 9, METRIC_TICKS),
		"Time that the hypervisor gave to others while there was work (steal)."),
	COUNTER("guest", "ns", COLUMN_SCALED(1, 10, METRIC_TICKS),
		"Time in virtual machines; included in user."),
	COUNTER("guest_nice", "ns", COLUMN_SCALED(1, 11, METRIC_TICKS),
		"Time in low-priority virtual machines; included in nice."),
	COUNTER("soft_high", "count", KEY(2, "HI"), "Softirqs of high priority."),
	COUNTER("soft_timer", "count", KEY(2, "TIMER"), "Softirqs for timers."),
	COUNTER("soft_network_send", "count", KEY(2, "NET_TX"), "Softirqs for sending packets."),
	COUNTER("soft_network_receive", "count", KEY(2, "NET_RX"),
		"Softirqs for receiving packets."),
	COUNTER("soft_block", "count", KEY(2, "BLOCK"), "Softirqs for block devices."),
	COUNTER("soft_block_poll", "count", KEY(2, "IRQ_POLL"),
		"Softirqs for polled block devices."),
	COUNTER("soft_tasklet", "count", KEY(2, "TASKLET"), "Softirqs of drivers (tasklets)."),
	COUNTER("soft_scheduler", "count", KEY(2, "SCHED"),
		"Softirqs for balancing the load of processors."),
	COUNTER("soft_high_resolution_timer", "count", KEY(2, "HRTIMER"),
		"Softirqs for high-resolution timers."),
	COUNTER("soft_rcu", "count", KEY(2, "RCU"),
		"Softirqs for RCU: they free what readers no longer use."),
	COUNTER("yields", "count", COLUMN(3, 2),
		"How often a task yielded the processor (sched_yield)."),
	COUNTER("schedules", "count", COLUMN(3, 4), "How often the scheduler was called."),
	COUNTER("idle_schedules", "count", COLUMN(3, 5),
		"How often the scheduler found nothing to do."),
	COUNTER("wakeups", "count", COLUMN(3, 6), "Tasks that this processor woke."),
	COUNTER("local_wakeups", "count", COLUMN(3, 7), "Tasks that it woke to execute on itself."),
	COUNTER("run_time", "ns", COLUMN(3, 8), "Time for which tasks executed."),
	COUNTER("run_delay", "ns", COLUMN(3, 9),
		"Time for which tasks were ready and waited for the processor."),
	COUNTER("slices", "count", COLUMN(3, 10), "How often a task got the processor."),
	LEVEL("frequency", "Hz", MADE_SCALED(1000), "Frequency at which it runs."),
	IDENTITY("package", "id", MADE, "The socket in which it is."),
	IDENTITY("core", "id", MADE, "The core of the socket to which it belongs."),
	COUNTER("core_throttles", "count", MADE,
		"How often its core was slowed down because it was too hot."),
	COUNTER("package_throttles", "count", MADE,
		"How often its socket was slowed down for this reason."),
	COUNTER("interrupts_had", "count", MADE,
		"Interrupts of all kinds. This and the next item are recorded only if IRQ is "
		"collected too, as in ALL."),
	COUNTER("device_interrupts", "count", MADE,
		"Interrupts with a number: of devices, not of timers or other processors."),
};

_Static_assert(ARRAY_SIZE(items) == HAD_OF_DEVICES + 1, "the items are where they are said to be");

/* State of a processor seen so far. */
struct processor {
	bool seen;
	int frequency; /* descriptor of its frequency file, -1: none */
	int hot[2];    /* descriptors of its throttle files, -1: none */
	uint64_t package, core;
};

struct processors {
	struct processor *list; /* by number; owned */
	size_t count, alloc;
	size_t *columns; /* the record for each column of softirqs; owned */
	size_t column_alloc;
};

/* Returns the number after "cpu" at the start of a line; -1: not the line of a processor. */
static long number_of(const char *line)
{
	char *end;
	long number;

	if (strncmp(line, "cpu", 3) != 0 || line[3] < '0' || line[3] > '9')
		return -1;
	number = strtol(line + 3, &end, 10);
	return *end == ' ' && number < 1 << 20 ? number : -1;
}

/* Returns a number of the topology. */
static uint64_t topology(long number, const char *name)
{
	char path[PROCFS_PATH_SIZE], text[32], *end;
	uint64_t value;

	procfs_path(path, "/sys/devices/system/cpu/cpu%ld/topology/%s", number, name);
	if (procfs_read(path, text, sizeof(text)) < 1)
		return UINT64_MAX;
	value = strtoull(text, &end, 10);
	return end == text || text[0] == '-' ? UINT64_MAX : value;
}

/* Returns the state of a processor. */
static struct processor *find(struct processors *all, long number)
{
	char path[PROCFS_PATH_SIZE];
	struct processor *one;

	GROW(all->list, (size_t)number + 1, all->alloc);
	while (all->count <= (size_t)number)
		all->list[all->count++] = (struct processor){ .frequency = -1, .hot = { -1, -1 } };
	one = &all->list[number];
	if (one->seen)
		return one;
	one->seen = true;
	one->package = topology(number, "physical_package_id");
	one->core = topology(number, "core_id");
	one->frequency =
		open(procfs_path(path, "/sys/devices/system/cpu/cpu%ld/cpufreq/scaling_cur_freq",
				 number),
		     O_RDONLY | O_CLOEXEC);
	for (unsigned i = 0; i < 2; i++)
		one->hot[i] = open(procfs_path(path,
					       "/sys/devices/system/cpu/cpu%ld/thermal_throttle/"
					       "%s_throttle_count",
					       number, i ? "package" : "core"),
				   O_RDONLY | O_CLOEXEC);
	return one;
}

/* Reads a number from an open file. */
static void take_number(struct metric_source *source, size_t item, int fd)
{
	char text[32];

	if (fd >= 0 && procfs_reread(fd, text, sizeof(text)) > 0)
		metric_set(&items[item], text, strcspn(text, "\n"), &source->values[item], NULL);
}

/* Begins the record of a processor. */
static void begin(struct metric_source *source, long number)
{
	struct processor *one = find(source->own, number);

	source->values[NUMBER] = (uint64_t)number;
	source->values[SOCKET] = one->package;
	source->values[CORE] = one->core;
	take_number(source, FREQUENCY, one->frequency);
	for (unsigned i = 0; i < 2; i++)
		take_number(source, HOT + i, one->hot[i]);
}

/* Makes a record for each online processor. */
static void read_times(struct metric_source *source)
{
	const char *line = metric_text(source, STAT);

	while (line && *line && strncmp(line, "cpu", 3) == 0) {
		long number = number_of(line);

		metric_begin(source);
		line = metric_parse_line(&source->texts[STAT - 1].plan, line, source->values, NULL);
		if (number < 0 || source->values[USER] == UINT64_MAX)
			continue;
		begin(source, number);
		metric_add(source);
	}
}

/* Returns the record of a processor in this snapshot; NULL: none. */
static uint64_t *record_of(const struct metric_source *source, size_t first, size_t guess,
			   uint64_t number)
{
	for (size_t i = 0; i < source->set->count - first; i++) {
		/* They are usually in the same order. */
		size_t at = first + (guess + i) % (source->set->count - first);
		uint64_t *values = recordset_at(source->set, at);

		if (values[NUMBER] == number)
			return values;
	}
	return NULL;
}

/* Determines the records for the columns of softirqs. Returns the number of columns. */
static size_t read_head(struct metric_source *source, size_t first, const char *line)
{
	struct processors *all = source->own;
	size_t count = 0;

	for (; *line && *line != '\n'; line++) {
		uint64_t *values;

		if (strncmp(line, "CPU", 3) != 0)
			continue;
		values = record_of(source, first, count, strtoull(line + 3, NULL, 10));
		GROW(all->columns, count + 1, all->column_alloc);
		all->columns[count++] =
			values ? (size_t)((unsigned char *)values - source->set->rows) : SIZE_MAX;
	}
	return count;
}

/* Reads softirqs: the columns are processors, the lines kinds of work. */
static void read_soft(struct metric_source *source, size_t first)
{
	struct processors *all = source->own;
	const char *line = metric_text(source, SOFTIRQS);
	size_t count = line ? read_head(source, first, line) : 0;

	while (line && (line = strchr(line, '\n')) && *++line) {
		size_t item = FIRST_SOFT, length;

		line += strspn(line, " ");
		length = strcspn(line, ":\n");
		while (item < FIRST_SOFT + SOFT_COUNT &&
		       (strncmp(items[item].from.key, line, length) != 0 ||
			items[item].from.key[length]))
			item++;
		if (item == FIRST_SOFT + SOFT_COUNT || line[length] != ':')
			continue;
		line += length + 1;
		for (size_t i = 0; i < count; i++) {
			line += strspn(line, " ");
			length = strcspn(line, " \n");
			if (all->columns[i] != SIZE_MAX)
				metric_set(
					&items[item], line, length,
					(uint64_t *)(void *)(source->set->rows + all->columns[i]) +
						item,
					NULL);
			line += length;
		}
	}
}

/*
 * Reads the lines "cpuN" between those of scheduling domains; whether they exist
 * depends on the kernel's build.
 */
static void read_schedule(struct metric_source *source, size_t first)
{
	bool is_there = source->texts[SCHEDSTAT - 1].error != ENOENT;
	const char *line = is_there ? metric_text(source, SCHEDSTAT) : NULL;
	size_t seen = 0;

	while (line && *line) {
		long number = number_of(line);
		uint64_t *values =
			number < 0 ? NULL : record_of(source, first, seen, (uint64_t)number);

		if (values) {
			seen++;
			metric_parse_line(&source->texts[SCHEDSTAT - 1].plan, line, values, NULL);
		}
		line = strchr(line, '\n');
		line = line ? line + 1 : NULL;
	}
}

/* Adds the counts of a line of interrupts, after its name, to the processors of the columns. */
static void add_interrupts(struct metric_source *source, const char *at, size_t count, bool device)
{
	const struct processors *all = source->own;

	for (size_t i = 0; i < count; i++) {
		uint64_t *values, number;
		char *end;

		at += strspn(at, " ");
		if (*at < '0' || *at > '9')
			break;
		number = strtoull(at, &end, 10);
		at = end;
		if (all->columns[i] == SIZE_MAX)
			continue;
		values = (uint64_t *)(void *)(source->set->rows + all->columns[i]);
		values[HAD] += number;
		values[HAD_OF_DEVICES] += device ? number : 0;
	}
}

/* Returns whether a line has one count of errors for all processors. */
static bool is_of_errors(const char *name, size_t length)
{
	return length == 3 && (strncasecmp(name, "ERR", 3) == 0 || strncmp(name, "MIS", 3) == 0);
}

/* Reads interrupts, whose columns are processors, where the text is read anyway. */
static void read_interrupts(struct metric_source *source, size_t first)
{
	bool wanted =
		shared_texts_has(source->support->texts, source->texts[INTERRUPTS - 1].shared);
	const struct processors *all = source->own;
	const char *line = wanted ? metric_text(source, INTERRUPTS) : NULL;
	size_t count = line ? read_head(source, first, line) : 0;

	for (size_t i = 0; i < count; i++)
		if (all->columns[i] != SIZE_MAX) {
			uint64_t *values =
				(uint64_t *)(void *)(source->set->rows + all->columns[i]);

			values[HAD] = values[HAD_OF_DEVICES] = 0;
		}
	while (count && (line = strchr(line, '\n')) && *++line) {
		const char *name = line + strspn(line, " ");
		size_t length = strcspn(name, ":\n");

		if (name[length] == ':' && !is_of_errors(name, length))
			add_interrupts(source, name + length + 1, count,
				       *name >= '0' && *name <= '9');
	}
}

static void read_all(struct metric_source *source)
{
	size_t first = source->set->count;

	read_times(source);
	if (source->set->count == first)
		return;
	read_soft(source, first);
	read_schedule(source, first);
	read_interrupts(source, first);
}

static void close_files(const struct processor *one)
{
	const int fds[] = { one->frequency, one->hot[0], one->hot[1] };

	for (size_t i = 0; i < ARRAY_SIZE(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
}

static void release(struct metric_source *source)
{
	struct processors *all = source->own;

	for (size_t i = 0; i < all->count; i++)
		close_files(&all->list[i]);
	free(all->list);
	free(all->columns);
}

const struct metric_kind cpu_kind = {
	.name = "CPU",
	.record = "cpu",
	.summary = "processors: time by mode, softirqs, scheduling, frequency",
	.meaning = "A processor that is online.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.private_size = sizeof(struct processors),
	.read = read_all,
	.release = release,
};
