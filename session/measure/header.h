/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The facts of a session that the profile's header shows: job, program, machine,
 * request, result. A processor module (SUPPORTER "SESSION") that adds ATTRIBUTE
 * rows at the first snapshot and at the end.
 */
#ifndef VIGIL_SESSION_MEASURE_HEADER_H
#define VIGIL_SESSION_MEASURE_HEADER_H

#include "engine/engine.h"
#include "metrics/metrics.h"
#include "session/measure/measure.h"

struct header {
	const struct measure_request *request; /* borrowed */
	const char *data_set;		       /* borrowed: path of the sample data set */
	struct sampler *sampler;  /* NULL: nothing is sampled */
	const struct metrics *metrics; /* borrowed; NULL: no metrics are collected */
	const char *without_area; /* borrowed: why there is no transaction area; "": there is one */
	const char *without_events; /* borrowed: why no events are collected; "": nothing is
				     * missing */
	bool written;
	uint64_t start;		 /* ns monotonic */
	uint64_t overhead_start; /* ns of CPU time of this process that do not belong to the
				  * session */
	uint64_t overhead_end;	 /* the same for vigil and collectors when the step ended; 0:
				  * still running */
	bool result_known;
	int return_code;
	char abend[8];
	uint64_t cpu_user, cpu_system, peak_resident;
};

void header_init(struct header *header, const struct measure_request *request, const char *data_set,
		 struct sampler *sampler);
/* Returns whether the sampler has less privilege than the request wants. */
bool header_lacks_privilege(const struct header *header);
/* Returns the CPU time that this process has used in all its threads, ns. */
uint64_t header_process_cpu(void);
/* Notes the end of the step: overhead from now on counts as used after it. */
void header_step_ended(struct header *header);
/*
 * Implements dataset_consumer.closing, with a struct header as argument: adds what
 * vigil used, including the last snapshot.
 */
void header_closing(void *argument, struct engine *engine, struct snapshot *snapshot);
extern const struct module_class header_class; /* context: struct header */

#endif
