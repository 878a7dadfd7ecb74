/* SPDX-License-Identifier: Apache-2.0 */
/* The memory in which programs mark what they execute. */
#include "common/compat.h"
#include "events/coverage-served.h"
#include "common/procfs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define ROUND_UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

int coverage_make_file(const char *name, uint64_t size)
{
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

	if (fd < 0)
		return -1;
	if (ftruncate(fd, (off_t)size) == 0 &&
	    fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
		return fd;
	close(fd);
	return -1;
}

void *coverage_map_file(int fd, uint64_t size)
{
	void *memory =
		fd < 0 ? MAP_FAILED : mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	return memory == MAP_FAILED ? NULL : memory;
}

bool coverage_served_make(struct coverage_served *served)
{
	const struct coverage_plan *plan = &served->plan;
	struct coverage_places head = { .magic = COVERAGE_PLACES_MAGIC,
					.count = plan->address_count,
					.addresses = sizeof(head) };
	char path[PROCFS_PATH_SIZE];
	char *memory;

	head.bytes = head.addresses + head.count * sizeof(*plan->addresses);
	head.marks = ROUND_UP(head.bytes + head.count * sizeof(*plan->bytes), 4096);
	head.tally = ROUND_UP(head.marks + head.count, 64);
	head.size = ROUND_UP(head.tally + sizeof(uint64_t), 4096);
	served->fd = coverage_make_file("vigil-places", head.size);
	memory = coverage_map_file(served->fd, head.size);
	if (!memory)
		return false;
	memcpy(memory, &head, sizeof(head));
	memcpy(memory + head.addresses, plan->addresses, head.count * sizeof(*plan->addresses));
	memcpy(memory + head.bytes, plan->bytes, head.count * sizeof(*plan->bytes));
	served->places = memory;
	served->places_size = head.size;
	served->marks = head.marks;
	served->tally_at = head.tally;
	snprintf(served->path, sizeof(served->path), "%s",
		 procfs_descriptor(path, getpid(), "fd", served->fd));
	return true;
}

void coverage_served_free(struct coverage_served *served)
{
	if (served->places)
		munmap(served->places, served->places_size);
	if (served->fd >= 0)
		close(served->fd);
	coverage_plan_release(&served->plan);
	free(served);
}

uint64_t coverage_served_tally(const struct coverage_served *served)
{
	const void *tally = served->places ? served->places + served->tally_at : NULL;

	return tally ? __atomic_load_n((const uint64_t *)tally, __ATOMIC_ACQUIRE) : 0;
}

bool coverage_served_executed(const struct coverage_served *served, uint32_t address)
{
	return served->places &&
	       __atomic_load_n(served->places + served->marks + address, __ATOMIC_RELAXED);
}
