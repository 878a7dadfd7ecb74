/* SPDX-License-Identifier: Apache-2.0 */
/* Tests of control statements: the tables of tests/control, typed values, and damaged input. */
#include "common/compat.h"
#include "parser/control.h"
#include "common/xalloc.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The result of one input. */
struct outcome {
	struct source *source;
	struct diag_list diags;
	struct control_deck *deck;
	struct strbuf print;
};

static void outcome_init(struct outcome *outcome, const char *text, size_t length, bool cards)
{
	*outcome = (struct outcome){ .diags = DIAG_LIST_INIT, .print = STRBUF_INIT };
	outcome->source = source_new("test", text, length);
	outcome->deck = control_parse(outcome->source, cards, &outcome->diags);
	control_check(outcome->deck, &outcome->diags);
	diag_sort(&outcome->diags);
	control_print(outcome->deck, &outcome->print);
}

static void outcome_release(struct outcome *outcome)
{
	control_free(outcome->deck);
	diag_list_release(&outcome->diags);
	source_free(outcome->source);
	strbuf_release(&outcome->print);
}

/* Appends "2107E@1:15 2123E@2:4", or "ok". */
static void format_diags(const struct diag_list *diags, struct strbuf *sb)
{
	static const char letters[] = { 'I', 'W', 'E', 'S' };

	for (size_t i = 0; i < diags->count; i++)
		strbuf_addf(sb, "%s%u%c@%u:%u", i ? " " : "", diags->items[i].number,
			    letters[diags->items[i].severity / 4], diags->items[i].location.line,
			    diags->items[i].location.column);
	if (!diags->count)
		strbuf_addstr(sb, "ok");
}

/* Returns whether the tree is complete: no message from scanner or grammar. */
static bool is_whole(const struct diag_list *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		if (diags->items[i].number < 2100)
			return false;
	return true;
}

/*
 * Checks what must hold for any input: locations are in the source, and the print
 * has the same meaning.
 */
static void check_rules(const struct outcome *outcome)
{
	struct outcome again;

	for (size_t i = 0; i < outcome->diags.count; i++) {
		const struct location *at = &outcome->diags.items[i].location;

		assert_non_null(at->source);
		assert_in_range(at->line, 1, at->source->line_count);
		assert_in_range(at->column, 1, at->source->lines[at->line - 1].length + 1);
		assert_true(at->length >= 1);
	}
	if (!is_whole(&outcome->diags))
		return;
	outcome_init(&again, outcome->print.text, outcome->print.length, false);
	assert_true(control_equal(outcome->deck, again.deck));
	assert_string_equal(outcome->print.text, again.print.text);
	outcome_release(&again);
}

/* Appends a table's text with \n, \t, \\ and \xNN replaced. */
static void unescape(const char *text, size_t length, struct strbuf *sb)
{
	for (size_t i = 0; i < length; i++) {
		if (text[i] != '\\' || i + 1 >= length) {
			strbuf_addch(sb, text[i]);
			continue;
		}
		i++;
		if (text[i] == 'x' && i + 2 < length) {
			char digits[3] = { text[i + 1], text[i + 2], '\0' };

			strbuf_addch(sb, (char)strtoul(digits, NULL, 16));
			i += 2;
		} else {
			strbuf_addch(sb, text[i] == 'n' ? '\n' : text[i] == 't' ? '\t' : text[i]);
		}
	}
}

/* One row of a table: input, outcome, canonical print. */
struct row {
	struct strbuf input, outcome, print;
	bool cards;
	const char *table;
	unsigned line;
};

static void row_release(struct row *row)
{
	strbuf_release(&row->input);
	strbuf_release(&row->outcome);
	strbuf_release(&row->print);
}

/* Splits a line at its tabs; false for comments and empty lines. */
static bool read_row(struct row *row, const struct source_line *line, const char *table,
		     unsigned number)
{
	const char *first = memchr(line->text, '\t', line->length);
	const char *end = line->text + line->length;
	const char *second;

	if (!line->length || line->text[0] == '#')
		return false;
	assert_non_null(first);
	second = memchr(first + 1, '\t', (size_t)(end - first - 1));
	assert_non_null(second);
	*row = (struct row){ .input = STRBUF_INIT,
			     .outcome = STRBUF_INIT,
			     .print = STRBUF_INIT,
			     .table = table,
			     .line = number,
			     .cards = strncmp(table, "cards", 5) == 0 };
	unescape(line->text, (size_t)(first - line->text), &row->input);
	strbuf_add(&row->outcome, first + 1, (size_t)(second - first - 1));
	unescape(second + 1, (size_t)(end - second - 1), &row->print);
	return true;
}

