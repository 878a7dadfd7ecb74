/* SPDX-License-Identifier: Apache-2.0 */
/* The answer of a collector for an interpreter: what its program executes, in place of itself. */
#ifndef VIGIL_SAMPLER_COLLECTORS_FRAMES_H
#define VIGIL_SAMPLER_COLLECTORS_FRAMES_H

#include "vigil/collector.h"

/*
 * Name the places (one or more) for the innermost frame of the stack that
 * lies in the interpreter's instructions; frames of libraries inside it stay.
 * Where none lies there (a stack that could not be followed so far) it is the
 * outermost frame that is known.
 */
void answer_places(struct vigil_communication *area, const struct vigil_mapping *instructions,
		   const struct vigil_place *places, size_t count);

#endif
