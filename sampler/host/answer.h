/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * The communication area of a call: made from the request, and turned into the answer.
 */
#ifndef VIGIL_SAMPLER_HOST_ANSWER_H
#define VIGIL_SAMPLER_HOST_ANSWER_H

#include "sampler/host/protocol.h"

/* What the entry point is given for one call. */
struct call_given {
	struct vigil_task task;
	struct vigil_communication area;
	const char *module, *transaction; /* as they were given */
	_Alignas(max_align_t) unsigned char work_area[VIGIL_WORK_AREA];
};

/* Fill given as the entry point finds it; parameter is the request's for loading. Everything
   points into request and given. */
void answer_prepare(struct call_given *given, const struct call_request *request,
		    const char *parameter, void *anchor);
/* Write into answer what the entry point changed; nothing it left there is trusted. */
void answer_take(const struct call_given *given, const struct call_request *request,
		 enum vigil_outcome outcome, struct call_answer *answer);

#endif
