/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates control statements: checks every operand, and accepts or refuses it. */
#include "common/compat.h"
#include "parser/control-block.h"
#include "parser/control-change.h"
#include "parser/control-lookup.h"
#include "parser/control-running.h"
#include "parser/control-schedule.h"
#include "parser/control-values.h"
#include "parser/run-time-options.h"
#include "common/xalloc.h"

/* Reports of the original that samples on Linux cannot provide, or that are not implemented yet. */
static const struct {
	const char *code, *why;
} later_reports[] = {
	{ "DSS", "the Data Set Characteristics Supplement is not produced; DSC has what is known" },
	{ "LSR", "there are no buffer pools of VSAM on Linux" },
	{ "DUC", "the location of a file on its disk is not recorded" },
	{ "CFA", "there is no coupling facility on Linux" },
};

/* State of the check of a deck's statements. */
struct check {
	struct control_deck *deck;
	struct diag_list *diags;
	struct control_block_state blocks;
	const struct control_statement *end; /* the END statement; NULL: not seen */
};

/* Fills STEP=step.procstep, or one name for either. */
static void fill_step(struct control_request *request, const char *step)
{
	const char *dot = step ? strchr(step, '.') : NULL;

	if (!step)
		return;
	request->step = dot ? xstrndup(step, (size_t)(dot - step)) : xstrdup(step);
	request->procstep = dot ? xstrdup(dot + 1) : NULL;
}

static void fill_limit(struct control_request *request, const struct control_operand *limit)
{
	const struct control_value *action;

	if (!limit)
		return;
	request->limit_given = true;
	control_read_number(limit->values->text, &request->limit);
	action = limit->values->next;
	if (action && control_in_words("CONTINUE NOLIMIT", action->text))
		request->no_limit = true;
	else if (action && strcmp(action->text, "STOP") == 0)
		request->action = CONTROL_STOP;
}

/* Returns COST, percent; 0 if not given. */
static double cost_of(const struct control_statement *statement, unsigned form)
{
	char *text = control_text_of(statement, form, "COST");
	double percent = 0;

	if (text && !control_read_percent(text, &percent))
		percent = 0;
	free(text);
	return percent;
}

static void fill_record(struct control_request *request, const struct control_operand *record)
{
	if (!record)
		return;
	request->record = strcmp(record->values->text, "OFF") == 0 ? CONTROL_SWITCH_OFF : CONTROL_SWITCH_ON;
	request->record_objects = strcmp(record->values->text, "OBJECTS") == 0;
}

/* Fills the typed part of ADD and of the statements on stored requests. */
static void fill_request(struct control_statement *statement, unsigned form)
{
	struct control_request *request = &statement->request;
	char *step = control_text_of(statement, form, "STEP");

	statement->payload = CONTROL_REQUEST;
	if (statement->operands && !statement->operands->keyword[0]) {
		request->job = xstrdup(statement->operands->values->text);
		control_read_number(request->job, &request->number);
	}
	fill_step(request, step);
	free(step);
	request->program = control_text_of(statement, form, "PROGRAM");
	request->samples = control_number_of(statement, form, "SAMPLES");
	request->cost = cost_of(statement, form);
	request->metrics = control_switch_of(statement, form, "METRICS");
	fill_record(request, control_operand(statement, form, "RECORD"));
	request->session_minutes = control_number_of(statement, form, "SESSION");
	request->no_limit = control_operand(statement, form, "NOLIMIT") != NULL;
	fill_limit(request, control_operand(statement, form, "LIMIT"));
	request->collectors = control_texts_of(statement, form, "DCC", &request->collector_count);
	request->parameters =
		control_texts_of(statement, form, "DCCPARM", &request->parameter_count);
	request->collector_library = control_text_of(statement, form, "DCCLIB");
	request->map_programs =
		control_texts_of(statement, form, "MAPPROGRAM", &request->map_program_count);
	control_running_fill(request, statement, form);
	request->notify = control_text_of(statement, form, "NOTIFY");
	request->owner = control_text_of(statement, form, "OWNERID");
	control_schedule_fill(&request->schedule, statement, form);
	request->store = control_text_of(statement, form, "STORE");
	request->group = control_text_of(statement, form, "GROUP");
	request->stored = request->active || request->store || request->group || request->schedule.given ||
			  request->schedule.count || request->schedule.within ||
			  request->schedule.zone || control_operand(statement, form, "INITBY") ||
			  control_operand(statement, form, "TAGS");
}