/* Calls function for each row of each table; returns the number of rows. */
static unsigned each_row(void (*function)(const struct row *row))
{
	struct strbuf folder = STRBUF_INIT;
	const char *source = getenv("VIGIL_SOURCE");
	struct dirent **names;
	unsigned count = 0;
	int files;

	strbuf_addf(&folder, "%s/tests/control", source ? source : ".");
	files = scandir(folder.text, &names, NULL, alphasort);
	assert_true(files > 0);
	for (int i = 0; i < files; i++) {
		struct strbuf path = STRBUF_INIT;
		struct error err = ERROR_INIT;
		struct source *table;
		struct row row;

		strbuf_addf(&path, "%s/%s", folder.text, names[i]->d_name);
		table = strstr(names[i]->d_name, ".tsv") ? source_read(path.text, &err) : NULL;
		for (size_t j = 0; table && j < table->line_count; j++) {
			if (!read_row(&row, &table->lines[j], names[i]->d_name, (unsigned)j + 1))
				continue;
			function(&row);
			row_release(&row);
			count++;
		}
		source_free(table);
		strbuf_release(&path);
		error_release(&err);
		free(names[i]);
	}
	free(names);
	strbuf_release(&folder);
	return count;
}

static void check_row(const struct row *row)
{
	struct strbuf found = STRBUF_INIT;
	struct outcome outcome;

	outcome_init(&outcome, row->input.text, row->input.length, row->cards);
	format_diags(&outcome.diags, &found);
	if (strcmp(found.text, row->outcome.text) != 0 ||
	    strcmp(outcome.print.text, row->print.text) != 0)
		print_error("%s:%u: %s\n", row->table, row->line, row->input.text);
	assert_string_equal(found.text, row->outcome.text);
	assert_string_equal(outcome.print.text, row->print.text);
	check_rules(&outcome);
	outcome_release(&outcome);
	strbuf_release(&found);
}

static void tables_hold(void **state UNUSED)
{
	assert_true(each_row(check_row) > 150);
}

static uint32_t random_state;

/* Returns a number below limit, the same in every run. */
static size_t pick(size_t limit)
{
	random_state = random_state * 1664525u + 1013904223u;
	return limit ? (size_t)(random_state >> 8) % limit : 0;
}

/* Changes one position of a text. */
static void mutate(struct strbuf *text)
{
	static const char *const pieces[] = { ",",
					      "(",
					      ")",
					      "=",
					      "'",
					      "\n",
					      " ",
					      ";",
					      "/*",
					      "*",
					      "ADD ",
					      "PROFILER\n",
					      "FUNCTION=",
					      "END",
					      "1",
					      "\xff",
					      "99999999999999999999",
					      "STEP=" };
	size_t at = pick(text->length + 1), length = pick(8);
	struct strbuf changed = STRBUF_INIT;
	const char *piece;

	strbuf_add(&changed, text->text, at);
	switch (pick(3)) {
	case 0:
		piece = pieces[pick(ARRAY_SIZE(pieces))];
		strbuf_addstr(&changed, piece);
		break;
	case 1:
		at = at + length < text->length ? at + length : text->length;
		break;
	default:
		strbuf_addch(&changed, (char)pick(256));
		at += at < text->length;
	}
	strbuf_add(&changed, text->text + at, text->length - at);
	strbuf_release(text);
	*text = changed;
}

static void mutate_row(const struct row *row)
{
	random_state = row->line;
	for (unsigned round = 0; round < 40; round++) {
		struct strbuf text = STRBUF_INIT;
		struct outcome outcome;

		strbuf_addbuf(&text, &row->input);
		for (unsigned change = 0; change <= round % 4; change++)
			mutate(&text);
		outcome_init(&outcome, text.text, text.length, round & 1);
		check_rules(&outcome);
		outcome_release(&outcome);
		strbuf_release(&text);
	}
}

static void damaged_input_keeps_the_rules(void **state UNUSED)
{
	assert_true(each_row(mutate_row) > 150);
}

/* Returns the first statement of a text that must be without errors. */
static const struct control_statement *first_of(struct outcome *outcome, const char *text)
{
	outcome_init(outcome, text, strlen(text), false);
	assert_int_equal(diag_max_severity(&outcome->diags), SEVERITY_INFO);
	assert_non_null(outcome->deck->statements);
	assert_true(outcome->deck->statements->checked);
	return outcome->deck->statements;
}

