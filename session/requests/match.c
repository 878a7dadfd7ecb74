/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the request that applies to a step, and the reports on it. */
#include "common/compat.h"
#include "session/requests/requests.h"

struct request_subject request_subject_of(const struct plan_job *job, const struct plan_step *step)
{
	return (struct request_subject){
		.job = job->name,
		.step = step->name,
		.procstep = step->procstep,
		.program = step->program ? step->program : "",
	};
}

static bool pattern_holds(const char *pattern, const char *name)
{
	return !pattern || control_match(pattern, name);
}

bool request_matches(const struct control_request *request,
			  const struct request_subject *subject)
{
	return pattern_holds(request->job, subject->job) &&
	       pattern_holds(request->step, subject->step) &&
	       pattern_holds(request->procstep, subject->procstep) &&
	       pattern_holds(request->program, subject->program);
}

const struct control_request *request_find(const struct control_deck *deck,
					   const struct request_subject *subject, uint64_t *number)
{
	const struct control_request *found = NULL;
	uint64_t requests = 0;

	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next) {
		if (!control_samples(one))
			continue;
		requests++;
		if (subject && !request_matches(&one->request, subject))
			continue;
		found = &one->request;
		*number = requests;
	}
	return found;
}

bool request_any(const struct control_deck *deck)
{
	for (const struct control_statement *one = deck->statements; one; one = one->next)
		if (control_samples(one) || control_is_function(one, CONTROL_INIT))
			return true;
	return false;
}

bool request_any_samples(const struct control_deck *deck)
{
	for (const struct control_statement *one = deck->statements; one; one = one->next)
		if (control_samples(one))
			return true;
	return false;
}

/* Returns whether a pattern for a step or for "STEP.PROCSTEP" matches a step. */
static bool step_holds(const char *pattern, const struct request_subject *subject)
{
	struct strbuf both = STRBUF_INIT;
	bool match;

	strbuf_addf(&both, "%s.%s", subject->step, subject->procstep);
	match = strchr(pattern, '.') ? control_match(pattern, both.text)
				     : control_match(pattern, subject->step) ||
					       control_match(pattern, subject->procstep);
	strbuf_release(&both);
	return match;
}

bool request_report_names(const struct control_report *report,
			  const struct request_subject *subject)
{
	return pattern_holds(report->job, subject->job) &&
	       (!report->step || step_holds(report->step, subject));
}

bool request_reports_on(const struct control_statement *statement,
			const struct request_subject *subject)
{
	return statement->verb == CONTROL_REPORT && statement->checked &&
	       !statement->report.input && request_report_names(&statement->report, subject);
}
