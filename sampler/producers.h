/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The sampler's modules in the engine: a SUPPORTER that reads the kernel's records
 * and completes the data at each snapshot, a PRODUCER for each record type, and a
 * MONITOR that frees ended tasks once their rows are made.
 */
#ifndef VIGIL_SAMPLER_PRODUCERS_H
#define VIGIL_SAMPLER_PRODUCERS_H

#include "engine/engine.h"

struct sampler;

int producers_register(struct sampler *sampler, struct engine *engine, struct error *err);

#endif
