/* SPDX-License-Identifier: Apache-2.0 */
/* The JOB statement. */
#include "common/compat.h"
#include "parser/jcl-evaluation.h"
#include "common/xalloc.h"

/* Returns one class letter or digit of a value; '\0' after a message. */
static char class_letter(struct jcl_evaluation *e, const struct jcl_node *value, size_t maximum,
			 const char *keyword)
{
	const char *text = jcl_plain_text(e, value);
	bool right = ((text[0] >= 'A' && text[0] <= 'Z') || (text[0] >= '0' && text[0] <= '9')) &&
		     strlen(text) <= maximum;

	if (right)
		return text[0];
	jcl_complain(e, SEVERITY_ERROR, 1052, value, "%s is a letter or digit, not '%s'", keyword,
		     text);
	return '\0';
}

static void job_class(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;
	char letter = class_letter(e, value, 8, "CLASS");

	if (letter)
		job->job_class = letter;
}

static void job_message_class(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;
	char letter = class_letter(e, value, 1, "MSGCLASS");

	if (letter)
		job->message_class = letter;
}

/* Evaluates MSGLEVEL=(statements,messages): 0 to 2 and 0 to 1. */
static void job_message_level(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;
	const struct jcl_node *at = jcl_members(value);

	for (unsigned i = 0; at && i < 2; i++, at = value->kind == JCL_LIST ? at->next : NULL) {
		uint64_t number;

		if (at->kind == JCL_EMPTY)
			continue;
		if (jcl_number(jcl_plain_text(e, at), 2 - i, &number))
			job->message_level[i] = (unsigned)number;
		else
			jcl_complain(e, SEVERITY_ERROR, 1053, at,
				     "MSGLEVEL is (0 to 2,0 to 1), not %s",
				     jcl_plain_text(e, value));
	}
}

static void job_notify(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;

	free(job->notify);
	job->notify = xstrdup(jcl_plain_text(e, value));
}

static void job_user(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;

	free(job->user);
	job->user = xstrdup(jcl_plain_text(e, value));
}

static void job_typrun(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const types[] = { "SCAN", "HOLD", "JCLHOLD", "COPY" };
	struct plan_job *job = target;
	int type = jcl_choice(jcl_plain_text(e, value), types, ARRAY_SIZE(types));

	if (type < 0)
		jcl_complain(e, SEVERITY_ERROR, 1054, value,
			     "TYPRUN is SCAN, HOLD, JCLHOLD or COPY, not %s",
			     jcl_plain_text(e, value));
	job->scan |= type == 0;
	job->hold |= type == 1 || type == 2;
	job->copy |= type == 3;
}

/* Evaluates RESTART=step, step.procstep or *; a checkpoint after it is an error. */
static void job_restart(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;
	const struct jcl_node *first = jcl_members(value);
	const char *text = jcl_plain_text(e, first);

	if (value->kind == JCL_LIST && first->next)
		jcl_complain(e, SEVERITY_ERROR, 1055, first->next,
			     "restart at a checkpoint is not carried out");
	if (strcmp(text, "*") == 0)
		return;
	free(job->restart_step);
	free(job->restart_procstep);
	job->restart_step = job->restart_procstep = NULL;
	e->restart = first->location;
	if (!jcl_step_reference(text, &job->restart_step, &job->restart_procstep))
		jcl_complain(e, SEVERITY_ERROR, 1056, first, "%s is not a step name", text);
}

static void job_cond(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;

	jcl_conditions_free(job->conditions);
	job->conditions = jcl_conditions(e, value, NULL, NULL);
	for (const struct plan_cond *at = job->conditions; at; at = at->next)
		if (at->step)
			jcl_complain(e, SEVERITY_ERROR, 1057, value, "COND on JOB names no step");
}

static void job_time(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;

	job->time_given = jcl_time(e, value, &job->cpu_limit);
	if (job->time_given && job->cpu_limit == 0 &&
	    strspn(jcl_plain_text(e, value), "(0,)") == strlen(jcl_plain_text(e, value)))
		jcl_complain(e, SEVERITY_ERROR, 1089, value,
			     "TIME=0 is for a step; a job without a limit has NOLIMIT");
}

static void job_region(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	struct plan_job *job = target;

	jcl_region(e, value, &job->region);
}

static void job_memlimit(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	jcl_memlimit(e, value, &((struct plan_job *)target)->memory_limit);
}

static void job_gdgbias(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const scopes[] = { "JOB", "STEP" };
	int choice = jcl_choice(jcl_plain_text(e, value), scopes, ARRAY_SIZE(scopes));

	if (choice < 0)
		jcl_complain(e, SEVERITY_ERROR, 1222, value, "GDGBIAS is JOB or STEP, not %s",
			     jcl_plain_text(e, value));
	((struct plan_job *)target)->generations_by_step = choice == 1;
}