/* Returns whether the value of an operand was in apostrophes. */
static bool is_quoted(const struct control_statement *statement, const char *keyword)
{
	const struct control_operand *operand = control_operand(statement, FORM_REPORT, keyword);

	return operand && operand->values->quoted;
}

/* Fills the typed part of REPORT. */
static void fill_report(struct control_statement *statement)
{
	struct control_report *report = &statement->report;
	char *format = control_text_of(statement, FORM_REPORT, "FORMAT");
	char *baseline = control_text_of(statement, FORM_REPORT, "BASELINE");

	statement->payload = CONTROL_REPORTING;
	if (statement->operands && !statement->operands->keyword[0])
		report->job = xstrdup(statement->operands->values->text);
	report->step = control_text_of(statement, FORM_REPORT, "STEP");
	report->codes = control_texts_of(statement, FORM_REPORT, "REPORTS", &report->code_count);
	report->format = control_read_format(format);
	report->letter = control_has_value(statement, FORM_REPORT, "PAPER", "LETTER");
	report->lines = 60;
	if (control_operand(statement, FORM_REPORT, "LINES"))
		report->lines = (unsigned)control_number_of(statement, FORM_REPORT, "LINES");
	report->dsname = control_text_of(statement, FORM_REPORT, "DSNAME");
	report->dsname_quoted = is_quoted(statement, "DSNAME");
	report->input = control_text_of(statement, FORM_REPORT, "INPUT");
	report->input_quoted = is_quoted(statement, "INPUT");
	report->baseline_given = baseline && control_read_percent(baseline, &report->baseline);
	report->resolution = (unsigned)control_number_of(statement, FORM_REPORT, "RESOLUTION");
	report->by_thread = control_has_value(statement, FORM_REPORT, "BY", "THREAD");
	report->by_transaction = control_has_value(statement, FORM_REPORT, "BY", "TRANSACTION");
	report->all = control_operand(statement, FORM_REPORT, "ALL") != NULL;
	report->margins = control_operand(statement, FORM_REPORT, "MARGINS") != NULL;
	report->native = control_operand(statement, FORM_REPORT, "NATIVE") != NULL;
	report->ansi_control = control_operand(statement, FORM_REPORT, "ASA") != NULL;
	report->title = control_text_of(statement, FORM_REPORT, "TITLE");
	report->procedure = control_text_of(statement, FORM_REPORT, "PROCEDURE");
	free(format);
	free(baseline);
	if (report->code_count == 1 && strcmp(report->codes[0], "ALL") == 0) {
		free(report->codes[0]);
		free(report->codes);
		report->codes = NULL;
		report->code_count = 0;
	}
}

/* Fills the operands of COLLECT and EXTRACT. */
static void fill_collection(struct control_statement *statement, unsigned form)
{
	bool collect = form == FORM_COLLECT;

	statement->payload = CONTROL_COLLECTION;
	statement->collection = (struct control_collection){
		.interval = control_operand(statement, form, "INTERVAL"),
		.count = control_number_of(statement, form, "COUNT"),
		.from = control_operand(statement, form, collect ? "START" : "FROM"),
		.to = control_operand(statement, form, collect ? "END" : "TO"),
		.names = control_operand(statement, form, collect ? "MODULES" : "RECORDS"),
		.input = control_operand(statement, form, "INPUT"),
		.dsname = control_operand(statement, form, "DSNAME"),
		.format = control_operand(statement, form, "FORMAT"),
		.replace = control_has_value(statement, form, "REPLACE", "ON") ||
			   control_has_value(statement, form, "REPLACE", "YES"),
		.size = control_operand(statement, form, "SIZE"),
		.rotate = control_operand(statement, form, "ROTATE"),
		.keep = control_number_of(statement, form, "KEEP"),
		.openmetrics = control_operand(statement, form, "OPENMETRICS"),
		.has_port = control_operand(statement, form, "OPENMETRICS-PORT"),
		.port = control_number_of(statement, form, "OPENMETRICS-PORT"),
		.leap_seconds = control_number_of(statement, form, "LEAP-SECONDS"),
		.libraries = control_operand(statement, form, "LIBRARY"),
		.folders = control_operand(statement, form, "PATH"),
		.patience = control_operand(statement, form, "PATIENCE"),
	};
}

