/* SPDX-License-Identifier: Apache-2.0 */
/* Frees the plan, and names its values. */
#include "common/compat.h"
#include "parser/plan.h"

void plan_dd_free(struct plan_dd *dd)
{
	free(dd->name);
	free(dd->dsn);
	free(dd->member);
	free(dd->recfm);
	free(dd->path);
	free(dd->writer);
	free(dd->data);
	free(dd->model);
	free(dd->unit_affinity);
	free(dd);
}

/* Frees a list of DDs with their concatenations. */
static void dds_free(struct plan_dd *dds)
{
	while (dds) {
		struct plan_dd *next = dds->next;

		while (dds) {
			struct plan_dd *concatenated = dds->next_concat;

			plan_dd_free(dds);
			dds = concatenated;
		}
		dds = next;
	}
}

static void conditions_free(struct plan_cond *conditions)
{
	while (conditions) {
		struct plan_cond *next = conditions->next;

		free(conditions->step);
		free(conditions->procstep);
		free(conditions);
		conditions = next;
	}
}

static void expression_free(struct plan_expr *expression)
{
	if (!expression)
		return;
	expression_free(expression->left);
	expression_free(expression->right);
	free(expression->step);
	free(expression->procstep);
	free(expression->code);
	free(expression);
}

static void steps_free(struct plan_step *steps)
{
	while (steps) {
		struct plan_step *next = steps->next;

		free(steps->name);
		free(steps->procstep);
		free(steps->procedure);
		free(steps->program);
		free(steps->parm);
		free(steps->parm_dd);
		conditions_free(steps->conditions);
		dds_free(steps->dds);
		free(steps);
		steps = next;
	}
}

static void cards_free(struct plan_card *cards)
{
	while (cards) {
		struct plan_card *next = cards->next;

		free(cards->substitution);
		free(cards);
		cards = next;
	}
}

static void job_free(struct plan_job *job)
{
	free(job->name);
	free(job->account);
	free(job->programmer);
	free(job->notify);
	free(job->user);
	free(job->restart_step);
	free(job->restart_procstep);
	free(job->code_step);
	free(job->code_procstep);
	cards_free(job->cards);
	conditions_free(job->conditions);
	dds_free(job->joblib);
	steps_free(job->steps);
	while (job->guards) {
		struct plan_guard *next = job->guards->next;

		free(job->guards);
		job->guards = next;
	}
	while (job->expressions) {
		struct plan_expr *next = job->expressions->next;

		expression_free(job->expressions);
		job->expressions = next;
	}
	free(job);
}

void plan_free(struct plan_job *jobs)
{
	while (jobs) {
		struct plan_job *next = jobs->next;

		job_free(jobs);
		jobs = next;
	}
}

const char *plan_disp_status_name(enum disp_status status)
{
	static const char *const names[] = { "NEW", "OLD", "SHR", "MOD" };

	return (size_t)status < ARRAY_SIZE(names) ? names[status] : "?";
}

const char *plan_disp_action_name(enum disp_action action)
{
	static const char *const names[] = { "KEEP", "DELETE", "CATLG", "UNCATLG", "PASS" };

	return (size_t)action < ARRAY_SIZE(names) ? names[action] : "?";
}

const char *plan_relation_name(enum relation relation)
{
	static const char *const names[] = { "GT", "GE", "EQ", "LT", "LE", "NE" };

	return (size_t)relation < ARRAY_SIZE(names) ? names[relation] : "?";
}
