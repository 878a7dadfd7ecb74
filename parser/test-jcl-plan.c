/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the meaning of a plan in one line. */
#include "common/compat.h"
#include "parser/test-jcl-plan.h"

/* Append "STEP.", "STEP.PROC." or nothing. */
static void add_step(struct strbuf *sb, const struct plan_expr *expr)
{
	if (expr->step)
		strbuf_addf(sb, "%s.", expr->step);
	if (expr->procstep && *expr->procstep)
		strbuf_addf(sb, "%s.", expr->procstep);
}

static void add_expression(struct strbuf *sb, const struct plan_expr *expr)
{
	switch (expr->kind) {
	case EXPR_AND:
	case EXPR_OR:
		strbuf_addch(sb, '(');
		add_expression(sb, expr->left);
		strbuf_addstr(sb, expr->kind == EXPR_AND ? " AND " : " OR ");
		add_expression(sb, expr->right);
		strbuf_addch(sb, ')');
		break;
	case EXPR_NOT:
		strbuf_addstr(sb, "NOT ");
		add_expression(sb, expr->left);
		break;
	case EXPR_RC:
		add_step(sb, expr);
		strbuf_addf(sb, "RC %s %u", plan_relation_name(expr->relation), expr->number);
		break;
	case EXPR_ABENDCC:
		add_step(sb, expr);
		strbuf_addf(sb, "ABENDCC %s %s", plan_relation_name(expr->relation), expr->code);
		break;
	case EXPR_ABEND:
	case EXPR_RUN:
		add_step(sb, expr);
		strbuf_addstr(sb, expr->kind == EXPR_RUN ? "RUN" : "ABEND");
		break;
	case EXPR_CONSTANT:
		strbuf_addstr(sb, expr->number ? "TRUE" : "FALSE");
		break;
	}
}

/* Append the clauses around a step, the outermost first. */
static void add_guard(struct strbuf *sb, const struct plan_guard *guard)
{
	if (!guard)
		return;
	add_guard(sb, guard->outer);
	strbuf_addstr(sb, guard->wanted ? " IF(" : " ELSE(");
	add_expression(sb, guard->expr);
	strbuf_addch(sb, ')');
}

static void add_conditions(struct strbuf *sb, const struct plan_cond *condition)
{
	for (; condition; condition = condition->next)
		strbuf_addf(sb, " COND(%u %s%s%s%s%s)", condition->code,
			    plan_relation_name(condition->relation), condition->step ? " " : "",
			    condition->step ? condition->step : "",
			    condition->procstep && *condition->procstep ? "." : "",
			    condition->procstep ? condition->procstep : "");
}

/* Append the in-stream data of a step's DDs. */
static void add_data(struct strbuf *sb, const struct plan_dd *dds)
{
	for (const struct plan_dd *dd = dds; dd; dd = dd->next)
		for (const struct plan_dd *at = dd; at; at = at->next_concat)
			if (at->kind == DD_INSTREAM)
				strbuf_addf(sb, " %s[%.*s]", dd->name, (int)at->data_length,
					    at->data);
}

void plan_describe(struct strbuf *sb, const struct plan_job *jobs)
{
	size_t start = sb->length;

	for (; jobs; jobs = jobs->next) {
		if (jobs->failed)
			continue;
		strbuf_addf(sb, "%s%s:", sb->length > start ? " / " : "", jobs->name);
		add_conditions(sb, jobs->conditions);
		for (const struct plan_step *step = jobs->steps; step; step = step->next) {
			strbuf_addf(sb, "%s %s%s%s", step == jobs->steps ? "" : " ;",
				    step->name[0] ? step->name : "?", step->procstep[0] ? "." : "",
				    step->procstep);
			add_conditions(sb, step->conditions);
			if (step->even || step->only)
				strbuf_addstr(sb, step->even ? " EVEN" : " ONLY");
			add_guard(sb, step->guard);
			add_data(sb, step->dds);
		}
	}
	if (sb->length == start)
		strbuf_addch(sb, '-');
}