static void add_fills_the_request(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request =
		&first_of(&outcome, "add pay*,step=calc.p1,program='paycalc',samples=20000,cost=2.5,\n"
				    "  session=5,limit=(3,stop),queued\n")
			 ->request;

	assert_string_equal(request->job, "PAY*");
	assert_string_equal(request->step, "CALC");
	assert_string_equal(request->procstep, "P1");
	assert_string_equal(request->program, "paycalc");
	assert_true(request->cost > 2.49 && request->cost < 2.51);
	assert_int_equal(request->samples, 20000);
	assert_int_equal(request->session_minutes, 5);
	assert_true(request->limit_given);
	assert_int_equal(request->limit, 3);
	assert_int_equal(request->action, CONTROL_STOP);
	assert_false(request->no_limit);
	assert_false(request->active);
	assert_true(control_samples(outcome.deck->statements));
	outcome_release(&outcome);
}

static void limit_has_its_forms(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request = &first_of(&outcome, "ADD *,LIMIT=7")->request;

	assert_true(request->limit_given && !request->no_limit);
	assert_int_equal(request->limit, 7);
	assert_int_equal(request->action, CONTROL_QUIT);
	outcome_release(&outcome);
	request = &first_of(&outcome, "ADD *,LIMIT=(1,CONTINUE)")->request;
	assert_true(request->no_limit);
	outcome_release(&outcome);
	request = &first_of(&outcome, "ADD *,NOLIMIT")->request;
	assert_true(request->no_limit && !request->limit_given);
	assert_null(request->step);
	assert_null(request->program);
	outcome_release(&outcome);
}

static void report_is_filled(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_report *report =
		&first_of(&outcome,
			  "REPORT INPUT='a.vprf',REPORTS=(MSD,psu),FORMAT=CSV,\n"
			  "DSNAME=OUT,BASELINE=0.5,RESOLUTION=16,ALL,MARGINS,TITLE='Pay day'")
			 ->report;

	assert_string_equal(report->input, "a.vprf");
	assert_true(report->input_quoted && !report->dsname_quoted);
	assert_int_equal(report->code_count, 2);
	assert_string_equal(report->codes[1], "PSU");
	assert_int_equal(report->format, REPORT_CSV);
	assert_int_equal(report->lines, 60);
	assert_string_equal(report->dsname, "OUT");
	assert_true(report->baseline_given && report->baseline > 0.49 && report->baseline < 0.51);
	assert_int_equal(report->resolution, 16);
	assert_true(report->all && report->margins && !report->ansi_control);
	assert_string_equal(report->title, "Pay day");
	outcome_release(&outcome);
	report = &first_of(&outcome, "REPORT PAY,REPORTS=CTR,BY=THREAD")->report;
	assert_true(report->by_thread && !report->by_transaction);
	outcome_release(&outcome);
	report = &first_of(&outcome, "REPORT PAY,PROCEDURE='a.c:Main',BY=TRANSACTION")->report;
	assert_string_equal(report->procedure, "a.c:Main");
	assert_true(report->by_transaction && !report->by_thread);
	outcome_release(&outcome);
	report = &first_of(&outcome, "REPORT PAY,STEP=CALC,REPORTS=ALL,LINES=0,ASA")->report;
	assert_true(!report->by_transaction && !report->by_thread);
	assert_int_equal(report->code_count, 0);
	assert_int_equal(report->lines, 0);
	assert_string_equal(report->job, "PAY");
	assert_true(report->ansi_control);
	outcome_release(&outcome);
}

