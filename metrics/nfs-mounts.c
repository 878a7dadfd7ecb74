/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NFS: requests of this machine to NFS servers, by mount. The text has only the
 * kernel's counters: no server is contacted, so a dead one does not block.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "metrics/kinds.h"
#include "metrics/mount-statistics.h"

static const struct metric_file files[] = {
	{ "/proc/self/mountstats", METRIC_OTHER },
};

/* The number of columns before the sends of a transport. */
enum { XPRT_OTHERS = 5, XPRT_UDP_OTHERS = 2, XPRT_CONNECTS = 2, XPRT_COLUMNS = 16 };

static const struct metric_item items[] = {
	TEXT_IDENTITY("mount", "name", MADE, "Where it is mounted."),
	TEXT_IDENTITY("device", "name", MADE, "The mounted file system: server and path."),
	TEXT_IDENTITY("version", "name", MADE, "NFS version, according to the mount options."),
	TEXT_IDENTITY("protocol", "name", MADE, "Transport to the server: tcp, udp, rdma."),
	LEVEL("age", "ns", MADE, "Time since it was mounted."),
	/* In the order of the line "events". */
	COUNTER("inode_checks", "count", MADE,
		"Checks whether the cached attributes of a file are still valid."),
	COUNTER("name_checks", "count", MADE, "Checks whether a cached name is still valid."),
	COUNTER("data_invalidated", "count", MADE, "Files whose cached data was discarded."),
	COUNTER("attributes_invalidated", "count", MADE,
		"Files whose cached attributes were discarded."),
	COUNTER("opens", "count", MADE, "Files and directories opened."),
	COUNTER("lookups", "count", MADE, "Names looked up in directories."),
	COUNTER("access_checks", "count", MADE, "Checks of access permission for a file."),
	COUNTER("page_updates", "count", MADE, "Pages updated, fully or in part."),
	COUNTER("page_reads", "count", MADE, "Calls that read a page."),
	COUNTER("pages_reads", "count", MADE, "Calls that read several pages."),
	COUNTER("page_writes", "count", MADE, "Calls that write a page."),
	COUNTER("pages_writes", "count", MADE, "Calls that write several pages."),
	COUNTER("folder_reads", "count", MADE, "Calls that list a directory."),
	COUNTER("attribute_changes", "count", MADE, "Changes of attributes."),
	COUNTER("flushes", "count", MADE, "How often a file was flushed because it was closed."),
	COUNTER("syncs", "count", MADE, "Calls of fsync for files and directories."),
	COUNTER("locks", "count", MADE, "Calls that lock a file."),
	COUNTER("releases", "count", MADE, "Files and directories closed."),
	COUNTER("congestion_waits", "count", MADE,
		"Waits because too much data was being written."),
	COUNTER("truncations", "count", MADE, "Files truncated."),
	COUNTER("extending_writes", "count", MADE, "Writes that extended a file."),
	COUNTER("silly_renames", "count", MADE,
		"Open files that were renamed because they were to be removed."),
	COUNTER("short_reads", "count", MADE,
		"Reads for which the server returned less than requested."),
	COUNTER("short_writes", "count", MADE, "Writes that the server accepted only in part."),
	COUNTER("delays", "count", MADE, "Replies in which the server asked for more time."),
	COUNTER("direct_server_reads", "count", MADE, "Reads from data servers (pNFS)."),
	COUNTER("direct_server_writes", "count", MADE, "Writes to data servers (pNFS)."),
	/* In the order of the line "bytes". */
	COUNTER("bytes_read", "bytes", MADE,
		"Bytes that programs read with read and similar calls."),
	COUNTER("bytes_written", "bytes", MADE,
		"Bytes that programs wrote with write and similar calls."),
	COUNTER("direct_bytes_read", "bytes", MADE, "Bytes that programs read with O_DIRECT."),
	COUNTER("direct_bytes_written", "bytes", MADE, "Bytes that programs wrote with O_DIRECT."),
	COUNTER("server_bytes_read", "bytes", MADE, "Bytes read from the server."),
	COUNTER("server_bytes_written", "bytes", MADE, "Bytes written to the server."),
	COUNTER("pages_read", "pages", MADE, "Pages read for mapped files and read-ahead."),
	COUNTER("pages_written", "pages", MADE, "Pages written of mapped files."),
	/* From all lines "xprt". */
	LEVEL("transports", "count", MADE,
	      "Maximum number of connections to the server (nconnect)."),
	COUNTER("connects", "count", MADE, "How often a connection was made."),
	COUNTER("sends", "count", MADE, "Requests sent, including retransmissions."),
	COUNTER("receives", "count", MADE, "Replies received."),
	COUNTER("strange_replies", "count", MADE, "Replies that belong to no request."),
	/* Over all operations, in the order of MOUNT_OPERATIONS. */
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
	COUNTER("retransmissions", "count", MADE, "Requests that were retransmitted."),
};

enum {
	MOUNT,
	DEVICE,
	NFS_VERSION,
	PROTOCOL,
	AGE,
	EVENTS,
	BYTES = EVENTS + 27,
	TRANSPORTS = BYTES + 8,
	CONNECTS,
	SENDS,
	ALL = SENDS + 3,
	AGAIN = ALL + MOUNT_COUNTS
};

