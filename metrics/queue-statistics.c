/* SPDX-License-Identifier: Apache-2.0 */
/* Queries the kernel for the queues of network interfaces. */
#include "common/compat.h"
#include "metrics/queue-statistics.h"
#include "common/xalloc.h"

#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

/* From linux/gen_stats.h. */
enum { STATISTICS_BASIC = 1, STATISTICS_QUEUE = 3, STATISTICS_PACKETS = 8 };

/* Reads a number of 4 bytes. */
static uint64_t number_at(const unsigned char *bytes, size_t place)
{
	uint32_t number;

	memcpy(&number, bytes + place * sizeof(number), sizeof(number));
	return number;
}

/* Reads the counters of one queue. */
static void take_counts(struct queue_statistics *counts, const unsigned char *all, size_t length)
{
	const unsigned char *part;
	size_t size;

	memset(counts, 0xff, sizeof(*counts));
	part = route_attribute(all, length, STATISTICS_BASIC, &size);
	if (part && size >= 12) {
		memcpy(&counts->bytes, part, sizeof(counts->bytes));
		counts->packets = number_at(part, 2);
	}
	part = route_attribute(all, length, STATISTICS_PACKETS, &size);
	if (part && size >= sizeof(counts->packets))
		memcpy(&counts->packets, part, sizeof(counts->packets));
	part = route_attribute(all, length, STATISTICS_QUEUE, &size);
	if (!part || size < 20)
		return;
	counts->length = number_at(part, 0);
	counts->backlog = number_at(part, 1);
	counts->drops = number_at(part, 2);
	counts->requeues = number_at(part, 3);
	counts->overlimits = number_at(part, 4);
}

/* Reads one message, if it is about a root queue. */
static void take_message(void *argument, const unsigned char *bytes, size_t length)
{
	struct queues *queues = argument;
	const unsigned char *statistics, *kind;
	const size_t head = route_aligned(sizeof(struct tcmsg));
	struct tcmsg message;
	size_t size;

	if (length < head)
		return;
	memcpy(&message, bytes, sizeof(message));
	if (message.tcm_parent != TC_H_ROOT)
		return;
	/* A device without a queue has no counters. */
	kind = route_attribute(bytes + head, length - head, TCA_KIND, &size);
	if (kind && size == sizeof("noqueue") && memcmp(kind, "noqueue", size) == 0)
		return;
	statistics = route_attribute(bytes + head, length - head, TCA_STATS2, &size);
	if (!statistics)
		return;
	GROW(queues->list, queues->count + 1, queues->alloc);
	queues->list[queues->count].interface = (uint64_t)message.tcm_ifindex;
	take_counts(&queues->list[queues->count++].counts, statistics, size);
}

bool queues_take(struct queues *queues, const unsigned char *bytes, size_t length)
{
	return route_take(&queues->kernel, RTM_NEWQDISC, bytes, length, take_message, queues) == 1;
}

void queues_look(struct queues *queues)
{
	const struct tcmsg any = { 0 };

	queues->count = 0;
	route_ask(&queues->kernel, RTM_GETQDISC, &any, sizeof(any), RTM_NEWQDISC, take_message,
		  queues);
}

const struct queue_statistics *queues_find(const struct queues *queues, uint64_t interface)
{
	for (size_t i = 0; i < queues->count; i++)
		if (queues->list[i].interface == interface)
			return &queues->list[i].counts;
	return NULL;
}

void queues_release(struct queues *queues)
{
	route_release(&queues->kernel);
	free(queues->list);
}
