/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel reports by netlink about all network interfaces together: the
 * columns of /proc/net/dev, and items that /sys has in one small file each.
 */
#ifndef VIGIL_METRICS_LINK_STATISTICS_H
#define VIGIL_METRICS_LINK_STATISTICS_H

#include "metrics/route-netlink.h"

/* Files of an interface whose numbers are reported by netlink. */
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

/* The columns of /proc/net/dev after the name. */
enum { LINK_COLUMNS = 16, LINK_NAME_SIZE = 16 };

struct link_statistics {
	uint64_t interface; /* interface index */
	bool up;	    /* if false, speed, duplex and carrier are unknown */
	bool loopback;	    /* it has no speed and duplex */
	const char *state;  /* as in /sys; NULL: not reported */
	char name[LINK_NAME_SIZE];
	uint64_t columns[LINK_COLUMNS]; /* as in /proc/net/dev, with the same sums */
	uint64_t numbers[LINK_NUMBERS]; /* UINT64_MAX: not reported */
};

/* Zero-initialized. */
struct links {
	struct route_netlink kernel;
	struct link_statistics *list; /* of this snapshot; owned */
	size_t count, alloc;
	bool complete;    /* the kernel has reported all interfaces */
	bool columns; /* and all of them with their columns, as all kernels from 2.6.35 on do */
};

/* Queries the kernel for all interfaces. */
void links_look(struct links *links);
/* Returns an interface; NULL: it does not exist, or was not reported. */
const struct link_statistics *links_find(const struct links *links, uint64_t interface);
/* Parses interfaces from a part of the kernel's answer. Returns false at its end. */
bool links_take(struct links *links, const unsigned char *bytes, size_t length);
void links_release(struct links *links);

#endif
