/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When the kernel's records are taken: at once when a ring is a quarter full,
 * and at a tick that is short while waits begin and grows long while nothing
 * happens. Each tick also looks at waiting tasks, and now and then at what
 * records may not have told.
 */
#ifndef VIGIL_SAMPLER_TICK_H
#define VIGIL_SAMPLER_TICK_H

#include "engine/engine.h"
#include "sampler/sched-slice.h"

struct sampler;

struct tick {
	struct engine *engine;	    /* while it runs */
	int timer;		    /* timerfd, or -1 */
	int root_fd;		    /* pidfd of the root while it lives, or -1 */
	unsigned hurry;		    /* ticks that stay short */
	unsigned length;	    /* ms, now */
	uint64_t count;		    /* ticks so far */
	uint64_t verify_after;	    /* monotonic time before which tasks are not checked again */
	uint64_t relieve_after;	    /* the same for relief */
	struct sched_served before; /* how vigil was scheduled before */
};

void tick_init(struct tick *tick);
/* The tick begins with the engine. */
int tick_start(struct sampler *sampler, struct engine *engine, struct error *err);
/* The watching is over: no task stands still any more. May be called again. */
void tick_stop(struct sampler *sampler);
/* Take what there is up to now for a snapshot. */
void tick_catch_up(struct sampler *sampler, bool last);

#endif
