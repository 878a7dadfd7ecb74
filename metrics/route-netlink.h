/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Queries the kernel about network interfaces by netlink (rtnetlink): all of a
 * kind with one request. Not for recorded machines.
 */
#ifndef VIGIL_METRICS_ROUTE_NETLINK_H
#define VIGIL_METRICS_ROUTE_NETLINK_H

#include "common/compat.h"

/* Zero-initialized. */
struct route_netlink {
	bool begun;
	int fd; /* -1: netlink is unavailable */
	uint32_t sequence;
};

/* Receives a message of the kernel, without its head; it may be truncated anywhere. */
typedef void route_taker(void *argument, const unsigned char *message, size_t length);

/* Maximum bytes of a request after its head. */
#define ROUTE_QUESTION_MAX 32
/*
 * Queries all of a kind: request is the message type, members is the body of the
 * request, and answer the type of the messages in the answer. Returns false when
 * the answer is incomplete.
 */
bool route_ask(struct route_netlink *kernel, unsigned request, const void *members, size_t size,
	       unsigned answer, route_taker *take, void *argument);
/*
 * Parses a part of an answer. Returns 1 when there is more, 0 at the end, -1 when
 * it ends with an error.
 */
int route_take(const struct route_netlink *kernel, unsigned answer, const unsigned char *bytes,
	       size_t length, route_taker *take, void *argument);
/* Returns the value of an attribute of a type, and its length; NULL: none. */
const unsigned char *route_attribute(const unsigned char *at, size_t left, unsigned type,
				     size_t *length);
/* Returns the offset at which the attributes follow a message's body of this length. */
size_t route_aligned(size_t length);
void route_release(struct route_netlink *kernel);

#endif
