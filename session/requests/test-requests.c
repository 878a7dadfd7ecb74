/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests of requests: which one applies, what it and a REPORT ask for, where
 * statements come from.
 */
#include "common/compat.h"
#include "common/clock.h"
#include "common/test-folder.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"
#include "parser/jcl.h"
#include "reports/device.h"
#include "session/requests/carry-out.h"
#include "session/requests/queue.h"
#include "session/requests/precedence.h"
#include "session/requests/checked-statements.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>

#include <cmocka.h>

static char *in_folder(void **state, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", (char *)*state, name);
	return strbuf_detach(&path, NULL);
}

/* Parses statements, which must have no errors. */
static void given(struct statements *statements, const char *text)
{
	struct diag_list diags = DIAG_LIST_INIT;

	statements_init(statements);
	statements_add_lines(statements, &text, 1, &diags);
	diag_print(&diags, stderr);
	assert_int_equal(diags.count, 0);
}

static void the_last_request_that_matches_holds(void **state UNUSED)
{
	struct request_subject calc = { "PAYROLL", "CALC", "", "" },
			       sum = { "PAYROLL", "CALC", "SUM", "PAYSUM" };
	const struct control_request *request;
	struct statements statements;
	uint64_t number = 0;

	given(&statements, "ADD PAY*,STEP=C%LC,SAMPLES=2000\n"
			   "REPORT PAYROLL\n"
			   "ADD PAYROLL,STEP=LIST\n"
			   "ADD PAYROLL,STEP=CALC.SUM,PROGRAM=P*");
	request = request_find(statements.deck, &calc, &number);
	assert_non_null(request);
	assert_int_equal(number, 1);
	assert_int_equal(request->samples, 2000);
	assert_non_null(request_find(statements.deck, &sum, &number));
	assert_int_equal(number, 3);
	sum.program = "OTHER";
	assert_non_null(request_find(statements.deck, &sum, &number));
	assert_int_equal(number, 1);
	sum.job = "OTHER";
	number = 7;
	assert_null(request_find(statements.deck, &sum, &number));
	assert_int_equal(number, 7);
	assert_null(request_find(NULL, &sum, &number));
	assert_true(request_any(statements.deck));
	statements_release(&statements);
	given(&statements, "REPORT PAYROLL");
	assert_false(request_any(statements.deck));
	statements_release(&statements);
}

/* Returns whether a REPORT with these operands is on a step. */
static bool is_on(const char *text, const struct request_subject *subject)
{
	struct statements statements;
	bool on;

	given(&statements, text);
	on = request_reports_on(statements.deck->statements, subject);
	statements_release(&statements);
	return on;
}

static void reports_name_a_step_by_either_name_or_both(void **state UNUSED)
{
	const struct request_subject sum = { "PAYROLL", "CALC", "SUM", "PAYSUM" };

	assert_true(is_on("REPORT", &sum));
	assert_true(is_on("REPORT PAY*", &sum));
	assert_false(is_on("REPORT PAYROL", &sum));
	assert_true(is_on("REPORT STEP=CALC", &sum));
	assert_true(is_on("REPORT STEP=SUM", &sum));
	assert_false(is_on("REPORT STEP=SU", &sum));
	assert_true(is_on("REPORT STEP=C*.SUM", &sum));
	assert_false(is_on("REPORT STEP=SUM.CALC", &sum));
	assert_false(is_on("REPORT STEP=CALC.CALC", &sum));
	assert_false(is_on("REPORT INPUT='x.vprf'", &sum));
	assert_false(is_on("ADD PAYROLL", &sum));
}

/* Appends the path of a data set; only one name exists. */
static int find_data_set(void *argument, const char *dsn, struct strbuf *path, struct error *err)
{
	unsigned *asked = argument;

	++*asked;
	if (strcmp(dsn, "PAY.COLLECT") != 0)
		return error_set(err, "no %s", dsn);
	strbuf_addf(path, "/data/%s", dsn);
	return 0;
}

static void assert_library(const char *name, bool relative, const char *folder, unsigned asked)
{
	unsigned count = 0;
	const struct request_libraries libraries = { relative, find_data_set, &count };
	struct error err = ERROR_INIT;
	char *found = request_library(name, &libraries, &err);

	if (folder)
		assert_string_equal(found, folder);
	else
		assert_null(found);
	assert_int_equal(count, asked);
	assert_int_equal(error_text(&err)[0] == '\0', folder || !name);
	error_release(&err);
	free(found);
}

static void dcclib_is_a_path_or_a_data_set(void **state)
{
	assert_library(NULL, true, NULL, 0);
	assert_library("/opt/collect", false, "/opt/collect", 0);
	assert_library("PAY.COLLECT", false, "/data/PAY.COLLECT", 1);
	assert_library("PAY.OTHER", false, NULL, 1);
	assert_library("./collect", false, NULL, 0);
	assert_library("./collect", true, "./collect", 0);
	assert_library("PAY.COLLECT", true, "/data/PAY.COLLECT", 1);
	/* A folder in the shell's current one takes precedence over a data set. */
	assert_int_equal(chdir(*state), 0);
	assert_int_equal(system("mkdir PAY.COLLECT"), 0);
	assert_library("PAY.COLLECT", true, "PAY.COLLECT", 0);
	assert_library("PAY.COLLECT", false, "/data/PAY.COLLECT", 1);
	assert_int_equal(chdir("/"), 0);
}

