/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes data about the measurement itself: facts and figures as attributes, and
 * what is missing as notes, each once.
 */
#ifndef VIGIL_SAMPLER_NOTES_H
#define VIGIL_SAMPLER_NOTES_H

#include "engine/engine.h"

struct sampler;

struct notes {
	uint64_t figures_at,
		figures_period;	   /* time of the last figures, and the period then */
	bool begun, refused, thin; /* what was written already */
};

/* Adds what is due to a snapshot; last: everything. */
void notes_add(struct sampler *sampler, struct engine *engine, struct snapshot *snapshot,
	       bool last);

#endif
