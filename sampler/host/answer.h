/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * The communication area of a call: made from the request, and converted to the
 * answer.
 */
#ifndef VIGIL_SAMPLER_HOST_ANSWER_H
#define VIGIL_SAMPLER_HOST_ANSWER_H

#include "sampler/host/protocol.h"

/* Input of the entry point for one call. */
struct call_given {
	struct vigil_task task;
	struct vigil_communication area;
	const char *module, *transaction; /* as passed to it */
	_Alignas(max_align_t) unsigned char work_area[VIGIL_WORK_AREA];
};

/*
 * Fills given with the input of the entry point; parameter is that of the request
 * to load. All pointers point into request and given.
 */
void answer_prepare(struct call_given *given, const struct call_request *request,
		    const char *parameter, void *anchor);
/* Writes what the entry point changed into answer; nothing that it left there is trusted. */
void answer_take(const struct call_given *given, const struct call_request *request,
		 enum vigil_outcome outcome, struct call_answer *answer);

#endif