static void what_a_request_gives_is_asked_for(void **state UNUSED)
{
	struct measure_request measure = { .samples = 1500, .rate = 77 };
	char *library = xstrdup("/opt/collect");
	struct statements statements;

	given(&statements, "ADD PAYROLL,SESSION=60,COST=7,METRICS=OFF,LIMIT=(3,STOP),DCC=(STRBMYPR,STRBOTHR),"
			   "DCCPARM='x',MAPPROGRAM=(A,B,C)");
	request_measure(&measure, &statements.deck->statements->request, &library);
	assert_int_equal(measure.samples, 1500);
	assert_int_equal(measure.rate, 77);
	assert_int_equal(measure.session_minutes, 60);
	assert_true(measure.cost > 6.9 && measure.cost < 7.1);
	assert_true(measure.no_metrics);
	assert_true(measure.limit_given);
	assert_false(measure.no_limit);
	assert_int_equal(measure.limit, 3);
	assert_true(measure.limit_stops);
	assert_int_equal(measure.collectors.name_count, 2);
	assert_string_equal(measure.collectors.names[1], "STRBOTHR");
	assert_int_equal(measure.collectors.parameter_count, 1);
	assert_int_equal(measure.collectors.library_count, 1);
	assert_string_equal(measure.collectors.libraries[0], "/opt/collect");
	assert_int_equal(measure.collectors.map_program_count, 3);
	statements_release(&statements);

	given(&statements, "ADD PAYROLL,SAMPLES=2000,NOLIMIT");
	free(library);
	library = NULL;
	request_measure(&measure, &statements.deck->statements->request, &library);
	assert_int_equal(measure.samples, 2000);
	assert_int_equal(measure.session_minutes, 60);
	assert_true(measure.no_limit);
	assert_false(measure.limit_stops);
	assert_int_equal(measure.collectors.name_count, 0);
	assert_int_equal(measure.collectors.library_count, 0);
	statements_release(&statements);
}

/* Settles the blocks of several inputs in order; NULL ends the list. */
static void assert_blocks(struct measure_request *measure, struct request_events *events,
			  struct statements *statements, const char *const *inputs)
{
	*measure = (struct measure_request){ .events.pool_kb = 500 };
	request_events_init(events);
	for (size_t i = 0; inputs[i]; i++) {
		given(&statements[i], inputs[i]);
		request_events_take(events, statements[i].deck);
	}
	request_measure_events(measure, events, false);
}

#define TYPE(name) (UINT64_C(1) << EVENT_##name)

static void a_block_becomes_an_event_request(void **state UNUSED)
{
	static const char *const inputs[] = {
		"PROFILER\nFUNCTION=INIT,SAMPLING=ON,INTERVAL=400,CONSOLIDATE=ON,TRACE=ON\n"
		"FILTER=EVENT,EVENT=P,STATEMENT=ON\nFILTER=EVENT,EVENT=(DB,K),FNAT=ON\n"
		"FILTER=PROGRAM,LIBRARY=L,LINE=(2,9)\nFILTER=PROGRAM,PROGRAM=Q*\n"
		"FILTER=COUNT,FROM=10\nFILTER=TIME,FROM=00:00:01,TO=00:01:00\n"
		"FUNCTION=START\nEND-PROFILER",
		NULL
	};
	struct statements statements[1];
	struct request_events events;
	struct measure_request measure;

	assert_blocks(&measure, &events, statements, inputs);
	assert_true(measure.events.wanted && measure.events.started);
	assert_false(measure.sampled || measure.paused);
	assert_int_equal(measure.events.interval, 400000);
	assert_true(measure.events.consolidate && measure.events.trace);
	assert_int_equal(measure.events.types,
			 TYPE(SI) | TYPE(ST) | TYPE(MP) | TYPE(MB) | TYPE(PL) | TYPE(PS) | TYPE(PT) |
				 TYPE(PR) | TYPE(NS) | TYPE(DB) | TYPE(DA) | TYPE(KF) |
				 TYPE(KX) | TYPE(KT) | TYPE(KE) | TYPE(KP) | TYPE(KS));
	assert_int_equal(measure.events.statements, EVENT_STATEMENTS_ON);
	assert_true(measure.events.run_time);
	assert_int_equal(measure.events.program_count, 2);
	assert_string_equal(measure.events.programs[0].library, "L");
	assert_null(measure.events.programs[0].program);
	assert_int_equal(measure.events.programs[0].line_to, 9);
	assert_string_equal(measure.events.programs[1].program, "Q*");
	assert_int_equal(measure.events.count_from, 10);
	assert_int_equal(measure.events.count_to, 0);
	assert_true(measure.events.time_from == NSEC_PER_SEC);
	assert_true(measure.events.time_to == 60 * NSEC_PER_SEC);
	assert_int_equal(measure.events.pool_kb, 500);
	request_events_release(&events);
	statements_release(&statements[0]);
}

/* Checks how the properties of a session show the filters of an input. */
static void assert_filters(const char *input, const char *expected)
{
	struct statements statements[1];
	struct request_events events;
	struct measure_request measure;
	struct strbuf text = STRBUF_INIT;

	assert_blocks(&measure, &events, statements, (const char *const[]){ input, NULL });
	event_request_format(&measure.events, &text);
	assert_string_equal(text.text, expected);
	strbuf_release(&text);
	request_events_release(&events);
	statements_release(&statements[0]);
}

