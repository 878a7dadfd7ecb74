/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data pool, as the monitor sees it: makes it, tells the step where it is,
 * and takes out what the step's tasks have written (agent/event-area.h).
 *
 * It lives in memory only: its path leads through /proc to a descriptor of
 * this process, so that nothing is left behind however the process ends, and
 * the agent can see whether there still is a monitor. Its size is sealed.
 * Nothing that stands in it is believed further than that it can be read: a
 * program that writes into the pool spoils its own events, not the monitor.
 */
#ifndef VIGIL_EVENTS_POOL_H
#define VIGIL_EVENTS_POOL_H

#include "agent/event-area.h"
#include "common/error.h"
#include "common/idmap.h"

#include <sys/types.h>

/* A thread of one image of a process. Kept until the pool is freed. */
struct event_lane_reader {
	uint64_t number;
	pid_t pid, tid; /* as the writer sees itself */
	uint64_t next;	/* sequence of its next chunk */
	uint64_t chunk; /* that is being read, as has_chunk says */
	uint64_t at;	/* bytes of it that were read */
	bool has_chunk, ended;
	bool seen, dead;      /* the thread was seen; it is there no longer */
	uint64_t gone;	      /* ns: when that was noticed; 0: it has another lane, or is there */
	uint64_t stuck_since; /* ns: a slot was reserved and is not published; 0 none */
	uint64_t *kept;	      /* chunks read but for such slots */
	size_t kept_count, kept_alloc;
	void *user; /* the taker's own */
};

struct event_pool_statistics {
	uint64_t size;	    /* bytes for events not yet read, as PDPSIZE says */
	uint64_t most;	    /* bytes used at most */
	uint64_t read;	    /* bytes */
	uint64_t full;	    /* waits of threads because it was full */
	uint64_t full_time; /* ns of them */
	uint64_t empty_after_full; /* of these waits: when they ended all had been read */
	uint64_t counted; /* statements that were not written */
};

struct event_pool {
	struct event_area *area;
	int fd;	    /* -1: none */
	char *path; /* what VIGIL_EVENTS says */
	uint64_t size;
	/* Its own copy of what the step could change. */
	uint64_t names_at, counts_at, texts_at, blocked_at, chunks_at, slots_at;
	uint64_t chunk_size, chunk_count, pool_chunks;
	bool cycles;
	/* Ticks and ns at three moments: one from which on the rate is taken, the last, one
	 * between. */
	uint64_t ticks[3], ns[3];
	double rate;		/* ns a tick */
	struct idmap by_number; /* lane -> index + 1 */
	struct event_lane_reader **lanes;
	size_t lane_count, lane_alloc;
	uint64_t *owners;		 /* by chunk: the lane it was last seen with */
	struct event_lane_reader **open; /* those with a chunk, by number */
	size_t open_count, open_alloc;
	struct idmap by_thread; /* pid and tid -> index of the newest lane */
	uint64_t looked;	/* ns: when threads were last looked for */
	uint64_t holes;		/* slots that were reserved and never published */
	uint64_t newest, ripe;	/* largest number of a lane seen; those up to ripe may be read */
	size_t turn;		/* of open: who comes first when not all could be drained */
	bool more;		/* the last drain has left something */
	struct event_pool_statistics statistics;
};

/*
 * What the taker gets: slots of one lane, in their order, whole events only.
 * slots is valid during the call. count 0: the thread has gone, at lane->gone, and the lane is
 * over. That may be said twice, and of threads that have told their end.
 */
typedef void event_pool_take(void *argument, struct event_lane_reader *lane,
			     const struct event_slot *slots, size_t count);

/* kb: PDPSIZE. The pool is paused. */
int event_pool_init(struct event_pool *pool, uint64_t kb, struct error *err);
void event_pool_release(struct event_pool *pool);
/*
 * Take out what is there, but no more at a time than fits a processor's cache
 * (pool->more says that some was left); true when there was anything. last: the
 * step is over; all is taken, and lanes that were not ended are.
 */
bool event_pool_drain(struct event_pool *pool, bool last, event_pool_take *take, void *argument);
/* ns of CLOCK_MONOTONIC at ticks. */
static inline uint64_t event_pool_time(const struct event_pool *pool, uint64_t ticks)
{
	double since = (double)(int64_t)(ticks - pool->ticks[1]);

	return pool->cycles ? pool->ns[1] + (uint64_t)(int64_t)(since * pool->rate) : ticks;
}
/* Ticks at a time, ns of CLOCK_MONOTONIC. */
uint64_t event_pool_ticks(const struct event_pool *pool, uint64_t time);
/* ns that ticks last. */
uint64_t event_pool_duration(const struct event_pool *pool, uint64_t ticks);
/* Append the name of a number; false when there is none. */
bool event_pool_name(const struct event_pool *pool, uint32_t number, struct strbuf *name);
/* Statements of the program of that name that were counted and not written. */
uint64_t event_pool_count(const struct event_pool *pool, uint32_t number);
/* ns that a plain event costs the program. */
double event_pool_cost(const struct event_pool *pool);
/* Let a function make no more events in an image of a process. */
void event_pool_block(struct event_pool *pool, uint64_t image, uint64_t address);
void event_pool_statistics(struct event_pool *pool, struct event_pool_statistics *statistics);

#endif
