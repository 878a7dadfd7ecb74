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

/* Whether a pattern, of a step or of "STEP.PROCSTEP", means a step. */
static bool step_matches(const char *pattern, const struct plan_step *step)
{
	struct strbuf both = STRBUF_INIT;
	bool match;

	strbuf_addf(&both, "%s.%s", step->name, step->procstep);
	match = strchr(pattern, '.') ? control_match(pattern, both.text)
				     : control_match(pattern, step->name) ||
					       control_match(pattern, step->procstep);
	strbuf_release(&both);
	return match;
}

bool report_matches(const struct control_statement *one, const struct plan_job *job,
		    const struct plan_step *step)
{
	const struct control_report *report = &one->report;

	if (one->verb != CONTROL_REPORT || !one->checked || report->input)
		return false;
	if (report->job && !control_match(report->job, job->name))
		return false;
	return !report->step || step_matches(report->step, step);
}
