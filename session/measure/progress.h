/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows on a terminal how a session goes: seconds, CPU time, samples, losses.
 * Silent into a pipe or file.
 */
#ifndef VIGIL_SESSION_MEASURE_PROGRESS_H
#define VIGIL_SESSION_MEASURE_PROGRESS_H

#include "sampler/sampler.h"

struct progress {
	bool shown; /* a line stands on the terminal */
	bool wanted;
	uint64_t start; /* ns monotonic */
	uint64_t last;	/* when it was shown last */
};

/* wanted: the caller asks for it; it is shown only when standard error is a terminal. */
void progress_init(struct progress *progress, bool wanted);
/* Show the state, at most twice a second. */
void progress_show(struct progress *progress, const struct sampler_counts *counts);
/* Take the line away. */
void progress_clear(struct progress *progress);

#endif
