/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the coverage area, and requests the places of objects from the monitor. */
#include "agent/coverage/coverage-agent.h"
#include "agent/agent-wait.h"
#include "agent/transaction-area.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* ns a thread sleeps before it checks whether the monitor is still alive. */
#define MONITOR_CHECK_NS 100000000
/* Number of these checks at an entry that is claimed but not filled in. */
#define CLAIMED_LOOKS 10

struct coverage_area *coverage_area;
struct transaction_area *coverage_transactions;
static char path[PATH_MAX]; /* of the area; a copy, since the program may change its environment */
static uint64_t area_device, area_file;

bool coverage_active(void)
{
	if (coverage_transactions)
		return __atomic_load_n(&coverage_transactions->collecting, __ATOMIC_RELAXED) !=
		       TRANSACTION_COLLECTING_PAUSED;
	return __atomic_load_n(&coverage_area->active, __ATOMIC_RELAXED) != 0;
}

uint64_t coverage_starts(void)
{
	return coverage_transactions ? __atomic_load_n(&coverage_transactions->starts, __ATOMIC_RELAXED) : 0;
}

/* Returns whether the monitor is alive: the area is one of its open files. */
static bool is_monitor_alive(void)
{
	struct stat status;

	return __atomic_load_n(&coverage_area->state, __ATOMIC_RELAXED) == COVERAGE_AREA_ON &&
	       stat(path, &status) == 0 && status.st_dev == area_device &&
	       status.st_ino == area_file;
}

/* Waits until an entry is answered; returns its state. */
static uint32_t wait_for(uint64_t entry)
{
	const struct timespec longest = { 0, MONITOR_CHECK_NS };
	uint32_t *state = &coverage_area->states[entry], now;
	unsigned looks = 0;

	while ((now = __atomic_load_n(state, __ATOMIC_ACQUIRE)) == COVERAGE_ENTRY_CLAIMED ||
	       now == COVERAGE_ENTRY_ASKED) {
		agent_wait(state, now, &longest);
		if (!is_monitor_alive() || (now == COVERAGE_ENTRY_CLAIMED && ++looks > CLAIMED_LOOKS))
			break;
	}
	return now;
}

/* Fills in an entry that was claimed, and rings the monitor's bell. */
static void fill_in(uint64_t number, const char *file, uint64_t start, const struct stat *status,
		    uint64_t time)
{
	struct coverage_entry *entry = &coverage_area->entries[number];

	entry->pid = (uint64_t)getpid();
	entry->start = start;
	entry->device = status->st_dev;
	entry->inode = status->st_ino;
	entry->size = (uint64_t)status->st_size;
	entry->time = time;
	memccpy(entry->path, file, 0, sizeof(entry->path) - 1);
	__atomic_store_n(&coverage_area->states[number], COVERAGE_ENTRY_ASKED, __ATOMIC_RELEASE);
	__atomic_fetch_add(&coverage_area->bell, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &coverage_area->bell, FUTEX_WAKE, 1, NULL, NULL, 0);
}

/*
 * Returns the index of a file's answered entry, adding one if needed;
 * COVERAGE_OBJECTS: it has none.
 */
static uint64_t find_entry(const char *file, uint64_t start)
{
	uint64_t first, time;
	struct stat status;

	if (stat(file, &status) || strnlen(file, COVERAGE_PATH) >= COVERAGE_PATH)
		return COVERAGE_OBJECTS;
	time = agent_ns(&status.st_mtim);
	first = coverage_entry_first(status.st_dev, status.st_ino);
	for (uint64_t i = 0; i < COVERAGE_OBJECTS; i++) {
		uint64_t number = (first + i) % COVERAGE_OBJECTS;
		const struct coverage_entry *entry = &coverage_area->entries[number];
		uint32_t none = COVERAGE_ENTRY_FREE, now;

		if (__atomic_compare_exchange_n(&coverage_area->states[number], &none,
						COVERAGE_ENTRY_CLAIMED, false, __ATOMIC_ACQ_REL,
						__ATOMIC_ACQUIRE))
			fill_in(number, file, start, &status, time);
		now = wait_for(number);
		if (now != COVERAGE_ENTRY_PLACES && now != COVERAGE_ENTRY_NOTHING) {
			/* The monitor is gone, so no further entry will be answered. */
			if (!is_monitor_alive())
				break;
			continue;
		}
		if (entry->device == status.st_dev && entry->inode == status.st_ino &&
		    entry->size == (uint64_t)status.st_size && entry->time == time)
			return now == COVERAGE_ENTRY_PLACES ? number : COVERAGE_OBJECTS;
	}
	__atomic_fetch_add(&coverage_area->lost, 1, __ATOMIC_RELAXED);
	return COVERAGE_OBJECTS;
}