static void filters_are_shown_as_statements(void **state UNUSED)
{
	assert_filters("PROFILER\nFUNCTION=INIT\nEND-PROFILER", "");
	assert_filters("PROFILER\nFUNCTION=INIT,EVENT=ALL\nEND-PROFILER", "");
	assert_filters("PROFILER\nFUNCTION=INIT,EVENT=S\nEND-PROFILER", "FILTER=EVENT EVENT=S");
	assert_filters("PROFILER\nFUNCTION=INIT,EVENT=P,STATEMENT=COUNT\nEND-PROFILER",
		       "FILTER=EVENT EVENT=P STATEMENT=COUNT");
	assert_filters("PROFILER\nFUNCTION=INIT,EVENT=(N,PS,U),FNAT=ON\nEND-PROFILER",
		       "FILTER=EVENT EVENT=(PS,N,U) STATEMENT=ON FNAT=ON");
	assert_filters("PROFILER\nFUNCTION=INIT,CALLS=('libz!*',READ),SQL=SHAPE\nEND-PROFILER",
		       "CALLS=(libz!*,READ) SQL=SHAPE");
	assert_filters("PROFILER\nFUNCTION=INIT,CALLS='read',EVENT=KP\nEND-PROFILER",
		       "CALLS=(read) FILTER=EVENT EVENT=(C,KP)");
	assert_filters("PROFILER\nFUNCTION=INIT,LIBRARY='a b',PROGRAM='it''s',LINE=(2,9)\n"
		       "FILTER=PROGRAM,PROGRAM=Q*\nFILTER=COUNT,FROM=10\n"
		       "FILTER=TIME,FROM=00:00:01,TO=01:02:03\nEND-PROFILER",
		       "FILTER=PROGRAM LIBRARY='a b' PROGRAM='it''s' LINE=(2,9) "
		       "FILTER=PROGRAM PROGRAM=Q* FILTER=COUNT FROM=10 "
		       "FILTER=TIME FROM=00:00:01 TO=01:02:03");
}

static void later_inputs_win(void **state UNUSED)
{
	static const char *const inputs[] = {
		"PROFILER\nFUNCTION=INIT,EVENT=(P,D),PROGRAM=A,COUNT=(1,9),CONSOLIDATE=ON\n"
		"FUNCTION=START\nEND-PROFILER",
		"PROFILER\nFILTER=EVENT,EVENT=ALL\nFILTER=PROGRAM,PROGRAM=B\n"
		"FUNCTION=PAUSE\nEND-PROFILER",
		NULL
	};
	static const char *const again[] = {
		"PROFILER\nFUNCTION=INIT,PROGRAM=A,CONSOLIDATE=ON\nFUNCTION=START\nEND-PROFILER",
		"PROFILER\nFUNCTION=INIT\nEND-PROFILER", NULL
	};
	struct statements statements[2];
	struct request_events events;
	struct measure_request measure;

	assert_blocks(&measure, &events, statements, inputs);
	assert_true(measure.events.wanted && measure.events.consolidate && measure.paused);
	assert_false(measure.events.started);
	assert_int_equal(measure.events.types, 0);
	assert_int_equal(measure.events.program_count, 1);
	assert_string_equal(measure.events.programs[0].program, "B");
	assert_int_equal(measure.events.count_to, 9);
	request_events_release(&events);
	statements_release(&statements[0]);
	statements_release(&statements[1]);

	assert_blocks(&measure, &events, statements, again);
	assert_true(measure.events.wanted && measure.paused);
	assert_false(measure.events.consolidate);
	assert_int_equal(measure.events.program_count, 0);
	request_events_release(&events);
	statements_release(&statements[0]);
	statements_release(&statements[1]);
}

static void samples_and_events_go_together(void **state UNUSED)
{
	struct measure_request measure = { 0 };
	struct request_events events;
	struct statements statements;

	given(&statements, "ADD PAY\nPROFILER\nFUNCTION=PAUSE\nEND-PROFILER");
	request_events_init(&events);
	request_events_take(&events, statements.deck);
	request_measure_events(&measure, &events, true);
	assert_true(measure.sampled && measure.paused);
	assert_false(measure.events.wanted);
	request_events_release(&events);
	statements_release(&statements);

	given(&statements, "ADD PAY\nPROFILER\nFUNCTION=INIT\nFUNCTION=START\nEND-PROFILER");
	request_events_init(&events);
	request_events_take(&events, statements.deck);
	request_measure_events(&measure, &events, true);
	assert_true(measure.sampled && measure.events.wanted && !measure.paused);
	request_events_release(&events);

	/* No statements about events: samples, from the beginning. */
	request_events_init(&events);
	request_measure_events(&measure, &events, false);
	assert_true(measure.sampled && !measure.events.wanted && !measure.paused);
	request_events_release(&events);
	statements_release(&statements);
}

/*
 * Checks whether blocks request no events, and the message about them:
 * "number:line:column", "" for none.
 */
