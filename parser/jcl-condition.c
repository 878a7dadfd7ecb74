/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Evaluates COND, and IF, ELSE and ENDIF: which steps they guard, and their
 * conditions as expressions.
 */
#include "common/compat.h"
#include "parser/jcl-evaluation.h"
#include "common/xalloc.h"

#define MAXIMUM_NESTING 15

/* Checks that a condition's step is an earlier one; inside a procedure completes its name. */
static void check_condition_step(struct jcl_evaluation *e, const struct jcl_node *node,
				 struct plan_cond *condition)
{
	const struct plan_step *step;

	if (e->too_large)
		return;
	step = jcl_step_find(e, condition->step, condition->procstep);
	if (step)
		jcl_full_name(step, &condition->step, &condition->procstep);
	else
		jcl_complain(e, SEVERITY_ERROR, 1085, node,
			     "COND refers to step %s, which is not an earlier step of the job",
			     jcl_plain_text(e, node));
}

/* Evaluates one test: code, relation, and optionally a step. NULL after a message. */
static struct plan_cond *condition(struct jcl_evaluation *e, const struct jcl_node *first)
{
	static const char *const relations[] = { "GT", "GE", "EQ", "LT", "LE", "NE" };
	const struct jcl_node *second = first ? first->next : NULL;
	const struct jcl_node *third = second ? second->next : NULL;
	struct plan_cond *made;
	uint64_t code;
	int relation;

	if (!second || (third && third->next)) {
		jcl_complain(e, SEVERITY_ERROR, 1080, first,
			     "a COND test is (code,relation) or (code,relation,step)");
		return NULL;
	}
	if (!jcl_number(jcl_plain_text(e, first), 4095, &code)) {
		jcl_complain(e, SEVERITY_ERROR, 1081, first, "the code %s is not from 0 to 4095",
			     jcl_plain_text(e, first));
		return NULL;
	}
	relation = jcl_choice(jcl_plain_text(e, second), relations, ARRAY_SIZE(relations));
	if (relation < 0) {
		jcl_complain(e, SEVERITY_ERROR, 1082, second,
			     "%s is not a relation; expected GT, GE, EQ, LT, LE or NE",
			     jcl_plain_text(e, second));
		return NULL;
	}
	made = xcalloc(1, sizeof(*made));
	made->code = (unsigned)code;
	made->relation = (enum relation)relation;
	if (third && third->kind != JCL_EMPTY) {
		if (jcl_step_reference(jcl_plain_text(e, third), &made->step, &made->procstep))
			check_condition_step(e, third, made);
		else
			jcl_complain(e, SEVERITY_ERROR, 1084, third, "%s is not a step name",
				     jcl_plain_text(e, third));
	}
	return made;
}

/* Returns whether a member of a COND is EVEN or ONLY. */
static bool is_condition_word(const struct jcl_node *node)
{
	return node->kind == JCL_WORD &&
	       (strcmp(node->text, "EVEN") == 0 || strcmp(node->text, "ONLY") == 0);
}

/* Evaluates EVEN or ONLY in a COND. */
static void condition_word(struct jcl_evaluation *e, const struct jcl_node *node, bool *even,
			   bool *only)
{
	if (!even || !only) {
		jcl_complain(e, SEVERITY_ERROR, 1086, node, "%s is for EXEC, not for JOB",
			     node->text);
		return;
	}
	*(strcmp(node->text, "EVEN") == 0 ? even : only) = true;
	if (*even && *only)
		jcl_complain(e, SEVERITY_ERROR, 1087, node, "EVEN and ONLY exclude each other");
}

