/* SPDX-License-Identifier: Apache-2.0 */
/* A transaction area in a file, for tests. */
#include "common/compat.h"
#include "step/test-area.h"

#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cmocka.h>

static size_t size_of(uint64_t slots)
{
	return sizeof(struct transaction_area) + slots * sizeof(struct transaction_change);
}

void test_area_make(struct test_area *area, uint64_t slots)
{
	int fd;

	snprintf(area->path, sizeof(area->path), "/tmp/vigil-test-area-XXXXXX");
	fd = mkstemp(area->path);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, (off_t)size_of(slots)), 0);
	area->area = mmap(NULL, size_of(slots), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	assert_ptr_not_equal(area->area, MAP_FAILED);
	close(fd);
	area->area->magic = TRANSACTION_AREA_MAGIC;
	area->area->slots = slots;
	assert_int_equal(changes_init(&area->changes, area->path, NULL), 0);
}

void test_area_change(struct test_area *area, uint32_t tid, uint64_t time, const char *name)
{
	uint64_t ticket = area->area->next++;
	struct transaction_change *slot = &area->area->changes[ticket % area->area->slots];

	slot->time = time;
	slot->tid = tid;
	snprintf(slot->name, sizeof(slot->name), "%s", name);
	__atomic_store_n(&slot->sequence, ticket + 1, __ATOMIC_RELEASE);
}

void test_area_drop(struct test_area *area)
{
	changes_release(&area->changes);
	munmap(area->area, size_of(area->area->slots));
	unlink(area->path);
}