static void assert_lacking(const char *text, bool no_events, const char *said)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct request_events events;
	struct statements statements;
	struct strbuf sb = STRBUF_INIT;

	given(&statements, text);
	request_events_init(&events);
	request_events_take(&events, statements.deck);
	assert_int_equal(request_events_missing(&events, &diags), no_events);
	for (size_t i = 0; i < diags.count; i++)
		strbuf_addf(&sb, "%u:%u:%u", diags.items[i].number, diags.items[i].location.line,
			    diags.items[i].location.column);
	assert_string_equal(sb.text, said);
	strbuf_release(&sb);
	diag_list_release(&diags);
	request_events_release(&events);
	statements_release(&statements);
}

static void blocks_that_ask_for_no_events_are_no_request(void **state UNUSED)
{
	assert_lacking("ADD PAY", false, "");
	assert_lacking("PROFILER\nFUNCTION=INIT\nFILTER=EVENT,EVENT=P\nEND-PROFILER", false, "");
	assert_lacking("PROFILER\nFILTER=EVENT,EVENT=P\nFUNCTION=START\nEND-PROFILER", true, "56:2:1");
	assert_lacking("PROFILER\nFUNCTION=START\nFILTER=COUNT,TO=5\nFILTER=EVENT,EVENT=P\nEND-PROFILER", true,
		       "56:3:1");
	/* START and PAUSE also apply to samples. */
	assert_lacking("PROFILER\nFUNCTION=PAUSE\nEND-PROFILER", false, "");
	assert_lacking("PROFILER\nFUNCTION=LIST\nEND-PROFILER", false, "");
}

/* Checks the messages about REPORT statements, each "number:line:column". */
static void assert_complaints(const char *text, const struct request_place *place,
			      const char *expected)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct strbuf found = STRBUF_INIT;
	struct statements statements;

	given(&statements, text);
	request_check_reports(statements.deck, place, &diags);
	for (size_t i = 0; i < diags.count; i++)
		strbuf_addf(&found, "%u:%u:%u ", diags.items[i].number,
			    diags.items[i].location.line, diags.items[i].location.column);
	assert_string_equal(found.text ? found.text : "", expected);
	strbuf_release(&found);
	diag_list_release(&diags);
	statements_release(&statements);
}

static void reports_that_cannot_be_are_errors_where_they_stand(void **state UNUSED)
{
	static const char text[] = "ADD X\nREPORT REPORTS=(PSU,QQQ)\nREPORT REPORTS=ALL,INPUT='a'";

	assert_complaints(text, &request_place_command, "10:2:21 24:3:20 ");
	assert_complaints(text, &request_place_jobs, "10:2:21 24:3:20 ");
	assert_complaints(text, &request_place_cards, "10:2:21 5307:3:20 ");
	assert_complaints(text, &request_place_step, "5306:2:21 5307:3:20 ");
	assert_complaints(text, &request_place_alone, "10:2:21 ");
	assert_complaints("REPORT REPORTS=(PSU,PUP),DSNAME=OUT", &request_place_step, "");
}

/* A REPORT that already has errors is not checked again. */
static void reports_with_errors_are_left_alone(void **state UNUSED)
{
	static const char *const lines[] = { "REPORT PAY,REPORTS=(QQQ),LINES=1" };
	struct diag_list diags = DIAG_LIST_INIT;
	struct statements statements;

	statements_init(&statements);
	statements_add_lines(&statements, lines, 1, &diags);
	assert_int_equal(diags.count, 1);
	request_check_reports(statements.deck, &request_place_step, &diags);
	assert_int_equal(diags.count, 1);
	diag_list_release(&diags);
	statements_release(&statements);
}

static void report_options_are_the_statements(void **state UNUSED)
{
	struct report_options options, defaults;
	struct statements statements;

	report_options_init(&defaults);
	given(&statements, "REPORT REPORTS=(PSU,MSD),LINES=40,BASELINE=0,RESOLUTION=16,"
			   "TITLE='Night'");
	request_report_options(&options, &statements.deck->statements->report);
	assert_int_equal(options.code_count, 2);
	assert_string_equal(options.codes[1], "MSD");
	assert_int_equal(options.device, &text_device);
	assert_int_equal(options.lines, 40);
	assert_true(options.baseline == 0);
	assert_int_equal(options.resolution, 16);
	assert_string_equal(options.title, "Night");
	statements_release(&statements);

	given(&statements, "REPORT FORMAT=CSV");
	request_report_options(&options, &statements.deck->statements->report);
	assert_int_equal(options.device, &csv_device);
	statements_release(&statements);

	given(&statements, "REPORT FORMAT=JSON");
	request_report_options(&options, &statements.deck->statements->report);
	assert_int_equal(options.device, &json_device);
	assert_int_equal(options.lines, defaults.lines);
	assert_true(options.baseline == defaults.baseline);
	assert_int_equal(options.resolution, defaults.resolution);
	request_report_options(&options, NULL);
	assert_int_equal(options.device, &text_device);
	assert_int_equal(options.code_count, 0);
	statements_release(&statements);
}