struct plan_cond *jcl_conditions(struct jcl_evaluation *e, const struct jcl_node *value, bool *even,
				 bool *only)
{
	const struct jcl_node *at = jcl_members(value);
	struct plan_cond *first = NULL, **tail = &first;
	unsigned count = 0;

	if (value->kind == JCL_EMPTY)
		return NULL;
	/* one test without its own parentheses */
	if (value->kind == JCL_LIST && at->kind == JCL_WORD && at->next &&
	    at->next->kind != JCL_LIST && !is_condition_word(at))
		return condition(e, at);
	for (; at; at = at->next, count++) {
		if (at->kind == JCL_LIST) {
			*tail = condition(e, at->child);
			if (*tail)
				tail = &(*tail)->next;
		} else if (is_condition_word(at)) {
			condition_word(e, at, even, only);
		} else {
			jcl_complain(e, SEVERITY_ERROR, 1080, at,
				     "a COND test is (code,relation) or (code,relation,step)");
		}
	}
	if (count > 8)
		jcl_complain(e, SEVERITY_ERROR, 1088, value, "COND has %u tests; 8 are allowed",
			     count);
	return first;
}

void jcl_conditions_free(struct plan_cond *conditions)
{
	while (conditions) {
		struct plan_cond *next = conditions->next;

		free(conditions->step);
		free(conditions->procstep);
		free(conditions);
		conditions = next;
	}
}

/* An open IF. */
struct jcl_if {
	struct plan_expr *expression; /* owned by the job */
	unsigned number, depth;
	bool in_else, has_step;
	struct plan_guard *guard; /* of the clause; NULL until a step needs it */
	struct location location;
	struct jcl_if *outer;
};

static struct plan_expr *expression_new(enum plan_expr_kind kind, const struct jcl_node *node)
{
	struct plan_expr *made = xcalloc(1, sizeof(*made));

	made->kind = kind;
	made->location = node->location;
	return made;
}

/* Splits step.procstep.WORD before its last word and finds the step. False after a message. */
static bool expression_step(struct jcl_evaluation *e, struct plan_expr *expression,
			    const struct jcl_node *node, size_t length)
{
	char *name = jcl_arena_text(&e->scratch, node->text, length);
	const struct plan_step *found;

	if (!jcl_step_reference(name, &expression->step, &expression->procstep)) {
		jcl_complain(e, SEVERITY_ERROR, 1184, node, "%s is not a step name", name);
		return false;
	}
	if (e->too_large)
		return true;
	found = jcl_step_find(e, expression->step, expression->procstep);
	if (found)
		jcl_full_name(found, &expression->step, &expression->procstep);
	else
		jcl_complain(e, SEVERITY_WARNING, 1185, node,
			     "%s is not an earlier step of the job; tests of it are false",
			     name);
	return true;
}

/* Returns a word such as RC, ABEND, STEP.RUN as an expression; NULL if it is none. */
static struct plan_expr *term(struct jcl_evaluation *e, const struct jcl_node *node)
{
	static const struct {
		const char *word;
		enum plan_expr_kind kind;
	} terms[] = { { "RC", EXPR_RC },
		      { "ABENDCC", EXPR_ABENDCC },
		      { "ABEND", EXPR_ABEND },
		      { "RUN", EXPR_RUN } };
	const char *dot = strrchr(node->text, '.'), *word = dot ? dot + 1 : node->text;

	for (size_t i = 0; node->kind == JCL_WORD && i < ARRAY_SIZE(terms); i++) {
		struct plan_expr *made;

		if (strcmp(terms[i].word, word) != 0)
			continue;
		made = expression_new(terms[i].kind, node);
		if (dot)
			expression_step(e, made, node, (size_t)(dot - node->text));
		return made;
	}
	return NULL;
}

static bool relation_holds(int order, enum relation relation)
{
	switch (relation) {
	case REL_GT:
		return order > 0;
	case REL_GE:
		return order >= 0;
	case REL_EQ:
		return order == 0;
	case REL_LT:
		return order < 0;
	case REL_LE:
		return order <= 0;
	default:
		return order != 0;
	}
}

