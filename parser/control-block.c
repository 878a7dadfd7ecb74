/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluates functions and filters of PROFILER blocks. */
#include "common/compat.h"
#include "parser/control-block.h"
#include "parser/control-lookup.h"
#include "parser/control-values.h"

#define DEFAULT_INTERVAL 1000 /* microseconds */

/*
 * Statements before a FUNCTION=INIT in the same input belong to the previous
 * session, which the INIT ends: reports them.
 */
static void check_before_init(const struct control_block_state *state,
			      const struct control_statement *init, struct diag_list *diags)
{
	for (const struct control_statement *one = state->first; one != init; one = one->next) {
		bool filter = one->verb == CONTROL_FILTER;

		if (filter || one->function == CONTROL_START || one->function == CONTROL_PAUSE)
			diag_add(diags, SEVERITY_ERROR, 2131, &one->location,
				 "%s=%s before FUNCTION=INIT; the profiler must be initialized "
				 "first",
				 filter ? "FILTER" : "FUNCTION", one->name);
	}
}

/* Maximum number of CALLS patterns of INIT, and the maximum length of each part of one. */
#define CALLS_MAX 16
#define CALLS_LONGEST 127

/* Checks CALLS: function, or library!function. */
static void check_calls(const struct control_statement *statement, struct diag_list *diags)
{
	const struct control_operand *calls = control_operand(statement, FORM_INIT, "CALLS");
	size_t count = 0;

	for (const struct control_value *one = calls ? calls->values : NULL; one;
	     one = one->next) {
		const char *mark = strchr(one->text, '!'), *function = mark ? mark + 1 : one->text;
		size_t library = mark ? (size_t)(mark - one->text) : 0;

		if (!*function || (mark && !library) || strchr(function, '!') ||
		    strlen(function) > CALLS_LONGEST || library > CALLS_LONGEST)
			diag_add(diags, SEVERITY_ERROR, 2165, &one->location,
				 "%s names no function; expected function or library!function, each "
				 "of at most %d characters",
				 one->text, CALLS_LONGEST);
		if (++count == CALLS_MAX + 1)
			diag_add(diags, SEVERITY_ERROR, 2166, &one->location,
				 "CALLS takes at most %d patterns", CALLS_MAX);
	}
}

/* Checks ONLINE=ON, whose buffer has single events. */
static void check_online(const struct control_statement *init, struct diag_list *diags)
{
	static const char *const others[] = { "CONSOLIDATE", "COVERAGE" };
	const struct control_operand *online = control_operand(init, FORM_INIT, "ONLINE");

	for (size_t i = 0; i < ARRAY_SIZE(others); i++)
		if (control_has_value(init, FORM_INIT, "ONLINE", "ON") &&
		    control_has_value(init, FORM_INIT, others[i], "ON"))
			diag_add(diags, SEVERITY_ERROR, 2123, &online->location,
				 "ONLINE=ON and %s=ON exclude each other: the buffer holds the newest "
				 "events one by one",
				 others[i]);
}

static void check_init(struct control_block_state *state, const struct control_statement *statement,
		       struct diag_list *diags)
{
	const struct control_operand *interval = control_operand(statement, FORM_INIT, "INTERVAL");
	const struct control_operand *coverage = control_operand(statement, FORM_INIT, "COVERAGE");
	bool sampling = control_has_value(statement, FORM_INIT, "SAMPLING", "ON");
	const struct control_operand *functions =
		control_operand(statement, FORM_INIT, "FUNCTIONS");
	bool covered = control_has_value(statement, FORM_INIT, "COVERAGE", "ON");

	if (functions && covered)
		diag_add(diags, SEVERITY_ERROR, 2160, &functions->location,
			 "FUNCTIONS and COVERAGE=ON exclude each other: both change the program's "
			 "instructions");
	if (state->init)
		diag_add(diags, SEVERITY_ERROR, 2130, &statement->location,
			 "the profiler was initialized already on line %u; expected one "
			 "FUNCTION=INIT",
			 state->init->location.line);
	else
		check_before_init(state, statement, diags);
	state->init = statement;
	state->started = false;
	check_calls(statement, diags);
	check_online(statement, diags);
	if (interval && !sampling)
		diag_add(diags, SEVERITY_ERROR, 2123, &interval->location,
			 "INTERVAL without SAMPLING=ON has no meaning");
	if (covered && sampling)
		diag_add(diags, SEVERITY_ERROR, 2123, &coverage->location,
			 "COVERAGE=ON and SAMPLING=ON exclude each other: coverage needs every "
			 "statement");
}

