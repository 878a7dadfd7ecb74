/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the measurement request that holds for a step. */
#include "common/compat.h"
#include "session/job/measured.h"

#include <strings.h>

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

/* Whether a CHANGE or DELETE is about the request that ADD number number made. */
static bool is_about(const struct control_request *other, const struct control_request *request,
		     unsigned number)
{
	if (other->number)
		return other->number == number;
	return other->job && request->job && strcasecmp(other->job, request->job) == 0;
}

/* Put what a CHANGE gives into a request. */
static void change(struct control_request *request, const struct control_request *given)
{
	if (given->samples)
		request->samples = given->samples;
	if (given->session_minutes)
		request->session_minutes = given->session_minutes;
	if (given->limit_given) {
		request->limit_given = true;
		request->no_limit = false;
		request->limit = given->limit;
		request->action = given->action;
	}
	if (given->no_limit) {
		request->no_limit = true;
		request->limit_given = false;
	}
}

bool request_find(const struct control_deck *deck, const struct plan_job *job,
		  const struct plan_step *step, struct control_request *request, unsigned *number)
{
	unsigned adds = 0;
	bool found = false;

	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next) {
		if (!one->checked)
			continue;
		if (one->verb == CONTROL_ADD) {
			adds++;
			if (!request_matches(&one->request, job, step))
				continue;
			*request = one->request;
			*number = adds;
			found = true;
		} else if (found && is_about(&one->request, request, *number)) {
			if (one->verb == CONTROL_CHANGE)
				change(request, &one->request);
			else if (one->verb == CONTROL_DELETE)
				found = false;
		}
	}
	return found;
}
