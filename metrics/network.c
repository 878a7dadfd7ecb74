/* SPDX-License-Identifier: Apache-2.0 */
/*
 * NTI: the activity of the network interfaces. Nearly all of it comes from the
 * kernel's report on all interfaces (link-statistics.h); without that, from
 * /proc/net/dev and one small file an item.
 */
#include "common/compat.h"
#include "metrics/kinds.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "metrics/link-statistics.h"
#include "metrics/queue-statistics.h"

#include <fcntl.h>
#include <unistd.h>

static const struct metric_file files[] = {
	{ "/proc/net/dev", METRIC_ROWS },
};

/*
 * The items from FIRST_FILE on come from small files of the interface, in this
 * order, or from netlink as marked here.
 */
enum { BY_FILE = -1, BY_STATE = -2 };
static const struct {
	const char *file;
	int number; /* LINK_... */
} attributes[] = {
	{ "statistics/rx_crc_errors", LINK_CRC_ERRORS },
	{ "statistics/rx_length_errors", LINK_LENGTH_ERRORS },
	{ "statistics/rx_missed_errors", LINK_MISSED },
	{ "statistics/rx_over_errors", LINK_OVER_ERRORS },
	{ "statistics/rx_nohandler", LINK_NO_HANDLER },
	{ "statistics/tx_aborted_errors", LINK_ABORTED },
	{ "statistics/tx_heartbeat_errors", LINK_HEARTBEAT },
	{ "statistics/tx_window_errors", LINK_WINDOW },
	{ "carrier_changes", LINK_CARRIER_CHANGES },
	{ "mtu", LINK_MTU },
	{ "speed", BY_FILE },
	{ "tx_queue_len", LINK_SEND_QUEUE },
	{ "carrier", LINK_CARRIER },
	{ "duplex", BY_FILE },
	{ "operstate", BY_STATE },
};

/* Values that do not change while an interface exists, read when it is first seen. */
static const char *const fixed[] = { "ifindex", "type", "address" };

enum {
	NAME,
	RECEIVED,
	FIRST_FILE = 17,
	FIRST_FIXED = FIRST_FILE + ARRAY_SIZE(attributes),
	QUEUED = FIRST_FIXED + ARRAY_SIZE(fixed)
};

