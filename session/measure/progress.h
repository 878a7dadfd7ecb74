/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Shows the progress of a session on a terminal: seconds, CPU time, samples,
 * losses. Silent into a pipe or file.
 */
#ifndef VIGIL_SESSION_MEASURE_PROGRESS_H
#define VIGIL_SESSION_MEASURE_PROGRESS_H

#include "sampler/sampler.h"

struct progress {
	bool shown; /* a line is on the terminal */
	bool wanted;
	uint64_t start; /* ns monotonic */
	uint64_t last;	/* time of the last display */
};

/* wanted: the caller requests it; it is shown only if standard error is a terminal. */
void progress_init(struct progress *progress, bool wanted);
/* Shows the state, at most twice a second. */
void progress_show(struct progress *progress, const struct sampler_counts *counts);
/* Removes the line. */
void progress_clear(struct progress *progress);

#endif
