/* SPDX-License-Identifier: Apache-2.0 */
/* Gives control statements their meaning: every operand checked, and honoured or refused. */
#include "common/compat.h"
#include "parser/control-change.h"
#include "parser/control-values.h"
#include "common/xalloc.h"

/* Reports of the original that samples on Linux cannot give, or that are not made yet. */
static const struct {
	const char *code, *why;
} later_reports[] = {
	{ "DSS", "the Data Set Characteristics Supplement is not made; DSC has what is known" },
	{ "LSR", "there are no buffer pools of VSAM on Linux" },
	{ "DUC", "the place of a file on its disk is not observed" },
	{ "CFA", "there is no coupling facility on Linux" },
};

/* The state of one check over the statements of a deck. */
struct check {
	struct control_deck *deck;
	struct diag_list *diags;
	struct control_statement *init; /* the FUNCTION=INIT in force */
	bool started;
	const struct control_statement *end; /* END was seen */
};

/* The operand of a keyword in any of its spellings, NULL. */
static const struct control_operand *find(const struct control_statement *statement, unsigned form,
					  const char *keyword)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next) {
		const struct control_rule *rule;

		if (operand->keyword[0] != keyword[0])
			continue; /* all spellings of a keyword begin with the same letter */
		rule = control_find_rule(form, operand->keyword);
		if (rule && strcmp(rule->canonical ? rule->canonical : rule->keyword, keyword) == 0)
			return operand;
	}
	return NULL;
}

/* A copy of the operand's first value, NULL when it is not there. */
static char *text_of(const struct control_statement *statement, unsigned form, const char *keyword)
{
	const struct control_operand *operand = find(statement, form, keyword);

	return operand && operand->values ? xstrdup(operand->values->text) : NULL;
}

static uint64_t number_of(const struct control_statement *statement, unsigned form,
			  const char *keyword)
{
	const struct control_operand *operand = find(statement, form, keyword);
	uint64_t number = 0;

	if (operand && operand->values)
		control_read_number(operand->values->text, &number);
	return number;
}

/* Copies of all values of an operand. */
static char **texts_of(const struct control_statement *statement, unsigned form,
		       const char *keyword, size_t *count)
{
	const struct control_operand *operand = find(statement, form, keyword);
	char **texts = NULL;
	size_t alloc = 0;

	*count = 0;
	if (!operand)
		return NULL;
	for (const struct control_value *value = operand->values; value; value = value->next) {
		GROW(texts, *count + 1, alloc);
		texts[(*count)++] = xstrdup(value->text);
	}
	return texts;
}

/* STEP=step.procstep, or one name for either. */
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

/* The typed part of ADD and of the statements on stored requests. */
static void fill_request(struct control_statement *statement, unsigned form)
{
	struct control_request *request = &statement->request;
	char *step = text_of(statement, form, "STEP");

	if (statement->operands && !statement->operands->keyword[0]) {
		request->job = xstrdup(statement->operands->values->text);
		control_read_number(request->job, &request->number);
	}
	fill_step(request, step);
	free(step);
	request->program = text_of(statement, form, "PROGRAM");
	request->samples = number_of(statement, form, "SAMPLES");
	request->session_minutes = number_of(statement, form, "SESSION");
	request->no_limit = find(statement, form, "NOLIMIT") != NULL;
	fill_limit(request, find(statement, form, "LIMIT"));
	request->collectors = texts_of(statement, form, "DCC", &request->collector_count);
	request->parameters =
		texts_of(statement, form, "DCCPARM", &request->parameter_count);
	request->collector_library = text_of(statement, form, "DCCLIB");
	request->map_programs =
		texts_of(statement, form, "MAPPROGRAM", &request->map_program_count);
	request->active = find(statement, form, "ACTIVE") != NULL;
	request->notify = text_of(statement, form, "NOTIFY");
	request->owner = text_of(statement, form, "OWNERID");
}

static enum report_format read_format(const char *text)
{
	if (text && strcmp(text, "CSV") == 0)
		return REPORT_CSV;
	return text && strcmp(text, "JSON") == 0 ? REPORT_JSON : REPORT_TEXT;
}

/* Whether the value of an operand stood in apostrophes. */
static bool is_quoted(const struct control_statement *statement, const char *keyword)
{
	const struct control_operand *operand = find(statement, FORM_REPORT, keyword);

	return operand && operand->values->quoted;
}