static void inputs_are_joined_in_their_order(void **state)
{
	static const char *const lines[] = { "CHANGE PAYROLL,SAMPLES=3000", "REPORT" };
	char *path = in_folder(state, "statements");
	struct diag_list diags = DIAG_LIST_INIT;
	const struct control_statement *last;
	struct error err = ERROR_INIT;
	struct statements statements;
	FILE *stream = fopen(path, "w");

	fputs("ADD PAYROLL,SAMPLES=2000\n", stream);
	assert_int_equal(fclose(stream), 0);
	statements_init(&statements);
	assert_int_equal(statements_requests(&statements, &last), 0);
	assert_null(last);
	assert_int_equal(statements_add_file(&statements, path, &diags, &err), 0);
	statements_add_lines(&statements, lines, 2, &diags);
	assert_int_equal(diags.count, 0);
	assert_int_equal(statements_requests(&statements, &last), 1);
	/* The CHANGE has found the request in the file. */
	assert_int_equal(last->request.samples, 3000);
	assert_int_equal(statements.deck->statements->next->verb, CONTROL_CHANGE);
	assert_int_equal(statements.deck->statements->next->next->verb, CONTROL_REPORT);
	assert_int_equal(statements_add_file(&statements, "/there/is/none", &diags, &err), -1);
	assert_non_null(strstr(error_text(&err), "/there/is/none"));
	error_release(&err);
	statements_release(&statements);
	free(path);
}

/* Blocks of several inputs are numbered as different blocks. */
static void blocks_are_counted_through_all_inputs(void **state UNUSED)
{
	static const char *const lines[] = { "PROFILER", "FUNCTION=INIT,SAMPLING=ON",
					     "FUNCTION=START", "END-PROFILER" };
	struct diag_list diags = DIAG_LIST_INIT;
	struct statements statements;
	unsigned block = 0;

	statements_init(&statements);
	for (unsigned i = 0; i < 3; i++)
		statements_add_lines(&statements, lines, ARRAY_SIZE(lines), &diags);
	assert_int_equal(diags.count, 0);
	assert_int_equal(statements.deck->blocks, 3);
	for (const struct control_statement *one = statements.deck->statements; one;
	     one = one->next) {
		assert_true(one->block == block || one->block == block + 1);
		block = one->block;
	}
	assert_int_equal(block, 3);
	statements_release(&statements);
}

/* Locations are right for a card that occurs twice, and after substitution. */
static void cards_keep_their_place_in_the_deck(void **state UNUSED)
{
	static const char text[] = "//A JOB\n"
				   "//  EXPORT SYMLIST=*\n"
				   "//  SET N=SUM\n"
				   "//S1 EXEC PGM=X\n"
				   "//OTHER DD *\n"
				   "  REPORT STEP=&N\n"
				   "//VIGIL DD *,SYMBOLS=JCLONLY\n"
				   "  REPORT\n"
				   "  REPORT STEP=&N,QQQ\n";
	struct source *source = source_new("a.jcl", text, strlen(text)), *cards;
	struct diag_list diags = DIAG_LIST_INIT;
	struct jcl_options options = { .user = "ME" };
	struct jcl_deck *deck = jcl_parse(source, &options, &diags);
	struct plan_job *jobs = jcl_evaluate(deck, &options, &diags);
	struct statements statements;

	assert_int_equal(diags.count, 0);
	cards = statements_cards(jobs->steps->dds->next);
	assert_string_equal(cards->name, "a.jcl");
	assert_int_equal(cards->line_count, 9);
	assert_string_equal(cards->lines[8].text, "  REPORT STEP=SUM,QQQ");
	statements_init(&statements);
	statements_add_source(&statements, cards, true, &diags);
	assert_int_equal(diags.count, 1);
	assert_int_equal(diags.items[0].location.line, 9);
	diag_list_release(&diags);
	statements_release(&statements);
	plan_free(jobs);
	jcl_free(deck);
	source_free(source);
}

static void a_queue_keeps_requests_in_order(void **state)
{
	struct request_queue queue;
	struct error err = ERROR_INIT;
	struct statements statements;
	const struct request_subject subject = { "PAYROLL", "CALC", "", "PAYCALC" };
	char *path = in_folder(state, "REQUESTS");
	uint64_t number = 0;
	FILE *stream;

	assert_int_equal(request_queue_read(&queue, *state, &err), 0);
	assert_null(queue.deck);
	request_queue_release(&queue);
	given(&statements, "ADD PAYROLL,STEP=CALC\nADD PAYROLL,STEP=LIST\nCHANGE 1,SAMPLES=9000");
	for (const struct control_statement *one = statements.deck->statements; one;
	     one = one->next)
		assert_int_equal(request_queue_add(*state, one, &err), 0);
	assert_int_equal(request_queue_read(&queue, *state, &err), 0);
	assert_int_equal(request_find(queue.deck, &subject, &number)->samples, 9000);
	assert_int_equal(number, 1);
	request_queue_release(&queue);
	/* A file that contains anything else is refused. */
	stream = fopen(path, "a");
	assert_non_null(stream);
	fputs("ADD PAYROLL,NONSENSE=1\n", stream);
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(request_queue_read(&queue, *state, &err), -1);
	assert_non_null(strstr(error_text(&err), "not requests"));
	error_release(&err);
	request_queue_release(&queue);
	free(path);
	assert_int_equal(request_queue_add("/there/is/none", statements.deck->statements, &err),
			 -1);
	error_release(&err);
	statements_release(&statements);
}