static const struct metric_item items[] = {
	TEXT_IDENTITY("name", "name", COLUMN(1, 1), "The interface."),
	COUNTER("bytes_received", "bytes", COLUMN(1, 2), "Bytes received."),
	COUNTER("packets_received", "count", COLUMN(1, 3), "Packets received."),
	COUNTER("receive_errors", "count", COLUMN(1, 4), "Packets received with an error."),
	COUNTER("receive_drops", "count", COLUMN(1, 5),
		"Packets received and dropped, by the device or because no buffer was free."),
	COUNTER("receive_fifo_errors", "count", COLUMN(1, 6),
		"Packets lost because the device's buffer was full (overrun)."),
	COUNTER("receive_frame_errors", "count", COLUMN(1, 7),
		"Packets with a wrong frame, length or checksum."),
	COUNTER("compressed_received", "count", COLUMN(1, 8), "Compressed packets received."),
	COUNTER("multicast_received", "count", COLUMN(1, 9), "Multicast packets received."),
	COUNTER("bytes_sent", "bytes", COLUMN(1, 10), "Bytes sent."),
	COUNTER("packets_sent", "count", COLUMN(1, 11), "Packets sent."),
	COUNTER("send_errors", "count", COLUMN(1, 12),
		"Packets that could not be sent because of an error."),
	COUNTER("send_drops", "count", COLUMN(1, 13), "Packets to be sent that were dropped."),
	COUNTER("send_fifo_errors", "count", COLUMN(1, 14),
		"Packets lost because the device's buffer ran empty (underrun)."),
	COUNTER("collisions", "count", COLUMN(1, 15), "Collisions on the line."),
	COUNTER("carrier_errors", "count", COLUMN(1, 16),
		"Packets not sent because the carrier was lost, or for another reason of the "
		"device."),
	COUNTER("compressed_sent", "count", COLUMN(1, 17), "Compressed packets sent."),
	COUNTER("receive_crc_errors", "count", MADE, "Packets received with a wrong checksum."),
	COUNTER("receive_length_errors", "count", MADE, "Packets received with a wrong length."),
	COUNTER("receive_missed", "count", MADE, "Packets that the device missed."),
	COUNTER("receive_over_errors", "count", MADE,
		"Packets too long for the buffers of the device."),
	COUNTER("receive_nohandler", "count", MADE,
		"Packets dropped because the interface is not to receive any, as a backup link."),
	COUNTER("send_aborted", "count", MADE, "Packets whose sending was aborted."),
	COUNTER("send_heartbeat_errors", "count", MADE, "Errors of the heartbeat while sending."),
	COUNTER("send_window_errors", "count", MADE, "Packets sent too late: late collisions."),
	COUNTER("carrier_changes", "count", MADE, "How often the carrier came up or went down."),
	LEVEL("mtu", "bytes", MADE, "The largest packet (MTU)."),
	LEVEL("speed", "bits/s", MADE_SCALED(1000000), "Speed of the line."),
	LEVEL("send_queue", "packets", MADE, "Maximum number of packets that wait to be sent."),
	LEVEL("carrier", "flag", MADE, "Whether there is a carrier: 1 yes, 0 no."),
	TEXT_LEVEL("duplex", "name", MADE, "Duplex mode of the line: full, half, unknown."),
	TEXT_LEVEL("state", "name", MADE, "State of the interface: up, down, unknown and others."),
	IDENTITY("index", "id", MADE, "Number of the interface."),
	IDENTITY("type", "id", MADE,
		 "Kind of the interface (ARPHRD_...): 1 Ethernet, 772 loopback."),
	TEXT_IDENTITY("address", "name", MADE, "Its hardware address."),
	/* In the order of struct queue_statistics. */
	COUNTER("queue_bytes", "bytes", MADE, "Bytes that its send queue has passed on."),
	COUNTER("queue_packets", "count", MADE, "Packets that the send queue has passed on."),
	COUNTER("queue_drops", "count", MADE, "Packets that the send queue has dropped."),
	COUNTER("queue_requeues", "count", MADE,
		"Packets that the device returned to the send queue."),
	COUNTER("queue_overlimits", "count", MADE, "How often the send queue held packets back."),
	LEVEL("queue_length", "packets", MADE, "Packets in the send queue."),
	LEVEL("queue_backlog", "bytes", MADE, "Bytes of these packets."),
};

_Static_assert(FIRST_FILE == RECEIVED + LINK_COLUMNS, "the columns stand side by side");
_Static_assert(ARRAY_SIZE(items) == QUEUED + sizeof(struct queue_statistics) / sizeof(uint64_t),
	       "an item a file, and a number of the queue");

/* An interface seen so far, with its open files. */
struct interface {
	uint64_t name;
	int fds[ARRAY_SIZE(attributes)]; /* -1: it does not exist, or is not needed */
	uint64_t fixed[ARRAY_SIZE(fixed)];
	bool seen; /* in this snapshot */
};

struct interfaces {
	struct interface *list; /* owned */
	size_t count, alloc;
	struct queues queues;
	struct links links;
};

static void close_files(struct interface *interface)
{
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		if (interface->fds[i] >= 0)
			close(interface->fds[i]);
}

/* Returns the interface of a name; opens its files when it is new. */
static struct interface *find(struct metric_source *source, uint64_t name)
{
	struct interfaces *all = source->own;
	struct interface *interface;
	char path[PROCFS_PATH_SIZE];

	for (size_t i = 0; i < all->count; i++)
		if (all->list[i].name == name)
			return &all->list[i];
	GROW(all->list, all->count + 1, all->alloc);
	interface = &all->list[all->count++];
	interface->name = name;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++)
		interface->fds[i] =
			all->links.complete && attributes[i].number != BY_FILE
				? -1
				: open(procfs_path(path, "/sys/class/net/%s/%s",
						   strmap_text(source->strings, (uint32_t)name),
						   attributes[i].file),
				       O_RDONLY | O_CLOEXEC);
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++) {
		source->values[FIRST_FIXED + i] = UINT64_MAX;
		metric_small_file(source, FIRST_FIXED + i,
				  procfs_path(path, "/sys/class/net/%s/%s",
					      strmap_text(source->strings, (uint32_t)name),
					      fixed[i]));
		interface->fixed[i] = source->values[FIRST_FIXED + i];
	}
	return interface;
}