/* Checks that the files of a COLLECT can be divided, and have distinct names. */
static void check_files(struct check *check, const struct control_statement *statement)
{
	static const char *const operands[] = { "SIZE", "ROTATE", "KEEP" };
	const struct control_operand *dsname = control_operand(statement, FORM_COLLECT, "DSNAME");
	const struct control_operand *keep = control_operand(statement, FORM_COLLECT, "KEEP");

	for (size_t i = 0; i < ARRAY_SIZE(operands); i++) {
		const struct control_operand *operand =
			control_operand(statement, FORM_COLLECT, operands[i]);

		if (operand && (!dsname || !dsname->values || !dsname->values->quoted))
			diag_add(check->diags, SEVERITY_ERROR, 3722, &operand->location,
				 "%s needs DSNAME with a path in apostrophes: it writes several "
				 "files",
				 operands[i]);
	}
	if (keep && !control_operand(statement, FORM_COLLECT, "SIZE") &&
	    !control_operand(statement, FORM_COLLECT, "ROTATE"))
		diag_add(check->diags, SEVERITY_ERROR, 3723, &keep->location,
			 "KEEP needs SIZE or ROTATE");
}

/* Checks what ends a COLLECT, and what an EXTRACT reads. */
static void check_collection(struct check *check, const struct control_statement *statement,
			     const struct control_form *form)
{
	if (form->bit == FORM_EXTRACT && !control_operand(statement, form->bit, "INPUT"))
		diag_add(check->diags, SEVERITY_ERROR, 2140, &statement->location,
			 "EXTRACT needs INPUT, the sample data set: a DD name, or a path in "
			 "apostrophes");
	if (form->bit == FORM_COLLECT && !control_operand(statement, form->bit, "COUNT") &&
	    !control_operand(statement, form->bit, "END"))
		diag_add(check->diags, SEVERITY_ERROR, 2141, &statement->location,
			 "COLLECT needs COUNT or END: no one is there to end it");
	if (form->bit == FORM_COLLECT)
		check_files(check, statement);
}

/* Checks RUNOPTS: its options, in apostrophes. */
static void check_run_options(struct check *check, const struct control_statement *statement)
{
	const struct control_operand *first = statement->operands;
	struct run_options options = { 0 };
	struct error err = ERROR_INIT;

	if (!first)
		diag_add(check->diags, SEVERITY_ERROR, 2120, &statement->location,
			 "RUNOPTS needs run-time options; expected them in apostrophes after the "
			 "verb, as in RUNOPTS 'PROFILE(ON,''string'')'");
	else if (!first->keyword[0] &&
		 run_options_read(&options, first->values->text, &err) < 0)
		diag_add(check->diags, SEVERITY_ERROR, 2170, &first->location,
			 "run-time options: %s", error_text(&err));
	error_release(&err);
}