/* Evaluates JOBRC=MAXRC, LASTRC or (STEP,step): which return code the job gets. */
static void job_jobrc(struct jcl_evaluation *e, void *target, const struct jcl_node *value)
{
	static const char *const sources[] = { "MAXRC", "LASTRC", "STEP" };
	struct plan_job *job = target;
	const struct jcl_node *first = jcl_members(value);
	const struct jcl_node *step = value->kind == JCL_LIST ? first->next : NULL;
	int choice = jcl_choice(jcl_plain_text(e, first), sources, ARRAY_SIZE(sources));

	if (choice < 0 || (choice == JOBRC_STEP) != (step != NULL)) {
		jcl_complain(e, SEVERITY_ERROR, 1223, value,
			     "JOBRC is MAXRC, LASTRC or (STEP,step), not %s",
			     jcl_plain_text(e, value));
		return;
	}
	job->code_source = (enum job_code_source)choice;
	if (!step)
		return;
	e->code_step = step->location;
	free(job->code_step);
	free(job->code_procstep);
	job->code_step = job->code_procstep = NULL;
	if (!jcl_step_reference(jcl_plain_text(e, step), &job->code_step, &job->code_procstep))
		jcl_complain(e, SEVERITY_ERROR, 1223, step, "%s is not a step name",
			     jcl_plain_text(e, step));
}

/* Sorted by name. */
static const struct jcl_keyword keywords[] = {
	{ "ADDRSPC", NULL },
	{ "BYTES", NULL },
	{ "CARDS", NULL },
	{ "CCSID", NULL },
	{ "CLASS", job_class },
	{ "COND", job_cond },
	{ "DSENQSHR", NULL },
	{ "EMAIL", NULL },
	{ "GDGBIAS", job_gdgbias },
	{ "GROUP", NULL },
	{ "JESLOG", NULL },
	{ "JOBRC", job_jobrc },
	{ "LINES", NULL },
	{ "MEMLIMIT", job_memlimit },
	{ "MSGCLASS", job_message_class },
	{ "MSGLEVEL", job_message_level },
	{ "NOTIFY", job_notify },
	{ "PAGES", NULL },
	{ "PASSWORD", NULL },
	{ "PERFORM", NULL },
	{ "PRTY", NULL },
	{ "RD", NULL },
	{ "REGION", job_region },
	{ "REGIONX", NULL },
	{ "RESTART", job_restart },
	{ "ROLL", NULL },
	{ "SCHENV", NULL },
	{ "SECLABEL", NULL },
	{ "SYSAFF", NULL },
	{ "SYSTEM", NULL },
	{ "TIME", job_time },
	{ "TYPRUN", job_typrun },
	{ "UJOBCORR", NULL },
	{ "USER", job_user },
};

/* Evaluates the accounting information and the programmer's name. */
static void positionals(struct jcl_evaluation *e)
{
	const struct jcl_node *at = e->operands;
	unsigned number = 0;

	for (; at && at->kind != JCL_KEYWORD; at = at->next, number++) {
		const char *text = jcl_plain_text(e, at);
		size_t length = strlen(text);

		if (number == 0) {
			if (at->kind == JCL_LIST) /* the parentheses do not belong to it */
				text = jcl_arena_text(&e->scratch, text + 1, length - 2);
			free(e->job->account);
			e->job->account = xstrdup(text);
			if (strlen(text) > 143)
				jcl_complain(
					e, SEVERITY_ERROR, 1058, at,
					"the accounting information is longer than 143 characters");
		} else if (number == 1) {
			free(e->job->programmer);
			e->job->programmer = xstrdup(text);
			if (length > 20)
				jcl_complain(e, jcl_lenient(e), 1059, at,
					     "the programmer's name is longer than 20 characters");
		} else if (at->kind != JCL_EMPTY || at->next) {
			jcl_complain(e, SEVERITY_ERROR, 1034, at,
				     "a JOB statement has two positional operands at most");
		}
	}
	for (; at; at = at->next)
		if (at->kind != JCL_KEYWORD && at->kind != JCL_EMPTY)
			jcl_complain(e, SEVERITY_ERROR, 1035, at,
				     "a positional operand follows a keyword");
}

void jcl_evaluate_job(struct jcl_evaluation *e)
{
	if (e->statement->name[0] == '\0')
		jcl_complain(e, SEVERITY_ERROR, 1051, NULL, "the JOB statement has no name");
	if (e->previous && strcmp(e->previous->name, e->job->name) == 0)
		jcl_complain(e, SEVERITY_WARNING, 1060, NULL,
			     "the job before this has the same name, %s", e->job->name);
	positionals(e);
	jcl_keywords(e, keywords, ARRAY_SIZE(keywords), e->job, e->operands);
}
