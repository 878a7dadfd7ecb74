/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CGR: control groups: usage, limits and waits of each. For version 2, and for
 * controllers that are mounted only by version 1.
 */
#include "common/compat.h"
#include "common/idmap.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "metrics/cgroup-v1.h"
#include "metrics/kinds.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#define DEPTH_MAX 16

/* The names of the files in a group; the paths of their mounts are determined at run time. */
static const struct metric_file files[] = {
	{ "cpu.stat", METRIC_KEYS },	      { "memory.stat", METRIC_KEYS },
	{ "memory.events", METRIC_KEYS },     { "memory.current", METRIC_WORDS },
	{ "memory.peak", METRIC_WORDS },      { "memory.high", METRIC_WORDS },
	{ "memory.max", METRIC_WORDS },	      { "memory.swap.current", METRIC_WORDS },
	{ "memory.swap.max", METRIC_WORDS },  { "pids.current", METRIC_WORDS },
	{ "pids.max", METRIC_WORDS },	      { "cpu.max", METRIC_WORDS },
	{ "cgroup.stat", METRIC_KEYS },	      { "cpu.pressure", METRIC_LABELS },
	{ "memory.pressure", METRIC_LABELS }, { "io.pressure", METRIC_LABELS },
	{ "io.stat", METRIC_OTHER },
};

enum { IO_STAT = 17, FIRST_IO = 57 };