/* Returns whether a mapping is a complete file of places. */
static bool are_places(const struct coverage_places *places, uint64_t size)
{
	return places->magic == COVERAGE_PLACES_MAGIC && places->size == size && places->count &&
	       places->count < size && places->addresses + places->count * 8 <= size &&
	       places->bytes + places->count * 4 <= size && places->marks % 4096 == 0 &&
	       places->marks + places->count <= places->tally && places->tally + 8 <= size;
}

/* Maps the places of a file, with only their marks writable. */
static bool map_places(int fd, struct coverage_object *object)
{
	const struct coverage_places *places;
	struct stat status;
	char *memory;
	size_t size;

	if (fstat(fd, &status) || status.st_size < (off_t)sizeof(*places))
		return false;
	size = (size_t)status.st_size;
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (memory == MAP_FAILED)
		return false;
	places = (const struct coverage_places *)(const void *)memory;
	if (!are_places(places, size)) {
		munmap(memory, size);
		return false;
	}
	mprotect(memory, places->marks, PROT_READ);
	object->count = places->count;
	object->addresses = (const uint64_t *)(const void *)(memory + places->addresses);
	object->bytes = (const uint32_t *)(const void *)(memory + places->bytes);
	object->marks = (uint8_t *)memory + places->marks;
	object->tally = (uint64_t *)(void *)(memory + places->tally);
	return true;
}

bool coverage_ask(const char *file, uint64_t start, struct coverage_object *object)
{
	uint64_t number =
		__atomic_load_n(&coverage_area->state, __ATOMIC_RELAXED) == COVERAGE_AREA_ON
			? find_entry(file, start)
			: COVERAGE_OBJECTS;
	bool mapped;
	int fd;

	if (number == COVERAGE_OBJECTS)
		return false;
	fd = open(coverage_area->entries[number].places, O_RDWR | O_CLOEXEC | O_NOCTTY);
	mapped = fd >= 0 && map_places(fd, object);
	if (fd >= 0)
		close(fd);
	if (!mapped)
		__atomic_fetch_add(&coverage_area->failed, 1, __ATOMIC_RELAXED);
	object->entry = (uint32_t)number;
	return mapped;
}

/* Maps the area behind fd. */
static bool map_area(int fd)
{
	struct coverage_area *area;
	struct stat status;

	if (fstat(fd, &status) || status.st_size != (off_t)sizeof(*area))
		return false;
	area = mmap(NULL, sizeof(*area), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (area == MAP_FAILED)
		return false;
	if (area->magic != COVERAGE_AREA_MAGIC || area->version != COVERAGE_AREA_VERSION ||
	    area->size != sizeof(*area) || area->state != COVERAGE_AREA_ON) {
		munmap(area, sizeof(*area));
		return false;
	}
	area_device = status.st_dev;
	area_file = status.st_ino;
	coverage_area = area;
	return true;
}

bool coverage_find_area(const char *name)
{
	bool found;
	int fd;

	if (strlen(name) >= sizeof(path))
		return false;
	memcpy(path, name, strlen(name) + 1);
	fd = open(path, O_RDWR | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd < 0)
		return false;
	found = map_area(fd);
	close(fd);
	return found;
}
