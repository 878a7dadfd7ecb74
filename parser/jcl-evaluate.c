/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Stage 3 of JCL: walks the statements of a deck and creates the jobs of the plan.
 *
 * The statements of a procedure and of an INCLUDE member are evaluated
 * recursively, here; jcl-procedure.c only finds, enters and leaves them.
 */
#include "common/compat.h"
#include "parser/jcl-procedure.h"
#include "common/xalloc.h"

/* Begins a job at a JOB statement; the previous one is complete. */
static void job_begin(struct jcl_evaluation *e, const struct jcl_statement *statement)
{
	struct plan_job *job = xcalloc(1, sizeof(*job));

	job->name = xstrdup(statement->name);
	job->account = xstrdup("");
	job->programmer = xstrdup("");
	job->location = jcl_statement_location(e->source, statement);
	job->source = e->source;
	job->first_line = statement->line;
	job->job_class = job->message_class = 'A';
	job->message_level[0] = job->message_level[1] = 1;
	e->card_tail = &job->cards;
	e->card_count = e->statement_number = 0;
	e->listed = NULL;
	*e->job_tail = job;
	e->job_tail = &job->next;
	e->job = job;
	e->step = NULL;
	e->step_tail = &job->steps;
	e->dd_tail = &job->joblib;
	e->dd = e->member = NULL;
	e->dd_count = 0;
	e->ifs = NULL;
	e->skipping_reported = false;
	e->procedures = NULL;
	e->libraries = NULL;
	e->call_count = 0;
	e->work = 0;
	e->too_large = false;
	e->calls_refused = e->export_all = false;
	strmap_release(&e->exported);
	strmap_init(&e->exported);
	jcl_symbols_release(&e->symbols);
	jcl_symbols_init(&e->symbols);
	jcl_symbols_predefine(&e->symbols, e->options);
}

/* Checks that RESTART and JOBRC name steps. */
static void check_named_steps(struct jcl_evaluation *e)
{
	if (e->job->restart_step && !e->too_large &&
	    !jcl_step_find(e, e->job->restart_step, e->job->restart_procstep))
		jcl_complain_at(e, SEVERITY_ERROR, 1066, &e->restart,
				"RESTART refers to step %s, which the job does not have",
				e->job->restart_step);
	if (e->job->code_step && !e->too_large &&
	    !jcl_step_find(e, e->job->code_step, e->job->code_procstep))
		jcl_complain_at(e, SEVERITY_ERROR, 1223, &e->code_step,
				"JOBRC refers to step %s, which the job does not have",
				e->job->code_step);
}

/* Ends a job after all its statements. */
static void job_end(struct jcl_evaluation *e, unsigned last_line)
{
	if (!e->job)
		return;
	jcl_step_end(e);
	jcl_ifs_end(e);
	jcl_drop_early(e);
	e->job->last_line = last_line;
	jcl_list_comments(e, e->source, last_line + 1);
	if (e->job->step_count == 0 && !e->job->failed && !e->fragment)
		jcl_complain_at(e, SEVERITY_ERROR, 1065, &e->job->location, "job %s has no steps",
				e->job->name);
	check_named_steps(e);
	e->previous = e->job;
	e->job = NULL;
}

/* Evaluates SET: each keyword operand is a symbol and its value. */
static void evaluate_set(struct jcl_evaluation *e)
{
	if (!e->operands)
		jcl_complain(e, SEVERITY_ERROR, 1045, NULL, "SET sets nothing");
	for (const struct jcl_node *at = e->operands; at; at = at->next) {
		const char *value;

		if (at->kind != JCL_KEYWORD) {
			jcl_complain(e, SEVERITY_ERROR, 1046, at,
				     "SET needs SYMBOL=value, not this");
			continue;
		}
		if (!jcl_name_valid(at->text, at->text_length)) {
			jcl_complain(e, SEVERITY_ERROR, 1047, at,
				     "%s is not a symbol's name: 1 to 8 of A-Z 0-9 @ # $",
				     at->text);
			continue;
		}
		value = jcl_symbol_value(e, at->child);
		if (strlen(value) > 255)
			jcl_complain(e, SEVERITY_ERROR, 1042, at,
				     "the value of &%s is longer than 255 characters", at->text);
		jcl_symbols_set(&e->symbols, at->text, value);
	}
}

