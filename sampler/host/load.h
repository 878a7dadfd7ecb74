/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Loads a collector's shared object, and checks it.
 */
#ifndef VIGIL_SAMPLER_HOST_LOAD_H
#define VIGIL_SAMPLER_HOST_LOAD_H

#include "sampler/host/protocol.h"

/*
 * Loads the object at path and describes it in answer. Returns false with
 * answer->error set if it cannot be used: the reason and what to do. The object's
 * constructors run in this call.
 */
bool load_collector(const char *path, struct vigil_collector *collector,
		    struct call_answer *answer);

#endif