static void a_block_has_its_typed_parts(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_statement *init =
		first_of(&outcome,
			 "PROFILER\nFUNCTION=INIT,SAMPLING=ON,INTERVAL=500,CONSOLIDATE=ON,TRACE=ON\n"
			 "RESOURCE='Run 1',RESOURCE-LIB='/srv/p',REPLACE=YES,EVENT=(P,K),FNAT=ON\n"
			 "LIBRARY=PAY,PROGRAM='x*',LINE=(3,9),COUNT=(5,8),TIME=(00:01:00,00:02:01)\n"
			 "FILTER=PROGRAM,PROGRAM=B\nFUNCTION=START\n"
			 "END-PROFILER\n");
	const struct control_filter *filter = &init->init.filter;

	assert_true(control_is_function(init, CONTROL_INIT) && control_collects(init));
	assert_false(control_samples(init));
	assert_int_equal(init->init.interval, 500);
	assert_true(init->init.consolidate && init->init.trace && !init->init.coverage);
	assert_string_equal(init->init.resource.name, "Run 1");
	assert_string_equal(init->init.resource.library, "/srv/p");
	assert_true(init->init.resource.replace);
	assert_int_equal(filter->event_count, 2);
	assert_string_equal(filter->events[1], "K");
	assert_int_equal(filter->statements, CONTROL_STATEMENTS_NOT_GIVEN);
	assert_int_equal(filter->run_time, CONTROL_SWITCH_ON);
	assert_string_equal(filter->library, "PAY");
	assert_string_equal(filter->program, "x*");
	assert_int_equal(filter->lines.from, 3);
	assert_int_equal(filter->lines.to, 9);
	assert_int_equal(filter->count.to, 8);
	assert_int_equal(filter->time.from, 60);
	assert_int_equal(filter->time.to, 121);
	filter = &init->next->filter;
	assert_string_equal(filter->program, "B");
	assert_null(filter->library);
	assert_false(filter->lines.given || filter->count.given || filter->time.given);
	assert_true(control_is_function(init->next->next, CONTROL_START));
	outcome_release(&outcome);
}

static void defaults_of_a_block(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_statement *init =
		first_of(&outcome, "PROFILER\nFUNCTION=INIT\nFILTER=EVENT,EVENT=(P,NS)\n"
				   "FILTER=TIME,TO=00:00:05\nEND-PROFILER\n");

	assert_int_equal(init->init.interval, 0);
	assert_false(init->init.consolidate || init->init.trace || init->init.resource.replace);
	assert_null(init->init.resource.name);
	/* Naming statement events switches them on. */
	assert_int_equal(init->next->filter.statements, CONTROL_STATEMENTS_ON);
	assert_int_equal(init->next->filter.run_time, CONTROL_SWITCH_NOT_GIVEN);
	assert_int_equal(init->next->next->filter.time.from, 0);
	assert_int_equal(init->next->next->filter.time.to, 5);
	outcome_release(&outcome);
	init = first_of(&outcome, "PROFILER\nFUNCTION=INIT,SAMPLING=ON\nEND-PROFILER\n");
	assert_int_equal(init->init.interval, 1000);
	outcome_release(&outcome);
}

/* Parses and checks a text, as a job's queue or as statements; returns the number of messages. */
static size_t checked(struct control_deck **deck, struct source **source, const char *text, bool queue)
{
	struct diag_list diags = DIAG_LIST_INIT;
	size_t count;

	*source = source_new("QUEUE", text, strlen(text));
	*deck = queue ? control_parse_queue(*source, &diags) : control_parse(*source, false, &diags);
	control_check(*deck, &diags);
	count = diags.count;
	diag_list_release(&diags);
	return count;
}

/* Input written by earlier versions is read, and written back unchanged. */
static void a_queue_of_a_job_is_several_inputs(void **state UNUSED)
{
	static const char text[] = "PDPSIZE=5000\nADD PAY,STEP=CALC\nEND\n"
				   "PROFILER\nFUNCTION=INIT\nEND-PROFILER\nEND\n"
				   "PROFILER\nFUNCTION=INIT\nEND-PROFILER\n"
				   "CHANGE 1,SAMPLES=9000\nEND\nPDPSIZE=200\n";
	struct strbuf printed = STRBUF_INIT;
	const struct control_statement *one;
	struct control_deck *deck;
	struct source *source;

	assert_int_equal(checked(&deck, &source, text, true), 0);
	assert_int_equal(deck->inputs, 4);
	one = deck->statements;
	assert_int_equal(one->verb, CONTROL_PDPSIZE);
	assert_true(one->checked);
	assert_string_equal(one->operands->values->text, "5000");
	one = one->next;
	assert_int_equal(one->request.samples, 9000);
	assert_int_equal(one->input, 1);
	one = one->next->next;
	assert_true(control_is_function(one, CONTROL_INIT));
	assert_int_equal(one->input, 2);
	one = one->next->next;
	assert_true(control_is_function(one, CONTROL_INIT)); /* once per input */
	assert_int_equal(one->input, 3);
	control_print(deck, &printed);
	assert_string_equal(printed.text, text);
	strbuf_release(&printed);
	control_free(deck);
	source_free(source);
	/* Elsewhere this statement does not exist, and END ends everything. */
	assert_int_equal(checked(&deck, &source, "PDPSIZE=5000\n", false), 1);
	assert_null(deck->statements);
	control_free(deck);
	source_free(source);
	assert_int_equal(checked(&deck, &source, "END\nADD PAY\n", false), 1);
	control_free(deck);
	source_free(source);
	/* It takes one number. */
	assert_int_equal(checked(&deck, &source, "PDPSIZE=many\n", true), 1);
	control_free(deck);
	source_free(source);
	assert_int_not_equal(checked(&deck, &source, "PDPSIZE=(1,2)\n", true), 0);
	control_free(deck);
	source_free(source);
}

