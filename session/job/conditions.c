/* SPDX-License-Identifier: Apache-2.0 */
/* Decides from the ends of the earlier steps whether a step runs. */
#include "common/compat.h"
#include "session/job/conditions.h"
#include "common/xalloc.h"

void conditions_init(struct conditions *conditions)
{
	*conditions = (struct conditions){ 0 };
}

void conditions_release(struct conditions *conditions)
{
	free(conditions->results);
	free(conditions->ifs);
	conditions_init(conditions);
}

void conditions_add(struct conditions *conditions, const struct step_result *result)
{
	assert(result->step);
	assert(result->end == STEP_ENDED || result->return_code == 0);
	GROW(conditions->results, conditions->count + 1, conditions->alloc);
	conditions->results[conditions->count++] = *result;
}

unsigned conditions_highest(const struct conditions *conditions)
{
	unsigned highest = 0;

	for (size_t i = 0; i < conditions->count; i++) {
		const struct step_result *result = &conditions->results[i];

		if (result->end == STEP_ENDED && result->return_code > highest)
			highest = result->return_code;
	}
	return highest;
}

const struct step_result *conditions_abend(const struct conditions *conditions)
{
	for (size_t i = conditions->count; i-- > 0;)
		if (conditions->results[i].end == STEP_ABENDED)
			return &conditions->results[i];
	return NULL;
}

/*
 * Returns how well a step matches "step.procstep": 3 exactly; without procstep 2
 * for a step of the running procedure (procedures name their own steps like this),
 * 1 for a step of the procedure that EXEC step called; 0: no match.
 */
static int name_match(const struct plan_step *candidate, const char *step, const char *procstep)
{
	if (procstep && *procstep)
		return strcmp(candidate->name, step) == 0 &&
				       strcmp(candidate->procstep, procstep) == 0
			       ? 3
			       : 0;
	if (strcmp(candidate->name, step) == 0)
		return *candidate->procstep ? 1 : 3;
	return strcmp(candidate->procstep, step) == 0 ? 2 : 0;
}

/* Returns the latest step that matches a name best, NULL if none does. */
static const struct step_result *find(const struct conditions *conditions, const char *step,
				      const char *procstep)
{
	const struct step_result *best = NULL;
	int best_match = 0;

	for (size_t i = conditions->count; i-- > 0;) {
		int match = name_match(conditions->results[i].step, step, procstep);

		if (match > best_match) {
			best = &conditions->results[i];
			best_match = match;
		}
	}
	return best;
}

/* Returns "left relation right". */
static bool compare(int64_t left, enum relation relation, int64_t right)
{
	switch (relation) {
	case REL_GT:
		return left > right;
	case REL_GE:
		return left >= right;
	case REL_EQ:
		return left == right;
	case REL_LT:
		return left < right;
	case REL_LE:
		return left <= right;
	case REL_NE:
		return left != right;
	}
	return false;
}

/* Returns whether a COND test is satisfied by a step that may not have run. */
static bool test_result(const struct plan_cond *test, const struct step_result *result)
{
	return result && result->end == STEP_ENDED &&
	       compare(test->code, test->relation, result->return_code);
}

/* Returns the first COND test of a list that is satisfied, NULL if none is. */
static const struct plan_cond *satisfied(const struct conditions *conditions,
					 const struct plan_cond *tests)
{
	for (const struct plan_cond *test = tests; test; test = test->next) {
		if (test->step) {
			if (test_result(test, find(conditions, test->step, test->procstep)))
				return test;
			continue;
		}
		for (size_t i = 0; i < conditions->count; i++)
			if (test_result(test, &conditions->results[i]))
				return test;
	}
	return NULL;
}

/* Evaluates a relation on a return code; false if the step did not run or abended. */
static bool evaluate_rc(const struct conditions *conditions, const struct plan_expr *expr)
{
	const struct step_result *result;

	if (!expr->step)
		return compare(conditions_highest(conditions), expr->relation, expr->number);
	result = find(conditions, expr->step, expr->procstep);
	return result && result->end == STEP_ENDED &&
	       compare(result->return_code, expr->relation, expr->number);
}

