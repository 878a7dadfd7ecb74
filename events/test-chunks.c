/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of how chunks of the data pool are found: free ones by threads, claimed ones by the monitor. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "events/pool.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

/* As many chunks as the largest pool has. */
#define MANY UINT64_C(139264)
#define THREADS 4

static struct event_chunk_set new_set(uint64_t count)
{
	return event_chunk_set_at(xcalloc(EVENT_CHUNK_SET_WORDS(count), sizeof(uint64_t)), count);
}

static void the_lowest_is_taken_first(void **state UNUSED)
{
	static const uint64_t added[] = { 139263, 4096, 5, 4095, 64, 0, 63, 70000 };
	static const uint64_t ascending[] = { 0, 5, 63, 64, 4095, 4096, 70000, 139263 };
	struct event_chunk_set set = new_set(MANY);
	uint64_t chunk;

	assert_false(event_chunk_set_take(&set, &chunk));
	for (size_t i = 0; i < ARRAY_SIZE(added); i++) {
		assert_false(event_chunk_set_has(&set, added[i]));
		event_chunk_set_add(&set, added[i]);
		assert_true(event_chunk_set_has(&set, added[i]));
	}
	for (size_t i = 0; i < ARRAY_SIZE(ascending); i++) {
		assert_true(event_chunk_set_take(&set, &chunk));
		assert_int_equal(chunk, ascending[i]);
	}
	assert_false(event_chunk_set_take(&set, &chunk));
	free(set.words);
}

/* What a program has spoiled: bits of chunks and of words that do not exist. */
static void bits_beyond_the_end_are_passed_over(void **state UNUSED)
{
	struct event_chunk_set set = new_set(70);
	uint64_t chunk, word = 0;

	set.words[1] = ~UINT64_C(0) << 6;
	set.summary[0] = ~UINT64_C(0);
	assert_false(event_chunk_set_take(&set, &chunk));
	assert_int_equal(set.summary[0], 0);
	set.summary[0] = ~UINT64_C(0);
	assert_int_equal(event_chunk_set_take_word(&set, &word), 0);
	free(set.words);
}

struct worker {
	struct event_chunk_set set;
	uint32_t *owners;
	uint32_t number;
	pthread_t thread;
	bool failed;
};

static void put_back(struct worker *worker, uint64_t chunk)
{
	__atomic_store_n(&worker->owners[chunk], 0, __ATOMIC_SEQ_CST);
	event_chunk_set_add(&worker->set, chunk);
}