static void check_start(struct control_block_state *state,
			const struct control_statement *statement, struct diag_list *diags)
{
	if (state->started)
		diag_add(diags, SEVERITY_WARNING, 2132, &statement->location,
			 "the profiler is started already; this changes nothing");
	state->started = true;
}

/* Checks that FROM is not above TO. */
static void check_order(const struct control_statement *statement, const struct control_form *form,
			struct diag_list *diags)
{
	const struct control_operand *from = control_operand(statement, form->bit, "FROM");
	const struct control_operand *to = control_operand(statement, form->bit, "TO");
	uint64_t low = 0, high = 0;

	if (from && to && from->values && to->values &&
	    control_read_bound(from->values->text, &low) &&
	    control_read_bound(to->values->text, &high) && low > high)
		diag_add(diags, SEVERITY_ERROR, 2113, &from->location,
			 "the filter begins after it ends: %s is above %s", from->values->text,
			 to->values->text);
}

/* Checks FROM and TO of the filters by count and time. */
static void check_from_to(const struct control_statement *statement,
			  const struct control_form *form, struct diag_list *diags)
{
	if (!control_operand(statement, form->bit, "FROM") &&
	    !control_operand(statement, form->bit, "TO"))
		diag_add(diags, SEVERITY_ERROR, 2124, &statement->location,
			 "FILTER=%s filters nothing; expected FROM or TO", statement->name);
	check_order(statement, form, diags);
}

/* Checks that there is only one filter by count and one by time. */
static void check_once(const struct control_statement **given,
		       const struct control_statement *statement, struct diag_list *diags)
{
	if (*given)
		diag_add(diags, SEVERITY_ERROR, 2102, &statement->location,
			 "FILTER=%s is given twice; the first is on line %u", statement->name,
			 (*given)->location.line);
	else
		*given = statement;
}

/* Returns whether a word of EVENT names statement events. */
static bool names_statements(const char *word)
{
	return strcmp(word, "N") == 0 || strcmp(word, "NS") == 0;
}

/* Natural events that have no source on Linux. */
static const char sourceless[] = "I IB IA E";

/* Checks EVENT, together with STATEMENT. */
static void check_events(const struct control_statement *statement, unsigned form,
			 struct diag_list *diags)
{
	const struct control_operand *events = control_operand(statement, form, "EVENT");
	bool off = control_has_value(statement, form, "STATEMENT", "OFF") ||
		   control_has_value(statement, form, "STATEMENT", "COUNT");

	for (const struct control_value *word = events ? events->values : NULL; word;
	     word = word->next) {
		if (strcmp(word->text, "ALL") == 0 && (word->next || word != events->values))
			diag_add(diags, SEVERITY_ERROR, 2123, &word->location,
				 "ALL names every event; expected it alone");
		if (control_in_words("R RO RI RS RW", word->text))
			diag_add(diags, SEVERITY_ERROR, 2902, &word->location,
				 "EVENT=%s is not carried out by this version: there are no remote "
				 "procedure calls of Natural on Linux",
				 word->text);
		if (control_in_words(sourceless, word->text))
			diag_add(diags, SEVERITY_WARNING, 2133, &word->location,
				 "EVENT=%s names events that do not occur on Linux; none will be "
				 "recorded",
				 word->text);
		if (off && names_statements(word->text))
			diag_add(
				diags, SEVERITY_ERROR, 2123, &word->location,
				"EVENT=%s and STATEMENT=OFF or COUNT exclude each other: with them "
				"there are no statement events",
				word->text);
	}
}

static void check_filter(struct control_block_state *state,
			 const struct control_statement *statement, const struct control_form *form,
			 struct diag_list *diags)
{
	if (form->bit == FORM_COUNT || form->bit == FORM_TIME) {
		check_once(form->bit == FORM_COUNT ? &state->count : &state->time, statement,
			   diags);
		check_from_to(statement, form, diags);
	} else if (!statement->operands) {
		diag_add(diags, SEVERITY_ERROR, 2124, &statement->location,
			 "FILTER=%s filters nothing; expected a keyword after it", statement->name);
	}
}

