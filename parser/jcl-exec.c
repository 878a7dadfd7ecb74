/* SPDX-License-Identifier: Apache-2.0 */
/* The EXEC statement: a step, or a call of a procedure. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

/* Creates a step from the current EXEC. */
static struct plan_step *step_new(struct jcl_evaluation *e)
{
	struct plan_step *step = xcalloc(1, sizeof(*step));

	step->name = xstrdup(e->call ? e->call->step_name : e->statement->name);
	step->procstep = xstrdup(e->call ? e->statement->name : "");
	step->procedure = xstrdup(e->call ? e->call->procedure->name : "");
	step->location = jcl_statement_location(e->source, e->statement);
	step->guard = jcl_guard(e);
	return step;
}

/* Adds a step that is complete except for its DDs, which follow. */
static void step_add(struct jcl_evaluation *e, struct plan_step *step)
{
	*e->step_tail = step;
	e->step_tail = &step->next;
	e->step = step;
	e->dd_tail = &step->dds;
	e->dd = e->member = NULL;
	e->dd_count = 0;
	if (++e->job->step_count <= JCL_MAXIMUM_STEPS)
		return;
	if (e->job->step_count == JCL_MAXIMUM_STEPS + 1)
		jcl_complain(e, SEVERITY_ERROR, 1092, NULL, "a job has %d steps at most",
			     JCL_MAXIMUM_STEPS);
	e->too_large = true;
}

void jcl_step_assume(struct jcl_evaluation *e)
{
	struct plan_step *step = xcalloc(1, sizeof(*step));

	step->name = xstrdup("");
	step->procstep = xstrdup("");
	step->procedure = xstrdup("");
	step->program = xstrdup("");
	step->location = e->job->location;
	step_add(e, step);
}

/* Reports two steps with the same name: references mean the later one. */
static void check_repeated(struct jcl_evaluation *e)
{
	const char *name = e->statement->name;

	if (name[0] && !e->too_large && jcl_step_find(e, name, NULL))
		jcl_complain(e, SEVERITY_WARNING, 1096, NULL,
			     "an earlier step has the same name, %s; references mean the later",
			     name);
}

/* Returns the procedure that the EXEC calls; NULL if it runs a program. */
static const struct jcl_node *called(const struct jcl_evaluation *e)
{
	const struct jcl_node *first = e->usable ? e->operands : NULL;

	if (!first || first->kind == JCL_EMPTY)
		return NULL;
	if (first->kind == JCL_KEYWORD && strcmp(first->text, "PROC") != 0)
		return NULL;
	return first;
}

const struct jcl_node *jcl_evaluate_exec(struct jcl_evaluation *e)
{
	struct plan_step *step;

	jcl_step_end(e);
	if (!e->call)
		check_repeated(e);
	if (called(e))
		return called(e);
	if (e->call) {
		e->call->procstep = e->statement->name;
		e->call->steps++;
		if (e->usable)
			e->operands = jcl_merge_exec(e, e->operands);
	}
	step = step_new(e);
	if (e->usable)
		jcl_step_operands(e, step);
	if (!step->program)
		step->program = xstrdup("");
	step_add(e, step);
	return NULL;
}