/* The typed part of REPORT. */
static void fill_report(struct control_statement *statement)
{
	struct control_report *report = &statement->report;
	char *format = text_of(statement, FORM_REPORT, "FORMAT");
	char *baseline = text_of(statement, FORM_REPORT, "BASELINE");

	if (statement->operands && !statement->operands->keyword[0])
		report->job = xstrdup(statement->operands->values->text);
	report->step = text_of(statement, FORM_REPORT, "STEP");
	report->codes = texts_of(statement, FORM_REPORT, "REPORTS", &report->code_count);
	report->format = read_format(format);
	report->lines = 60;
	if (find(statement, FORM_REPORT, "LINES"))
		report->lines = (unsigned)number_of(statement, FORM_REPORT, "LINES");
	report->dsname = text_of(statement, FORM_REPORT, "DSNAME");
	report->dsname_quoted = is_quoted(statement, "DSNAME");
	report->input = text_of(statement, FORM_REPORT, "INPUT");
	report->input_quoted = is_quoted(statement, "INPUT");
	report->baseline_given = baseline && control_read_percent(baseline, &report->baseline);
	report->resolution = (unsigned)number_of(statement, FORM_REPORT, "RESOLUTION");
	report->all = find(statement, FORM_REPORT, "ALL") != NULL;
	report->margins = find(statement, FORM_REPORT, "MARGINS") != NULL;
	report->ansi_control = find(statement, FORM_REPORT, "ASA") != NULL;
	report->title = text_of(statement, FORM_REPORT, "TITLE");
	free(format);
	free(baseline);
	if (report->code_count == 1 && strcmp(report->codes[0], "ALL") == 0) {
		free(report->codes[0]);
		free(report->codes);
		report->codes = NULL;
		report->code_count = 0;
	}
}

/* The request of FUNCTION=INIT with SAMPLING=ON: any step that sees the cards. */
static void fill_sampling(struct control_statement *statement)
{
	struct control_request *request = &statement->request;

	request->job = xstrdup("*");
	request->step = xstrdup("*");
	request->interval = number_of(statement, FORM_INIT, "INTERVAL");
}

