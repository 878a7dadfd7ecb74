/* SPDX-License-Identifier: Apache-2.0 */
/* DSK: the activity of the disks. */
#include "common/compat.h"
#include "common/procfs.h"
#include "metrics/disk-mounts.h"
#include "metrics/kinds.h"

#include <sys/statvfs.h>

static const struct metric_file files[] = {
	{ "/proc/diskstats", METRIC_ROWS },
};

enum {
	NAME,
	MAJOR,
	MINOR,
	READS,
	WRITES = READS + 4,
	IN_FLIGHT = READS + 8,
	MOUNT = 20,
	FILE_SYSTEM
};

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", COLUMN(1, 3), "The device, as the kernel names it."),
	IDENTITY("major", "id", COLUMN(1, 1), "Major number of the device."),
	IDENTITY("minor", "id", COLUMN(1, 2), "Minor number of the device."),
	COUNTER("reads", "count", COLUMN(1, 4), "Reads completed."),
	COUNTER("reads_merged", "count", COLUMN(1, 5),
		"Reads that were merged with adjacent ones."),
	COUNTER("bytes_read", "bytes", COLUMN_SCALED(1, 6, 512), "Bytes read."),
	COUNTER("read_time", "ns", COLUMN_SCALED(1, 7, 1000000),
		"Total time of all reads, from request to completion."),
	COUNTER("writes", "count", COLUMN(1, 8), "Writes completed."),
	COUNTER("writes_merged", "count", COLUMN(1, 9),
		"Writes that were merged with adjacent ones."),
	COUNTER("bytes_written", "bytes", COLUMN_SCALED(1, 10, 512), "Bytes written."),
	COUNTER("write_time", "ns", COLUMN_SCALED(1, 11, 1000000),
		"Total time of all writes, from request to completion."),
	LEVEL("in_flight", "count", COLUMN(1, 12),
	      "Requests in progress at the device or waiting for it."),
	COUNTER("busy_time", "ns", COLUMN_SCALED(1, 13, 1000000),
		"Time in which the device had at least one request."),
	COUNTER("queue_time", "ns", COLUMN_SCALED(1, 14, 1000000),
		"Total time of all requests; divided by the interval, it is the mean queue "
		"length."),
	COUNTER("discards", "count", COLUMN(1, 15),
		"Discards completed: the device need not keep these blocks."),
	COUNTER("discards_merged", "count", COLUMN(1, 16),
		"Discards that were merged with adjacent ones."),
	COUNTER("bytes_discarded", "bytes", COLUMN_SCALED(1, 17, 512), "Bytes discarded."),
	COUNTER("discard_time", "ns", COLUMN_SCALED(1, 18, 1000000), "Total time of all discards."),
	COUNTER("flushes", "count", COLUMN(1, 19),
		"Flushes completed: the data written is on the medium."),
	COUNTER("flush_time", "ns", COLUMN_SCALED(1, 20, 1000000), "Total time of all flushes."),
	TEXT_LEVEL("mount", "name", MADE, "Where its file system is mounted."),
	TEXT_LEVEL("file_system", "name", MADE, "Type of this file system."),
	LEVEL("file_system_size", "bytes", MADE, "Capacity of the file system."),
	LEVEL("file_system_free", "bytes", MADE, "Free space of the file system."),
	LEVEL("file_system_available", "bytes", MADE, "Free space that is available to users."),
	LEVEL("inodes", "count", MADE, "Maximum number of files; 0: not fixed."),
	LEVEL("inodes_free", "count", MADE, "Number of files that can still be created."),
};

/* Adds the items of the file system on the device, if one is mounted. */
static void take_file_system(struct metric_source *source)
{
	uint64_t *values = source->values, *spaces = values + FILE_SYSTEM + 1;
	const struct disk_mount *mount =
		disk_mounts_find(source->own, values[NAME + 1], values[NAME + 2]);
	char path[PROCFS_PATH_SIZE];
	struct statvfs space;

	if (!mount)
		return;
	metric_string(source, MOUNT, mount->path);
	metric_string(source, FILE_SYSTEM, mount->type);
	if (statvfs(procfs_path(path, "%s", mount->path), &space) < 0)
		return;
	spaces[0] = (uint64_t)space.f_blocks * space.f_frsize;
	spaces[1] = (uint64_t)space.f_bfree * space.f_frsize;
	spaces[2] = (uint64_t)space.f_bavail * space.f_frsize;
	spaces[3] = space.f_files;
	spaces[4] = space.f_ffree;
}

/*
 * Completes a record. Loop and memory devices that were never used are left out,
 * and lines without counts.
 */
static bool complete(struct metric_source *source)
{
	const uint64_t *values = source->values;

	if (values[READS] == UINT64_MAX || values[IN_FLIGHT] == UINT64_MAX)
		return false;
	if (!values[READS] && !values[WRITES] && !values[IN_FLIGHT])
		return false;
	take_file_system(source);
	return true;
}

static void read_all(struct metric_source *source)
{
	disk_mounts_look(source->own);
	metric_rows(source);
}

static void release(struct metric_source *source)
{
	disk_mounts_release(source->own);
}

const struct metric_kind disks_kind = {
	.name = "DSK",
	.record = "dsk",
	.summary = "disks and partitions: requests, bytes, times, file system space",
	.meaning = "A block device that has ever been used.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "no block device has been used, or /proc/diskstats cannot be read",
	.private_size = sizeof(struct disk_mounts),
	.complete = complete,
	.read = read_all,
	.release = release,
};