/* A statement has the typed part of its kind, and none if it has errors. */
static void the_payload_is_of_the_statement(void **state UNUSED)
{
	static const char text[] = "ADD A\nREPORT B\nCOMPARE BASE='a',INPUT='b'\nCOLLECT COUNT=1\n"
				   "RUNOPTS 'PROFILE(ON,''x'')'\nADD A,SAMPLES=1\n"
				   "PROFILER\nFUNCTION=INIT\nFILTER=COUNT,TO=5\nFUNCTION=START\n"
				   "FUNCTION=LIST\nFUNCTION=NONE\nEND-PROFILER\n";
	static const enum control_payload expected[] = {
		CONTROL_REQUEST,   CONTROL_REPORTING,  CONTROL_COMPARISON, CONTROL_COLLECTION,
		CONTROL_NO_PAYLOAD, CONTROL_NO_PAYLOAD, CONTROL_INITIAL,    CONTROL_FILTERING,
		CONTROL_NO_PAYLOAD, CONTROL_OPERATION,	CONTROL_NO_PAYLOAD,
	};
	const struct control_statement *one;
	struct control_deck *deck;
	struct source *source;

	assert_int_equal(checked(&deck, &source, text, false), 2);
	one = deck->statements;
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++, one = one->next)
		assert_int_equal(one->payload, expected[i]);
	assert_null(one);
	control_free(deck);
	source_free(source);
}

static void statements_with_errors_ask_for_nothing(void **state UNUSED)
{
	static const char text[] =
		"ADD A,SAMPLES=1\nPROFILER\nFUNCTION=INIT,INTERVAL=7\nEND-PROFILER\n";
	struct outcome outcome;

	outcome_init(&outcome, text, strlen(text), false);
	assert_false(control_samples(outcome.deck->statements));
	assert_false(control_collects(outcome.deck->statements->next));
	outcome_release(&outcome);
}

static void collectors_are_in_the_request(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request =
		&first_of(&outcome, "ADD PAY,DCC=(STRBA,STRBB),DCCPARM=('','x y'),DCCLIB='/lib',\n"
				    "  MAPPROG=(ONE,TWO)\n")
			 ->request;

	assert_int_equal(request->collector_count, 2);
	assert_string_equal(request->collectors[0], "STRBA");
	assert_string_equal(request->collectors[1], "STRBB");
	assert_int_equal(request->parameter_count, 2);
	assert_string_equal(request->parameters[0], "");
	assert_string_equal(request->parameters[1], "x y");
	assert_string_equal(request->collector_library, "/lib");
	assert_int_equal(request->map_program_count, 2);
	assert_string_equal(request->map_programs[1], "TWO");
	outcome_release(&outcome);
}

static void change_alters_the_request_before_it(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request =
		&first_of(&outcome,
			  "ADD PAY,STEP=A.P,SAMPLES=2000,DCC=STRBA,DCCPARM='old',LIMIT=(2,STOP)\n"
			  "ADD ORD,SAMPLES=4000\n"
			  "CHANGE 1,STEP=B,SAMPLES=3000,NOLIMIT,DCC=(STRBC,STRBD),DCCLIB='/new'\n"
			  "CHANGE ORD,DCC=STRBE,MAPPROG=M\nCHANGE PAY,DCCPARM=('','two')\n")
			 ->request;
	const struct control_request *other = &outcome.deck->statements->next->request;

	assert_string_equal(request->step, "B");
	assert_null(request->procstep);
	assert_int_equal(request->samples, 3000);
	assert_true(request->no_limit);
	assert_false(request->limit_given);
	assert_int_equal(request->collector_count, 2);
	assert_string_equal(request->collectors[1], "STRBD");
	assert_int_equal(request->parameter_count, 2);
	assert_string_equal(request->parameters[1], "two");
	assert_string_equal(request->collector_library, "/new");
	assert_int_equal(other->samples, 4000);
	assert_string_equal(other->collectors[0], "STRBE");
	assert_string_equal(other->map_programs[0], "M");
	outcome_release(&outcome);
}