/* The positional operand: a job name, or a request number where one is allowed. */
static void check_positional(struct check *check, const struct control_statement *statement,
			     const struct control_form *form)
{
	const struct control_operand *first = statement->operands;
	bool there = first && !first->keyword[0];
	uint64_t number;

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

/* A second positional operand: only SEND has one, its command. */
static void check_further_positional(struct check *check, const struct control_form *form,
				     const struct control_operand *operand)
{
	if (form->bit != FORM_SEND)
		diag_add(check->diags, SEVERITY_ERROR, 2121, &operand->location,
			 "%s has no second operand without a keyword; expected KEYWORD=value",
			 form->name);
}

/* Queue that an operand does not exist, and which do. */
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

/* An operand given again, also in another spelling. */
static bool given_before(const struct control_statement *statement, unsigned form,
			 const struct control_operand *operand, const struct control_rule *rule)
{
	const char *name = rule->canonical ? rule->canonical : rule->keyword;

	return find(statement, form, name) != operand;
}

static void check_operand(struct check *check, const struct control_statement *statement,
			  const struct control_form *form, const struct control_operand *operand)
{
	const struct control_rule *rule = control_find_rule(form->bit, operand->keyword);

	if (form->bit == FORM_SEND && !operand->values)
		return; /* its command as a bare word */
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

/* Queue an error when two operands exclude each other. */
static void check_exclusive(struct check *check, const struct control_statement *statement,
			    unsigned form, const char *one, const char *other, const char *why)
{
	const struct control_operand *first = find(statement, form, one);
	const struct control_operand *second = find(statement, form, other);

	if (first && second)
		diag_add(check->diags, SEVERITY_ERROR, 2123, &second->location,
			 "%s and %s exclude each other: %s", one, other, why);
}

/* How many values an operand has. */
static size_t count_of(const struct control_operand *operand)
{
	size_t count = 0;

	for (const struct control_value *value = operand ? operand->values : NULL; value;
	     value = value->next)
		count++;
	return count;
}

static void check_request(struct check *check, struct control_statement *statement,
			  const struct control_form *form)
{
	const struct control_operand *names = find(statement, form->bit, "DCC");
	uint64_t samples = number_of(statement, form->bit, "SAMPLES");
	uint64_t minutes = number_of(statement, form->bit, "SESSION");
	const struct control_operand *session = find(statement, form->bit, "SESSION");

	check_exclusive(check, statement, form->bit, "ACTIVE", "QUEUED",
			"a job runs already or it does not");
	check_exclusive(check, statement, form->bit, "LIMIT", "NOLIMIT",
			"with NOLIMIT the session lasts as long as the step");
	if (form->bit == FORM_ADD || names)
		control_check_parameters(find(statement, form->bit, "DCCPARM"), count_of(names),
					 check->diags);
	if (form->bit == FORM_CHANGE && statement->operands && !statement->operands->next)
		diag_add(check->diags, SEVERITY_ERROR, 2124, &statement->location,
			 "CHANGE changes nothing; expected an operand after the request");
	if (session && minutes <= 1440 && (samples ? samples : 10000) < minutes * 60)
		diag_add(check->diags, SEVERITY_WARNING, 2125, &session->location,
			 "%" PRIu64 " samples in %" PRIu64
			 " minutes are less than one a second, the lowest rate; there will be more "
			 "samples than asked for",
			 samples ? samples : 10000, minutes);
}

static void check_report(struct check *check, struct control_statement *statement)
{
	const struct control_operand *input = find(statement, FORM_REPORT, "INPUT");
	const struct control_operand *codes = find(statement, FORM_REPORT, "REPORTS");
	const struct control_operand *format = find(statement, FORM_REPORT, "FORMAT");
	const struct control_operand *lines = find(statement, FORM_REPORT, "LINES");

	if (input && statement->operands != input && !statement->operands->keyword[0])
		diag_add(check->diags, SEVERITY_ERROR, 2123, &input->location,
			 "a job name and INPUT exclude each other: INPUT names the sample data set "
			 "itself");
	check_exclusive(check, statement, FORM_REPORT, "STEP", "INPUT",
			"INPUT names the sample data set itself");
	if (format && format->values && control_in_words("HTML PDF", format->values->text))
		diag_add(check->diags, SEVERITY_ERROR, 2905, &format->location,
			 "FORMAT=%s is not carried out by this version: expected TEXT, CSV or JSON",
			 format->values->text);
	if (format && lines && format->values && control_in_words("CSV JSON", format->values->text))
		diag_add(check->diags, SEVERITY_ERROR, 2123, &lines->location,
			 "FORMAT=%s and LINES exclude each other: only TEXT has pages",
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

/* Whether an operand has a given value. */
static bool has_value(const struct control_statement *statement, unsigned form, const char *keyword,
		      const char *value)
{
	const struct control_operand *operand = find(statement, form, keyword);

	return operand && operand->values && strcmp(operand->values->text, value) == 0;
}

static void check_init(struct check *check, struct control_statement *statement)
{
	bool sampling = has_value(statement, FORM_INIT, "SAMPLING", "ON");
	const struct control_operand *interval = find(statement, FORM_INIT, "INTERVAL");
	const struct control_operand *coverage = find(statement, FORM_INIT, "COVERAGE");
	const struct control_operand *consolidate = find(statement, FORM_INIT, "CONSOLIDATE");

	if (check->init)
		diag_add(check->diags, SEVERITY_ERROR, 2130, &statement->location,
			 "the profiler was initialized already on line %u; expected one "
			 "FUNCTION=INIT",
			 check->init->location.line);
	check->init = statement;
	check->started = false;
	if (interval && !sampling)
		diag_add(check->diags, SEVERITY_ERROR, 2123, &interval->location,
			 "INTERVAL without SAMPLING=ON has no meaning");
	if (coverage && sampling && has_value(statement, FORM_INIT, "COVERAGE", "ON"))
		diag_add(check->diags, SEVERITY_ERROR, 2123, &coverage->location,
			 "COVERAGE=ON and SAMPLING=ON exclude each other: coverage needs every "
			 "statement");
	else if (has_value(statement, FORM_INIT, "COVERAGE", "ON"))
		diag_add(check->diags, SEVERITY_ERROR, 2907, &coverage->location,
			 "COVERAGE=ON is not carried out by this version: statements are not "
			 "traced yet");
	else if (!sampling)
		diag_add(check->diags, SEVERITY_ERROR, 2907, &statement->location,
			 "FUNCTION=INIT without SAMPLING=ON is not carried out by this version: "
			 "events are not collected yet");
	else if (!check->deck->sampling_allowed)
		diag_add(check->diags, SEVERITY_ERROR, 2907, &statement->location,
			 "FUNCTION=INIT with SAMPLING=ON has nothing to measure here; it stands in DD "
			 "VIGIL of a step, in a file for --control of vigil submit, or with vigil run "
			 "and vigil attach");
	if (has_value(statement, FORM_INIT, "CONSOLIDATE", "ON"))
		diag_add(check->diags, SEVERITY_ERROR, 2907, &consolidate->location,
			 "CONSOLIDATE=ON is not carried out by this version: reports consolidate a "
			 "sample data set themselves");
}

static void check_start(struct check *check, const struct control_statement *statement)
{
	if (!check->init)
		diag_add(check->diags, SEVERITY_ERROR, 2131, &statement->location,
			 "FUNCTION=%s before FUNCTION=INIT; the profiler must be initialized first",
			 statement->name);
	else if (check->started && strcmp(statement->name, "START") == 0)
		diag_add(check->diags, SEVERITY_ERROR, 2132, &statement->location,
			 "the profiler is started already; expected FUNCTION=PAUSE before it is "
			 "started again");
	check->started = strcmp(statement->name, "START") == 0;
}

/* FROM and TO of the filters by count and time. */
static void check_from_to(struct check *check, const struct control_statement *statement,
			  const struct control_form *form)
{
	char *from = text_of(statement, form->bit, "FROM"),
	     *to = text_of(statement, form->bit, "TO");
	const struct control_operand *at = find(statement, form->bit, "FROM");
	uint64_t low = 0, high = 0;
	bool good = from && to &&
		    (form->bit == FORM_TIME
			     ? control_read_clock(from, &low) && control_read_clock(to, &high)
			     : control_read_number(from, &low) && control_read_number(to, &high));

	if (good && low > high)
		diag_add(check->diags, SEVERITY_ERROR, 2113, &at->location,
			 "the filter begins after it ends: %s is above %s", from, to);
	if (!from && !to)
		diag_add(check->diags, SEVERITY_ERROR, 2124, &statement->location,
			 "FILTER=%s filters nothing; expected FROM or TO", statement->name);
	free(from);
	free(to);
}

static void check_filter(struct check *check, const struct control_statement *statement,
			 const struct control_form *form)
{
	if (!check->init)
		diag_add(check->diags, SEVERITY_ERROR, 2131, &statement->location,
			 "FILTER=%s before FUNCTION=INIT; the profiler must be initialized first",
			 statement->name);
	if (form->bit == FORM_COUNT || form->bit == FORM_TIME)
		check_from_to(check, statement, form);
	else if (!statement->operands)
		diag_add(check->diags, SEVERITY_ERROR, 2124, &statement->location,
			 "FILTER=%s filters nothing; expected a keyword after it", statement->name);
}

/* What operands of one statement mean together. */
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
	case FORM_REPORT:
		check_report(check, statement);
		break;
	case FORM_INIT:
		check_init(check, statement);
		break;
	case FORM_START:
	case FORM_PAUSE:
		check_start(check, statement);
		break;
	case FORM_EVENT:
	case FORM_PROGRAM:
	case FORM_COUNT:
	case FORM_TIME:
		check_filter(check, statement, form);
		break;
	case FORM_END:
		check->end = statement;
		break;
	default:
		break;
	}
}

/* Queue what a statement that is no known form is. */
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

/* Fill the typed part of a statement without errors, and carry a CHANGE out. */
static void fill(struct check *check, struct control_statement *statement,
		 const struct control_form *form)
{
	if (form->bit & (FORM_ADD | FORM_CHANGE | FORM_DELETE | FORM_LIST | FORM_SEND))
		fill_request(statement, form->bit);
	else if (form->bit == FORM_REPORT)
		fill_report(statement);
	else if (form->bit == FORM_INIT)
		fill_sampling(statement);
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
		diag_add(check->diags, SEVERITY_ERROR,
			 form->verb < CONTROL_FUNCTION ? 2901u : 2903u, &statement->location,
			 "%s%s is not carried out by this version: %s",
			 form->verb == CONTROL_FUNCTION ? "FUNCTION="
			 : form->verb == CONTROL_FILTER ? "FILTER="
							: "",
			 form->name, form->later);
	for (size_t i = before; i < check->diags->count; i++)
		if (check->diags->items[i].severity >= SEVERITY_ERROR)
			return;
	fill(check, statement, form);
}

/* A FUNCTION=INIT that nothing starts measures nothing. */
static void check_started(struct check *check)
{
	if (check->init && !check->started) {
		diag_add(check->diags, SEVERITY_ERROR, 2133, &check->init->location,
			 "the profiler is initialized but never started, so nothing would be "
			 "measured; expected FUNCTION=START after it");
		check->init->checked = false;
	}
}

void control_check(struct control_deck *deck, struct diag_list *diags)
{
	struct check check = { .deck = deck, .diags = diags };

	for (struct control_statement *statement = deck->statements; statement;
	     statement = statement->next) {
		if (check.end) {
			diag_add(diags, SEVERITY_ERROR, 2134, &statement->location,
				 "this stands after END on line %u, which ends the statements",
				 check.end->location.line);
			break;
		}
		check_statement(&check, statement);
	}
	check_started(&check);
}

bool control_measures(const struct control_statement *statement)
{
	if (!statement->checked)
		return false;
	return statement->verb == CONTROL_ADD ||
	       (statement->verb == CONTROL_FUNCTION && strcmp(statement->name, "INIT") == 0);
}