/* Checks the positional operand: a job name, or a request number if allowed. */
static void check_positional(struct check *check, const struct control_statement *statement,
			     const struct control_form *form)
{
	const struct control_operand *first = statement->operands;
	bool there = first && !first->keyword[0];
	uint64_t number;

	if (form->bit == FORM_RUNOPTS) {
		check_run_options(check, statement);
		return;
	}
	if (!there) {
		if (form->positional == POSITIONAL_REQUIRED)
			diag_add(check->diags, SEVERITY_ERROR, 2120, &statement->location,
				 "%s needs a %s; expected it after the verb", form->name,
				 form->number_allowed ? "job name or a request number"
						      : "job name (* for any)");
		return;
	}
	if (form->positional == POSITIONAL_NONE) {
		diag_add(check->diags, SEVERITY_ERROR, 2121, &first->location,
			 "%s has no operand of this kind; expected the end of the statement",
			 form->name);
	} else if (control_read_number(first->values->text, &number)) {
		if (!form->number_allowed)
			diag_add(check->diags, SEVERITY_ERROR, 2122, &first->location,
				 "%s takes a job name, not a request number", form->name);
	} else if (!control_is_pattern(first->values->text, 8)) {
		diag_add(check->diags, SEVERITY_ERROR, 2108, &first->location,
			 "'%s' is not a job name; expected at most 8 characters, * and %% allowed",
			 first->values->text);
	}
}

/* Checks a second positional operand: only SEND has one, its command. */
static void check_further_positional(struct check *check, const struct control_form *form,
				     const struct control_operand *operand)
{
	if (form->bit != FORM_SEND)
		diag_add(check->diags, SEVERITY_ERROR, 2121, &operand->location,
			 "%s has no second operand without a keyword; expected KEYWORD=value",
			 form->name);
}

/* Reports an unknown operand, and lists the known ones. */
static void unknown_operand(struct check *check, const struct control_form *form,
			    const struct control_operand *operand)
{
	struct strbuf known = STRBUF_INIT;

	control_list_rules(form->bit, &known);
	if (known.length)
		diag_add(check->diags, SEVERITY_ERROR, 2101, &operand->location,
			 "%s is not an operand of %s; expected one of %s", operand->keyword,
			 form->name, known.text);
	else
		diag_add(check->diags, SEVERITY_ERROR, 2101, &operand->location,
			 "%s is not an operand of %s, which has none", operand->keyword,
			 form->name);
	strbuf_release(&known);
}

/* Returns whether an operand was given before, also in another spelling. */
static bool given_before(const struct control_statement *statement, unsigned form,
			 const struct control_operand *operand, const struct control_rule *rule)
{
	const char *name = rule->canonical ? rule->canonical : rule->keyword;

	return control_operand(statement, form, name) != operand;
}

static void check_operand(struct check *check, const struct control_statement *statement,
			  const struct control_form *form, const struct control_operand *operand)
{
	const struct control_rule *rule = control_find_rule(form->bit, operand->keyword);

	if (form->bit == FORM_SEND && !operand->values)
		return; /* the command of SEND as a bare word */
	if (!rule) {
		unknown_operand(check, form, operand);
		return;
	}
	if (given_before(statement, form->bit, operand, rule)) {
		diag_add(check->diags, SEVERITY_ERROR, 2102, &operand->location,
			 "%s is given twice", operand->keyword);
		return;
	}
	if (control_check_values(operand, rule, check->diags) && rule->later)
		diag_add(check->diags, SEVERITY_ERROR, 2902, &operand->location,
			 "%s is not carried out by this version: %s", operand->keyword,
			 rule->later);
}

/* Queues an error if two operands exclude each other. */
static void check_exclusive(struct check *check, const struct control_statement *statement,
			    unsigned form, const char *one, const char *other, const char *why)
{
	const struct control_operand *first = control_operand(statement, form, one);
	const struct control_operand *second = control_operand(statement, form, other);

	if (first && second)
		diag_add(check->diags, SEVERITY_ERROR, 2123, &second->location,
			 "%s and %s exclude each other: %s", one, other, why);
}

/* Returns the number of values of an operand. */
static size_t count_of(const struct control_operand *operand)
{
	size_t count = 0;

	for (const struct control_value *value = operand ? operand->values : NULL; value;
	     value = value->next)
		count++;
	return count;
}

/* Checks the name of a group, without wildcards. */
static void check_group(struct check *check, const struct control_operand *operand)
{
	const struct control_value *name = operand ? operand->values : NULL;

	if (name && strpbrk(name->text, "*%?"))
		diag_add(check->diags, SEVERITY_ERROR, 2108, &name->location,
			 "'%s' is not the name of a group; expected at most 8 characters",
			 name->text);
}

