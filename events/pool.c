/* SPDX-License-Identifier: Apache-2.0 */
/* Creates the data pool and reads events from it. */
#include "common/compat.h"
#include "events/pool.h"
#include "common/clock.h"
#include "common/lower-bound.h"
#include "common/procfs.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

/* Maximum ns between readings of CPU time. */
#define ANCHOR_NS (100 * NSEC_PER_USEC)
/* ns for which the clocks are compared before the step begins. */
#define COMPARE_NS (2 * NSEC_PER_MSEC)

/* Minimum distance, ns, of two moments used to compute the ratio of the clocks. */
#define RATE_INTERVAL_NS (100 * NSEC_PER_MSEC)

/* ns between checks of the threads, and for which a slot may stay reserved in a full chunk. */
#define THREAD_CHECK_NS (100 * NSEC_PER_MSEC)
#define STUCK_NS NSEC_PER_SEC
/* Bytes after which a drain returns to its caller: rows that fit a processor's cache. */
#define DRAIN_BYTES_MAX (UINT64_C(1) << 16)
/* ns between looks at all chunks, for those that threads have claimed and not reported. */
#define SCAN_NS (100 * NSEC_PER_MSEC)
/* Maximum number of chunks read per lane in one round. */
#define CHUNKS_IN_TURN 8
/* Bytes that must be free before waiting threads are woken up while the pool is read; a quarter of a small pool. */
#define HANDED_OUT (UINT64_C(4) << 20)

#define ROUND_UP(value, unit) (((value) + (unit)-1) / (unit) * (unit))

/*
 * Returns whether the cycle counter is uniform across all processors, and the
 * system uses it, too.
 */
static bool has_even_counter(void)
{
#if defined(__x86_64__)
	unsigned a, b, c, d;
	char path[PROCFS_PATH_SIZE], source[64];

	if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1u << 8))
		return false;
	if (procfs_read(procfs_path(path, "/sys/devices/system/clocksource/clocksource0/"
					  "current_clocksource"),
			source, sizeof(source)) < 0)
		return true;
	return strncmp(source, "hpet", 4) != 0 && strncmp(source, "acpi_pm", 7) != 0 &&
	       strncmp(source, "jiffies", 7) != 0 && strncmp(source, "refined", 7) != 0;
#else
	return false;
#endif
}

static uint64_t ticks_now(const struct event_pool *pool)
{
#if defined(__x86_64__)
	if (pool->cycles)
		return __builtin_ia32_rdtsc();
#endif
	(void)pool;
	return clock_monotonic_ns();
}

/* Compares the clocks: uses the fastest of three readings. */
static void compare_clocks(struct event_pool *pool)
{
	uint64_t best = UINT64_MAX;

	if (pool->ns[1] - pool->ns[2] > RATE_INTERVAL_NS) {
		pool->ticks[0] = pool->ticks[2] ? pool->ticks[2] : pool->ticks[1];
		pool->ns[0] = pool->ns[2] ? pool->ns[2] : pool->ns[1];
		pool->ticks[2] = pool->ticks[1];
		pool->ns[2] = pool->ns[1];
	}
	for (int i = 0; i < 3; i++) {
		uint64_t before = ticks_now(pool), now = clock_monotonic_ns();
		uint64_t after = ticks_now(pool);

		if (after - before >= best)
			continue;
		best = after - before;
		pool->ticks[1] = before + best / 2;
		pool->ns[1] = now;
	}
	if (pool->ticks[1] != pool->ticks[0])
		pool->rate = (double)(pool->ns[1] - pool->ns[0]) /
			     (double)(pool->ticks[1] - pool->ticks[0]);
}

static void start_clocks(struct event_pool *pool)
{
	uint64_t until = clock_monotonic_ns() + COMPARE_NS;

	pool->cycles = has_even_counter();
	compare_clocks(pool);
	while (pool->cycles && clock_monotonic_ns() < until)
		;
	compare_clocks(pool);
}

