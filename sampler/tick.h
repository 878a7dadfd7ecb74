/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when the kernel's records are processed: at once when a ring is a
 * quarter full, and at a tick, which is short while waits begin and gets longer
 * while nothing happens. Each tick also looks at waiting tasks, and from time to
 * time at what records may have missed.
 */
#ifndef VIGIL_SAMPLER_TICK_H
#define VIGIL_SAMPLER_TICK_H

#include "engine/engine.h"
#include "sampler/sched-slice.h"

struct sampler;

struct tick {
	struct engine *engine;	    /* set while it runs */
	int timer;		    /* timerfd, or -1 */
	int root_fd;		    /* pidfd of the first process while it lives, or -1 */
	unsigned short_ticks;		    /* number of ticks that stay short */
	unsigned length;	    /* current mean, ms */
	uint64_t count;		    /* ticks so far */
	uint64_t verify_after;	    /* monotonic time before which tasks are not checked again */
	uint64_t relieve_after;	    /* the same for the relief of full rings */
	struct sched_served before; /* scheduling of vigil before */
};

void tick_init(struct tick *tick);
/* Starts the tick with the engine. */
int tick_start(struct sampler *sampler, struct engine *engine, struct error *err);
/* Ends the observation: releases all stopped tasks. May be called again. */
void tick_stop(struct sampler *sampler);
/* Processes everything up to now for a snapshot. */
void tick_catch_up(struct sampler *sampler, bool last);

#endif