/* Evaluates EXPORT SYMLIST=(names) or *: the symbols that may be substituted in in-stream data. */
static void evaluate_export(struct jcl_evaluation *e)
{
	const struct jcl_node *operand = e->operands;

	if (!e->usable)
		return;
	if (!operand || operand->kind != JCL_KEYWORD || strcmp(operand->text, "SYMLIST") != 0) {
		jcl_complain(e, SEVERITY_ERROR, 1210, operand, "EXPORT needs SYMLIST=(symbol,...)");
		return;
	}
	for (const struct jcl_node *at = jcl_members(operand->child); at;
	     at = operand->child->kind == JCL_LIST ? at->next : NULL) {
		const char *name = jcl_plain_text(e, at);

		if (strcmp(name, "*") == 0)
			e->export_all = true;
		else
			strmap_put(&e->exported, name);
	}
}

/* Evaluates a statement without effect. */
static void evaluate_ignored(struct jcl_evaluation *e)
{
	const struct jcl_statement *statement = e->statement;
	struct location at = jcl_statement_location(e->source, statement);

	if (statement->operation == JCL_JES2 || statement->operation == JCL_JES3) {
		size_t length = strcspn(statement->text.text, " ");

		at.column = 1;
		at.length = (unsigned)length;
		jcl_complain_at(e, SEVERITY_INFO, 1014, &at, "%.*s has no effect here", (int)length,
				statement->text.text);
	} else {
		jcl_complain_at(e, SEVERITY_INFO, 1015, &at, "%s has no effect here",
				statement->verb);
	}
}

/* Evaluates SCHEDULE: a job of a group waits for the group, which is never started here. */
static void evaluate_schedule(struct jcl_evaluation *e)
{
	const struct jcl_node *at = e->operands;

	while (at && (at->kind != JCL_KEYWORD || strcmp(at->text, "JOBGROUP") != 0))
		at = at->next;
	if (!at) {
		evaluate_ignored(e);
		return;
	}
	e->job->hold = true;
	jcl_complain(e, SEVERITY_WARNING, 1225, at,
		     "job %s belongs to job group %s and is held: job groups are not carried out",
		     e->job->name, jcl_plain_text(e, at->child));
}

/* Prepares the statement's operands, if it has any; false on an error. */
static bool usable(struct jcl_evaluation *e, const struct jcl_statement *statement)
{
	switch (statement->operation) {
	case JCL_JES2:
	case JCL_JES3:
	case JCL_STRAY:
	case JCL_NULL:
		e->statement = statement;
		e->text = &statement->text;
		e->operands = NULL;
		e->undefined = false;
		return true;
	default:
		return jcl_prepare(e, statement);
	}
}

/* Evaluates PROC: registers a procedure in the stream. */
static void evaluate_proc(struct jcl_evaluation *e)
{
	if (e->call || e->depth)
		jcl_complain(e, SEVERITY_ERROR, 1208, NULL,
			     "a PROC is not allowed in a procedure or member");
	else
		e->next = jcl_procedure_define(e, e->statement);
}

static void evaluate_range(struct jcl_evaluation *e, const struct jcl_statement *first,
			   const struct jcl_statement *end);

/* Evaluates EXEC: a step, or a procedure, which is expanded immediately. */
static void evaluate_exec(struct jcl_evaluation *e)
{
	const struct jcl_node *called = jcl_evaluate_exec(e);
	struct jcl_call call;

	if (!called || !jcl_procedure_begin(e, called, &call))
		return;
	evaluate_range(e, call.procedure->first, call.procedure->end);
	jcl_procedure_end(e);
}