uint64_t event_pool_ticks(const struct event_pool *pool, uint64_t time)
{
	double rate =
		(double)(pool->ticks[1] - pool->ticks[0]) / (double)(pool->ns[1] - pool->ns[0]);

	if (!pool->cycles)
		return time;
	return pool->ticks[1] + (uint64_t)(int64_t)((double)(int64_t)(time - pool->ns[1]) * rate);
}

uint64_t event_pool_duration(const struct event_pool *pool, uint64_t ticks)
{
	if (!pool->cycles)
		return ticks;
	return (uint64_t)((double)ticks * pool->rate);
}

/* Converts ns to ticks. */
static uint64_t ticks_of(const struct event_pool *pool, uint64_t ns)
{
	return (uint64_t)((double)ns / pool->rate);
}

/* Computes the layout of the area. */
static void lay_out(struct event_pool *pool, struct event_area *head, uint64_t kb, bool tallies)
{
	uint64_t bytes = kb * 1024, set_size;

	pool->chunk_size = bytes < EVENT_POOL_SMALL ? EVENT_CHUNK_SIZE_SMALL : EVENT_CHUNK_SIZE;
	pool->pool_chunks = bytes / pool->chunk_size;
	pool->chunk_count = pool->pool_chunks + EVENT_CHUNKS_EXTRA;
	set_size = EVENT_CHUNK_SET_WORDS(pool->chunk_count) * sizeof(uint64_t);
	*head = (struct event_area){ .magic = EVENT_AREA_MAGIC,
				     .version = EVENT_AREA_VERSION,
				     .chunk_size = pool->chunk_size,
				     .pool_chunks = pool->pool_chunks,
				     .chunk_count = pool->chunk_count,
				     .names = ROUND_UP(sizeof(*head), 4096),
				     .cycles = pool->cycles,
				     .gap = ticks_of(pool, EVENT_GAP_NS),
				     .anchors = ticks_of(pool, ANCHOR_NS),
				     .state = EVENT_STATE_PAUSED,
				     .text_used = 8 };
	head->counts = head->names + EVENT_NAMES * sizeof(uint64_t);
	head->texts = head->counts + EVENT_NAMES * sizeof(uint64_t);
	head->blocked = head->texts + EVENT_NAME_TEXTS;
	head->chunks = head->blocked + EVENT_BLOCKED * sizeof(uint64_t);
	head->free_set = head->chunks + pool->chunk_count * sizeof(struct event_chunk);
	head->claimed_set = head->free_set + ROUND_UP(set_size, 64);
	head->slots = ROUND_UP(head->claimed_set + set_size, 65536);
	head->size = head->slots + pool->chunk_count * pool->chunk_size;
	if (tallies) {
		head->tallies = head->size;
		head->size += sizeof(struct event_tallies);
	}
	pool->names_at = head->names;
	pool->counts_at = head->counts;
	pool->texts_at = head->texts;
	pool->blocked_at = head->blocked;
	pool->chunks_at = head->chunks;
	pool->free_at = head->free_set;
	pool->claimed_at = head->claimed_set;
	pool->slots_at = head->slots;
	pool->tallies_at = head->tallies;
	pool->size = head->size;
	pool->statistics.size = pool->pool_chunks * pool->chunk_size;
}