/* Takes chunks and puts them back; nobody else may have them meanwhile. */
static void *take_and_add(void *argument)
{
	struct worker *worker = argument;
	uint64_t held[8];
	size_t count = 0;

	for (int i = 0; i < 100000; i++) {
		uint32_t none = 0;

		if (count < ARRAY_SIZE(held) && i % 3 && event_chunk_set_take(&worker->set, &held[count])) {
			if (!__atomic_compare_exchange_n(&worker->owners[held[count]], &none, worker->number, false,
							 __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
				worker->failed = true;
			count++;
		} else if (count) {
			put_back(worker, held[--count]);
		}
	}
	while (count)
		put_back(worker, held[--count]);
	return NULL;
}

static void start(struct worker *workers, struct event_chunk_set set, uint32_t *owners, void *(*work)(void *))
{
	for (uint32_t i = 0; i < THREADS; i++) {
		workers[i] = (struct worker){ .set = set, .owners = owners, .number = i + 1 };
		assert_int_equal(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
	}
}

/* Threads take from a set that is nearly empty all the time, and nothing is lost. */
static void threads_share_a_set(void **state UNUSED)
{
	static const uint64_t shared[] = { 3, 64, 65, 4096, 4097, 8200, 8300, 8301, 9999, 12000 };
	struct event_chunk_set set = new_set(12288);
	struct worker workers[THREADS];
	uint32_t owners[12288] = { 0 };
	uint64_t chunk;

	for (size_t i = 0; i < ARRAY_SIZE(shared); i++)
		event_chunk_set_add(&set, shared[i]);
	start(workers, set, owners, take_and_add);
	for (size_t i = 0; i < THREADS; i++) {
		pthread_join(workers[i].thread, NULL);
		assert_false(workers[i].failed);
	}
	for (size_t i = 0; i < ARRAY_SIZE(shared); i++) {
		assert_true(event_chunk_set_take(&set, &chunk));
		assert_int_equal(chunk, shared[i]);
	}
	assert_false(event_chunk_set_take(&set, &chunk));
	free(set.words);
}

/* Adds the chunks whose number modulo THREADS is that of the thread. */
static void *add_each(void *argument)
{
	struct worker *worker = argument;

	for (uint64_t chunk = worker->number - 1; chunk < worker->set.count; chunk += THREADS)
		event_chunk_set_add(&worker->set, chunk);
	__atomic_store_n(&worker->owners[worker->number], 1, __ATOMIC_SEQ_CST);
	return NULL;
}

/* While threads add, another takes whole words: it gets each chunk once. */
static void words_are_taken_while_threads_add(void **state UNUSED)
{
	struct event_chunk_set set = new_set(MANY);
	struct worker workers[THREADS];
	uint32_t ended[THREADS + 1] = { 0 }, *times = xcalloc(MANY, sizeof(*times));
	bool all = false;

	start(workers, set, ended, add_each);
	while (!all) {
		uint64_t word = 0, bits;

		all = true;
		for (size_t i = 1; i <= THREADS; i++)
			all = all && __atomic_load_n(&ended[i], __ATOMIC_SEQ_CST);
		while ((bits = event_chunk_set_take_word(&set, &word)))
			for (; bits; bits &= bits - 1)
				times[(word - 1) * 64 + (uint64_t)__builtin_ctzll(bits)]++;
	}
	for (size_t i = 0; i < THREADS; i++)
		pthread_join(workers[i].thread, NULL);
	for (uint64_t i = 0; i < MANY; i++)
		assert_int_equal(times[i], 1);
	free(times);
	free(set.words);
}

static void chunks_are_found_by_lane_and_sequence(void **state UNUSED)
{
	struct pool_chunks chunks;
	uint64_t chunk;

	pool_chunks_init(&chunks, 1000);
	for (uint64_t i = 0; i < 1000; i++)
		pool_chunks_add(&chunks, (i * 7 + 5) % 1000, i % 10 + 1, i / 10 + 1);
	assert_false(pool_chunks_take(&chunks, 11, 1, &chunk));
	assert_false(pool_chunks_take(&chunks, 1, 101, &chunk));
	for (uint64_t i = 1000; i-- > 0;) {
		assert_true(pool_chunks_take(&chunks, i % 10 + 1, i / 10 + 1, &chunk));
		assert_int_equal(chunk, (i * 7 + 5) % 1000);
		assert_int_equal(chunks.owners[chunk], i % 10 + 1);
		assert_false(pool_chunks_take(&chunks, i % 10 + 1, i / 10 + 1, &chunk));
		pool_chunks_free(&chunks, chunk);
		assert_int_equal(chunks.owners[chunk], 0);
	}
	pool_chunks_release(&chunks);
}

/* Claims a chunk, and writes an event into it with that number; full: it is the lane's last but one, or an earlier one. */
static void claim(struct event_pool *pool, uint64_t number, uint64_t sequence, bool full)
{
	struct event_chunk *chunk = (struct event_chunk *)(void *)((char *)pool->area + pool->chunks_at) + number;
	struct event_slot *slots = (struct event_slot *)(void *)((char *)pool->area + pool->slots_at + number * pool->chunk_size);

	*chunk = (struct event_chunk){ .owner = 1, .sequence = sequence, .pid = (uint32_t)getpid(), .tid = (uint32_t)gettid() };
	for (uint64_t i = 0; i < (full ? pool->chunk_size / sizeof(*slots) : 1); i++)
		slots[i] = (struct event_slot){ sequence, EVENT_MARK_VOID };
	if (full) {
		chunk->end = pool->chunk_size;
		pool->area->full++;
	}
	if (pool->area->most <= number)
		pool->area->most = number + 1;
}

struct taken {
	uint64_t last; /* sequence of the chunk whose events were taken last */
	uint64_t slots;
};

static void in_order(void *argument, struct event_lane_reader *lane UNUSED, const struct event_slot *slots, size_t count)
{
	struct taken *taken = argument;

	for (size_t i = 0; i < count; i++) {
		assert_true(slots[i].word == taken->last || slots[i].word == taken->last + 1);
		taken->last = slots[i].word;
	}
	taken->slots += count;
}

/* Chunks of a lane anywhere in the pool, in any order, are read in the lane's; said: its thread lived to say so. */
static void chunks_anywhere(bool said)
{
	static const uint64_t places[] = { 130000, 7, 70000, 4096, 90000, 8, 139000, 64, 100, 20000, 1, 138000, 2 };
	struct taken taken = { 0 };
	struct event_chunk_set set;
	struct event_pool pool;
	uint64_t chunk;

	assert_int_equal(event_pool_init(&pool, 2097151, false, NULL), 0);
	event_pool_drain(&pool, false, in_order, &taken);
	for (uint64_t i = 0; i < ARRAY_SIZE(places); i++)
		claim(&pool, places[i], i + 1, i + 1 < ARRAY_SIZE(places));
	set = event_area_set(pool.area, pool.area->claimed_set);
	for (uint64_t i = 0; said && i < ARRAY_SIZE(places); i++)
		event_chunk_set_add(&set, places[i]);
	set = event_area_set(pool.area, pool.area->free_set);
	while (event_chunk_set_take(&set, &chunk))
		;
	if (!said)
		pool.scanned = 0; /* the time has come to look at all of them */
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		event_pool_drain(&pool, false, in_order, &taken);
	assert_int_equal(taken.last, ARRAY_SIZE(places));
	assert_int_equal(taken.slots, (ARRAY_SIZE(places) - 1) * pool.chunk_size / sizeof(struct event_slot) + 1);
	assert_int_equal(pool.area->full, 0);
	for (size_t i = 0; i + 1 < ARRAY_SIZE(places); i++)
		assert_true(event_chunk_set_has(&set, places[i]));
	assert_false(event_chunk_set_has(&set, places[ARRAY_SIZE(places) - 1]));
	event_pool_release(&pool);
}

static void a_lane_is_read_wherever_its_chunks_are(void **state UNUSED)
{
	chunks_anywhere(true);
}

static void chunks_of_which_nobody_said_are_found(void **state UNUSED)
{
	chunks_anywhere(false);
}

/* At the step's end all is read at once, also what nobody said. */
static void the_last_look_is_at_all_chunks(void **state UNUSED)
{
	struct taken taken = { 0 };
	struct event_pool pool;

	assert_int_equal(event_pool_init(&pool, 2048, false, NULL), 0);
	event_pool_drain(&pool, false, in_order, &taken);
	claim(&pool, 3, 1, true);
	claim(&pool, 2, 2, false);
	event_pool_drain(&pool, true, in_order, &taken);
	assert_int_equal(taken.last, 2);
	event_pool_release(&pool);
}

/* A free chunk that is in no set, since its thread was killed, comes back. */
static void a_lost_free_chunk_comes_back(void **state UNUSED)
{
	struct event_chunk_set set;
	struct event_pool pool;
	uint64_t chunk;

	assert_int_equal(event_pool_init(&pool, 2048, false, NULL), 0);
	set = event_area_set(pool.area, pool.area->free_set);
	assert_true(event_chunk_set_take(&set, &chunk));
	pool.area->most = 5;
	pool.scanned = 0;
	event_pool_drain(&pool, false, in_order, NULL);
	assert_true(event_chunk_set_has(&set, chunk));
	event_pool_release(&pool);
}

/* A program gives a chunk another owner, and says so again and again: the monitor goes on. */
static void a_spoiled_owner_does_no_harm(void **state UNUSED)
{
	struct taken taken = { 0 };
	struct event_chunk_set set;
	struct event_pool pool;

	assert_int_equal(event_pool_init(&pool, 2048, false, NULL), 0);
	set = event_area_set(pool.area, pool.area->claimed_set);
	for (uint64_t i = 0; i < 4; i++) {
		claim(&pool, 3, 100 + i % 2, false);
		event_chunk_set_add(&set, 3);
		pool.scanned = 0;
		event_pool_drain(&pool, false, in_order, &taken);
	}
	claim(&pool, 4, 1, false);
	event_pool_drain(&pool, true, in_order, &taken);
	assert_int_equal(taken.last, 1);
	event_pool_release(&pool);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_lowest_is_taken_first),
		cmocka_unit_test(bits_beyond_the_end_are_passed_over),
		cmocka_unit_test(threads_share_a_set),
		cmocka_unit_test(words_are_taken_while_threads_add),
		cmocka_unit_test(chunks_are_found_by_lane_and_sequence),
		cmocka_unit_test(a_lane_is_read_wherever_its_chunks_are),
		cmocka_unit_test(chunks_of_which_nobody_said_are_found),
		cmocka_unit_test(the_last_look_is_at_all_chunks),
		cmocka_unit_test(a_lost_free_chunk_comes_back),
		cmocka_unit_test(a_spoiled_owner_does_no_harm),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