/* The number and the action of a limit change together. */
static void change_of_a_limit_takes_its_action(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request =
		&first_of(&outcome, "ADD PAY,LIMIT=(5,STOP)\nADD ORD,LIMIT=(5,QUIT)\n"
				    "CHANGE PAY,LIMIT=(3,QUIT)\nCHANGE ORD,LIMIT=(4,STOP)\n")
			 ->request;
	const struct control_request *other = &outcome.deck->statements->next->request;

	assert_int_equal(request->limit, 3);
	assert_int_equal(request->action, CONTROL_QUIT);
	assert_int_equal(other->limit, 4);
	assert_int_equal(other->action, CONTROL_STOP);
	outcome_release(&outcome);
}

static void change_with_other_collectors_drops_the_parameters_of_the_old(void **state UNUSED)
{
	struct outcome outcome;
	const struct control_request *request =
		&first_of(&outcome, "ADD PAY,DCC=STRBA,DCCPARM='old'\nCHANGE PAY,DCC=STRBB\n")
			 ->request;

	assert_string_equal(request->collectors[0], "STRBB");
	assert_int_equal(request->parameter_count, 0);
	outcome_release(&outcome);
}

static void long_inputs_take_time_in_proportion(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT;
	struct outcome outcome;

	strbuf_addstr(&text, "PROFILER\nFUNCTION=INIT\n");
	for (unsigned i = 0; i < 50000; i++)
		strbuf_addf(&text, "K%u=1\n", i);
	strbuf_addstr(&text, "END-PROFILER\nADD *,STARTDAY=(");
	for (unsigned i = 0; i < 50000; i++)
		strbuf_addf(&text, "D%u,\n", i);
	strbuf_addstr(&text, "D)\n");
	outcome_init(&outcome, text.text, text.length, false);
	assert_in_range(outcome.diags.count, 100000, 100010);
	outcome_release(&outcome);
	strbuf_release(&text);
}

static void cards_end_at_column_72(void **state UNUSED)
{
	struct strbuf text = STRBUF_INIT;
	struct outcome outcome;

	strbuf_addstr(&text, "  ADD PAYROLL,STEP=CALC,");
	strbuf_pad_to(&text, 72);
	strbuf_addstr(&text, "00000100\n      SAMPLES=10000");
	outcome_init(&outcome, text.text, text.length, true);
	assert_int_equal(outcome.diags.count, 0);
	assert_string_equal(outcome.print.text, "ADD PAYROLL,STEP=CALC,SAMPLES=10000\n");
	outcome_release(&outcome);
	outcome_init(&outcome, text.text, text.length, false);
	assert_int_not_equal(outcome.diags.count, 0);
	outcome_release(&outcome);
	strbuf_release(&text);
}

static void patterns_match(void **state UNUSED)
{
	assert_true(control_match("*", ""));
	assert_true(control_match("*", "CALC"));
	assert_true(control_match("pay*", "PAYROLL"));
	assert_true(control_match("P%Y?OLL", "payroll"));
	assert_true(control_match("*A*B*", "xxAyyBzz"));
	assert_true(control_match("*ab", "aab"));
	assert_true(control_match("**", "x"));
	assert_false(control_match("", "x"));
	assert_false(control_match("PAY", "PAYROLL"));
	assert_false(control_match("PAYROLL%", "PAYROLL"));
	assert_false(control_match("%", ""));
	assert_false(control_match("*A*B*", "xxByyAzz"));
	assert_true(control_match("", ""));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tables_hold),
		cmocka_unit_test(damaged_input_keeps_the_rules),
		cmocka_unit_test(add_fills_the_request),
		cmocka_unit_test(limit_has_its_forms),
		cmocka_unit_test(report_is_filled),
		cmocka_unit_test(a_block_has_its_typed_parts),
		cmocka_unit_test(defaults_of_a_block),
		cmocka_unit_test(a_queue_of_a_job_is_several_inputs),
		cmocka_unit_test(the_payload_is_of_the_statement),
		cmocka_unit_test(statements_with_errors_ask_for_nothing),
		cmocka_unit_test(collectors_are_in_the_request),
		cmocka_unit_test(change_alters_the_request_before_it),
		cmocka_unit_test(change_of_a_limit_takes_its_action),
		cmocka_unit_test(change_with_other_collectors_drops_the_parameters_of_the_old),
		cmocka_unit_test(long_inputs_take_time_in_proportion),
		cmocka_unit_test(cards_end_at_column_72),
		cmocka_unit_test(patterns_match),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