/* Makes the file with the size in head, and maps it. */
static int make_area(struct event_pool *pool, const struct event_area *head, struct error *err)
{
	char path[PROCFS_PATH_SIZE];
	void *memory;

	pool->fd = memfd_create("vigil-events", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (pool->fd < 0 || ftruncate(pool->fd, (off_t)head->size) < 0 ||
	    pwrite(pool->fd, head, sizeof(*head), 0) != (ssize_t)sizeof(*head) ||
	    fcntl(pool->fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) < 0)
		return error_errno(err, "cannot create the data pool");
	memory = mmap(NULL, head->size, PROT_READ | PROT_WRITE, MAP_SHARED, pool->fd, 0);
	if (memory == MAP_FAILED)
		return error_errno(err, "cannot map the data pool");
	pool->area = memory;
	pool->path = xstrdup(procfs_descriptor(path, getpid(), "fd", pool->fd));
	return 0;
}

/* Returns a set of chunks. (event_area_set would believe what the step can change.) */
static struct event_chunk_set set_at(const struct event_pool *pool, uint64_t offset)
{
	return event_chunk_set_at((uint64_t *)(void *)((char *)pool->area + offset), pool->chunk_count);
}

int event_pool_init(struct event_pool *pool, uint64_t kb, bool tallies, struct error *err)
{
	struct event_chunk_set free;
	struct event_area head;

	*pool = (struct event_pool){ .fd = -1, .rate = 1 };
	idmap_init(&pool->by_number);
	idmap_init(&pool->by_thread);
	start_clocks(pool);
	lay_out(pool, &head, kb, tallies);
	if (make_area(pool, &head, err) < 0) {
		event_pool_release(pool);
		return -1;
	}
	pool_chunks_init(&pool->chunks, pool->chunk_count);
	free = set_at(pool, pool->free_at);
	for (uint64_t i = 0; i < pool->chunk_count; i++)
		event_chunk_set_add(&free, i);
	return 0;
}

/*
 * Wakes up at most a number of the waiting threads, those that have waited longest.
 * What a thread adds to their number that was killed, or woke up by itself, stays
 * until nobody is left to be woken up.
 */
static void wake_waiters(struct event_pool *pool, int most)
{
	uint32_t waiting;
	long woken;

	__atomic_fetch_add(&pool->area->space, 1, __ATOMIC_SEQ_CST);
	waiting = __atomic_load_n(&pool->area->waiting, __ATOMIC_SEQ_CST);
	if (!waiting)
		return;
	woken = syscall(SYS_futex, &pool->area->space, FUTEX_WAKE, most, NULL, NULL, 0);
	if (woken < 0)
		return;
	if (woken < most || (uint64_t)woken > waiting)
		woken = waiting;
	__atomic_fetch_sub(&pool->area->waiting, (uint32_t)woken, __ATOMIC_SEQ_CST);
}

/* Wakes up waiting threads if enough space is free, some more than have space for a turn each. */
static void hand_out(struct event_pool *pool)
{
	int64_t full = __atomic_load_n(&pool->area->full, __ATOMIC_RELAXED), all = (int64_t)pool->pool_chunks;
	int64_t free = full < 0 ? all : full > all ? 0 : all - full;
	uint64_t turns = (uint64_t)free * pool->chunk_size / EVENT_TURN;

	if (!pool->more || free >= all / 4 || (uint64_t)free * pool->chunk_size >= HANDED_OUT)
		wake_waiters(pool, (int)turns + EVENT_WOKEN_MIN);
}

void event_pool_release(struct event_pool *pool)
{
	if (pool->area) {
		__atomic_store_n(&pool->area->state, EVENT_STATE_OFF, __ATOMIC_SEQ_CST);
		event_area_set_gate(pool->area);
		wake_waiters(pool, INT_MAX);
		munmap(pool->area, pool->size);
	}
	if (pool->fd >= 0)
		close(pool->fd);
	for (size_t i = 0; i < pool->lane_count; i++) {
		free(pool->lanes[i]->kept);
		free(pool->lanes[i]);
	}
	free(pool->lanes);
	free(pool->open);
	pool_chunks_release(&pool->chunks);
	free(pool->path);
	idmap_release(&pool->by_number);
	idmap_release(&pool->by_thread);
	*pool = (struct event_pool){ .fd = -1 };
}

static struct event_chunk *chunk_at(const struct event_pool *pool, uint64_t chunk)
{
	return (struct event_chunk *)(void *)((char *)pool->area + pool->chunks_at) + chunk;
}

static struct event_slot *slots_at(const struct event_pool *pool, uint64_t chunk)
{
	return (struct event_slot *)(void *)((char *)pool->area + pool->slots_at +
					     chunk * pool->chunk_size);
}

/*
 * A thread writes one lane at a time: of two with its number the earlier lane has
 * ended. The later one may be seen first.
 */
static void note_thread(struct event_pool *pool, struct event_lane_reader *lane, size_t index)
{
	uint64_t thread = (uint64_t)(uint32_t)lane->pid << 32 | (uint32_t)lane->tid, other;

	if (!idmap_get(&pool->by_thread, thread, &other)) {
		idmap_put(&pool->by_thread, thread, index);
	} else if (pool->lanes[other]->number > lane->number) {
		lane->dead = true;
	} else {
		pool->lanes[other]->dead = true;
		idmap_put(&pool->by_thread, thread, index);
	}
}

/* Returns the lane with a number, adding it if new. */
static struct event_lane_reader *get_lane(struct event_pool *pool, uint64_t number,
					  const struct event_chunk *chunk)
{
	struct event_lane_reader *lane;
	uint64_t index;

	if (idmap_get(&pool->by_number, number, &index))
		return pool->lanes[index];
	lane = xcalloc(1, sizeof(*lane));
	lane->number = number;
	lane->pid = (pid_t)chunk->pid;
	lane->tid = (pid_t)chunk->tid;
	lane->seen = syscall(SYS_tgkill, lane->pid, lane->tid, 0) == 0;
	lane->next = 1;
	note_thread(pool, lane, pool->lane_count);
	GROW(pool->lanes, pool->lane_count + 1, pool->lane_alloc);
	idmap_put(&pool->by_number, number, pool->lane_count);
	pool->lanes[pool->lane_count++] = lane;
	return lane;
}

/* Lets a lane be read from its next chunk; returns false if that is not known. */
static bool begin_chunk(struct event_pool *pool, struct event_lane_reader *lane)
{
	if (!pool_chunks_take(&pool->chunks, lane->number, lane->next, &lane->chunk))
		return false;
	lane->has_chunk = true;
	lane->at = 0;
	return true;
}

/* Adds a lane to those that are read. */
static void open_lane(struct event_pool *pool, struct event_lane_reader *lane)
{
	size_t at = LOWER_BOUND(pool->open_count, i, pool->open[i]->number < lane->number);

	GROW(pool->open, pool->open_count + 1, pool->open_alloc);
	memmove(pool->open + at + 1, pool->open + at, (pool->open_count - at) * sizeof(lane));
	pool->open[at] = lane;
	pool->open_count++;
}

/*
 * Notes that a chunk has an owner, if that is not known. A chunk that has got
 * another without being freed was spoiled by a program.
 */
static void note_chunk(struct event_pool *pool, uint64_t number)
{
	struct event_chunk *chunk = chunk_at(pool, number);
	uint64_t owner = __atomic_load_n(&chunk->owner, __ATOMIC_RELAXED), sequence;
	struct event_lane_reader *lane;

	if (!owner || pool->chunks.owners[number])
		return;
	sequence = __atomic_load_n(&chunk->sequence, __ATOMIC_ACQUIRE);
	if (!sequence)
		return;
	lane = get_lane(pool, owner, chunk);
	if (lane->number > pool->newest)
		pool->newest = lane->number;
	pool_chunks_add(&pool->chunks, number, owner, sequence);
	if (!lane->has_chunk && begin_chunk(pool, lane))
		open_lane(pool, lane);
}

/*
 * Looks at all chunks: for those that a thread claimed that was killed before it
 * could say so, and for free ones that nobody would find.
 */
static void scan_chunks(struct event_pool *pool)
{
	const struct event_chunk_set set = set_at(pool, pool->free_at);
	uint64_t most = __atomic_load_n(&pool->area->most, __ATOMIC_ACQUIRE);

	for (uint64_t i = 0; i < most && i < pool->chunk_count; i++) {
		note_chunk(pool, i);
		if (!__atomic_load_n(&chunk_at(pool, i)->owner, __ATOMIC_RELAXED) && !event_chunk_set_has(&set, i))
			event_chunk_set_add(&set, i);
	}
	pool->scanned = pool->ns[1];
}

/*
 * Finds chunks that have got owners. The lane from whose process or thread a lane
 * stems may have claimed a chunk during the look and be missed; but it existed
 * before, so the next look sees it. Until then the new lane is not ripe.
 */
static void look_for_chunks(struct event_pool *pool, bool all)
{
	const struct event_chunk_set set = set_at(pool, pool->claimed_at);
	uint64_t word = 0, bits;

	pool->ripe = pool->newest;
	while ((bits = event_chunk_set_take_word(&set, &word)))
		for (; bits; bits &= bits - 1) {
			uint64_t chunk = (word - 1) * 64 + (uint64_t)__builtin_ctzll(bits);

			if (chunk < pool->chunk_count)
				note_chunk(pool, chunk);
		}
	if (all)
		scan_chunks(pool);
}

/* Releases a chunk. */
static void free_chunk(struct event_pool *pool, uint64_t number)
{
	const struct event_chunk_set set = set_at(pool, pool->free_at);
	struct event_chunk *chunk = chunk_at(pool, number);

	pool_chunks_free(&pool->chunks, number);
	chunk->sequence = 0;
	chunk->end = 0;
	__atomic_store_n(&chunk->owner, 0, __ATOMIC_RELEASE);
	event_chunk_set_add(&set, number);
}

/*
 * Handles a chunk that was read: it is free again, unless some of its slots may
 * still be written.
 */
static void leave_chunk(struct event_pool *pool, struct event_lane_reader *lane, bool holes)
{
	if (chunk_at(pool, lane->chunk)->end)
		__atomic_fetch_sub(&pool->area->full, 1, __ATOMIC_SEQ_CST);
	lane->has_chunk = false;
	lane->next++;
	lane->stuck_since = 0;
	if (holes) {
		GROW(lane->kept, lane->kept_count + 1, lane->kept_alloc);
		lane->kept[lane->kept_count++] = lane->chunk;
		return;
	}
	if (lane->at != pool->chunk_size)
		memset(slots_at(pool, lane->chunk), 0, pool->chunk_size);
	free_chunk(pool, lane->chunk);
}

/* Frees the kept chunks of a lane whose thread is gone. */
static void free_kept(struct event_pool *pool, struct event_lane_reader *lane)
{
	for (size_t i = 0; i < lane->kept_count; i++) {
		memset(slots_at(pool, lane->kept[i]), 0, pool->chunk_size);
		free_chunk(pool, lane->kept[i]);
	}
	lane->kept_count = 0;
}

/*
 * Takes what a lane has published from its read position on, up to the first slot
 * that is not published.
 */
static bool take_published(struct event_pool *pool, struct event_lane_reader *lane,
			   event_pool_take *take, void *argument)
{
	struct event_slot *slots = slots_at(pool, lane->chunk) + lane->at / sizeof(*slots);
	uint64_t space = (pool->chunk_size - lane->at) / sizeof(*slots), count = 0;

	while (count < space) {
		uint64_t mark = __atomic_load_n(&slots[count].mark, __ATOMIC_ACQUIRE);
		uint64_t size = event_slots_of(mark);

		/*
		 * No event extends beyond its chunk: a mark that says so was not written by the
		 * agent.
		 */
		if (!mark || size > space - count)
			break;
		count += size;
	}
	if (!count)
		return false;
	take(argument, lane, slots, count);
	memset(slots, 0, count * sizeof(*slots));
	lane->at += count * sizeof(*slots);
	pool->statistics.read += count * sizeof(*slots);
	lane->stuck_since = 0;
	return true;
}

/*
 * Takes the rest of a chunk, skipping slots that are reserved but not published;
 * returns whether there were any.
 */
static bool take_rest(struct event_pool *pool, struct event_lane_reader *lane, bool full,
		      event_pool_take *take, void *argument)
{
	uint64_t holes = 0, passed = 0;

	while (lane->at < pool->chunk_size) {
		if (take_published(pool, lane, take, argument)) {
			holes += passed;
			passed = 0;
			continue;
		}
		lane->at += sizeof(struct event_slot);
		passed++;
	}
	pool->holes += full ? holes + passed : holes;
	lane->at = 0; /* the whole chunk is to be cleared */
	return full ? holes + passed > 0 : holes > 0;
}

/* Takes what a lane has published in its chunk; returns true if there was anything. */
static bool drain_chunk(struct event_pool *pool, struct event_lane_reader *lane, bool last,
			event_pool_take *take, void *argument)
{
	uint64_t end = __atomic_load_n(&chunk_at(pool, lane->chunk)->end, __ATOMIC_ACQUIRE);
	bool any = take_published(pool, lane, take, argument), full = end >= pool->chunk_size;

	if (end && (end == 1 || lane->at >= end || lane->at == pool->chunk_size)) {
		leave_chunk(pool, lane, false);
		lane->ended = !full;
	} else if (last || lane->dead) {
		take_rest(pool, lane, full, take, argument);
		leave_chunk(pool, lane, false);
		lane->ended = !full;
		if (lane->gone && !full)
			take(argument, lane, NULL, 0);
	} else if (end && !any && !lane->stuck_since) {
		lane->stuck_since = pool->ns[1];
	} else if (end && !any && pool->ns[1] - lane->stuck_since > STUCK_NS) {
		leave_chunk(pool, lane, take_rest(pool, lane, full, take, argument));
		any = true;
	}
	if (lane->ended || lane->dead)
		free_kept(pool, lane);
	return any || !lane->has_chunk;
}

/* Checks which threads are gone: killed, or ended without a report. */
static void look_for_threads(struct event_pool *pool)
{
	if (pool->ns[1] - pool->looked < THREAD_CHECK_NS)
		return;
	pool->looked = pool->ns[1];
	for (size_t i = 0; i < pool->open_count; i++) {
		struct event_lane_reader *lane = pool->open[i];

		if (lane->dead || !lane->seen ||
		    syscall(SYS_tgkill, lane->pid, lane->tid, 0) == 0 || errno != ESRCH)
			continue;
		lane->dead = true;
		lane->gone = pool->ns[1];
	}
}

/* Returns whether a thread has ended, even if its process is still a zombie. */
static bool has_ended(const struct event_lane_reader *lane)
{
	char state;

	if (syscall(SYS_tgkill, lane->pid, lane->tid, 0) < 0 && errno == ESRCH)
		return true;
	state = procfs_state(lane->pid, lane->tid);
	return !state || state == 'Z' || state == 'X';
}

/*
 * At the end of the step: reports threads that are gone, including those whose end
 * was not noticed and those never seen alive. A thread that has another lane by
 * now (dead, not gone) continues in that.
 */
static void report_gone(struct event_pool *pool, event_pool_take *take, void *argument)
{
	for (size_t i = 0; i < pool->lane_count; i++) {
		struct event_lane_reader *lane = pool->lanes[i];

		if (!lane->dead && has_ended(lane)) {
			lane->dead = true;
			lane->gone = pool->ns[1];
		}
		if (lane->gone)
			take(argument, lane, NULL, 0);
	}
}

/* Takes what a lane has published; returns true if there may be more. */
static bool drain_lane(struct event_pool *pool, struct event_lane_reader *lane, bool last,
		       event_pool_take *take, void *argument)
{
	for (int i = 0; i < CHUNKS_IN_TURN; i++) {
		if (!drain_chunk(pool, lane, last, take, argument))
			return i > 0;
		if (lane->has_chunk || !begin_chunk(pool, lane))
			return true;
	}
	return true;
}

/*
 * Returns whether a lane is at its beginning, which describes its process and
 * mappings: the beginnings of all lanes are read before the rest.
 */
static bool is_at_beginning(const struct event_lane_reader *lane)
{
	return lane->has_chunk && lane->next == 1;
}

/* Returns whether a lane at its beginning is that of an image which its process has executed. */
static bool begins_image(const struct event_pool *pool, const struct event_lane_reader *lane)
{
	const struct event_slot *slots = slots_at(pool, lane->chunk);
	uint64_t mark = __atomic_load_n(&slots[1].mark, __ATOMIC_ACQUIRE);

	return lane->at == 0 && (slots[0].mark & 0xff) == EVENT_MARK_ANCHOR &&
	       (mark & 0xff) == EVENT_MARK_PROCESS && !EVENT_PROCESS_FORKED(mark);
}

/*
 * Maximum number of rounds for which an image waits: a process of another PID
 * namespace may have the same number, and write all the time.
 */
#define ROUNDS_MAX 1000

/*
 * Returns whether a lane must wait: all that the process has written before it
 * executed an image precedes that, as the image has other mappings; and the image's
 * first lane precedes its others. index: of the lane in open, where those before it
 * have been looked at.
 */
static bool must_wait(struct event_pool *pool, size_t index, bool last, event_pool_take *take, void *argument)
{
	struct event_lane_reader *lane = pool->open[index];
	bool image = begins_image(pool, lane), wait = false;

	for (size_t i = 0; i < index; i++) {
		struct event_lane_reader *other = pool->open[i];

		if (other->pid != lane->pid || other->ended)
			continue;
		/* One without a chunk has just been read to its end, and may have another. */
		if (other->waits || (image && (!other->has_chunk || drain_lane(pool, other, last, take, argument))))
			wait = true;
	}
	return wait && ++lane->rounds < ROUNDS_MAX;
}

/* Takes the first events of lanes, in order; returns true if there may be more. */
static bool drain_beginnings(struct event_pool *pool, bool last, event_pool_take *take, void *argument)
{
	bool more = false;

	for (size_t i = 0; i < pool->open_count; i++) {
		struct event_lane_reader *lane = pool->open[i];

		if (lane->number > pool->ripe) {
			more = true;
			continue;
		}
		if (!is_at_beginning(lane))
			continue;
		lane->waits = must_wait(pool, i, last, take, argument);
		if (lane->waits || drain_chunk(pool, lane, last, take, argument))
			more = true;
	}
	return more;
}

/*
 * Goes through the lanes once, until a number of bytes was read; returns true if
 * there may be more.
 */
static bool drain_lanes(struct event_pool *pool, bool last, uint64_t until, event_pool_take *take,
			void *argument)
{
	bool more = drain_beginnings(pool, last, take, argument);
	size_t left = 0, count = pool->open_count;

	for (size_t i = 0; i < count; i++) {
		struct event_lane_reader *lane = pool->open[(pool->turn + i) % count];

		if (!last && pool->statistics.read >= until) {
			pool->turn = (pool->turn + i) % count;
			more = true;
			break;
		}
		if (lane->has_chunk && lane->number <= pool->ripe && !lane->waits &&
		    drain_lane(pool, lane, last, take, argument))
			more = true;
	}
	for (size_t i = 0; i < count; i++)
		if (pool->open[i]->has_chunk || begin_chunk(pool, pool->open[i]))
			pool->open[left++] = pool->open[i];
	pool->open_count = left;
	return more;
}

bool event_pool_drain(struct event_pool *pool, bool last, event_pool_take *take, void *argument)
{
	uint64_t before = pool->statistics.read, until = before + DRAIN_BYTES_MAX;
	bool all, again;

	compare_clocks(pool);
	look_for_threads(pool);
	all = pool->ns[1] - pool->scanned >= SCAN_NS;
	do {
		look_for_chunks(pool, all);
		pool->more = drain_lanes(pool, last, until, take, argument);
		again = last && (pool->more || !all);
		all = last && !pool->more;
	} while (again || (pool->more && pool->statistics.read < until));
	if (last)
		report_gone(pool, take, argument);
	hand_out(pool);
	return pool->more || pool->statistics.read != before;
}

bool event_pool_name(const struct event_pool *pool, uint32_t number, struct strbuf *name)
{
	const uint64_t *names =
		(const uint64_t *)(const void *)((char *)pool->area + pool->names_at);
	uint64_t at;
	uint32_t length;

	if (!number || number >= EVENT_NAMES)
		return false;
	at = __atomic_load_n(&names[number], __ATOMIC_ACQUIRE) & UINT32_MAX;
	if (!at || at > EVENT_NAME_TEXTS - sizeof(length))
		return false;
	memcpy(&length, (char *)pool->area + pool->texts_at + at, sizeof(length));
	if (length > EVENT_NAME_TEXTS - sizeof(length) - at)
		return false;
	strbuf_add(name, (char *)pool->area + pool->texts_at + at + sizeof(length), length);
	return true;
}

uint64_t event_pool_count(const struct event_pool *pool, uint32_t number)
{
	const uint64_t *counts =
		(const uint64_t *)(const void *)((char *)pool->area + pool->counts_at);

	return number < EVENT_NAMES ? __atomic_load_n(&counts[number], __ATOMIC_RELAXED) : 0;
}

double event_pool_cost(const struct event_pool *pool)
{
	uint64_t cost = __atomic_load_n(&pool->area->cost, __ATOMIC_RELAXED);

	/* More than a microsecond cannot be a valid measurement. */
	cost = event_pool_duration(pool, cost);
	return cost > 256 * NSEC_PER_USEC ? 0 : (double)cost / 256;
}

void event_pool_block(struct event_pool *pool, uint64_t image, uint64_t address)
{
	uint64_t *table = (uint64_t *)(void *)((char *)pool->area + pool->blocked_at);

	__atomic_store_n(&table[EVENT_BLOCKED_PLACE(address) % EVENT_BLOCKED],
			 EVENT_BLOCKED_WORD(image, address), __ATOMIC_RELAXED);
	if (__atomic_exchange_n(&pool->area->blocking, 1, __ATOMIC_RELAXED))
		return;
	event_area_set_gate(pool->area);
}

static struct event_tallies *tallies_of(const struct event_pool *pool)
{
	return (struct event_tallies *)(void *)((char *)pool->area + pool->tallies_at);
}

struct event_tally *event_pool_tally(const struct event_pool *pool, uint64_t lane)
{
	struct event_tallies *tallies = tallies_of(pool);

	for (uint64_t i = 0; pool->tallies_at && i < EVENT_TALLIES; i++)
		if (__atomic_load_n(&tallies->owners[i], __ATOMIC_ACQUIRE) == lane)
			return &tallies->tables[i];
	return NULL;
}

void event_pool_free_tally(struct event_pool *pool, struct event_tally *tally)
{
	struct event_tallies *tallies = tallies_of(pool);
	uint64_t used = tally->used < EVENT_TALLY_STEPS ? tally->used : EVENT_TALLY_STEPS - 1;

	memset(tally->steps, 0, (used + 1) * sizeof(*tally->steps));
	memset(tally, 0, offsetof(struct event_tally, steps));
	__atomic_store_n(&tallies->owners[tally - tallies->tables], 0, __ATOMIC_RELEASE);
}

void event_pool_statistics(struct event_pool *pool, struct event_pool_statistics *statistics)
{
	uint64_t most = (uint64_t)__atomic_load_n(&pool->area->full_max, __ATOMIC_RELAXED) *
			pool->chunk_size;

	pool->statistics.most = most < pool->statistics.size ? most : pool->statistics.size;
	pool->statistics.full = __atomic_load_n(&pool->area->waits, __ATOMIC_RELAXED);
	pool->statistics.empty_after_full =
		__atomic_load_n(&pool->area->empty_after_full, __ATOMIC_RELAXED);
	pool->statistics.full_time = event_pool_duration(
		pool, __atomic_load_n(&pool->area->wait_time, __ATOMIC_RELAXED));
	pool->statistics.counted = __atomic_load_n(&pool->area->counted, __ATOMIC_RELAXED);
	*statistics = pool->statistics;
}
