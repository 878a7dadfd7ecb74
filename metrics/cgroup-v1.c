/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the files of control groups of version 1 (Documentation/admin-guide/cgroup-v1). */
#include "common/compat.h"
#include "metrics/cgroup-v1.h"

enum {
	USAGE,
	USAGE_USER,
	USAGE_SYSTEM,
	ACCOUNT,
	CPU_STAT,
	QUOTA,
	PERIOD,
	MEMORY_STAT,
	MEMORY,
	MEMORY_PEAK,
	MEMORY_MAX,
	FAILURES,
	KERNEL,
	SOCKETS,
	OUT_OF_MEMORY,
	BYTES,
	OPERATIONS,
	TASKS,
	TASKS_MAX
};

const struct cgroup_v1_file cgroup_v1_files[CGROUP_V1_FILES] = {
	[USAGE] = { CGROUP_CPUACCT, "cpuacct.usage" },
	[USAGE_USER] = { CGROUP_CPUACCT, "cpuacct.usage_user" },
	[USAGE_SYSTEM] = { CGROUP_CPUACCT, "cpuacct.usage_sys" },
	[ACCOUNT] = { CGROUP_CPUACCT, "cpuacct.stat" },
	[CPU_STAT] = { CGROUP_CPU, "cpu.stat" },
	[QUOTA] = { CGROUP_CPU, "cpu.cfs_quota_us" },
	[PERIOD] = { CGROUP_CPU, "cpu.cfs_period_us" },
	[MEMORY_STAT] = { CGROUP_MEMORY, "memory.stat" },
	[MEMORY] = { CGROUP_MEMORY, "memory.usage_in_bytes" },
	[MEMORY_PEAK] = { CGROUP_MEMORY, "memory.max_usage_in_bytes" },
	[MEMORY_MAX] = { CGROUP_MEMORY, "memory.limit_in_bytes" },
	[FAILURES] = { CGROUP_MEMORY, "memory.failcnt" },
	[KERNEL] = { CGROUP_MEMORY, "memory.kmem.usage_in_bytes" },
	[SOCKETS] = { CGROUP_MEMORY, "memory.kmem.tcp.usage_in_bytes" },
	[OUT_OF_MEMORY] = { CGROUP_MEMORY, "memory.oom_control" },
	[BYTES] = { CGROUP_BLKIO, "blkio.throttle.io_service_bytes_recursive" },
	[OPERATIONS] = { CGROUP_BLKIO, "blkio.throttle.io_serviced_recursive" },
	[TASKS] = { CGROUP_PIDS, "pids.current" },
	[TASKS_MAX] = { CGROUP_PIDS, "pids.max" },
};

/*
 * The source of each item: a number that is the whole file, or one after a key.
 * "total_" includes the groups below, as version 2 does. A limit of MEMORY_NONE or
 * more means no limit.
 */
#define MEMORY_NONE (UINT64_C(1) << 62)
static const struct {
	size_t file;
	const char *key; /* NULL: the first word; "Read": the sum over all devices */
	const char *item;
	uint64_t scale;
} rows[] = {
	{ USAGE, NULL, "cpu", 1 },
	{ USAGE_USER, NULL, "user", 1 },
	{ USAGE_SYSTEM, NULL, "system", 1 },
	{ ACCOUNT, "user", "user", METRIC_TICKS },
	{ ACCOUNT, "system", "system", METRIC_TICKS },
	{ CPU_STAT, "nr_periods", "periods", 1 },
	{ CPU_STAT, "nr_throttled", "periods_throttled", 1 },
	{ CPU_STAT, "throttled_time", "throttled", 1 },
	{ CPU_STAT, "burst_time", "burst", 1 },
	{ QUOTA, NULL, "cpu_max", 1000 },
	{ PERIOD, NULL, "cpu_period", 1000 },
	{ MEMORY_STAT, "total_rss", "anonymous", 1 },
	{ MEMORY_STAT, "total_cache", "file", 1 },
	{ MEMORY_STAT, "total_rss_huge", "huge_anonymous", 1 },
	{ MEMORY_STAT, "total_shmem", "shared", 1 },
	{ MEMORY_STAT, "total_mapped_file", "file_mapped", 1 },
	{ MEMORY_STAT, "total_dirty", "file_dirty", 1 },
	{ MEMORY_STAT, "total_writeback", "file_writeback", 1 },
	{ MEMORY_STAT, "total_swap", "swap", 1 },
	{ MEMORY_STAT, "total_swapcached", "swap_cached", 1 },
	{ MEMORY_STAT, "total_pgfault", "faults", 1 },
	{ MEMORY_STAT, "total_pgmajfault", "major_faults", 1 },
	{ MEMORY_STAT, "total_inactive_anon", "inactive_anonymous", 1 },
	{ MEMORY_STAT, "total_active_anon", "active_anonymous", 1 },
	{ MEMORY_STAT, "total_inactive_file", "inactive_file", 1 },
	{ MEMORY_STAT, "total_active_file", "active_file", 1 },
	{ MEMORY_STAT, "total_unevictable", "unevictable", 1 },
	{ MEMORY_STAT, "total_workingset_refault_anon", "refaults_anonymous", 1 },
	{ MEMORY_STAT, "total_workingset_refault_file", "refaults_file", 1 },
	{ MEMORY, NULL, "memory", 1 },
	{ MEMORY_PEAK, NULL, "memory_peak", 1 },
	{ MEMORY_MAX, NULL, "memory_max", 1 },
	{ FAILURES, NULL, "memory_max_events", 1 },
	{ KERNEL, NULL, "kernel", 1 },
	{ SOCKETS, NULL, "sockets", 1 },
	{ OUT_OF_MEMORY, "oom_kill", "out_of_memory_kills", 1 },
	{ BYTES, "Read", "bytes_read", 1 },
	{ BYTES, "Write", "bytes_written", 1 },
	{ BYTES, "Discard", "bytes_discarded", 1 },
	{ OPERATIONS, "Read", "reads", 1 },
	{ OPERATIONS, "Write", "writes", 1 },
	{ OPERATIONS, "Discard", "discards", 1 },
	{ TASKS, NULL, "tasks", 1 },
	{ TASKS_MAX, NULL, "tasks_max", 1 },
};