static void check_request(struct check *check, struct control_statement *statement,
			  const struct control_form *form)
{
	const struct control_operand *names = control_operand(statement, form->bit, "DCC");
	uint64_t samples = control_number_of(statement, form->bit, "SAMPLES");
	uint64_t minutes = control_number_of(statement, form->bit, "SESSION");
	const struct control_operand *session = control_operand(statement, form->bit, "SESSION");

	check_exclusive(check, statement, form->bit, "ACTIVE", "QUEUED",
			"a job is either running or not");
	check_exclusive(check, statement, form->bit, "LIMIT", "NOLIMIT",
			"with NOLIMIT the session lasts as long as the step");
	if (form->bit == FORM_ADD || names)
		control_check_parameters(control_operand(statement, form->bit, "DCCPARM"), count_of(names),
					 check->diags);
	control_schedule_check(statement, form->bit, check->diags);
	control_running_check(statement, form->bit, check->diags);
	check_group(check, control_operand(statement, form->bit, "GROUP"));
	if (form->bit == FORM_CHANGE && statement->operands && !statement->operands->next)
		diag_add(check->diags, SEVERITY_ERROR, 2124, &statement->location,
			 "CHANGE changes nothing; expected an operand after the request");
	if (session && minutes <= 1440 && (samples ? samples : 10000) < minutes * 60)
		diag_add(check->diags, SEVERITY_WARNING, 2125, &session->location,
			 "%" PRIu64 " samples in %" PRIu64 " minutes are less than one a second, "
			 "the lowest rate; there will be more samples than requested",
			 samples ? samples : 10000, minutes);
}

/* Fills the typed part of COMPARE. */
static void fill_comparison(struct control_statement *statement)
{
	struct control_comparison *comparison = &statement->comparison;

	statement->payload = CONTROL_COMPARISON;
	*comparison = (struct control_comparison){
		.base = control_operand(statement, FORM_COMPARE, "BASE"),
		.input = control_operand(statement, FORM_COMPARE, "INPUT"),
		.dsname = control_operand(statement, FORM_COMPARE, "DSNAME"),
		.format = control_operand(statement, FORM_COMPARE, "FORMAT"),
		.work = control_operand(statement, FORM_COMPARE, "PER"),
		.title = control_operand(statement, FORM_COMPARE, "TITLE"),
		.lines = 60,
		.all = control_operand(statement, FORM_COMPARE, "ALL") != NULL,
		.native = control_operand(statement, FORM_COMPARE, "NATIVE") != NULL,
		.ansi_control = control_operand(statement, FORM_COMPARE, "ASA") != NULL,
	};
	if (control_operand(statement, FORM_COMPARE, "LINES"))
		comparison->lines = (unsigned)control_number_of(statement, FORM_COMPARE, "LINES");
}

static void check_comparison(struct check *check, const struct control_statement *statement)
{
	if (!control_operand(statement, FORM_COMPARE, "BASE") ||
	    !control_operand(statement, FORM_COMPARE, "INPUT"))
		diag_add(check->diags, SEVERITY_ERROR, 6667, &statement->location,
			 "COMPARE needs two sides; expected BASE='FILE' and INPUT='FILE', each one "
			 "sample data set or a list of them");
}

