/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tallies: in a session that wants sums only, a thread adds up the functions that
 * begin and end in it by itself, in a table of its own in the data pool, and writes
 * the sums from time to time instead of a slot for each.
 *
 * A step is what a slot would have reported: a function that begins, or one that
 * ends, after which another resumes; it lasts until the next one. The sums of a
 * step are those since they were written last. They are written in blocks
 * (EVENT_MARK_TALLY), of which the last one follows an anchor; what a killed thread
 * has not written the monitor takes from the table.
 *
 * Only the thread changes its table, each number by one instruction, so that a
 * signal handler can do the same at any place. A step stays where it is for as
 * long as the thread has the table.
 */
#ifndef VIGIL_AGENT_EVENT_TALLY_AREA_H
#define VIGIL_AGENT_EVENT_TALLY_AREA_H

#include <stdint.h>

/* Number of tables: threads that can have one at a time. */
#define EVENT_TALLIES 256
/* Number of steps of a table; the first is that of none. The size of its index. Powers of two. */
#define EVENT_TALLY_STEPS 8192
#define EVENT_TALLY_INDEX 16384
/* Maximum number of steps of a block: few, as it is made on the stack of a signal handler, too. */
#define EVENT_TALLY_BLOCK 16
/* Indexes after the one given by the hash at which a step may be. */
#define EVENT_TALLY_PROBES 64

struct event_tally_step {
	uint64_t mark;	  /* EVENT_MARK_ENTRY or EVENT_MARK_RETURN of a function; 0: of none */
	uint64_t resumes; /* value of the mark of the function that resumes after a return; 0: what
			   * was active when the thread began to tally */
	uint64_t hits;
	uint64_t elapsed; /* ticks: until the next step */
};

/*
 * A step in a block: a slot of mark and resumes, and one of hits and elapsed.
 * Before the first one is a slot of the ticks of the first and the last event that
 * are in the sums. The last step of the last block is that of the last event. The
 * length in the block's mark is 1 in the last one of some blocks, otherwise 0; its
 * number is that of the block. The word is the time of the next event.
 */
#define EVENT_TALLY_SLOTS(steps) (1 + 2 * (uint64_t)(steps))

/* A table; the ticks are 0 while nothing is tallied. */
struct event_tally {
	uint64_t start;	  /* ticks of the first event that is in the sums */
	uint64_t last;	  /* ticks of the last event */
	uint64_t open;	  /* the step of the last event, which goes on */
	uint64_t used;	  /* number of steps, without the first; grows only, also above the maximum */
	uint64_t listed;  /* number of steps in list, or more */
	/*
	 * The number of the last block that was, or is, written. Its steps are cleared
	 * after it: in that list, from and to.
	 */
	uint64_t block, from, to;
	uint64_t seen[EVENT_TALLY_STEPS / 64]; /* while they are written: bits of those that were */
	uint16_t list[EVENT_TALLY_STEPS];  /* the steps with hits; may have one twice */
	uint16_t index[EVENT_TALLY_INDEX]; /* steps by hash; 0 free. A step may be missing, if there is another like it */
	struct event_tally_step steps[EVENT_TALLY_STEPS];
};

struct event_tallies {
	uint64_t owners[EVENT_TALLIES]; /* lanes, 0: free; claimed by compare-and-exchange */
	struct event_tally tables[EVENT_TALLIES];
};

/* Returns where the search for a step begins in the index. */
static inline uint64_t event_tally_place(uint64_t mark, uint64_t resumes)
{
	return (mark * UINT64_C(0x9e3779b97f4a7c15) + resumes * UINT64_C(0xc2b2ae3d27d4eb4f)) >> 50;
}

_Static_assert(EVENT_TALLY_INDEX == 1 << 14, "a place has 14 bits");

#endif