static const struct metric_item items[] = {
	TEXT_IDENTITY("path", "name", MADE,
		      "The group: its path below the root, which is /."),
	COUNTER("cpu", "ns", KEY_SCALED(1, "usage_usec", 1000), "Processor time."),
	COUNTER("user", "ns", KEY_SCALED(1, "user_usec", 1000), "Processor time in user mode."),
	COUNTER("system", "ns", KEY_SCALED(1, "system_usec", 1000),
		"Processor time in the kernel."),
	COUNTER("nice", "ns", KEY_SCALED(1, "nice_usec", 1000),
		"Processor time of low-priority tasks."),
	COUNTER("throttled", "ns", KEY_SCALED(1, "throttled_usec", 1000),
		"Time in which the limit of processor time held tasks back."),
	COUNTER("burst", "ns", KEY_SCALED(1, "burst_usec", 1000),
		"Time beyond the limit, taken from time saved earlier."),
	COUNTER("periods", "count", KEY(1, "nr_periods"),
		"Periods of the limit of processor time that have passed."),
	COUNTER("periods_throttled", "count", KEY(1, "nr_throttled"),
		"Such periods in which the limit held tasks back."),
	LEVEL("anonymous", "bytes", KEY(2, "anon"), "Anonymous memory."),
	LEVEL("file", "bytes", KEY(2, "file"), "File pages."),
	LEVEL("kernel", "bytes", KEY(2, "kernel"), "Kernel memory used for the group."),
	LEVEL("kernel_stacks", "bytes", KEY(2, "kernel_stack"), "Kernel stacks."),
	LEVEL("page_tables", "bytes", KEY(2, "pagetables"), "Page tables."),
	LEVEL("per_cpu", "bytes", KEY(2, "percpu"),
	      "Kernel memory allocated per processor."),
	LEVEL("sockets", "bytes", KEY(2, "sock"), "Memory of sockets."),
	LEVEL("shared", "bytes", KEY(2, "shmem"), "Shared memory and files in memory (tmpfs)."),
	LEVEL("file_mapped", "bytes", KEY(2, "file_mapped"), "File pages that are mapped."),
	LEVEL("file_dirty", "bytes", KEY(2, "file_dirty"),
	      "File pages waiting to be written."),
	LEVEL("file_writeback", "bytes", KEY(2, "file_writeback"),
	      "File pages being written."),
	LEVEL("swap_cached", "bytes", KEY(2, "swapcached"),
	      "Pages in memory that are also in swap."),
	LEVEL("huge_anonymous", "bytes", KEY(2, "anon_thp"), "Anonymous huge pages."),
	LEVEL("inactive_anonymous", "bytes", KEY(2, "inactive_anon"),
	      "Anonymous pages not used recently."),
	LEVEL("active_anonymous", "bytes", KEY(2, "active_anon"),
	      "Anonymous pages used recently."),
	LEVEL("inactive_file", "bytes", KEY(2, "inactive_file"),
	      "File pages not used recently."),
	LEVEL("active_file", "bytes", KEY(2, "active_file"), "File pages used recently."),
	LEVEL("unevictable", "bytes", KEY(2, "unevictable"), "Pages that cannot be reclaimed."),
	LEVEL("slab_reclaimable", "bytes", KEY(2, "slab_reclaimable"),
	      "Kernel objects that can be reclaimed."),
	LEVEL("slab_unreclaimable", "bytes", KEY(2, "slab_unreclaimable"),
	      "Kernel objects that cannot be reclaimed."),
	COUNTER("faults", "count", KEY(2, "pgfault"), "Page faults."),
	COUNTER("major_faults", "count", KEY(2, "pgmajfault"),
		"Page faults that waited for a disk."),
	COUNTER("refaults_file", "count", KEY(2, "workingset_refault_file"),
		"File pages read again soon after they were reclaimed."),
	COUNTER("refaults_anonymous", "count", KEY(2, "workingset_refault_anon"),
		"Anonymous pages read again soon after they were reclaimed."),
	COUNTER("scanned", "count", KEY(2, "pgscan"), "Pages scanned for reclaim."),
	COUNTER("stolen", "count", KEY(2, "pgsteal"), "Pages reclaimed."),
	COUNTER("memory_low_events", "count", KEY(3, "low"),
		"How often memory was reclaimed although the group was below its low mark."),
	COUNTER("memory_high_events", "count", KEY(3, "high"),
		"How often the group was slowed because it was above its high mark."),
	COUNTER("memory_max_events", "count", KEY(3, "max"),
		"How often the group reached its limit."),
	COUNTER("out_of_memory", "count", KEY(3, "oom"),
		"How often the group could get no more memory."),
	COUNTER("out_of_memory_kills", "count", KEY(3, "oom_kill"),
		"Processes killed because of this."),
	LEVEL("memory", "bytes", COLUMN(4, 1), "Memory of the group and of those below it."),
	LEVEL("memory_peak", "bytes", COLUMN(5, 1), "Its maximum."),
	LEVEL("memory_high", "bytes", COLUMN(6, 1),
	      "Mark above which the group is slowed; missing: none."),
	LEVEL("memory_max", "bytes", COLUMN(7, 1), "Limit of its memory; missing: none."),
	LEVEL("swap", "bytes", COLUMN(8, 1), "Swap space that it uses."),
	LEVEL("swap_max", "bytes", COLUMN(9, 1), "Limit of its swap space; missing: none."),
	LEVEL("tasks", "count", COLUMN(10, 1), "Tasks in it."),
	LEVEL("tasks_max", "count", COLUMN(11, 1),
	      "Limit of the number of its tasks; missing: none."),
	LEVEL("cpu_max", "ns", COLUMN_SCALED(12, 1, 1000),
	      "Processor time allowed per period; missing: no limit."),
	LEVEL("cpu_period", "ns", COLUMN_SCALED(12, 2, 1000), "Length of this period."),
	LEVEL("groups", "count", KEY(13, "nr_descendants"), "Groups below it."),
	COUNTER("cpu_some", "ns", KEY_SCALED(14, "some total", 1000),
		"Time in which some of its tasks waited for a processor."),
	COUNTER("cpu_full", "ns", KEY_SCALED(14, "full total", 1000),
		"Time in which all of its tasks waited for a processor."),
	COUNTER("memory_some", "ns", KEY_SCALED(15, "some total", 1000),
		"Time in which some of its tasks waited for memory."),
	COUNTER("memory_full", "ns", KEY_SCALED(15, "full total", 1000),
		"Time in which all of its tasks waited for memory."),
	COUNTER("io_some", "ns", KEY_SCALED(16, "some total", 1000),
		"Time in which some of its tasks waited for disks."),
	COUNTER("io_full", "ns", KEY_SCALED(16, "full total", 1000),
		"Time in which all of its tasks waited for disks."),
	COUNTER("bytes_read", "bytes", MADE, "Bytes read from block devices."),
	COUNTER("bytes_written", "bytes", MADE, "Bytes written to block devices."),
	COUNTER("reads", "count", MADE, "Reads of block devices."),
	COUNTER("writes", "count", MADE, "Writes to block devices."),
	COUNTER("bytes_discarded", "bytes", MADE, "Bytes discarded."),
	COUNTER("discards", "count", MADE, "Discards of blocks."),
};