static void check_report(struct check *check, struct control_statement *statement)
{
	const struct control_operand *input = control_operand(statement, FORM_REPORT, "INPUT");
	const struct control_operand *codes = control_operand(statement, FORM_REPORT, "REPORTS");
	const struct control_operand *format = control_operand(statement, FORM_REPORT, "FORMAT");
	const struct control_operand *lines = control_operand(statement, FORM_REPORT, "LINES");
	const struct control_operand *paper = control_operand(statement, FORM_REPORT, "PAPER");

	if (input && statement->operands != input && !statement->operands->keyword[0])
		diag_add(check->diags, SEVERITY_ERROR, 2123, &input->location,
			 "a job name and INPUT exclude each other: INPUT names the sample data set "
			 "itself");
	check_exclusive(check, statement, FORM_REPORT, "STEP", "INPUT",
			"INPUT names the sample data set itself");
	if (paper && !control_has_value(statement, FORM_REPORT, "FORMAT", "PDF"))
		diag_add(check->diags, SEVERITY_ERROR, 2123, &paper->location, "PAPER is for FORMAT=PDF");
	if (format && lines && format->values && control_in_words("CSV JSON HTML PDF", format->values->text))
		diag_add(check->diags, SEVERITY_ERROR, 2123, &lines->location,
			 "FORMAT=%s and LINES exclude each other: only TEXT has lines a page",
			 format->values->text);
	for (const struct control_value *code = codes ? codes->values : NULL; code;
	     code = code->next)
		for (size_t i = 0; i < ARRAY_SIZE(later_reports); i++)
			if (strcmp(code->text, later_reports[i].code) == 0)
				diag_add(check->diags, SEVERITY_ERROR, 2906, &code->location,
					 "report %s is not carried out by this version: %s",
					 code->text, later_reports[i].why);
	if (codes && codes->values && codes->values->next)
		for (const struct control_value *code = codes->values; code; code = code->next)
			if (strcmp(code->text, "ALL") == 0)
				diag_add(check->diags, SEVERITY_ERROR, 2123, &code->location,
					 "ALL names every report; expected it alone");
}

/* Checks the operands of one statement in combination. */
static void check_together(struct check *check, struct control_statement *statement,
			   const struct control_form *form)
{
	switch (form->bit) {
	case FORM_ADD:
	case FORM_CHANGE:
		check_request(check, statement, form);
		break;
	case FORM_SEND:
		if (statement->operands && !statement->operands->next)
			diag_add(check->diags, SEVERITY_ERROR, 2120, &statement->location,
				 "SEND needs a command; expected it after the request number");
		break;
	case FORM_ADDGRP:
		check_group(check, statement->operands);
		break;
	case FORM_SUBMIT:
		control_schedule_check(statement, form->bit, check->diags);
		break;
	case FORM_REPORT:
		check_report(check, statement);
		break;
	case FORM_COMPARE:
		check_comparison(check, statement);
		break;
	case FORM_COLLECT:
	case FORM_EXTRACT:
		check_collection(check, statement, form);
		break;
	case FORM_END:
		check->end = statement;
		break;
	default:
		control_block_check(&check->blocks, statement, form, check->diags);
		break;
	}
}

/* Reports a statement of unknown form. */
static void unknown_statement(struct check *check, const struct control_statement *statement)
{
	const char *later = statement->block ? NULL : control_verb_later(statement->name);
	struct strbuf known = STRBUF_INIT;

	if (later) {
		diag_add(check->diags, SEVERITY_ERROR, 2901, &statement->location,
			 "%s is not carried out by this version: %s", statement->name, later);
	} else if (statement->verb == CONTROL_UNKNOWN && !statement->block) {
		control_list_forms(CONTROL_UNKNOWN, &known);
		diag_add(check->diags, SEVERITY_ERROR, 2100, &statement->location,
			 "%s is not a statement; expected %s or PROFILER", statement->name,
			 known.text);
	} else if (statement->verb != CONTROL_UNKNOWN) {
		control_list_forms(statement->verb, &known);
		diag_add(check->diags, SEVERITY_ERROR, 2100, &statement->location,
			 "%s=%s is not known; expected one of %s",
			 statement->verb == CONTROL_FUNCTION ? "FUNCTION" : "FILTER",
			 statement->name, known.text);
	}
	strbuf_release(&known);
}

/* Fills the typed part of a statement without errors, and executes a CHANGE. */
static void fill(struct check *check, struct control_statement *statement,
		 const struct control_form *form)
{
	if (form->bit & (FORM_ADD | FORM_CHANGE | FORM_DELETE | FORM_LIST | FORM_SEND | FORM_HOLD |
			 FORM_RELEASE | FORM_ADDGRP | FORM_SUBMIT))
		fill_request(statement, form->bit);
	else if (form->bit == FORM_REPORT)
		fill_report(statement);
	else if (form->bit & (FORM_COLLECT | FORM_EXTRACT))
		fill_collection(statement, form->bit);
	else if (form->bit == FORM_COMPARE)
		fill_comparison(statement);
	else if (form->verb == CONTROL_FUNCTION || form->verb == CONTROL_FILTER)
		control_block_fill(statement, form);
	statement->checked = form->bit != FORM_CHANGE ||
			     control_change(check->deck, statement, check->diags);
}