/*
 * Returns the step that an ABEND, ABENDCC or RUN refers to; without a name, the
 * last one that abended.
 */
static const struct step_result *subject(const struct conditions *conditions,
					 const struct plan_expr *expr)
{
	return expr->step ? find(conditions, expr->step, expr->procstep)
			  : conditions_abend(conditions);
}

static bool evaluate_abend_code(const struct conditions *conditions, const struct plan_expr *expr)
{
	const struct step_result *result = subject(conditions, expr);

	return result && result->end == STEP_ABENDED &&
	       compare(strcmp(result->abend, expr->code), expr->relation, 0);
}

/* Returns the current value of an IF expression. */
static bool evaluate(const struct conditions *conditions, const struct plan_expr *expr)
{
	const struct step_result *result;

	switch (expr->kind) {
	case EXPR_AND:
		return evaluate(conditions, expr->left) && evaluate(conditions, expr->right);
	case EXPR_OR:
		return evaluate(conditions, expr->left) || evaluate(conditions, expr->right);
	case EXPR_NOT:
		return !evaluate(conditions, expr->left);
	case EXPR_RC:
		return evaluate_rc(conditions, expr);
	case EXPR_ABENDCC:
		return evaluate_abend_code(conditions, expr);
	case EXPR_ABEND:
		result = subject(conditions, expr);
		return result && result->end == STEP_ABENDED;
	case EXPR_RUN:
		if (!expr->step)
			return conditions->count > 0;
		result = find(conditions, expr->step, expr->procstep);
		return result && result->end != STEP_NOT_RUN;
	case EXPR_CONSTANT:
		return expr->number != 0;
	}
	return false;
}

/* Returns the value of an IF, which is evaluated when it is first reached, and never again. */
static bool if_value(struct conditions *conditions, const struct plan_guard *guard)
{
	struct condition_if now = { .if_number = guard->if_number };

	for (size_t i = 0; i < conditions->if_count; i++)
		if (conditions->ifs[i].if_number == guard->if_number)
			return conditions->ifs[i].value;
	now.value = evaluate(conditions, guard->expr);
	GROW(conditions->ifs, conditions->if_count + 1, conditions->if_alloc);
	conditions->ifs[conditions->if_count++] = now;
	return now.value;
}

/* Returns whether all IF clauses around a step apply, checked from the outermost. */
static bool guards_hold(struct conditions *conditions, const struct plan_guard *guard)
{
	return !guard || (guards_hold(conditions, guard->outer) &&
			  if_value(conditions, guard) == guard->wanted);
}

static bool tests_abend(const struct plan_expr *expr)
{
	if (!expr)
		return false;
	return expr->kind == EXPR_ABEND || expr->kind == EXPR_ABENDCC || tests_abend(expr->left) ||
	       tests_abend(expr->right);
}

/* Returns whether a step is in an IF that tests for abends: then it may run after one. */
static bool guards_test_abend(const struct plan_guard *guard)
{
	return guard && (tests_abend(guard->expr) || guards_test_abend(guard->outer));
}

enum condition_decision conditions_decide(struct conditions *conditions, const struct plan_job *job,
					  const struct plan_step *step,
					  const struct plan_cond **test)
{
	bool abended = conditions_abend(conditions) != NULL;
	const struct plan_cond *hit = satisfied(conditions, job->conditions);

	if (test)
		*test = hit;
	RETURN_IF(hit, CONDITION_JOB);
	RETURN_IF(!guards_hold(conditions, step->guard), CONDITION_IF);
	hit = satisfied(conditions, step->conditions);
	if (test)
		*test = hit;
	if (hit)
		return CONDITION_COND;
	if (step->only && !abended)
		return CONDITION_NO_ABEND;
	if (abended && !step->even && !step->only && !guards_test_abend(step->guard))
		return CONDITION_ABEND;
	return CONDITION_RUN;
}

bool conditions_abnormal(const struct step_result *result)
{
	const struct plan_step *step = result->step;

	if (result->end == STEP_ABENDED)
		return true;
	return result->end == STEP_ENDED && step->abnormal_code_given &&
	       compare(result->return_code, step->abnormal_relation, step->abnormal_code);
}
