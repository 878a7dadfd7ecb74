/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Asks the kernel about network interfaces by netlink (rtnetlink): all of a
 * kind with one question. What was recorded of a machine cannot be asked.
 */
#ifndef VIGIL_METRICS_ROUTE_NETLINK_H
#define VIGIL_METRICS_ROUTE_NETLINK_H

#include "common/compat.h"

/* Cleared at first. */
struct route_netlink {
	bool begun;
	int fd; /* -1: the kernel does not tell */
	uint32_t sequence;
};

/* What takes a message of the kernel, without its head; it may be cut off anywhere. */
typedef void route_taker(void *argument, const unsigned char *message, size_t length);

/* The most bytes that a question may have behind its head. */
#define ROUTE_QUESTION_MAX 32
/*
 * Asks for all of a kind: request is its number, members what its kind of question
 * has behind the head, and answer the number of the messages with which the kernel
 * answers. False: the kernel has not told all.
 */
bool route_ask(struct route_netlink *kernel, unsigned request, const void *members, size_t size,
	       unsigned answer, route_taker *take, void *argument);
/* Takes a part of an answer: 1: there is more, 0: that was the end, -1: it ends with an error. */
int route_take(const struct route_netlink *kernel, unsigned answer, const unsigned char *bytes,
	       size_t length, route_taker *take, void *argument);
/* The value of an attribute of a type and its length; NULL: there is none. */
const unsigned char *route_attribute(const unsigned char *at, size_t left, unsigned type,
				     size_t *length);
/* Where the attributes begin behind a message's own members. */
size_t route_aligned(size_t length);
void route_release(struct route_netlink *kernel);

#endif
