/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel tells by netlink of all network interfaces at once: the
 * columns of /proc/net/dev, and what /sys has in a small file an item.
 */
#ifndef VIGIL_METRICS_LINK_STATISTICS_H
#define VIGIL_METRICS_LINK_STATISTICS_H

#include "metrics/route-netlink.h"

/* Files of an interface whose numbers are told. */
enum {
	LINK_CRC_ERRORS,
	LINK_LENGTH_ERRORS,
	LINK_MISSED,
	LINK_OVER_ERRORS,
	LINK_NO_HANDLER,
	LINK_ABORTED,
	LINK_HEARTBEAT,
	LINK_WINDOW,
	LINK_CARRIER_CHANGES,
	LINK_MTU,
	LINK_SEND_QUEUE,
	LINK_CARRIER,
	LINK_NUMBERS
};

/* The columns of /proc/net/dev behind the name. */
enum { LINK_COLUMNS = 16, LINK_NAME_SIZE = 16 };

struct link_statistics {
	uint64_t interface; /* its number */
	bool up;	    /* else speed and duplex are not known, nor is there a carrier */
	bool loopback;	    /* it has neither */
	const char *state;  /* as in /sys; NULL: not told */
	char name[LINK_NAME_SIZE];
	uint64_t columns[LINK_COLUMNS]; /* as in /proc/net/dev, sums as there */
	uint64_t numbers[LINK_NUMBERS]; /* UINT64_MAX: not told */
};

/* Cleared at first. */
struct links {
	struct route_netlink kernel;
	struct link_statistics *list; /* of this snapshot; owned */
	size_t count, alloc;
	bool told;    /* the kernel has told of all of them */
	bool columns; /* of all of them with their columns: so do all kernels from 2.6.35 on */
};

/* Asks the kernel for all interfaces. */
void links_look(struct links *links);
/* An interface; NULL: it is not there, or nobody tells. */
const struct link_statistics *links_find(const struct links *links, uint64_t interface);
/* Takes interfaces from a part of the kernel's answer; false: it has come to its end. */
bool links_take(struct links *links, const unsigned char *bytes, size_t length);
void links_release(struct links *links);

#endif
