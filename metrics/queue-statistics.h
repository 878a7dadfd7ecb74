/* SPDX-License-Identifier: Apache-2.0 */
/* Counters of the send queues of network interfaces, as reported by netlink. */
#ifndef VIGIL_METRICS_QUEUE_STATISTICS_H
#define VIGIL_METRICS_QUEUE_STATISTICS_H

#include "metrics/route-netlink.h"

/* UINT64_MAX: not reported. */
struct queue_statistics {
	uint64_t bytes, packets, drops, requeues, overlimits;
	uint64_t length, backlog;
};

/* Zero-initialized. */
struct queues {
	struct route_netlink kernel;
	struct queue {
		uint64_t interface; /* interface index */
		struct queue_statistics counts;
	} * list; /* of this snapshot; owned */
	size_t count, alloc;
};

/* Queries the kernel for all queues. */
void queues_look(struct queues *queues);
/* Returns the root queue of an interface; NULL: it has none, or it was not reported. */
const struct queue_statistics *queues_find(const struct queues *queues, uint64_t interface);
/* Parses queues from a part of the kernel's answer. Returns false at its end. */
bool queues_take(struct queues *queues, const unsigned char *bytes, size_t length);
void queues_release(struct queues *queues);

#endif
