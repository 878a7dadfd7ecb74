/* SPDX-License-Identifier: Apache-2.0 */
/* Queries the kernel for the network interfaces. */
#include "common/compat.h"
#include "metrics/link-statistics.h"
#include "common/xalloc.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>

/* From linux/if_link.h, which may be older than the kernel. */
enum { STATISTICS = 23, CARRIER = 33, CARRIER_CHANGES = 35 };
/*
 * Excludes statistics of the protocols, which the kernel would add up over all
 * possible processors.
 */
#define WITHOUT_STATISTICS (UINT32_C(1) << 3)

/*
 * Index of the numbers in the statistics, in members of 8 bytes; carrier changes
 * and later ones are not in them.
 */
static const unsigned char member_index[LINK_CARRIER_CHANGES] = { 12, 10, 15, 11, 23, 16, 19, 20 };

/* Members that make a column of /proc/net/dev, a bit each. */
#define MEMBER(number) (UINT32_C(1) << (number))
static const uint32_t sums[LINK_COLUMNS] = {
	MEMBER(2),					   /* bytes received */
	MEMBER(0),					   /* packets */
	MEMBER(4),					   /* errors */
	MEMBER(6) | MEMBER(15),				   /* dropped, and missed */
	MEMBER(14),					   /* fifo */
	MEMBER(10) | MEMBER(11) | MEMBER(12) | MEMBER(13), /* length, over, crc, frame */
	MEMBER(21),					   /* compressed */
	MEMBER(8),					   /* multicast */
	MEMBER(3),					   /* bytes sent */
	MEMBER(1),					   /* packets */
	MEMBER(5),					   /* errors */
	MEMBER(7),					   /* dropped */
	MEMBER(18),					   /* fifo */
	MEMBER(9),					   /* collisions */
	MEMBER(16) | MEMBER(17) | MEMBER(19) | MEMBER(20), /* aborted, carrier, heartbeat, window */
	MEMBER(22),					   /* compressed */
};
/* Number of leading members that are needed. */
enum { SUMMED = 23 };

/* States of an interface (RFC 2863), with the names of /sys. */
static const char *const states[] = { "unknown", "notpresent", "down", "lowerlayerdown",
				      "testing", "dormant",    "up" };

/* Returns a number of 4 bytes; UINT64_MAX: none. */
static uint64_t number_of(const unsigned char *at, size_t left, unsigned type)
{
	size_t length;
	const unsigned char *value = route_attribute(at, left, type, &length);
	uint32_t number;

	RETURN_IF(!value || length < sizeof(number), UINT64_MAX);
	memcpy(&number, value, sizeof(number));
	return number;
}

/* Returns a number of one byte; UINT64_MAX: none. */
static uint64_t byte_of(const unsigned char *at, size_t left, unsigned type)
{
	size_t length;
	const unsigned char *value = route_attribute(at, left, type, &length);

	return value && length ? *value : UINT64_MAX;
}

/* Adds the members of each column. */
static void take_columns(struct link_statistics *link, const unsigned char *value)
{
	uint64_t members[SUMMED];

	memcpy(members, value, sizeof(members));
	for (size_t column = 0; column < LINK_COLUMNS; column++) {
		link->columns[column] = 0;
		for (size_t i = 0; i < SUMMED; i++)
			if (sums[column] & MEMBER(i))
				link->columns[column] += members[i];
	}
}

/*
 * Reads the statistics; older kernels have fewer members. Returns whether the
 * columns are complete.
 */
static bool take_statistics(struct link_statistics *link, const unsigned char *at, size_t left)
{
	size_t length;
	const unsigned char *value = route_attribute(at, left, STATISTICS, &length);
	bool columns = value && length >= SUMMED * sizeof(uint64_t);

	memset(link->columns, 0xff, sizeof(link->columns));
	if (columns)
		take_columns(link, value);
	for (size_t i = 0; value && i < ARRAY_SIZE(member_index); i++)
		if (length >= (member_index[i] + (size_t)1) * sizeof(uint64_t))
			memcpy(&link->numbers[i], value + member_index[i] * sizeof(uint64_t),
			       sizeof(uint64_t));
	return columns;
}

/* Reads the name. Returns whether there is one. */
static bool take_name(struct link_statistics *link, const unsigned char *at, size_t left)
{
	size_t length;
	const unsigned char *value = route_attribute(at, left, IFLA_IFNAME, &length);

	memset(link->name, 0, sizeof(link->name));
	if (value)
		memcpy(link->name, value,
		       length < sizeof(link->name) ? length : sizeof(link->name) - 1);
	return link->name[0];
}

/* Reads one interface. */
static void take_message(void *argument, const unsigned char *bytes, size_t length)
{
	struct links *links = argument;
	const size_t head = route_aligned(sizeof(struct ifinfomsg));
	struct ifinfomsg message;
	struct link_statistics *link;
	uint64_t state;

	if (length < head)
		return;
	memcpy(&message, bytes, sizeof(message));
	bytes += head;
	length -= head;
	GROW(links->list, links->count + 1, links->alloc);
	link = &links->list[links->count++];
	memset(link->numbers, 0xff, sizeof(link->numbers));
	link->interface = (uint64_t)message.ifi_index;
	link->up = message.ifi_flags & IFF_UP;
	link->loopback = message.ifi_flags & IFF_LOOPBACK;
	if (!take_statistics(link, bytes, length) || !take_name(link, bytes, length))
		links->columns = false;
	link->numbers[LINK_CARRIER_CHANGES] = number_of(bytes, length, CARRIER_CHANGES);
	link->numbers[LINK_MTU] = number_of(bytes, length, IFLA_MTU);
	link->numbers[LINK_SEND_QUEUE] = number_of(bytes, length, IFLA_TXQLEN);
	/* As in /sys: an interface that is down has no carrier state. */
	if (link->up)
		link->numbers[LINK_CARRIER] = byte_of(bytes, length, CARRIER);
	state = byte_of(bytes, length, IFLA_OPERSTATE);
	link->state = state < ARRAY_SIZE(states) ? states[state] : NULL;
}

bool links_take(struct links *links, const unsigned char *bytes, size_t length)
{
	return route_take(&links->kernel, RTM_NEWLINK, bytes, length, take_message, links) == 1;
}

void links_look(struct links *links)
{
	const struct ifinfomsg any = { 0 };
	const struct {
		struct rtattr head;
		uint32_t value;
	} mask = { { sizeof(mask), IFLA_EXT_MASK }, WITHOUT_STATISTICS };
	unsigned char members[sizeof(any) + sizeof(mask)];

	memcpy(members, &any, sizeof(any));
	memcpy(members + sizeof(any), &mask, sizeof(mask));
	links->count = 0;
	links->columns = true;
	links->complete = route_ask(&links->kernel, RTM_GETLINK, members, sizeof(members), RTM_NEWLINK,
				take_message, links);
}

const struct link_statistics *links_find(const struct links *links, uint64_t interface)
{
	for (size_t i = 0; i < links->count; i++)
		if (links->list[i].interface == interface)
			return &links->list[i];
	return NULL;
}

void links_release(struct links *links)
{
	route_release(&links->kernel);
	free(links->list);
}