/* Evaluates a comparison of two constants, which results from symbols. */
static struct plan_expr *constant(const struct jcl_node *node)
{
	const struct jcl_node *left = node->child, *right = left->next;
	struct plan_expr *made = expression_new(EXPR_CONSTANT, node);
	uint64_t one, other;
	int order = strcmp(left->text, right->text);

	if (jcl_number(left->text, UINT32_MAX, &one) && jcl_number(right->text, UINT32_MAX, &other))
		order = one < other ? -1 : one > other;
	made->number = relation_holds(order, node->relation);
	return made;
}

/* Returns the relation with its sides exchanged. */
static enum relation mirrored(enum relation relation)
{
	switch (relation) {
	case REL_GT:
		return REL_LT;
	case REL_GE:
		return REL_LE;
	case REL_LT:
		return REL_GT;
	case REL_LE:
		return REL_GE;
	default:
		return relation;
	}
}

/* Returns the abend code in text, Shhh or Unnnn, with the decimals extended to four; NULL: none. */
static char *abend_code(const char *text)
{
	size_t length = strlen(text);
	char buffer[8];
	uint64_t number;

	if (text[0] == 'S' && length == 4 && strspn(text + 1, "0123456789ABCDEF") == 3)
		return xstrdup(text);
	if (text[0] != 'U' || !jcl_number(text + 1, 4095, &number))
		return NULL;
	snprintf(buffer, sizeof(buffer), "U%04u", (unsigned)number);
	return xstrdup(buffer);
}

/* Completes term relation value; a message if the value does not fit the term. */
static struct plan_expr *compare(struct jcl_evaluation *e, struct plan_expr *made,
				 enum relation relation, const struct jcl_node *value)
{
	bool truth = strcmp(value->text, "TRUE") == 0;
	struct plan_expr *negation;
	uint64_t number;

	made->relation = relation;
	if (made->kind == EXPR_RC) {
		if (jcl_number(value->text, 4095, &number))
			made->number = (unsigned)number;
		else
			jcl_complain(e, SEVERITY_ERROR, 1186, value,
				     "RC is compared with a number from 0 to 4095, not %s",
				     value->text);
		return made;
	}
	if (made->kind == EXPR_ABENDCC) {
		made->code = abend_code(value->text);
		if (!made->code)
			jcl_complain(e, SEVERITY_ERROR, 1187, value,
				     "ABENDCC is compared with Shhh or Unnnn, not %s", value->text);
		return made;
	}
	if ((!truth && strcmp(value->text, "FALSE") != 0) ||
	    (relation != REL_EQ && relation != REL_NE)) {
		jcl_complain(e, SEVERITY_ERROR, 1188, value,
			     "ABEND and RUN are compared by = or NE with TRUE or FALSE");
		return made;
	}
	if (truth == (relation == REL_EQ))
		return made;
	negation = expression_new(EXPR_NOT, value);
	negation->left = made;
	return negation;
}

/* Returns a comparison as an expression; the term may be on either side. */
static struct plan_expr *comparison(struct jcl_evaluation *e, const struct jcl_node *node)
{
	const struct jcl_node *left = node->child, *right = left->next;
	bool plain_left = left->kind == JCL_WORD || left->kind == JCL_QUOTED;
	bool plain_right = right->kind == JCL_WORD || right->kind == JCL_QUOTED;
	struct plan_expr *made;

	if (!plain_left || !plain_right) {
		jcl_complain(e, SEVERITY_ERROR, 1189, node, "conditions cannot be compared");
		return expression_new(EXPR_CONSTANT, node);
	}
	made = term(e, left);
	if (made)
		return compare(e, made, node->relation, right);
	made = term(e, right);
	if (made)
		return compare(e, made, mirrored(node->relation), left);
	return constant(node);
}

/* Returns a condition's tree as an expression; never NULL. */
static struct plan_expr *expression(struct jcl_evaluation *e, const struct jcl_node *node)
{
	struct plan_expr *made;

