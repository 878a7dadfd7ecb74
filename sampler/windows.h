/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Decides when a part of the time is observed for all of it (duty.h): a separate
 * timer opens windows at random moments and closes them after a random time, as
 * cost-watch.h decides. While everything is observed it only checks how often the
 * step switches. It also checks vigil's CPU time, and makes other parts do less.
 */
#ifndef VIGIL_SAMPLER_WINDOWS_H
#define VIGIL_SAMPLER_WINDOWS_H

#include "common/compat.h"

struct engine;
struct sampler;

struct windows {
	struct engine *engine; /* set while it runs */
	int timer;	       /* timerfd, or -1 */
	bool on;	       /* only windows are observed */
	bool doubted;	       /* there were once enough switches to use windows */
	uint64_t look;	       /* ns to the next check while everything is observed */
	/* Values when the window was opened. */
	uint64_t opened, used, switches;
	uint64_t chance;     /* state of the random number generator, never 0 */
	uint64_t round_at;   /* monotonic time of the next check of costs */
	uint64_t overhead;   /* ns of CPU time to open or to close a window, running mean */
	uint64_t own_before; /* this thread's CPU time when the session began */
	/* Sums of the whole session. */
	uint64_t own;	 /* ns of CPU time that vigil used for the observation */
	double added;	 /* ns that switches added to the step */
	unsigned halved; /* number of times that the rate was halved because of the cost */
};

void windows_init(struct windows *windows);
/* Begin with the engine, and end; the end may be called again. */
void windows_start(struct sampler *sampler, struct engine *engine);
void windows_stop(struct sampler *sampler);
/* Checks the CPU time of vigil if that is due; now is monotonic ns. */
void windows_look_at_costs(struct sampler *sampler, uint64_t now);

#endif
