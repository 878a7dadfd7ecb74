/* SPDX-License-Identifier: Apache-2.0 */
/*
 * When a part of the time does for all of it (duty.h): a timer of its own opens
 * windows at random moments and closes them after a random time, as
 * cost-watch.h decides. While all is watched it only looks how often the step
 * switches. It also looks what vigil itself uses, and has others do less.
 */
#ifndef VIGIL_SAMPLER_WINDOWS_H
#define VIGIL_SAMPLER_WINDOWS_H

#include "common/compat.h"

struct engine;
struct sampler;

struct windows {
	struct engine *engine; /* while it runs */
	int timer;	       /* timerfd, or -1 */
	bool on;	       /* all is watched for a short time only */
	bool doubted;	       /* so many switches were seen once that it should be so */
	uint64_t look;	       /* ns to the next look while all is watched */
	/* When the window was opened. */
	uint64_t opened, used, switches;
	uint64_t chance;     /* state of the random numbers, never 0 */
	uint64_t round_at;   /* monotonic time of the next look at costs */
	uint64_t overhead;   /* ns of CPU time that the ends of the last window took */
	uint64_t own_before; /* this thread's CPU time when the session began */
	/* Of the whole session. */
	uint64_t own;	 /* ns of CPU time vigil used for watching */
	double added;	 /* ns that switches added to the step */
	unsigned halved; /* so often the rate was, for the cost's sake */
};

void windows_init(struct windows *windows);
/* It begins with the engine, and ends; the end may be called again. */
void windows_start(struct sampler *sampler, struct engine *engine);
void windows_stop(struct sampler *sampler);
/* See what vigil itself uses, if it is time for that; now is monotonic ns. */
void windows_look_at_costs(struct sampler *sampler, uint64_t now);

#endif
