/* SPDX-License-Identifier: Apache-2.0 */
/* NFSOP: requests of this machine to NFS servers, by mount and operation. */
#include "common/compat.h"
#include "common/clock.h"
#include "metrics/kinds.h"
#include "metrics/mount-statistics.h"

static const struct metric_file files[] = {
	{ "/proc/self/mountstats", METRIC_OTHER },
};

static const struct metric_item items[] = {
	TEXT_IDENTITY("mount", "name", MADE, "Where the file system is mounted."),
	TEXT_IDENTITY("operation", "name", MADE, "The operation, as READ, WRITE, GETATTR."),
	/* In the order of MOUNT_OPERATIONS. */
	COUNTER("operations", "count", MADE, "Operations that have ended."),
	COUNTER("transmissions", "count", MADE, "How often their requests were sent."),
	COUNTER("timeouts", "count", MADE,
		"Operations that had to wait a whole timeout or longer."),
	COUNTER("bytes_sent", "bytes", MADE, "Bytes of their requests."),
	COUNTER("bytes_received", "bytes", MADE, "Bytes of the replies."),
	COUNTER("queue_time", "ns", MADE, "Time that their requests waited to be sent, all added."),
	COUNTER("response_time", "ns", MADE, "Time from request to reply, all added."),
	COUNTER("execution_time", "ns", MADE, "Time from begin to end of operations, all added."),
	COUNTER("errors", "count", MADE, "Operations that ended with an error, where it is told."),
};

enum { MOUNT, OPERATION, COUNTS };

_Static_assert(ARRAY_SIZE(items) == COUNTS + MOUNT_COUNTS,
	       "the items are where they are said to be");

/* Makes the record of an operation that has ever been used. */
static void take_line(struct metric_source *source, uint64_t mount, const struct mount_line *line)
{
	uint64_t *values = source->values, numbers[MOUNT_COUNTS];

	if (!line->operation || !line->key.length ||
	    !mount_numbers(line, numbers, ARRAY_SIZE(numbers)) || !numbers[MOUNT_OPERATIONS])
		return;
	metric_begin(source);
	values[MOUNT] = mount;
	values[OPERATION] = strmap_put_n(source->strings, line->key.at, line->key.length);
	for (size_t i = 0; i < MOUNT_COUNTS; i++) {
		bool time = i >= MOUNT_QUEUE && i <= MOUNT_EXECUTION;

		if (numbers[i] != UINT64_MAX)
			values[COUNTS + i] = numbers[i] * (time ? NSEC_PER_MSEC : 1);
	}
	metric_add(source);
}

static void read_all(struct metric_source *source)
{
	const char *at = metric_text(source, 1);
	struct mount_statistics mount;

	while (at && mount_statistics_next(&at, &mount)) {
		struct mount_line line = { 0 };
		char path[1024];
		size_t length = mount_text(mount.path, path, sizeof(path));
		uint64_t name = strmap_put_n(source->strings, path, length);

		while (mount_line_next(&mount, &line))
			take_line(source, name, &line);
	}
}

const struct metric_kind nfs_operations_kind = {
	.name = "NFSOP",
	.record = "nfsop",
	.summary = "operations of NFS by mount: how many, bytes, times, errors",
	.meaning = "An operation of which there was ever one, of a file system of NFS that is "
		   "mounted.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "no file system of NFS is mounted, or /proc/self/mountstats cannot be read",
	.read = read_all,
};
