/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts of a session that its profile shows in the header: job, program,
 * machine, request, result. A processor module (SUPPORTER "SESSION") that
 * adds ATTRIBUTE rows at the first snapshot and at the end.
 */
#ifndef VIGIL_SESSION_MEASURE_HEADER_H
#define VIGIL_SESSION_MEASURE_HEADER_H

#include "engine/engine.h"
#include "session/measure/measure.h"

struct header {
	const struct measure_request *request; /* borrowed */
	const char *data_set;		       /* borrowed: path of the sample data set */
	struct sampler *sampler;  /* NULL: nothing is sampled */
	const char *without_area; /* borrowed: why there is no transaction area; "" there is one */
	const char *without_events; /* borrowed: why no events are collected; "" nothing is missing */
	bool written;
	uint64_t start;		 /* ns monotonic */
	uint64_t overhead_start; /* CPU time of this process when the session began */
	bool result_known;
	int return_code;
	char abend[8];
	uint64_t cpu_user, cpu_system, peak_resident;
};

void header_init(struct header *header, const struct measure_request *request, const char *data_set,
		 struct sampler *sampler);
extern const struct module_class header_class; /* context: struct header */

#endif