/* The pool size is a statement of the queue, one for each step that gives it. */
static void a_queue_keeps_the_size_of_the_pool(void **state)
{
	static const char *const parms[] = { "PDPSIZE=5000", "PDPSIZE=200" };
	struct request_queue queue;
	struct error err = ERROR_INIT;
	char *path = in_folder(state, "REQUESTS");
	FILE *stream;

	for (size_t i = 0; i < ARRAY_SIZE(parms); i++) {
		const struct carry_out_options options = {
			.spool = *state, .parm = parms[i], .messages = stderr, .listing = stdout
		};
		struct source *source = source_new("SYSIN", "ADD PAY\n", 8);

		assert_int_equal(carry_out(source, &options), 0);
		source_free(source);
	}
	assert_int_equal(request_queue_read(&queue, *state, &err), 0);
	assert_int_equal(queue.pool_kb, 200);
	assert_int_equal(queue.deck->inputs, 2);
	request_queue_release(&queue);
	stream = fopen(path, "a");
	assert_non_null(stream);
	fputs("PDPSIZE=7\n", stream); /* below the minimum pool size */
	assert_int_equal(fclose(stream), 0);
	assert_int_equal(request_queue_read(&queue, *state, &err), -1);
	request_queue_release(&queue);
	error_release(&err);
	free(path);
}

/* The store's answer, and what was called before it. */
struct asked {
	const struct control_request *stored;
	bool unmatched, asked;
};

static void note_unmatched(void *argument)
{
	((struct asked *)argument)->unmatched = true;
}

static const struct control_request *ask_stored(void *argument, uint64_t *number)
{
	struct asked *asked = argument;

	asked->asked = true;
	if (asked->stored)
		*number = 17;
	return asked->stored;
}

/* The inputs of the tests of precedence. */
struct five {
	struct statements general, queued, own, others, empty;
};

static void five_init(struct five *five)
{
	given(&five->general, "ADD *,SAMPLES=2000\nPROFILER\nFUNCTION=INIT\nEND-PROFILER");
	given(&five->queued,
	      "ADD OTHER\nADD *,SAMPLES=3000\nPROFILER\nFUNCTION=START\nEND-PROFILER");
	given(&five->own, "ADD *,SAMPLES=4000");
	given(&five->others, "ADD OTHER");
	given(&five->empty, "");
}

static void five_release(struct five *five)
{
	statements_release(&five->general);
	statements_release(&five->queued);
	statements_release(&five->own);
	statements_release(&five->others);
	statements_release(&five->empty);
}

/* Checks which ADD applies, by its samples and its number, and the pool size. */
static void assert_settled(const struct request_inputs *inputs, uint64_t samples, uint64_t number,
			   uint64_t pool_kb)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct request_settled settled;

	request_resolve(&settled, inputs, &diags);
	assert_int_equal(diags.count, 0);
	assert_non_null(settled.request);
	assert_true(request_settled_measures(&settled));
	assert_int_equal(settled.request->samples, samples);
	assert_int_equal(settled.number, number);
	assert_int_equal(settled.pool_kb, pool_kb);
	request_settled_release(&settled);
}

/* The ADD nearest to the step applies; the store is used only if there is none. */
static void the_nearest_input_holds(void **state UNUSED)
{
	const struct request_subject subject = { "PAYROLL", "CALC", "", "PAYCALC" };
	struct five five;
	struct asked asked = { 0 };
	struct request_inputs inputs = { .subject = &subject,
					 .unmatched = note_unmatched,
					 .stored = ask_stored,
					 .argument = &asked,
					 .parm = "A,PDPSIZE=300",
					 .queued_kb = 400,
					 .general_kb = 500 };

	five_init(&five);
	inputs.general = five.general.deck;
	inputs.queued = five.queued.deck;
	inputs.own = five.own.deck;
	assert_settled(&inputs, 4000, 1, 300);
	assert_false(asked.unmatched);
	inputs.own = five.others.deck;
	inputs.parm = NULL;
	assert_settled(&inputs, 3000, 2, 400);
	assert_true(asked.unmatched);
	inputs.own = inputs.queued = NULL;
	inputs.queued_kb = 0;
	assert_settled(&inputs, 2000, 1, 500);
	assert_false(asked.asked);
	/* A command has no name to match, and its request has no number. */
	assert_settled(&(struct request_inputs){ .own = five.queued.deck }, 3000, 0, 0);
	five_release(&five);
}

/* If no ADD applies, the store is used, then cards that specify nothing. */
static void without_an_add_the_store_is_asked(void **state UNUSED)
{
	const struct request_subject subject = { "PAYROLL", "CALC", "", "PAYCALC" };
	const struct control_request in_store = { .samples = 5000 };
	struct asked asked = { .stored = &in_store };
	struct diag_list diags = DIAG_LIST_INIT;
	struct request_settled settled;
	struct five five;
	struct request_inputs inputs = { .subject = &subject,
					 .stored = ask_stored,
					 .argument = &asked,
					 .parm = "PDPSIZE=1", /* not a size: the default applies */
					 .general_kb = 500 };

	five_init(&five);
	inputs.own = five.empty.deck;
	assert_settled(&inputs, 5000, 17, 0);
	asked.stored = NULL;
	assert_settled(&inputs, 0, 0, 0);
	inputs.own = five.others.deck;
	request_resolve(&settled, &inputs, &diags);
	assert_null(settled.request);
	assert_true(settled.pool_invalid);
	assert_false(request_settled_measures(&settled));
	request_settled_release(&settled);
	/* Blocks are combined: the INIT for all jobs, started by the queue. */
	inputs.general = five.general.deck;
	inputs.queued = five.queued.deck;
	request_resolve(&settled, &inputs, &diags);
	assert_true(settled.events.request.wanted);
	assert_int_equal(settled.events.collecting, REQUEST_ACTIVE);
	request_settled_release(&settled);
	diag_list_release(&diags);
	five_release(&five);
}

