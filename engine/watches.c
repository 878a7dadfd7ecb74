/* SPDX-License-Identifier: Apache-2.0 */
/* Watched file descriptors: polls them and calls the functions of those that are ready. */
#include "common/compat.h"
#include "engine/watches.h"
#include "common/outside.h"
#include "common/xalloc.h"

/* The function to call for a watched descriptor. */
struct watch {
	void (*ready)(void *argument, int fd, short revents);
	void *argument;
	uint64_t number; /* distinguishes this watch from a later one of the same descriptor */
};

/* A descriptor that poll found ready. */
struct watch_ready {
	int fd;
	short revents;
	uint64_t number;
};

void watches_init(struct watches *watches)
{
	memset(watches, 0, sizeof(*watches));
	idmap_init(&watches->index_by_fd);
}

void watches_release(struct watches *watches)
{
	free(watches->polls);
	free(watches->items);
	free(watches->ready);
	idmap_release(&watches->index_by_fd);
	watches_init(watches);
}

/* Returns the watch of fd, or NULL. */
static struct watch *find_watch(const struct watches *watches, int fd)
{
	uint64_t place;

	if (!idmap_get(&watches->index_by_fd, (uint64_t)fd, &place))
		return NULL;
	return &watches->items[place];
}

void watches_put(struct watches *watches, int fd, short events,
		 void (*ready)(void *argument, int fd, short revents), void *argument)
{
	struct watch watch = { ready, argument, ++watches->last_number };
	uint64_t place = watches->count;

	assert(fd >= 0);
	if (!idmap_get(&watches->index_by_fd, (uint64_t)fd, &place)) {
		GROW(watches->polls, watches->count + 1, watches->poll_alloc);
		GROW(watches->items, watches->count + 1, watches->item_alloc);
		watches->count++;
		idmap_put(&watches->index_by_fd, (uint64_t)fd, place);
	}
	watches->polls[place] = (struct pollfd){ .fd = fd, .events = events };
	watches->items[place] = watch;
}

void watches_remove(struct watches *watches, int fd)
{
	uint64_t place;
	size_t last = watches->count - 1;

	if (!idmap_get(&watches->index_by_fd, (uint64_t)fd, &place))
		return;
	idmap_remove(&watches->index_by_fd, (uint64_t)fd);
	if (place != last) {
		watches->polls[place] = watches->polls[last];
		watches->items[place] = watches->items[last];
		idmap_put(&watches->index_by_fd, (uint64_t)watches->polls[place].fd, place);
	}
	watches->count--;
}

/* Copies the ready descriptors, since the functions called may change what is watched. */
static size_t gather_ready(struct watches *watches)
{
	size_t count = 0;

	GROW(watches->ready, watches->count, watches->ready_alloc);
	for (size_t i = 0; i < watches->count; i++)
		if (watches->polls[i].revents)
			watches->ready[count++] = (struct watch_ready){ watches->polls[i].fd,
									watches->polls[i].revents,
									watches->items[i].number };
	return count;
}

/* Calls the functions of ready descriptors; a descriptor that is not open is reported once. */
static void serve_ready(struct watches *watches, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct watch_ready ready = watches->ready[i];
		const struct watch *watch = find_watch(watches, ready.fd);

		if (!watch || watch->number != ready.number)
			continue;
		watch->ready(watch->argument, ready.fd, ready.revents);
		watch = find_watch(watches, ready.fd);
		if ((ready.revents & POLLNVAL) && watch && watch->number == ready.number)
			watches_remove(watches, ready.fd);
	}
}

int watches_wait(struct watches *watches, uint64_t timeout_ns, struct error *err)
{
	int found = outside_poll(watches->polls, watches->count, timeout_ns);

	if (found < 0 && errno != EINTR)
		return error_errno(err, "waiting for the step failed");
	if (found > 0)
		serve_ready(watches, gather_ready(watches));
	return 0;
}
