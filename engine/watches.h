/* SPDX-License-Identifier: Apache-2.0 */
/* The file descriptors that the engine watches for modules between snapshots. */
#ifndef VIGIL_ENGINE_WATCHES_H
#define VIGIL_ENGINE_WATCHES_H

#include "common/error.h"
#include "common/idmap.h"

#include <poll.h>

struct watch;
struct watch_ready;

struct watches {
	struct pollfd *polls; /* the watched descriptors, parallel to items */
	struct watch *items;
	size_t count, poll_alloc, item_alloc;
	struct idmap index_by_fd;  /* descriptor to its index in polls */
	uint64_t last_number; /* distinguishes a watch from a later one of the same descriptor */
	struct watch_ready *ready;
	size_t ready_alloc;
};

void watches_init(struct watches *watches);
void watches_release(struct watches *watches);
/* Watches fd for events; replaces an existing watch. */
void watches_put(struct watches *watches, int fd, short events,
		 void (*ready)(void *argument, int fd, short revents), void *argument);
void watches_remove(struct watches *watches, int fd);
/*
 * Sleeps until a descriptor is ready or timeout_ns have passed; calls the
 * functions of those that are ready.
 */
int watches_wait(struct watches *watches, uint64_t timeout_ns, struct error *err);

#endif