/* With blocks that request nothing, and no ADD, nothing is measured. */
static void blocks_without_init_and_add_are_lacking(void **state UNUSED)
{
	const struct request_subject subject = { "PAYROLL", "CALC", "", "PAYCALC" };
	struct statements filter, request;
	struct diag_list diags = DIAG_LIST_INIT;
	struct request_settled settled;

	given(&filter, "PROFILER\nFILTER=COUNT,TO=5\nEND-PROFILER");
	given(&request, "ADD *");
	request_resolve(&settled,
		       &(struct request_inputs){ .own = filter.deck, .subject = &subject }, &diags);
	assert_true(settled.no_events);
	assert_false(request_settled_measures(&settled));
	assert_int_equal(diags.count, 1);
	request_settled_release(&settled);
	request_resolve(&settled,
		       &(struct request_inputs){
			       .own = filter.deck, .general = request.deck, .subject = &subject },
		       &diags);
	assert_false(settled.no_events);
	assert_true(request_settled_measures(&settled));
	request_settled_release(&settled);
	diag_list_release(&diags);
	statements_release(&filter);
	statements_release(&request);
}

/* Puts an attribute into a snapshot. */
static void add_attribute(struct snapshot *snapshot, struct strmap *strings, const char *key,
			  const char *value)
{
	const struct record_attribute attribute = { strmap_put(strings, key),
						    strmap_put(strings, value) };

	recordset_add(snapshot_set(snapshot, RECORD_ATTRIBUTE), &attribute);
}

