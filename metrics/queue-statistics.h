/* SPDX-License-Identifier: Apache-2.0 */
/* What the queues for sending of network interfaces count, as the kernel tells by netlink. */
#ifndef VIGIL_METRICS_QUEUE_STATISTICS_H
#define VIGIL_METRICS_QUEUE_STATISTICS_H

#include "metrics/route-netlink.h"

/* UINT64_MAX: it is not told. */
struct queue_statistics {
	uint64_t bytes, packets, drops, requeues, overlimits;
	uint64_t length, backlog;
};

/* Cleared at first. */
struct queues {
	struct route_netlink kernel;
	struct queue {
		uint64_t interface; /* its number */
		struct queue_statistics counts;
	} * list; /* of this snapshot; owned */
	size_t count, alloc;
};

/* Asks the kernel for all queues. */
void queues_look(struct queues *queues);
/* The queue of an interface, the outermost of several; NULL: it has none, or nobody tells. */
const struct queue_statistics *queues_find(const struct queues *queues, uint64_t interface);
/* Takes the queues from a part of the kernel's answer; false: it has come to its end. */
bool queues_take(struct queues *queues, const unsigned char *bytes, size_t length);
void queues_release(struct queues *queues);

#endif