static void check_statement(struct check *check, struct control_statement *statement)
{
	const struct control_form *form = control_find_form(statement->verb, statement->name);
	size_t before = check->diags->count;
	bool first = true;

	if (!form) {
		unknown_statement(check, statement);
		return;
	}
	check_positional(check, statement, form);
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next, first = false) {
		if (operand->keyword[0])
			check_operand(check, statement, form, operand);
		else if (!first)
			check_further_positional(check, form, operand);
	}
	check_together(check, statement, form);
	if (form->later)
		diag_add(check->diags, SEVERITY_ERROR, 2901, &statement->location,
			 "%s is not carried out by this version: %s", form->name, form->later);
	for (size_t i = before; i < check->diags->count; i++)
		if (check->diags->items[i].severity >= SEVERITY_ERROR)
			return;
	fill(check, statement, form);
}

/*
 * Returns whether a statement follows the END of its deck. In the queue of a job
 * END begins the next input.
 */
static bool is_after_end(struct check *check, struct control_statement *statement)
{
	RETURN_IF(check->end && !check->deck->from_job_queue, true);
	if (check->end || !check->blocks.first) {
		check->blocks = (struct control_block_state){ .first = statement };
		check->end = NULL;
		check->deck->inputs += check->deck->from_job_queue;
	}
	if (check->deck->from_job_queue)
		statement->input = check->deck->inputs;
	return false;
}

void control_check(struct control_deck *deck, struct diag_list *diags)
{
	struct check check = { .deck = deck, .diags = diags };

	for (struct control_statement *statement = deck->statements; statement;
	     statement = statement->next) {
		if (is_after_end(&check, statement)) {
			diag_add(diags, SEVERITY_ERROR, 2134, &statement->location,
				 "this follows END on line %u, which ends the statements",
				 check.end->location.line);
			break;
		}
		check_statement(&check, statement);
	}
}

const char *control_run_options(const struct control_statement *statement)
{
	return statement->checked && statement->verb == CONTROL_RUNOPTS ?
		       statement->operands->values->text :
		       NULL;
}

bool control_is_collection(const struct control_statement *statement)
{
	return statement->checked &&
	       (statement->verb == CONTROL_COLLECT || statement->verb == CONTROL_EXTRACT);
}

bool control_is_stored(const struct control_statement *statement)
{
	RETURN_IF(!statement->checked, false);
	switch (statement->verb) {
	case CONTROL_ADD:
	case CONTROL_CHANGE:
		return statement->request.stored;
	case CONTROL_DELETE:
	case CONTROL_LIST:
	case CONTROL_SEND:
	case CONTROL_HOLD:
	case CONTROL_RELEASE:
	case CONTROL_ADDGRP:
	case CONTROL_SUBMIT:
		return true;
	default:
		return false;
	}
}

bool control_is_comparison(const struct control_statement *statement)
{
	return statement->checked && statement->verb == CONTROL_COMPARE;
}

bool control_samples(const struct control_statement *statement)
{
	return statement->checked && statement->verb == CONTROL_ADD && !statement->request.stored;
}

bool control_is_function(const struct control_statement *statement,
			 enum control_function function)
{
	return statement->checked && statement->function == function;
}

bool control_collects(const struct control_statement *statement)
{
	RETURN_IF(!statement->checked, false);
	return statement->verb == CONTROL_FILTER || statement->function == CONTROL_INIT ||
	       statement->function == CONTROL_START || statement->function == CONTROL_PAUSE;
}

bool control_is_on_resources(const struct control_statement *statement)
{
	return statement->checked && statement->function >= CONTROL_CONSOLIDATE_RESOURCE;
}
