/* SPDX-License-Identifier: Apache-2.0 */
/* Describes a plan in one line. */
#include "common/compat.h"
#include "parser/test-jcl-plan.h"

/* Appends "STEP.", "STEP.PROC." or nothing. */
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

/* Appends the clauses around a step, outermost first. */
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

/* Appends the in-stream data of a step's DDs. */
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

static void add_number(struct strbuf *sb, const char *name, uint64_t value)
{
	if (value)
		strbuf_addf(sb, " %s=%" PRIu64, name, value);
}

static void add_text(struct strbuf *sb, const char *name, const char *text)
{
	if (text)
		strbuf_addf(sb, " %s=%s", name, text);
}

/* Appends "A.B(MEMBER) OLD,KEEP,KEEP PO FB LRECL=80". */
static void add_data_set(struct strbuf *sb, const struct plan_dd *dd)
{
	strbuf_addf(sb, " %s", dd->dsn);
	if (dd->generation_given)
		strbuf_addf(sb, "(%+d)", dd->generation);
	if (dd->member)
		strbuf_addf(sb, "(%s)", dd->member);
	strbuf_addf(sb, " %s,%s,%s", plan_disp_status_name(dd->status),
		    plan_disp_action_name(dd->normal), plan_disp_action_name(dd->abnormal));
	if (dd->organization != DSORG_UNKNOWN)
		strbuf_addstr(sb, dd->organization == DSORG_PO ? " PO" : " PS");
	add_text(sb, "RECFM", dd->recfm);
	add_number(sb, "LRECL", dd->lrecl);
	add_number(sb, "BLKSIZE", dd->block_size);
	add_number(sb, "KEYLEN", dd->key_length);
	if (dd->key_offset_given)
		strbuf_addf(sb, " KEYOFF=%u", dd->key_offset);
	add_text(sb, "LIKE", dd->model);
}

/* Appends the description of one DD, or member of a concatenation. */
static void add_dd(struct strbuf *sb, const struct plan_dd *dd)
{
	switch (dd->kind) {
	case DD_DATASET:
		add_data_set(sb, dd);
		break;
	case DD_PATH:
		strbuf_addf(sb, " PATH=%s %s,%s", dd->path, plan_disp_action_name(dd->path_normal),
			    plan_disp_action_name(dd->path_abnormal));
		break;
	case DD_SYSOUT:
		strbuf_addf(sb, " SYSOUT=%c", dd->sysout_class);
		break;
	case DD_INSTREAM:
		strbuf_addf(sb, " [%.*s]", (int)dd->data_length, dd->data);
		break;
	case DD_DUMMY:
		strbuf_addstr(sb, " DUMMY");
		break;
	}
}

void plan_describe_steps(struct strbuf *sb, const struct plan_job *jobs)
{
	for (; jobs; jobs = jobs->next)
		for (const struct plan_step *step = jobs->steps; step; step = step->next) {
			strbuf_addf(sb, "%s%s%s PGM=%s", step->name, *step->procstep ? "." : "",
				    step->procstep, step->program);
			add_text(sb, "PARM", step->parm);
			add_text(sb, "PARMDD", step->parm_dd);
			add_number(sb, "TIME", step->cpu_limit);
			add_number(sb, "REGION", step->region);
			for (const struct plan_dd *dd = step->dds; dd; dd = dd->next) {
				strbuf_addf(sb, " / %s", dd->name);
				for (const struct plan_dd *at = dd; at; at = at->next_concat)
					add_dd(sb, at);
			}
			strbuf_addch(sb, '\n');
		}
}