/* Names in io.stat of the items from FIRST_IO on. */
static const char *const io_names[] = { "rbytes", "wbytes", "rios", "wios", "dbytes", "dios" };

_Static_assert(ARRAY_SIZE(items) == FIRST_IO + ARRAY_SIZE(io_names), "an item a name");

/* A group seen so far, with its open files. */
struct group {
	uint64_t name, round;
	int fds[ARRAY_SIZE(files) + CGROUP_V1_FILES]; /* those of version 1 last; -1: not open */
};

struct groups {
	struct group *list; /* owned */
	size_t count, alloc;
	struct idmap by_name; /* index in list */
	uint64_t round;
	size_t open, open_max;	      /* number of descriptors */
	char mount[PROCFS_PATH_SIZE]; /* mount point of the hierarchy, "": none */
	struct cgroup_v1 old;	      /* the hierarchies of version 1 */
};

/* Finds where the hierarchies are mounted: in mountinfo, the type follows " - ". */
static void find_mount(struct groups *all)
{
	char path[PROCFS_PATH_SIZE];
	struct strbuf text = STRBUF_INIT;
	struct rlimit limit;

	idmap_init(&all->by_name);
	cgroup_v1_init(&all->old, items, ARRAY_SIZE(items));
	all->open_max = 256;
	if (getrlimit(RLIMIT_NOFILE, &limit) == 0)
		all->open_max = (size_t)(limit.rlim_cur < 60000 ? limit.rlim_cur : 60000) / 3;
	if (strbuf_read_file(&text, procfs_path(path, "/proc/self/mountinfo")) == 0)
		for (char *line = text.text, *next; line && *line; line = next) {
			char *type;

			next = strchr(line, '\n');
			if (next)
				*next++ = '\0';
			cgroup_v1_take_mount(&all->old, line);
			type = *all->mount ? NULL : strstr(line, " - cgroup2 ");
			if (type && sscanf(line, "%*s %*s %*s %*s %511s", all->mount) != 1)
				*all->mount = '\0';
		}
	strbuf_release(&text);
}

static void close_group(struct groups *all, struct group *group)
{
	for (size_t i = 0; i < ARRAY_SIZE(group->fds); i++) {
		if (group->fds[i] < 0)
			continue;
		close(group->fds[i]);
		group->fds[i] = -1;
		all->open--;
	}
}

static struct group *find_group(struct groups *all, uint64_t name)
{
	uint64_t at;

	if (idmap_get(&all->by_name, name, &at))
		return &all->list[at];
	GROW(all->list, all->count + 1, all->alloc);
	idmap_put(&all->by_name, name, all->count);
	all->list[all->count] = (struct group){ .name = name };
	memset(all->list[all->count].fds, 0xff, sizeof(all->list->fds));
	return &all->list[all->count++];
}

/* Removes groups that no longer exist. */
static void forget(struct groups *all)
{
	for (size_t i = all->count; i-- > 0;) {
		if (all->list[i].round == all->round)
			continue;
		close_group(all, &all->list[i]);
		idmap_remove(&all->by_name, all->list[i].name);
		all->list[i] = all->list[--all->count];
		if (i < all->count)
			idmap_put(&all->by_name, all->list[i].name, i);
	}
}

/* Adds up io.stat: a line a device, "8:0 rbytes=1 wbytes=2". No device yet counts as 0 bytes. */
static void take_io(uint64_t *values, const char *text)
{
	memset(values + FIRST_IO, 0, sizeof(io_names) / sizeof(*io_names) * sizeof(*values));
	for (size_t i = 0; i < ARRAY_SIZE(io_names); i++) {
		size_t length = strlen(io_names[i]);

		for (const char *at = text; (at = strstr(at, io_names[i])); at += length)
			if (at > text && at[-1] == ' ' && at[length] == '=')
				values[FIRST_IO + i] += strtoull(at + length + 1, NULL, 10);
	}
}

/*
 * Reads a file of a group, which stays open while descriptors are available. A new
 * group with the name of an old one has other files.
 */