/* Checks a function on resources: CONSOLIDATE and READ use one, DELETE those it names. */
static void check_resource(const struct control_statement *statement,
			   const struct control_form *form, struct diag_list *diags)
{
	bool named = control_operand(statement, form->bit, "RESOURCE") != NULL;

	if (form->bit == FORM_FUNCTION_DELETE && !named &&
	    !control_operand(statement, form->bit, "OLDER"))
		diag_add(diags, SEVERITY_ERROR, 2135, &statement->location,
			 "FUNCTION=DELETE does not say what; expected RESOURCE=name or OLDER=days");
	else if ((form->bit == FORM_CONSOLIDATE || form->bit == FORM_READ) && !named)
		diag_add(diags, SEVERITY_ERROR, 2135, &statement->location,
			 "FUNCTION=%s does not say which resource; expected "
			 "RESOURCE=name", form->name);
}

void control_block_check(struct control_block_state *state,
			 const struct control_statement *statement, const struct control_form *form,
			 struct diag_list *diags)
{
	switch (form->bit) {
	case FORM_INIT:
		check_init(state, statement, diags);
		check_events(statement, form->bit, diags);
		if (control_operand(statement, form->bit, "COUNT"))
			state->count = statement;
		if (control_operand(statement, form->bit, "TIME"))
			state->time = statement;
		break;
	case FORM_START:
		check_start(state, statement, diags);
		break;
	case FORM_PAUSE:
		state->started = false;
		break;
	case FORM_EVENT:
		check_events(statement, form->bit, diags);
		check_filter(state, statement, form, diags);
		break;
	case FORM_PROGRAM:
	case FORM_COUNT:
	case FORM_TIME:
		check_filter(state, statement, form, diags);
		break;
	case FORM_READ:
		check_events(statement, form->bit, diags);
		check_order(statement, form, diags);
		check_resource(statement, form, diags);
		break;
	case FORM_CONSOLIDATE:
	case FORM_FUNCTION_DELETE:
		check_resource(statement, form, diags);
		break;
	default:
		break;
	}
}

/* Returns KEYWORD=(from,to). */
static struct control_range range_of(const struct control_statement *statement, unsigned form,
				     const char *keyword)
{
	const struct control_operand *operand = control_operand(statement, form, keyword);
	struct control_range range = { .given = operand != NULL };

	if (operand) {
		control_read_bound(operand->values->text, &range.from);
		control_read_bound(operand->values->next->text, &range.to);
	}
	return range;
}

/* Returns FROM and TO. */
static struct control_range bounds_of(const struct control_statement *statement, unsigned form)
{
	const struct control_operand *from = control_operand(statement, form, "FROM");
	const struct control_operand *to = control_operand(statement, form, "TO");
	struct control_range range = { .given = from || to };

	if (from)
		control_read_bound(from->values->text, &range.from);
	if (to)
		control_read_bound(to->values->text, &range.to);
	return range;
}

static enum control_statement_events read_statements(const struct control_statement *statement,
						     unsigned form)
{
	if (control_has_value(statement, form, "STATEMENT", "ON"))
		return CONTROL_STATEMENTS_ON;
	if (control_has_value(statement, form, "STATEMENT", "COUNT"))
		return CONTROL_STATEMENTS_COUNT;
	return control_operand(statement, form, "STATEMENT") ? CONTROL_STATEMENTS_OFF
							     : CONTROL_STATEMENTS_NOT_GIVEN;
}

/* Sets what EVENT and STATEMENT request; naming statement events switches them on. */
static void fill_events(struct control_filter *filter, const struct control_statement *statement,
			unsigned form)
{
	filter->events = control_texts_of(statement, form, "EVENT", &filter->event_count);
	filter->statements = read_statements(statement, form);
	filter->run_time = control_switch_of(statement, form, "FNAT");
	for (size_t i = 0; i < filter->event_count; i++)
		if (filter->statements == CONTROL_STATEMENTS_NOT_GIVEN &&
		    names_statements(filter->events[i]))
			filter->statements = CONTROL_STATEMENTS_ON;
}

static void fill_program(struct control_filter *filter, const struct control_statement *statement,
			 unsigned form)
{
	filter->library = control_text_of(statement, form, "LIBRARY");
	filter->program = control_text_of(statement, form, "PROGRAM");
	filter->lines = range_of(statement, form, "LINE");
}

static enum control_sort read_sort(const struct control_statement *statement)
{
	static const struct {
		const char *word;
		enum control_sort sort;
	} words[] = {
		{ "NAME", CONTROL_SORT_NAME },	       { "HITS", CONTROL_SORT_HITS },
		{ "CPU", CONTROL_SORT_CPU },	       { "ELAPSED", CONTROL_SORT_ELAPSED },
		{ "DATABASE", CONTROL_SORT_DATABASE }, { "PERCENT", CONTROL_SORT_PERCENT },
	};