	switch (node->kind) {
	case JCL_AND:
	case JCL_OR:
		made = expression_new(node->kind == JCL_AND ? EXPR_AND : EXPR_OR, node);
		made->left = expression(e, node->child);
		made->right = expression(e, node->child->next);
		return made;
	case JCL_NOT:
		made = expression_new(EXPR_NOT, node);
		made->left = expression(e, node->child);
		return made;
	case JCL_COMPARE:
		return comparison(e, node);
	default:
		made = term(e, node);
		if (made && (made->kind == EXPR_ABEND || made->kind == EXPR_RUN))
			return made;
		jcl_complain(e, SEVERITY_ERROR, 1190, node,
			     "%s alone is not a condition; expected a comparison, ABEND or RUN",
			     node->text);
		return made ? made : expression_new(EXPR_CONSTANT, node);
	}
}

void jcl_evaluate_if(struct jcl_evaluation *e)
{
	struct jcl_if *opened = jcl_arena_get(e->deck_arena, sizeof(*opened));

	memset(opened, 0, sizeof(*opened));
	opened->location = jcl_statement_location(e->source, e->statement);
	opened->number = ++e->if_count;
	opened->outer = e->ifs;
	opened->depth = e->ifs ? e->ifs->depth + 1 : 1;
	if (opened->depth == MAXIMUM_NESTING + 1)
		jcl_complain(e, SEVERITY_ERROR, 1191, NULL, "IF is nested deeper than %d",
			     MAXIMUM_NESTING);
	if (e->operands) {
		opened->expression = expression(e, e->operands);
		opened->expression->next = e->job->expressions;
		e->job->expressions = opened->expression;
	}
	e->ifs = opened;
}

void jcl_evaluate_else(struct jcl_evaluation *e)
{
	if (!e->ifs || e->ifs->in_else) {
		jcl_complain(e, SEVERITY_ERROR, 1192, NULL, "ELSE has no IF");
		return;
	}
	e->ifs->in_else = true;
	e->ifs->guard = NULL;
}

/* Removes the innermost IF; one that guards no step is an error. */
static void close_if(struct jcl_evaluation *e)
{
	struct jcl_if *closed = e->ifs;

	e->ifs = closed->outer;
	if (!closed->has_step)
		jcl_complain_at(e, SEVERITY_ERROR, 1194, &closed->location,
				"there is no EXEC between this IF and its ENDIF");
}

void jcl_evaluate_endif(struct jcl_evaluation *e)
{
	if (!e->ifs)
		jcl_complain(e, SEVERITY_ERROR, 1193, NULL, "ENDIF has no IF");
	else
		close_if(e);
}

void jcl_ifs_end(struct jcl_evaluation *e)
{
	while (e->ifs) {
		jcl_complain_at(e, SEVERITY_ERROR, 1195, &e->ifs->location, "this IF has no ENDIF");
		e->ifs->has_step = true;
		close_if(e);
	}
}

/* Returns the guard of one clause, created when first needed, with those around it. */
static struct plan_guard *clause_guard(struct jcl_evaluation *e, struct jcl_if *clause)
{
	struct plan_guard *inner = NULL, *first = NULL;

	for (; clause; clause = clause->outer) {
		bool known = clause->guard != NULL;

		clause->has_step = true;
		if (!known) {
			clause->guard = xcalloc(1, sizeof(*clause->guard));
			clause->guard->expr = clause->expression;
			clause->guard->if_number = clause->number;
			clause->guard->wanted = !clause->in_else;
			clause->guard->next = e->job->guards;
			e->job->guards = clause->guard;
		}
		if (inner)
			inner->outer = clause->guard;
		else if (!first)
			first = clause->guard;
		inner = clause->guard;
		if (known)
			break; /* the outer ones are already linked */
	}
	return first;
}

struct plan_guard *jcl_guard(struct jcl_evaluation *e)
{
	return clause_guard(e, e->ifs);
}
