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
	TEXT_IDENTITY("operation", "name", MADE, "The operation, such as READ, WRITE, GETATTR."),
	/* In the order of MOUNT_OPERATIONS. */
	COUNTER("operations", "count", MADE, "Operations completed."),
	COUNTER("transmissions", "count", MADE, "How often their requests were sent."),
	COUNTER("timeouts", "count", MADE, "Operations that waited for a full timeout or longer."),
	COUNTER("bytes_sent", "bytes", MADE, "Bytes of their requests."),
	COUNTER("bytes_received", "bytes", MADE, "Bytes of the replies."),
	COUNTER("queue_time", "ns", MADE, "Total time for which their requests waited to be sent."),
	COUNTER("response_time", "ns", MADE, "Total time from request to reply."),
	COUNTER("execution_time", "ns", MADE, "Total time of operations, from begin to end."),
	COUNTER("errors", "count", MADE,
		"Operations that ended with an error, if the kernel reports it."),
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
	.summary = "NFS operations by mount: counts, bytes, times, errors",
	.meaning = "An operation that was used at least once, of a mounted NFS file system.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "no NFS file system is mounted, or /proc/self/mountstats cannot be read",
	.read = read_all,
};