/* Creates a sample data set of a step in the spool. */
static void make_data_set(void **state, const char *name, const char *job, const char *step,
			  const char *procstep)
{
	struct registry types;
	struct snapshot snapshot;
	struct error err = ERROR_INIT;
	char *path = in_folder(state, name);
	struct dataset_writer *writer;
	struct strmap strings;

	strmap_init(&strings);
	registry_init(&types, &session_records);
	snapshot_init(&snapshot, &types);
	snapshot.sequence = 1;
	snapshot.time = 1000;
	writer = dataset_create(path, &strings, &err);
	assert_non_null(writer);
	add_attribute(&snapshot, &strings, ATTR_JOB, job);
	add_attribute(&snapshot, &strings, ATTR_STEP, step);
	add_attribute(&snapshot, &strings, ATTR_PROCSTEP, procstep);
	add_attribute(&snapshot, &strings, ATTR_PROGRAM, "PAYCALC");
	assert_int_equal(dataset_write(writer, &snapshot, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	snapshot_release(&snapshot);
	registry_release(&types);
	strmap_release(&strings);
	free(path);
}

/* Carries statements out in a job's spool; returns the messages, which the caller frees. */
static char *carried_out(void **state, const char *text, int expected)
{
	struct source *source = source_new("SYSIN", text, strlen(text));
	struct carry_out_options options = { .cards = true, .spool = *state };
	char *messages = NULL;
	size_t length;

	options.messages = open_memstream(&messages, &length);
	options.listing = fopen("/dev/null", "w");
	assert_int_equal(carry_out(source, &options), expected);
	fclose(options.messages);
	fclose(options.listing);
	source_free(source);
	return messages;
}

/* Returns how often a text contains another. */
static unsigned count_of(const char *text, const char *part)
{
	unsigned count = 0;

	for (const char *at = strstr(text, part); at; at = strstr(at + 1, part))
		count++;
	return count;
}

static void a_report_finds_its_sessions_in_the_spool(void **state)
{
	char *messages;

	make_data_set(state, "CALC.SUM.vprf", "PAYROLL", "CALC", "SUM");
	make_data_set(state, "LIST.vprf", "PAYROLL", "LIST", "");
	messages = carried_out(state, "REPORT STEP=SUM\n", 0);
	assert_int_equal(count_of(messages, "VIG0012I"), 1);
	assert_non_null(strstr(messages, "CALC.SUM.vprf"));
	free(messages);
	messages = carried_out(state, "REPORT PAY*\n", 0);
	assert_int_equal(count_of(messages, "VIG0012I"), 2);
	free(messages);
	messages = carried_out(state, "REPORT OTHER\n", SEVERITY_ERROR);
	assert_int_equal(count_of(messages, "VIG0015E"), 1);
	free(messages);
	/* A file that is not a sample data set is ignored. */
	free(carried_out(state, "REPORT STEP=LIST\n", 0));
	{
		char *path = in_folder(state, "LIST.vprf");

		assert_int_equal(truncate(path, 3), 0);
		free(path);
	}
	messages = carried_out(state, "REPORT STEP=LIST\n", SEVERITY_ERROR);
	assert_int_equal(count_of(messages, "VIG0015E"), 1);
	free(messages);
}

static void an_add_of_a_job_is_queued_and_one_outside_stored(void **state)
{
	char *folder = in_folder(state, "store"), *file = in_folder(state, "store/requests.db");
	struct carry_out_options options = { .messages = fopen("/dev/null", "w"), .store = folder };
	struct source *source = source_new("-", "ADD PAYROLL\n", 12);
	struct request_queue queue;
	struct error err = ERROR_INIT;
	char *messages = carried_out(state, "  ADD PAYROLL,STEP=CALC\n", 0);

	assert_int_equal(count_of(messages, "VIG2933I"), 1);
	free(messages);
	assert_int_equal(request_queue_read(&queue, *state, &err), 0);
	assert_true(request_any(queue.deck));
	request_queue_release(&queue);
	assert_int_equal(access(file, F_OK), -1);
	assert_int_equal(carry_out(source, &options), SEVERITY_INFO);
	assert_int_equal(access(file, F_OK), 0);
	fclose(options.messages);
	source_free(source);
	free(folder);
	free(file);
}

/*
 * The statements of each step with PGM=VIGIL are a separate input: its INIT
 * discards what came before.
 */
static void a_queue_keeps_blocks_by_step(void **state)
{
	static const char *const steps[] = {
		"PROFILER\nFUNCTION=INIT,CONSOLIDATE=ON\nFILTER=COUNT,TO=5\nFUNCTION=START\n"
		"END-PROFILER\n",
		"PROFILER\nEND-PROFILER\nPROFILER\nFUNCTION=INIT,TRACE=ON\n"
		"FILTER=PROGRAM,PROGRAM='a b'\nEND-PROFILER\n",
		"PROFILER\nFILTER=PROGRAM,PROGRAM=C\nFUNCTION=START\nEND-PROFILER\n",
	};
	const struct carry_out_options options = { .spool = *state,
						   .messages = stderr,
						   .listing = stdout };
	struct request_events events;
	struct request_queue queue;
	struct error err = ERROR_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(steps); i++) {
		struct source *source = source_new("SYSIN", steps[i], strlen(steps[i]));

		/* The second has an empty block. */
		assert_int_equal(carry_out(source, &options), i == 1 ? SEVERITY_WARNING : 0);
		source_free(source);
	}
	assert_int_equal(request_queue_read(&queue, *state, &err), 0);
	assert_int_equal(queue.deck->inputs, 3);
	request_events_init(&events);
	request_events_take(&events, queue.deck);
	assert_true(events.request.trace && !events.request.consolidate);
	assert_int_equal(events.request.count_to, 0);
	assert_int_equal(events.request.program_count, 1);
	assert_string_equal(events.programs[0].program, "C");
	assert_int_equal(events.collecting, REQUEST_ACTIVE);
	request_events_release(&events);
	request_queue_release(&queue);
}

static void a_block_outside_a_job_is_refused(void **state UNUSED)
{
	static const char text[] = "PROFILER\nFUNCTION=START\nEND-PROFILER\n";
	const struct carry_out_options options = { .messages = stderr, .listing = stdout };
	struct source *source = source_new("SYSIN", text, strlen(text));

	assert_int_equal(carry_out(source, &options), 8);
	source_free(source);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_last_request_that_matches_holds),
		cmocka_unit_test(reports_name_a_step_by_either_name_or_both),
		cmocka_unit_test_setup_teardown(dcclib_is_a_path_or_a_data_set, test_folder_make,
						test_folder_drop),
		cmocka_unit_test(what_a_request_gives_is_asked_for),
		cmocka_unit_test(a_block_becomes_an_event_request),
		cmocka_unit_test(filters_are_shown_as_statements),
		cmocka_unit_test(later_inputs_win),
		cmocka_unit_test(samples_and_events_go_together),
		cmocka_unit_test(blocks_that_ask_for_no_events_are_no_request),
		cmocka_unit_test(reports_that_cannot_be_are_errors_where_they_stand),
		cmocka_unit_test(report_options_are_the_statements),
		cmocka_unit_test(reports_with_errors_are_left_alone),
		cmocka_unit_test(blocks_are_counted_through_all_inputs),
		cmocka_unit_test_setup_teardown(inputs_are_joined_in_their_order, test_folder_make,
						test_folder_drop),
		cmocka_unit_test(cards_keep_their_place_in_the_deck),
		cmocka_unit_test_setup_teardown(a_queue_keeps_requests_in_order, test_folder_make,
						test_folder_drop),
		cmocka_unit_test_setup_teardown(a_report_finds_its_sessions_in_the_spool,
						test_folder_make, test_folder_drop),
		cmocka_unit_test_setup_teardown(a_queue_keeps_blocks_by_step, test_folder_make,
						test_folder_drop),
		cmocka_unit_test_setup_teardown(a_queue_keeps_the_size_of_the_pool,
						test_folder_make, test_folder_drop),
		cmocka_unit_test(the_nearest_input_holds),
		cmocka_unit_test(without_an_add_the_store_is_asked),
		cmocka_unit_test(blocks_without_init_and_add_are_lacking),
		cmocka_unit_test(a_block_outside_a_job_is_refused),
		cmocka_unit_test_setup_teardown(an_add_of_a_job_is_queued_and_one_outside_stored,
						test_folder_make, test_folder_drop),
	};

	return cmocka_run_group_tests_name("requests", tests, NULL, NULL);
}