	for (size_t i = 0; i < ARRAY_SIZE(words); i++)
		if (control_has_value(statement, FORM_READ, "SORT", words[i].word))
			return words[i].sort;
	return CONTROL_SORT_NOT_GIVEN;
}

static void fill_resource(struct control_resource *resource,
			  const struct control_statement *statement, unsigned form)
{
	resource->name = control_text_of(statement, form, "RESOURCE");
	resource->library = control_text_of(statement, form, "RESOURCE-LIB");
	resource->replace = control_has_value(statement, form, "REPLACE", "ON") ||
			    control_has_value(statement, form, "REPLACE", "YES");
}

static void fill_init(struct control_statement *statement)
{
	struct control_init *init = &statement->init;

	if (control_has_value(statement, FORM_INIT, "SAMPLING", "ON")) {
		init->interval = control_number_of(statement, FORM_INIT, "INTERVAL");
		init->interval = init->interval ? init->interval : DEFAULT_INTERVAL;
	}
	init->consolidate = control_has_value(statement, FORM_INIT, "CONSOLIDATE", "ON");
	init->coverage = control_has_value(statement, FORM_INIT, "COVERAGE", "ON");
	init->trace = control_has_value(statement, FORM_INIT, "TRACE", "ON");
	init->calls = control_texts_of(statement, FORM_INIT, "CALLS", &init->call_count);
	init->shapes = control_has_value(statement, FORM_INIT, "SQL", "SHAPE");
	init->online = control_has_value(statement, FORM_INIT, "ONLINE", "ON");
	init->functions = control_texts_of(statement, FORM_INIT, "FUNCTIONS", &init->function_count);
	fill_events(&init->filter, statement, FORM_INIT);
	fill_program(&init->filter, statement, FORM_INIT);
	init->filter.count = range_of(statement, FORM_INIT, "COUNT");
	init->filter.time = range_of(statement, FORM_INIT, "TIME");
	fill_resource(&init->resource, statement, FORM_INIT);
}

static void fill_read(struct control_operation *operation,
		      const struct control_statement *statement)
{
	const struct control_operand *export = control_operand(statement, FORM_READ, "EXPORT");
	char *format = control_text_of(statement, FORM_READ, "FORMAT");
	char *below = control_text_of(statement, FORM_READ, "BELOW");

	operation->reports =
		control_texts_of(statement, FORM_READ, "REPORT", &operation->report_count);
	if (operation->report_count == 1 && strcmp(operation->reports[0], "ALL") == 0) {
		control_free_texts(operation->reports, 1);
		operation->reports = NULL;
		operation->report_count = 0;
	}
	operation->export = control_text_of(statement, FORM_READ, "EXPORT");
	operation->export_quoted = export && export->values->quoted;
	operation->format = control_read_format(format);
	operation->sort = read_sort(statement);
	operation->missed = control_has_value(statement, FORM_READ, "MISSED", "ON");
	if (!below || !control_read_percent(below, &operation->below))
		operation->below = 0;
	fill_events(&operation->filter, statement, FORM_READ);
	fill_program(&operation->filter, statement, FORM_READ);
	operation->filter.time = bounds_of(statement, FORM_READ);
	free(format);
	free(below);
}

static void fill_operation(struct control_operation *operation,
			   const struct control_statement *statement, unsigned form)
{
	fill_resource(&operation->resource, statement, form);
	if (form == FORM_READ)
		fill_read(operation, statement);
	if (form != FORM_FUNCTION_DELETE)
		return;
	operation->age_given = control_operand(statement, form, "OLDER") != NULL;
	operation->older = control_number_of(statement, form, "OLDER");
}

static void fill_filter(struct control_filter *filter, const struct control_statement *statement,
			unsigned form)
{
	if (form == FORM_EVENT)
		fill_events(filter, statement, form);
	else if (form == FORM_PROGRAM)
		fill_program(filter, statement, form);
	else if (form == FORM_COUNT)
		filter->count = bounds_of(statement, form);
	else
		filter->time = bounds_of(statement, form);
}

void control_block_fill(struct control_statement *statement, const struct control_form *form)
{
	if (form->bit == FORM_INIT) {
		statement->payload = CONTROL_INITIAL;
		fill_init(statement);
	} else if (form->verb == CONTROL_FILTER) {
		statement->payload = CONTROL_FILTERING;
		fill_filter(&statement->filter, statement, form->bit);
	} else if (statement->function >= CONTROL_CONSOLIDATE_RESOURCE) {
		statement->payload = CONTROL_OPERATION;
		fill_operation(&statement->operation, statement, form->bit);
	}
}
