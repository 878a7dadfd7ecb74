/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of an EXEC that runs a program. */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

#define MAXIMUM_PARM 100

/* Appends a PARM: without the parentheses of a list, doubled ampersands reduced to one. */
static void parm_text(struct strbuf *sb, const struct jcl_node *value)
{
	size_t to = sb->length;

	for (const struct jcl_node *at = jcl_members(value); at; at = at->next) {
		if (at != jcl_members(value))
			strbuf_addch(sb, ',');
		jcl_plain(sb, at);
		if (value->kind != JCL_LIST)
			break;
	}
	for (size_t from = to; from < sb->length; from++) {
		sb->text[to++] = sb->text[from];
		if (sb->text[from] == '&' && sb->text[from + 1] == '&')
			from++;
	}
	strbuf_setlen(sb, to);
}

static void exec_parm(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;
	struct strbuf sb = STRBUF_INIT;

	parm_text(&sb, value);
	if (sb.length > MAXIMUM_PARM)
		jcl_complain(e, jcl_lenient(e), 1083, value,
			     "PARM is %zu characters long; %d are allowed", sb.length,
			     MAXIMUM_PARM);
	free(step->parm);
	step->parm = strbuf_detach(&sb, NULL);
}

static void exec_cond(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;

	jcl_conditions_free(step->conditions);
	step->even = step->only = false;
	step->conditions = jcl_conditions(e, value, &step->even, &step->only);
}

static void exec_time(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;

	step->time_given = jcl_time(e, value, &step->cpu_limit);
}

static void exec_region(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;

	jcl_region(e, value, &step->region);
}

static void exec_parmdd(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;
	const char *text = jcl_plain_text(e, value);

	if (!jcl_name_valid(text, strlen(text))) {
		jcl_complain(e, SEVERITY_ERROR, 1093, value, "PARMDD takes a DD name, not %s",
			     text);
		return;
	}
	free(step->parm_dd);
	step->parm_dd = xstrdup(text);
	e->parm_dd = value->location;
}

/* Evaluates ABDISPCC=(code,GT) or (code,GE). */
static void exec_abdispcc(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;
	const struct jcl_node *code = jcl_members(value);
	const struct jcl_node *relation = value->kind == JCL_LIST ? code->next : NULL;
	static const char *const relations[] = { "GT", "GE" };
	int choice =
		relation ? jcl_choice(jcl_plain_text(e, relation), relations, ARRAY_SIZE(relations))
			 : 0;
	uint64_t number;

	if (!jcl_number(jcl_plain_text(e, code), 4095, &number) || choice < 0 ||
	    (relation && relation->next)) {
		jcl_complain(e, SEVERITY_ERROR, 1099, value,
			     "ABDISPCC is (code,GT) or (code,GE) with a code from 0 to 4095");
		return;
	}
	step->abnormal_code_given = true;
	step->abnormal_code = (unsigned)number;
	step->abnormal_relation = choice ? REL_GE : REL_GT;
}

static void exec_memlimit(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	jcl_memlimit(e, value, &((struct plan_step *)target)->memory_limit);
}

/* Evaluates PGM=name or PGM=*.STEP.DD. */
static void exec_program(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_step *step = target;
	const char *text = jcl_plain_text(e, value);

	free(step->program);
	step->program = xstrdup(text);
	if (strncmp(text, "*.", 2) == 0) {
		step->program_dd = jcl_dd_refer(e, value, text);
		if (step->program_dd && step->program_dd->member) {
			free(step->program);
			step->program = xstrdup(step->program_dd->member);
		} else if (step->program_dd && step->program_dd->kind != DD_PATH) {
			jcl_complain(e, SEVERITY_ERROR, 1094, value,
				     "%s does not name a member that can be a program", text);
		}
	} else if (!jcl_name_valid(text, strlen(text))) {
		jcl_complain(e, SEVERITY_ERROR, 1095, value,
			     "%s is not a program name: 1 to 8 of A-Z 0-9 @ # $", text);
	}
}

/* Sorted by name. */
static const struct jcl_keyword keywords[] = {
	{ "ABDISPCC", exec_abdispcc },
	{ "ACCT", NULL },
	{ "ADDRSPC", NULL },
	{ "CCSID", NULL },
	{ "COND", exec_cond },
	{ "DPRTY", NULL },
	{ "DYNAMNBR", NULL },
	{ "MEMLIMIT", exec_memlimit },
	{ "PARM", exec_parm },
	{ "PARMDD", exec_parmdd },
	{ "PERFORM", NULL },
	{ "PGM", exec_program },
	{ "RD", NULL },
	{ "REGION", exec_region },
	{ "REGIONX", NULL },
	{ "RLSTMOUT", NULL },
	{ "ROLL", NULL },
	{ "TIME", exec_time },
	{ "TVSAMCOM", NULL },
	{ "TVSMSG", NULL },
};

bool jcl_exec_keyword(const char *word)
{
	return jcl_keyword_find(keywords, ARRAY_SIZE(keywords), word) != NULL;
}

/* Checks that the operands begin with PGM=. */
static bool check_program(struct jcl_evaluation *e)
{
	const struct jcl_node *first = e->operands;

	if (!first || first->kind == JCL_EMPTY) {
		jcl_complain(e, SEVERITY_ERROR, 1097, first,
			     "EXEC names neither PGM nor a procedure");
		return false;
	}
	if (first->kind == JCL_KEYWORD && strcmp(first->text, "PGM") == 0) {
		if (first->child->kind != JCL_EMPTY)
			return true;
		jcl_complain(e, SEVERITY_ERROR, 1097, first, "PGM= names no program");
		return false;
	}
	jcl_complain(e, SEVERITY_ERROR, 1098, first,
		     "EXEC must begin with PGM=program or a procedure, not %s", first->text);
	return false;
}

/* Checks that PARMDD and PARM are not given together. */
static void check_parm(struct jcl_evaluation *e, const struct plan_step *step)
{
	if (step->parm && step->parm_dd)
		jcl_complain_at(e, SEVERITY_ERROR, 1220, &e->parm_dd,
				"PARM and PARMDD exclude each other");
}

void jcl_step_operands(struct jcl_evaluation *e, struct plan_step *step)
{
	if (!check_program(e))
		return;
	for (const struct jcl_node *at = e->operands; at; at = at->next)
		if (at->kind != JCL_KEYWORD && at->kind != JCL_EMPTY)
			jcl_complain(e, SEVERITY_ERROR, 1035, at,
				     "a positional operand follows a keyword");
	jcl_keywords(e, keywords, ARRAY_SIZE(keywords), step, e->operands);
	check_parm(e, step);
}