static ssize_t read_file(struct groups *all, struct group *group, const char *mount, size_t file,
			 const char *folder, char *text, size_t size)
{
	const char *name = file < ARRAY_SIZE(files)
				   ? files[file].path
				   : cgroup_v1_files[file - ARRAY_SIZE(files)].name;
	char path[PROCFS_PATH_SIZE];
	ssize_t length;
	int fd = group->fds[file];

	if (fd >= 0) {
		length = procfs_reread(fd, text, size);
		if (length >= 0)
			return length;
		close_group(all, group);
	}
	fd = open(procfs_path(path, "%s%s/%s", mount, folder, name), O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return -1;
	length = procfs_reread(fd, text, size);
	if (length < 0 || all->open >= all->open_max) {
		close(fd);
		return length;
	}
	group->fds[file] = fd;
	all->open++;
	return length;
}

/* Takes the values of a group's files of version 2. Returns whether there are any. */
static bool take_files(struct metric_source *source, struct group *group, const char *folder)
{
	struct groups *all = source->own;
	char text[16384];
	bool any = false;

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		if (read_file(all, group, all->mount, i, folder, text, sizeof(text)) < 0)
			continue;
		any = true;
		if (i + 1 == IO_STAT)
			take_io(source->values, text);
		else
			metric_parse(&source->texts[i].plan, files[i].form, text, source->values,
				    source->strings);
	}
	return any;
}

/* Does the same for version 1. */
static bool take_old_files(struct metric_source *source, struct group *group, const char *folder)
{
	struct groups *all = source->own;
	char text[16384];
	bool any = false;

	for (size_t i = 0; i < CGROUP_V1_FILES; i++) {
		const char *mount = all->old.mounts[cgroup_v1_files[i].controller];

		if (!*mount || read_file(all, group, mount, ARRAY_SIZE(files) + i, folder, text,
					 sizeof(text)) < 0)
			continue;
		any = true;
		cgroup_v1_take(&all->old, i, text, items, source->values);
	}
	return any;
}

/* Makes the record of one group, unless it was made for another hierarchy already. */
static void read_group(struct metric_source *source, const char *name)
{
	struct groups *all = source->own;
	struct group *group = find_group(all, strmap_put(source->strings, *name ? name : "/"));
	bool any = false;

	if (group->round == all->round)
		return;
	metric_begin(source);
	source->values[0] = group->name;
	group->round = all->round;
	if (*all->mount)
		any = take_files(source, group, name);
	if (take_old_files(source, group, name) || any)
		metric_add(source);
}

/* Reads a group of a hierarchy and all below it. name: its path below the mount, "": the root. */
static void walk(struct metric_source *source, const char *mount, const char *name, unsigned depth)
{
	char folder[PROCFS_PATH_SIZE], path[PROCFS_PATH_SIZE], below[PROCFS_PATH_SIZE];
	const struct dirent *entry;
	DIR *stream;

	if (snprintf(folder, sizeof(folder), "%s%s", mount, name) >= (int)sizeof(folder) - 64)
		return;
	stream = opendir(procfs_path(path, "%s", folder));
	if (!stream)
		return;
	read_group(source, name);
	while (depth < DEPTH_MAX && (entry = readdir(stream))) {
		if (entry->d_type != DT_DIR || entry->d_name[0] == '.')
			continue;
		snprintf(below, sizeof(below), "%s/%s", name, entry->d_name);
		walk(source, mount, below, depth + 1);
	}
	closedir(stream);
}

static void read_all(struct metric_source *source)
{
	struct groups *all = source->own;
	const char *last = "";

	if (!all->round++)
		find_mount(all);
	if (*all->mount)
		walk(source, all->mount, "", 0);
	for (size_t i = 0; i < CGROUP_CONTROLLERS; i++) {
		/* Controllers that are mounted together have one hierarchy. */
		if (*all->old.mounts[i] && strcmp(all->old.mounts[i], last) != 0)
			walk(source, all->old.mounts[i], "", 0);
		last = all->old.mounts[i];
	}
	forget(all);
}

static void release(struct metric_source *source)
{
	struct groups *all = source->own;

	all->round++;
	forget(all);
	idmap_release(&all->by_name);
	free(all->list);
}

const struct metric_kind cgroup_kind = {
	.name = "CGR",
	.record = "cgr",
	.summary = "control groups: time, memory, disks, limits, pressure",
	.meaning = "A control group with all groups below it.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "no hierarchy of control groups is mounted",
	.private_size = sizeof(struct groups),
	.read = read_all,
	.release = release,
};
