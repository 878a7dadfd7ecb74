/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of sources: who asks them, and the system as one. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/outside.h"
#include "common/procfs.h"
#include "common/strbuf.h"

#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <unistd.h>
#include <cmocka.h>

#define STAT "7 (a ) b) S 3 7 7 0 -1 4194304 11 12 13 14 15 16 17 18 20 0 1 0 4711 0 0\n"

/* A source with one file, whose descriptor is 99, and a clock that stands. */
struct made {
	struct outside outside;
	const char *text;
	size_t at;
	unsigned opened, closed;
};

static uint64_t made_clock(struct outside *self UNUSED, clockid_t id)
{
	return id == CLOCK_MONOTONIC ? 42 : 0;
}

static int made_open(struct outside *self, const char *path, int flags UNUSED)
{
	struct made *made = (struct made *)self;

	if (strcmp(path, "/proc/7/stat") != 0) {
		errno = ENOENT;
		return -1;
	}
	made->at = 0;
	made->opened++;
	return 99;
}

static int made_close(struct outside *self, int fd)
{
	assert_int_equal(fd, 99);
	((struct made *)self)->closed++;
	return 0;
}

static ssize_t made_read(struct outside *self, int fd, void *buffer, size_t size, off_t offset)
{
	struct made *made = (struct made *)self;
	size_t left;

	assert_int_equal(fd, 99);
	if (offset >= 0)
		made->at = (size_t)offset;
	left = strlen(made->text) - made->at;
	size = left < size ? left : size;
	memcpy(buffer, made->text + made->at, size);
	made->at += size;
	return (ssize_t)size;
}

static void begin(struct made *made)
{
	*made = (struct made){
		.outside = { .clock = made_clock, .open = made_open, .close = made_close, .read = made_read },
		.text = STAT,
	};
	outside_current = &made->outside;
}

static int end(void **state UNUSED)
{
	outside_current = &outside_system;
	return 0;
}

/* Clocks, readers of /proc and whole files come from the thread's source. */
static void readers_ask_the_source(void **state UNUSED)
{
	struct strbuf whole = STRBUF_INIT;
	struct procfs_stat stat;
	struct made made;

	begin(&made);
	assert_int_equal(clock_monotonic_ns(), 42);
	assert_true(procfs_stat(7, &stat));
	assert_string_equal(stat.name, "a ) b");
	assert_int_equal(stat.start, 4711);
	assert_false(procfs_stat(8, &stat));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(strbuf_read_file(&whole, "/proc/7/stat"), 0);
	assert_string_equal(whole.text, STAT);
	assert_int_equal(made.opened, 2);
	assert_int_equal(made.closed, 2);
	strbuf_release(&whole);
}

static void *read_clock(void *time)
{
	*(uint64_t *)time = clock_monotonic_ns();
	return NULL;
}

/* A source belongs to the thread that set it. */
static void another_thread_asks_the_system(void **state UNUSED)
{
	struct made made;
	pthread_t thread;
	uint64_t time = 0;

	begin(&made);
	assert_int_equal(pthread_create(&thread, NULL, read_clock, &time), 0);
	pthread_join(thread, NULL);
	assert_true(time > 42);
	assert_int_equal(clock_monotonic_ns(), 42);
}

/* Memory is copied up to the page that is not there. */
static void memory_ends_at_a_gap(void **state UNUSED)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char copy[3 * 4096];

	assert_ptr_not_equal(pages, MAP_FAILED);
	assert_int_equal(page, 4096);
	memset(pages, 'x', 3 * page);
	assert_int_equal(munmap(pages + 2 * page, page), 0);
	assert_int_equal(outside_memory(getpid(), (uint64_t)(uintptr_t)pages + 100, copy, sizeof(copy) - 100),
			 2 * page - 100);
	assert_int_equal(copy[2 * page - 101], 'x');
	assert_int_equal(outside_memory(getpid(), (uint64_t)(uintptr_t)pages + 2 * page, copy, 8), -1);
	assert_int_equal(errno, EFAULT);
	munmap(pages, 2 * page);
}

/* A timer expires, and a shared file shows what others write. */
static void the_system_is_a_source(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-outside-XXXXXX";
	int timer = outside_timer(), fd = mkstemp(path);
	struct pollfd polls = { .fd = timer, .events = POLLIN };
	uint64_t expired = 0;
	const char *area;
	size_t size = 0;

	assert_true(timer >= 0 && fd >= 0);
	assert_int_equal(outside_set_timer(timer, NSEC_PER_MSEC, 0), 0);
	assert_int_equal(outside_poll(&polls, 1, 10 * NSEC_PER_SEC), 1);
	assert_int_equal(outside_read(timer, &expired, sizeof(expired)), sizeof(expired));
	assert_int_equal(expired, 1);
	assert_int_equal(outside_close(timer), 0);
	assert_int_equal(pwrite(fd, "before", 6, 0), 6);
	area = outside_share(path, &size);
	assert_non_null(area);
	assert_int_equal(size, 6);
	assert_int_equal(pwrite(fd, "behind", 6, 0), 6);
	outside_refresh(area, size);
	assert_memory_equal(area, "behind", 6);
	outside_unshare(area, size);
	assert_null(outside_share("/nowhere/at/all", &size));
	assert_int_equal(errno, ENOENT);
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_null(outside_share(path, &size));
	assert_int_equal(errno, ENODATA);
	assert_int_equal(outside_own(), getpid());
	unlink(path);
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(readers_ask_the_source, end),
		cmocka_unit_test_teardown(another_thread_asks_the_system, end),
		cmocka_unit_test_teardown(memory_ends_at_a_gap, end),
		cmocka_unit_test_teardown(the_system_is_a_source, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
