/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the measurement request that holds for a step. */
#include "common/compat.h"
#include "session/job/measured.h"

static bool pattern_holds(const char *pattern, const char *name)
{
	return !pattern || control_match(pattern, name);
}

static bool request_matches(const struct control_request *request, const struct plan_job *job,
			    const struct plan_step *step)
{
	return pattern_holds(request->job, job->name) && pattern_holds(request->step, step->name) &&
	       pattern_holds(request->procstep, step->procstep) &&
	       pattern_holds(request->program, step->program ? step->program : "");
}

const struct control_request *request_find(const struct control_deck *deck,
					   const struct plan_job *job, const struct plan_step *step,
					   unsigned *number)
{
	const struct control_request *found = NULL;
	unsigned requests = 0;

	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next) {
		if (!control_measures(one))
			continue;
		requests++;
		if (!request_matches(&one->request, job, step))
			continue;
		found = &one->request;
		*number = requests;
	}
	return found;
}