/* Takes the values of an interface reported by netlink. */
static void take_link(struct metric_source *source, const struct link_statistics *link)
{
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		if (attributes[i].number >= 0)
			source->values[FIRST_FILE + i] = link->numbers[attributes[i].number];
		else if (attributes[i].number == BY_STATE && link->state)
			metric_string(source, FIRST_FILE + i, link->state);
	}
}

/*
 * Reads the files of an interface. Returns false when it is gone. An unknown
 * speed, as of an interface that is down, reads as -1 or fails.
 */
static bool read_files(struct metric_source *source, struct interface *interface)
{
	const struct interfaces *all = source->own;
	const struct link_statistics *link = links_find(&all->links, interface->fixed[0]);
	char text[64];

	if (link)
		take_link(source, link);
	else if (all->links.complete)
		return false;
	for (size_t i = 0; i < ARRAY_SIZE(attributes); i++) {
		size_t item = FIRST_FILE + i;
		ssize_t length;

		if (interface->fds[i] < 0 ||
		    (link && (attributes[i].number != BY_FILE || !link->up || link->loopback)))
			continue;
		length = procfs_reread(interface->fds[i], text, sizeof(text));
		if (length < 0 && errno == ENODEV)
			return false;
		if (length > 1)
			metric_set(&items[item], text, strcspn(text, "\n"), &source->values[item],
				   source->strings);
	}
	return true;
}

/* Removes the interface at an index. */
static void drop(struct interfaces *all, size_t at)
{
	close_files(&all->list[at]);
	all->list[at] = all->list[--all->count];
}

/*
 * Completes a record that has its name and columns. A new device with an old name
 * has other files.
 */
static void finish(struct metric_source *source)
{
	struct interfaces *all = source->own;
	const struct queue_statistics *queue;
	struct interface *interface;

	interface = find(source, source->values[NAME]);
	if (!read_files(source, interface)) {
		drop(all, (size_t)(interface - all->list));
		interface = find(source, source->values[NAME]);
		read_files(source, interface);
	}
	interface->seen = true;
	for (size_t i = 0; i < ARRAY_SIZE(fixed); i++)
		source->values[FIRST_FIXED + i] = interface->fixed[i];
	queue = queues_find(&all->queues, interface->fixed[0]);
	if (queue)
		memcpy(source->values + QUEUED, queue, sizeof(*queue));
}

/* Completes a record; the two lines of headings have no counts. */
static bool complete(struct metric_source *source)
{
	if (source->values[RECEIVED] == UINT64_MAX || source->values[RECEIVED + 8] == UINT64_MAX)
		return false;
	finish(source);
	return true;
}

/* Makes a record of each interface reported by netlink. */
static void read_links(struct metric_source *source)
{
	const struct links *links = &((const struct interfaces *)source->own)->links;

	for (size_t i = 0; i < links->count; i++) {
		const struct link_statistics *link = &links->list[i];

		metric_begin(source);
		metric_string(source, NAME, link->name);
		memcpy(source->values + RECEIVED, link->columns, sizeof(link->columns));
		finish(source);
		metric_add(source);
	}
}

/* Makes the records, and removes interfaces that are gone. */
static void read_all(struct metric_source *source)
{
	struct interfaces *all = source->own;

	for (size_t i = 0; i < all->count; i++)
		all->list[i].seen = false;
	links_look(&all->links);
	queues_look(&all->queues);
	if (all->links.complete && all->links.columns)
		read_links(source);
	else
		metric_rows(source);
	for (size_t i = all->count; i-- > 0;)
		if (!all->list[i].seen)
			drop(all, i);
}

static void release(struct metric_source *source)
{
	struct interfaces *all = source->own;

	while (all->count)
		drop(all, all->count - 1);
	free(all->list);
	queues_release(&all->queues);
	links_release(&all->links);
}

const struct metric_kind network_kind = {
	.name = "NTI",
	.record = "nti",
	.summary = "network interfaces: packets, bytes, errors, queue, state of the line",
	.meaning = "A network interface.",
	METRIC_ITEMS(items),
	METRIC_FILES(files),
	.private_size = sizeof(struct interfaces),
	.complete = complete,
	.read = read_all,
	.release = release,
};