/* Evaluates INCLUDE: the statements of a member. */
static void evaluate_include(struct jcl_evaluation *e)
{
	const struct source *source = e->source;
	const struct jcl_deck *member = jcl_include_find(e);

	if (!member)
		return;
	e->depth++;
	e->source = e->syntax.source = member->source;
	evaluate_range(e, member->statements, NULL);
	e->source = e->syntax.source = source;
	assert(e->depth > 0);
	e->depth--;
}

/* Evaluates a procedure that is never called. */
static void evaluate_procedure(struct jcl_evaluation *e, const struct jcl_statement *head)
{
	struct jcl_procedure procedure;
	struct jcl_call call;

	jcl_procedure_check(e, head, &procedure, &call);
	evaluate_range(e, procedure.first, procedure.end);
	jcl_procedure_end(e);
}

/* Adds the current statement to the listing; DD and PROC are added where they are evaluated. */
static void list(struct jcl_evaluation *e)
{
	if (e->statement->operation != JCL_DD && e->statement->operation != JCL_PROC)
		jcl_list_statement(e, false);
}

/* Evaluates one statement inside a job. */
static void evaluate_statement(struct jcl_evaluation *e, const struct jcl_statement *statement)
{
	e->usable = usable(e, statement);
	list(e);
	switch (statement->operation) {
	case JCL_EXEC:
		evaluate_exec(e);
		break;
	case JCL_DD:
		jcl_evaluate_dd(e);
		break;
	case JCL_STRAY:
		jcl_evaluate_stray(e);
		break;
	case JCL_IF:
		jcl_evaluate_if(e);
		break;
	case JCL_ELSE:
		jcl_evaluate_else(e);
		break;
	case JCL_ENDIF:
		jcl_evaluate_endif(e);
		break;
	case JCL_SET:
		if (e->usable)
			evaluate_set(e);
		break;
	case JCL_PROC:
		evaluate_proc(e);
		break;
	case JCL_INCLUDE:
		evaluate_include(e);
		break;
	case JCL_JCLLIB:
		jcl_evaluate_jcllib(e);
		break;
	case JCL_EXPORT:
		evaluate_export(e);
		break;
	case JCL_PEND:
		jcl_complain(e, SEVERITY_ERROR, 1183, NULL, "PEND has no PROC");
		break;
	case JCL_XMIT:
		jcl_complain(e, SEVERITY_ERROR, 1180, NULL,
			     "XMIT sends cards to another system; there is none here");
		break;
	case JCL_SCHEDULE:
		evaluate_schedule(e);
		break;
	case JCL_UNKNOWN:
		break;
	case JCL_JOB:
		jcl_complain(e, SEVERITY_ERROR, 1209, NULL,
			     "a JOB is not allowed in a procedure or member");
		break;
	case JCL_NULL:
		break;
	default:
		evaluate_ignored(e);
		break;
	}
}

/* Evaluates the statements from first up to end. */
static void evaluate_range(struct jcl_evaluation *e, const struct jcl_statement *first,
			   const struct jcl_statement *end)
{
	const struct jcl_statement *after = e->next;

	for (const struct jcl_statement *at = first; at && at != end; at = e->next) {
		e->next = at->next;
		e->work++;
		evaluate_statement(e, at);
	}
	e->next = after;
}

/* Reports once that statements are outside any job. */
static void outside_job(struct jcl_evaluation *e, const struct jcl_statement *statement)
{
	struct location at = jcl_statement_location(e->source, statement);

	if (statement->operation == JCL_GROUPING) {
		if (!e->grouping_reported)
			jcl_complain_at(e, SEVERITY_WARNING, 1224, &at,
					"%s: job groups are read and not carried out; their jobs "
					"are held",
					statement->verb);
		e->grouping_reported = true;
		return;
	}
	if (e->skipping_reported || statement->operation == JCL_NULL ||
	    statement->operation == JCL_JES2 || statement->operation == JCL_JES3)
		return;
	e->skipping_reported = true;
	if (e->jobs)
		jcl_complain_at(e, SEVERITY_WARNING, 1048, &at,
				"cards between a null statement and the next JOB are not read");
	else
		jcl_complain_at(e, SEVERITY_ERROR, 1049, &at,
				"a JOB statement must precede this");
}

