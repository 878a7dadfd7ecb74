/* SPDX-License-Identifier: Apache-2.0 */
/* Finds earlier steps and DDs of the job that JCL refers to. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

/* Returns the last step of a procedure call with a name in the procedure. */
static struct plan_step *call_step_find(const struct jcl_call *call, const char *name)
{
	struct plan_step *found = NULL;

	for (struct plan_step *at = *call->begin; at; at = at->next)
		if (strcmp(at->procstep, name) == 0)
			found = at;
	return found;
}

struct plan_step *jcl_step_find(const struct jcl_evaluation *e, const char *step,
				const char *procstep)
{
	struct plan_step *found = NULL;

	if (e->call && !procstep)
		found = call_step_find(e->call, step);
	if (found)
		return found;
	for (struct plan_step *at = e->job->steps; at; at = at->next)
		if (strcmp(at->name, step) == 0 &&
		    (!procstep || strcmp(at->procstep, procstep) == 0))
			found = at;
	return found;
}

void jcl_full_name(const struct plan_step *found, char **step, char **procstep)
{
	if (*procstep || strcmp(found->name, *step) == 0)
		return;
	free(*step);
	*step = xstrdup(found->name);
	*procstep = xstrdup(found->procstep);
}

struct plan_dd *jcl_dd_find(struct plan_dd *dds, const char *name)
{
	for (; dds; dds = dds->next)
		if (strcmp(dds->name, name) == 0)
			return dds;
	return NULL;
}

/* Returns the DD whose step and name are the parts of a reference; NULL: none. */
static struct plan_dd *refer_parts(const struct jcl_evaluation *e, const char *const *parts,
				   unsigned count)
{
	const struct plan_step *step = e->step;

	if (count == 1 && !step)
		return jcl_dd_find(e->job->joblib, parts[0]);
	if (count > 1)
		step = jcl_step_find(e, parts[0], count == 3 ? parts[1] : NULL);
	return step ? jcl_dd_find(step->dds, parts[count - 1]) : NULL;
}

struct plan_dd *jcl_dd_refer(struct jcl_evaluation *e, const struct jcl_node *node,
			     const char *text)
{
	const char *parts[3] = { NULL, NULL, NULL };
	unsigned count = 0;
	struct plan_dd *found = NULL;

	for (const char *at = text + 2; at; count++) {
		size_t length = strcspn(at, ".");

		if (count == 3 || !jcl_name_valid(at, length)) {
			jcl_complain(e, SEVERITY_ERROR, 1121, node,
				     "%s is not a reference: *.DD, *.STEP.DD or *.STEP.PROCSTEP.DD",
				     text);
			return NULL;
		}
		parts[count] = jcl_arena_text(&e->scratch, at, length);
		at = at[length] ? at + length + 1 : NULL;
	}
	if (e->too_large)
		return NULL;
	found = refer_parts(e, parts, count);
	if (!found)
		jcl_complain(e, SEVERITY_ERROR, 1122, node,
			     "%s refers to a DD that does not precede this", text);
	if (!found || found->kind != DD_INSTREAM)
		return found;
	jcl_complain(e, SEVERITY_ERROR, 1123, node, "%s refers to a DD with in-stream data", text);
	return NULL;
}
