/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampler's modules in the engine: a SUPPORTER that takes what the kernel
 * has and cuts at each snapshot, a PRODUCER for each type of record, and a
 * MONITOR that forgets what has ended once its rows were made.
 */
#ifndef VIGIL_SAMPLER_PRODUCERS_H
#define VIGIL_SAMPLER_PRODUCERS_H

#include "engine/engine.h"

struct sampler;

int producers_register(struct sampler *sampler, struct engine *engine, struct error *err);

#endif
