/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of threads that wait for space in the data pool: there is space for those
 * first that have waited longest.
 */
#include "common/compat.h"
#include "common/procfs.h"
#include "events/pool.h"

#include <linux/futex.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#define WAITERS 40
/* ms until a thread waits, at most */
#define TRIES 20000

/* Threads that wait as the agent does, and go on once they are woken up. */
struct waiter {
	struct event_area *area;
	pthread_t thread;
	pid_t tid;
	uint32_t seen;
	bool woken;
};

static void *wait_once(void *argument)
{
	struct waiter *waiter = argument;

	__atomic_fetch_add(&waiter->area->waiting, 1, __ATOMIC_SEQ_CST);
	__atomic_store_n(&waiter->tid, gettid(), __ATOMIC_SEQ_CST);
	if (syscall(SYS_futex, &waiter->area->space, FUTEX_WAIT, waiter->seen, NULL, NULL, 0) == 0)
		__atomic_store_n(&waiter->woken, true, __ATOMIC_SEQ_CST);
	return NULL;
}

/* Starts a thread; returns when it sleeps. */
static void start(struct waiter *waiter, struct event_area *area)
{
	pid_t tid;

	*waiter = (struct waiter){ .area = area, .seen = area->space };
	assert_int_equal(pthread_create(&waiter->thread, NULL, wait_once, waiter), 0);
	for (int i = 0; i < TRIES; i++) {
		tid = __atomic_load_n(&waiter->tid, __ATOMIC_SEQ_CST);
		if (tid && procfs_state(getpid(), tid) == 'S')
			return;
		usleep(1000);
	}
	fail_msg("the thread does not wait");
}

static void nothing_taken(void *argument UNUSED, struct event_lane_reader *lane UNUSED, const struct event_slot *slots UNUSED,
			  size_t count UNUSED)
{
}

/* Reads the pool while space is free for some turns: waiters from first up to end go on, and no others. */
static void read_with_space(struct event_pool *pool, uint64_t turns, struct waiter *waiters, size_t first, size_t end)
{
	pool->area->full = (int64_t)(pool->pool_chunks - turns * EVENT_TURN / pool->chunk_size);
	event_pool_drain(pool, false, nothing_taken, NULL);
	for (size_t i = first; i < end; i++) {
		pthread_join(waiters[i].thread, NULL);
		assert_true(waiters[i].woken);
	}
	for (size_t i = end; i < WAITERS; i++)
		assert_int_equal(procfs_state(getpid(), waiters[i].tid), 'S');
}

/* As many as have space for their turn are woken up, and EVENT_WOKEN_MIN. */
static void those_that_have_waited_longest_go_on(void **state UNUSED)
{
	struct waiter waiters[WAITERS];
	struct event_pool pool;

	assert_int_equal(event_pool_init(&pool, 2048, false, NULL), 0);
	for (size_t i = 0; i < WAITERS; i++)
		start(&waiters[i], pool.area);
	assert_int_equal(pool.area->waiting, WAITERS);
	read_with_space(&pool, 4, waiters, 0, 20);
	assert_int_equal(pool.area->waiting, WAITERS - 20);
	pool.area->waiting += 5; /* of threads that were killed while they waited */
	read_with_space(&pool, 1, waiters, 20, 37);
	read_with_space(&pool, 1, waiters, 37, WAITERS);
	assert_int_equal(pool.area->waiting, 0);
	event_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(those_that_have_waited_longest_go_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