_Static_assert(ARRAY_SIZE(rows) == CGROUP_V1_ROWS, "a place a row");

void cgroup_v1_init(struct cgroup_v1 *groups, const struct metric_item *items, size_t count)
{
	memset(groups, 0, sizeof(*groups));
	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		while (groups->item_index[row] < count &&
		       strcmp(items[groups->item_index[row]].name, rows[row].item) != 0)
			groups->item_index[row]++;
		assert(groups->item_index[row] < count);
	}
}

void cgroup_v1_take_mount(struct cgroup_v1 *groups, const char *line)
{
	static const char *const names[CGROUP_CONTROLLERS] = { "cpu", "cpuacct", "memory", "blkio",
							       "pids" };
	const char *type = strstr(line, " - cgroup "), *options;
	char path[PROCFS_PATH_SIZE];

	if (!type || sscanf(line, "%*s %*s %*s %*s %511s", path) != 1)
		return;
	options = strrchr(type, ' ') + 1;
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		size_t length = strlen(names[i]);
		const char *at = options;

		while (at && (strncmp(at, names[i], length) != 0 ||
			      (at[length] && at[length] != ',' && at[length] != '\n'))) {
			at = strchr(at, ',');
			at = at ? at + 1 : NULL;
		}
		if (at && !*groups->mounts[i])
			memcpy(groups->mounts[i], path, sizeof(path));
	}
}

/* Returns the number after a key at the start of a line; UINT64_MAX: none. */
static uint64_t keyed(const char *text, const char *key)
{
	size_t length = strlen(key);

	while (text && (strncmp(text, key, length) != 0 || text[length] != ' ')) {
		text = strchr(text, '\n');
		text = text ? text + 1 : NULL;
	}
	return text && text[length + 1] >= '0' && text[length + 1] <= '9'
		       ? strtoull(text + length + 1, NULL, 10)
		       : UINT64_MAX;
}

/* Returns the sum of lines "8:0 Read 4096"; 0 without any device yet. */
static uint64_t of_devices(const char *text, const char *word)
{
	size_t length = strlen(word);
	uint64_t sum = 0;

	for (const char *at = text; (at = strstr(at, word)); at += length)
		if (at > text && at[-1] == ' ' && at[length] == ' ')
			sum += strtoull(at + length + 1, NULL, 10);
	return sum;
}

/* Returns the number of a row from the text of its file; UINT64_MAX: none. */
static uint64_t number_of(size_t row, const char *text)
{
	if (rows[row].file == BYTES || rows[row].file == OPERATIONS)
		return of_devices(text, rows[row].key);
	if (rows[row].key)
		return keyed(text, rows[row].key);
	return *text >= '0' && *text <= '9' ? strtoull(text, NULL, 10) : UINT64_MAX;
}

void cgroup_v1_take(const struct cgroup_v1 *groups, size_t file, const char *text,
		    const struct metric_item *items, uint64_t *values)
{
	for (size_t row = 0; row < ARRAY_SIZE(rows); row++) {
		size_t place = groups->item_index[row];
		struct metric_item item = items[place];
		char word[32];
		uint64_t number;

		if (rows[row].file != file || values[place] != UINT64_MAX)
			continue;
		number = number_of(row, text);
		if (number == UINT64_MAX || (file == MEMORY_MAX && number >= MEMORY_NONE))
			continue;
		item.from.scale = rows[row].scale;
		snprintf(word, sizeof(word), "%" PRIu64, number);
		metric_set(&item, word, strlen(word), &values[place], NULL);
	}
}
