/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pool on the monitor's side: creates it, provides its path for the step,
 * and reads what the step's tasks have written (agent/event-area.h).
 *
 * It exists in memory only: its path leads through /proc to a descriptor of this
 * process, so that nothing is left behind however the process ends, and the agent
 * can check whether the monitor is alive. Its size is sealed. Nothing in it is
 * trusted: a program that writes into the pool spoils its own events, not the
 * monitor.
 */
#ifndef VIGIL_EVENTS_POOL_H
#define VIGIL_EVENTS_POOL_H

#include "agent/event-area.h"
#include "common/error.h"
#include "common/idmap.h"
#include "events/pool-chunks.h"

#include <sys/types.h>

/* A thread of one process image. Kept until the pool is freed. */
struct event_lane_reader {
	uint64_t number;
	pid_t pid, tid; /* in the writer's namespace */
	uint64_t next;	/* sequence of its next chunk */
	uint64_t chunk; /* being read, if has_chunk */
	uint64_t at;	/* bytes of it already read */
	bool has_chunk, ended;
	bool waits;	      /* not read before others of its process: for so many rounds */
	unsigned rounds;
	bool seen, dead;      /* the thread was seen; it is gone */
	uint64_t gone;	      /* ns: when its end was noticed; 0: it has another lane, or exists */
	uint64_t stuck_since; /* ns: since when a slot is reserved but not published; 0 none */
	uint64_t *kept;	      /* chunks read except for such slots */
	size_t kept_count, kept_alloc;
	void *user; /* private to the consumer */
};

struct event_pool_statistics {
	uint64_t size;	    /* bytes for unread events, from PDPSIZE */
	uint64_t most;	    /* maximum bytes in use */
	uint64_t read;	    /* bytes */
	uint64_t full;	    /* waits of threads because it was full */
	uint64_t full_time; /* ns of these waits */
	uint64_t empty_after_full; /* waits that ended when everything had been read */
	uint64_t counted; /* statements not written */
};

struct event_pool {
	struct event_area *area;
	int fd;	    /* -1: none */
	char *path; /* value for VIGIL_EVENTS */
	uint64_t size;
	/* Private copies of values that the step could change. */
	uint64_t names_at, counts_at, texts_at, blocked_at, chunks_at, free_at, claimed_at, slots_at, tallies_at;
	uint64_t chunk_size, chunk_count, pool_chunks;
	bool cycles;
	/*
	 * Ticks and ns at three moments: the first, from which the rate is computed, the
	 * last, and one in between.
	 */
	uint64_t ticks[3], ns[3];
	double rate;		/* ns per tick */
	struct idmap by_number; /* lane -> index + 1 */
	struct event_lane_reader **lanes;
	size_t lane_count, lane_alloc;
	struct pool_chunks chunks; /* claimed, as far as seen */
	uint64_t scanned;	   /* ns: when all chunks were last looked at */
	struct event_lane_reader **open; /* lanes with a chunk, in the order of their numbers */
	size_t open_count, open_alloc;
	struct idmap by_thread; /* pid and tid -> index of the newest lane */
	uint64_t looked;	/* ns: when threads were last checked */
	uint64_t holes;		/* slots reserved and never published */
	uint64_t newest, ripe;	/* largest lane number seen; lanes up to ripe may be read */
	size_t turn;		/* index in open of the lane to begin with if not all could be
				 * drained */
	bool more;		/* the last drain has left events */
	struct event_pool_statistics statistics;
};

/*
 * The consumer: gets slots of one lane, in order, whole events only. slots is
 * valid during the call. count 0: the thread is gone, since lane->gone, and the
 * lane has ended. That may be reported twice, and for threads that have reported
 * their own end.
 */
typedef void event_pool_take(void *argument, struct event_lane_reader *lane,
			     const struct event_slot *slots, size_t count);

/*
 * Makes the pool, paused. kb: PDPSIZE; tallies: threads may add up functions by
 * themselves. Returns -1 with err set on failure.
 */
int event_pool_init(struct event_pool *pool, uint64_t kb, bool tallies, struct error *err);
void event_pool_release(struct event_pool *pool);
/*
 * Reads what is there, but per call no more than fits a processor's cache
 * (pool->more: some was left); returns true if there was anything. last: the step
 * is over; everything is taken, and lanes that have not ended are ended.
 */
bool event_pool_drain(struct event_pool *pool, bool last, event_pool_take *take, void *argument);
/* How times in ticks become times in ns: a tick's time and ns per tick. */
struct event_clocks {
	bool cycles;
	uint64_t ticks, ns;
	double rate;
};

static inline struct event_clocks event_pool_clocks(const struct event_pool *pool)
{
	return (struct event_clocks){ pool->cycles, pool->ticks[1], pool->ns[1], pool->rate };
}

/* Returns ns of CLOCK_MONOTONIC at ticks. */
static inline uint64_t event_clocks_time(const struct event_clocks *clocks, uint64_t ticks)
{
	double since = (double)(int64_t)(ticks - clocks->ticks);

	return clocks->cycles ? clocks->ns + (uint64_t)(int64_t)(since * clocks->rate) : ticks;
}

/* The same, for one time. */
static inline uint64_t event_pool_time(const struct event_pool *pool, uint64_t ticks)
{
	const struct event_clocks clocks = event_pool_clocks(pool);

	return event_clocks_time(&clocks, ticks);
}
/* Returns ticks at a time, ns of CLOCK_MONOTONIC. */
uint64_t event_pool_ticks(const struct event_pool *pool, uint64_t time);
/* Returns the duration of ticks in ns. */
uint64_t event_pool_duration(const struct event_pool *pool, uint64_t ticks);
/* Appends the name with a number; returns false if there is none. */
bool event_pool_name(const struct event_pool *pool, uint32_t number, struct strbuf *name);
/* Returns the number of statements counted and not written, of the program with that name. */
uint64_t event_pool_count(const struct event_pool *pool, uint32_t number);
/* Returns the ns that a plain event costs the program. */
double event_pool_cost(const struct event_pool *pool);
/* Blocks a function in a process image: it makes no more events. */
void event_pool_block(struct event_pool *pool, uint64_t image, uint64_t address);
/* Returns the table of the tallies of a lane; NULL: it has none. */
struct event_tally *event_pool_tally(const struct event_pool *pool, uint64_t lane);
/* Clears a table whose thread is gone: another thread can take it. */
void event_pool_free_tally(struct event_pool *pool, struct event_tally *tally);
void event_pool_statistics(struct event_pool *pool, struct event_pool_statistics *statistics);

#endif