/* Returns the last line of the statement with its data. */
static unsigned last_line(const struct jcl_statement *statement)
{
	unsigned line = statement->last_line;

	if (statement->has_data && statement->data_line + statement->data_count > line)
		line = statement->data_line + statement->data_count;
	return line;
}

/* Evaluates all statements. */
static void evaluate_all(struct jcl_evaluation *e)
{
	unsigned line = 1;

	for (const struct jcl_statement *at = e->deck->statements; at; at = e->next) {
		e->next = at->next;
		if (at->operation == JCL_JOB) {
			job_end(e, line);
			job_begin(e, at);
			e->usable = jcl_prepare(e, at);
			jcl_list_statement(e, false);
			if (e->usable)
				jcl_evaluate_job(e);
		} else if (!e->job) {
			outside_job(e, at);
		} else if (at->operation == JCL_NULL) {
			job_end(e, at->line);
		} else {
			evaluate_statement(e, at);
		}
		line = last_line(at);
		jcl_arena_clear(&e->scratch);
	}
	if (line > e->source->line_count)
		line = (unsigned)e->source->line_count;
	job_end(e, line);
}

/* Returns the first statement with one of two operations; NULL: none. */
static const struct jcl_statement *first_of(const struct jcl_deck *deck, enum jcl_operation one,
					    enum jcl_operation other)
{
	const struct jcl_statement *at = deck->statements;

	while (at && at->operation != one && at->operation != other)
		at = at->next;
	return at;
}

/*
 * Returns whether the deck has any statement: a source program, a listing or a
 * binary file has none.
 */
static bool has_statement(const struct jcl_deck *deck)
{
	const struct jcl_statement *at = deck->statements;

	while (at && (at->operation == JCL_STRAY || at->operation == JCL_NULL ||
		      at->operation == JCL_UNKNOWN))
		at = at->next;
	return at != NULL;
}

/* Returns whether the deck is not a job but part of one, to be checked alone. */
static bool is_fragment(const struct jcl_evaluation *e)
{
	return e->options && e->options->fragments && has_statement(e->deck) &&
	       !first_of(e->deck, JCL_JOB, JCL_GROUPING);
}

/* Checks a procedure, an INCLUDE member, or steps without their JOB. */
static void evaluate_fragment(struct jcl_evaluation *e)
{
	const struct jcl_statement *first = e->deck->statements;
	struct location at = jcl_statement_location(e->source, first);

	e->fragment = true;
	job_begin(e, first);
	jcl_complain_at(e, SEVERITY_INFO, 1227, &at,
			"there is no JOB: this is checked as a procedure or a part of a job");
	if (!first_of(e->deck, JCL_EXEC, JCL_PROC))
		jcl_step_assume(e);
	if (first->operation == JCL_PROC)
		evaluate_procedure(e, first);
	else
		evaluate_range(e, first, NULL);
	job_end(e, (unsigned)e->source->line_count);
}

struct plan_job *jcl_evaluate(struct jcl_deck *deck, const struct jcl_options *options,
			      struct diag_list *diags)
{
	struct jcl_evaluation e = { .deck = deck,
				    .source = deck->source,
				    .options = options,
				    .diags = diags,
				    .deck_arena = &deck->arena };
	struct location nowhere = { deck->source, 0, 0, 0 };

	e.job_tail = &e.jobs;
	jcl_symbols_init(&e.symbols);
	strmap_init(&e.exported);
	jcl_syntax_init(&e.syntax, &e.scratch, deck->source, diags);
	if (is_fragment(&e))
		evaluate_fragment(&e);
	else if (has_statement(deck))
		evaluate_all(&e);
	if (!e.jobs && !e.skipping_reported)
		diag_add(diags, SEVERITY_ERROR, 1050, &nowhere,
			 has_statement(deck) ? "there is no JOB in this deck"
					     : "this is not a deck: it contains no JCL statement");
	jcl_syntax_release(&e.syntax);
	jcl_arena_release(&e.scratch);
	jcl_symbols_release(&e.symbols);
	strmap_release(&e.exported);
	return e.jobs;
}
