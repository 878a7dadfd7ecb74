/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Loading a collector's shared object, and checking that it is one.
 */
#ifndef VIGIL_SAMPLER_HOST_LOAD_H
#define VIGIL_SAMPLER_HOST_LOAD_H

#include "sampler/host/protocol.h"

/*
 * Load the object at path and describe it in answer: what it is, or in
 * answer->error why it cannot be used and what to do. Returns false then.
 * Its constructors run in here.
 */
bool load_collector(const char *path, struct vigil_collector *collector,
		    struct call_answer *answer);

#endif
