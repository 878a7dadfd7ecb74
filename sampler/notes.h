/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the sample data set is told of the measurement itself: its facts and
 * figures as attributes, and what is missing as notes, each once.
 */
#ifndef VIGIL_SAMPLER_NOTES_H
#define VIGIL_SAMPLER_NOTES_H

#include "engine/engine.h"

struct sampler;

struct notes {
	uint64_t figures_at,
		figures_period;	   /* when the figures were told last, and the period then */
	bool begun, refused, thin; /* what was told */
};

/* Add to a snapshot what is due; last: all there is. */
void notes_add(struct sampler *sampler, struct engine *engine, struct snapshot *snapshot,
	       bool last);

#endif
