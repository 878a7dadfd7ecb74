/* SPDX-License-Identifier: Apache-2.0 */
/* Writes changes into a transaction area. */
#include "agent/agent.h"
#include "agent/transaction-write.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns whether a mapping is a complete area. */
static bool is_area(const struct transaction_area *area, size_t size)
{
	return area->magic == TRANSACTION_AREA_MAGIC && area->slots &&
	       !(area->slots & (area->slots - 1)) &&
	       area->slots <= (size - sizeof(*area)) / sizeof(area->changes[0]);
}

/* Maps the file behind fd; returns NULL if it is no area. */
static struct transaction_area *map_file(int fd)
{
	struct transaction_area *area;
	struct stat status;
	size_t size;

	if (fstat(fd, &status) || status.st_size < (off_t)sizeof(*area))
		return NULL;
	size = (size_t)status.st_size;
	area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return NULL;
	if (!is_area(area, size)) {
		munmap(area, size);
		return NULL;
	}
	return area;
}

struct transaction_area *transaction_map(const char *path)
{
	int fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	struct transaction_area *area = NULL;

	if (fd >= 0) {
		area = map_file(fd);
		close(fd);
	}
	return area;
}

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return agent_ns(&time);
}

/*
 * The slot's sequence is cleared first, so that a reader that has been overtaken
 * sees that what it copies is changing.
 */
static void write_at(struct transaction_area *area, uint64_t time, uint32_t pid, uint32_t tid,
		     const char *name, size_t length)
{
	struct transaction_change *change;
	uint64_t ticket;

	ticket = __atomic_fetch_add(&area->next, 1, __ATOMIC_ACQ_REL);
	change = &area->changes[ticket & (area->slots - 1)];
	__atomic_store_n(&change->sequence, 0, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
	change->time = time;
	change->pid = pid;
	change->tid = tid;
	memcpy(change->name, name, length);
	memset(change->name + length, 0, sizeof(change->name) - length);
	__atomic_store_n(&change->sequence, ticket + 1, __ATOMIC_RELEASE);
}

void transaction_write(struct transaction_area *area, uint32_t pid, uint32_t tid, const char *name,
		       size_t length)
{
	write_at(area, now(), pid, tid, name, length);
}

bool transaction_switch(struct transaction_area *area, bool start, uint32_t pid, uint32_t tid)
{
	uint64_t wanted = start ? TRANSACTION_COLLECTING_ACTIVE : TRANSACTION_COLLECTING_PAUSED;
	uint64_t time = now(), before;

	before = __atomic_exchange_n(&area->collecting, wanted, __ATOMIC_ACQ_REL);
	if (before == wanted)
		return false;
	if (start)
		__atomic_fetch_add(&area->starts, 1, __ATOMIC_RELAXED);
	write_at(area, time, pid, tid, start ? TRANSACTION_START : TRANSACTION_PAUSE,
		 sizeof(TRANSACTION_START) - 1);
	return true;
}