_Static_assert(ARRAY_SIZE(items) == AGAIN + 1, "the items are where they are said to be");

/* Sets an item from a part of the text. */
static void take_text(struct metric_source *source, size_t item, struct text_part part)
{
	char text[1024];
	size_t length = mount_text(part, text, sizeof(text));

	if (length)
		source->values[item] = strmap_put_n(source->strings, text, length);
}

/* Adds to an item; a missing value counts as 0, unless both are missing. */
static void add(uint64_t *value, uint64_t more)
{
	if (more != UINT64_MAX)
		*value = (*value == UINT64_MAX ? 0 : *value) + more;
}

/* Takes the version from the options, "vers=4.2". */
static void take_options(struct metric_source *source, const struct mount_line *line)
{
	for (const char *at = line->rest; at + 5 < line->end; at++) {
		if (strncmp(at, "vers=", 5) != 0 ||
		    (at[-1] != ',' && at[-1] != '\t' && at[-1] != ' '))
			continue;
		at += 5;
		take_text(source, NFS_VERSION, (struct text_part){ at, strcspn(at, ",\n") });
		return;
	}
}

/* Adds the values of a line "xprt: tcp 832 0 1 ...". */
static void take_transport(struct metric_source *source, const struct mount_line *line)
{
	uint64_t numbers[XPRT_COLUMNS], *values = source->values;
	const char *name = line->rest + strspn(line->rest, " \t");
	struct text_part protocol = { name, strcspn(name, " \t\n") };
	bool udp = protocol.length == 3 && memcmp(name, "udp", 3) == 0;
	size_t first = udp ? XPRT_UDP_OTHERS : XPRT_OTHERS;

	take_text(source, PROTOCOL, protocol);
	mount_numbers(line, numbers, ARRAY_SIZE(numbers));
	add(&values[TRANSPORTS], 1);
	if (!udp)
		add(&values[CONNECTS], numbers[XPRT_CONNECTS]);
	for (size_t i = 0; i < ALL - SENDS; i++)
		add(&values[SENDS + i], numbers[first + i]);
}

/*
 * Sums over operations that are incomplete: a bit for each counter that an
 * operation does not have.
 */
struct lacking {
	unsigned bits;
};

/* Adds the counters of one operation. */
static void take_operation(struct metric_source *source, const struct mount_line *line)
{
	struct lacking *lacking = source->own;
	uint64_t numbers[MOUNT_COUNTS], *values = source->values;
	size_t count = mount_numbers(line, numbers, ARRAY_SIZE(numbers));

	if (!count)
		return;
	for (size_t i = 0; i < count; i++) {
		bool time = i >= MOUNT_QUEUE && i <= MOUNT_EXECUTION;

		if (numbers[i] == UINT64_MAX)
			lacking->bits |= 1U << i;
		else
			add(&values[ALL + i], numbers[i] * (time ? NSEC_PER_MSEC : 1));
	}
	if (numbers[MOUNT_OPERATIONS] == UINT64_MAX || numbers[MOUNT_TRANSMISSIONS] == UINT64_MAX)
		return;
	/* Operations that could not be sent have fewer transmissions. */
	add(&values[AGAIN], numbers[MOUNT_TRANSMISSIONS] > numbers[MOUNT_OPERATIONS]
				    ? numbers[MOUNT_TRANSMISSIONS] - numbers[MOUNT_OPERATIONS]
				    : 0);
}

static void take_line(struct metric_source *source, const struct mount_line *line)
{
	uint64_t age;

	if (line->operation) {
		take_operation(source, line);
	} else if (mount_line_is(line, "opts")) {
		take_options(source, line);
	} else if (mount_line_is(line, "age")) {
		if (mount_numbers(line, &age, 1) && age != UINT64_MAX)
			source->values[AGE] = age * NSEC_PER_SEC;
	} else if (mount_line_is(line, "events")) {
		mount_numbers(line, source->values + EVENTS, BYTES - EVENTS);
	} else if (mount_line_is(line, "bytes")) {
		mount_numbers(line, source->values + BYTES, TRANSPORTS - BYTES);
	} else if (mount_line_is(line, "xprt")) {
		take_transport(source, line);
	}
}

static void read_all(struct metric_source *source)
{
	const char *at = metric_text(source, 1);
	struct lacking *lacking = source->own;
	struct mount_statistics mount;

	while (at && mount_statistics_next(&at, &mount)) {
		struct mount_line line = { 0 };

		lacking->bits = 0;
		metric_begin(source);
		take_text(source, MOUNT, mount.path);
		take_text(source, DEVICE, mount.device);
		while (mount_line_next(&mount, &line))
			take_line(source, &line);
		/* A sum without one of its parts is missing. */
		for (size_t i = 0; i < MOUNT_COUNTS; i++)
			if (lacking->bits >> i & 1)
				source->values[ALL + i] = UINT64_MAX;
		metric_add(source);
	}
}

const struct metric_kind nfs_mounts_kind = {
	.name = "NFS",
	.record = "nfs",
	.summary = "mounted NFS file systems: operations, bytes, times, retransmissions",
	.meaning = "A mounted NFS file system; one that is mounted at several places has the same "
		   "counts at each.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.absent = "no NFS file system is mounted, or /proc/self/mountstats cannot be read",
	.private_size = sizeof(struct lacking),
	.read = read_all,
};
