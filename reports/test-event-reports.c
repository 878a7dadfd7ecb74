/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the reports of events: which sessions have them, their figures, order, selection. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/report-check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

/* The profile of a session and the options for its reports. */
struct print {
	struct profile *profile;
	struct report_options options;
	const char *codes[4];
};

static int set_up(void **state)
{
	struct print *print = calloc(1, sizeof(*print));

	print->profile = fixture_profile("events");
	report_options_init(&print->options);
	print->options.codes = print->codes;
	*state = print;
	return print->profile ? 0 : -1;
}

static int tear_down(void **state)
{
	struct print *print = *state;

	profile_free(print->profile);
	free(print);
	return 0;
}

/* Prints a report (NULL: all) as text; the caller frees it. */
static char *print_report(struct print *print, const char *code)
{
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	print->options.lines = 0;
	print->options.code_count = code ? 1 : 0;
	print->codes[0] = code;
	assert_int_equal(report_print(print->profile, &print->options, stream, &err), 0);
	fclose(stream);
	return text;
}

/* Returns whether the listing of all reports includes one. */
static bool prints(struct print *print, const char *code)
{
	char *text = print_report(print, NULL), title[16];
	bool found;

	snprintf(title, sizeof(title), "\n#%s ", code);
	found = strstr(text, title);
	free(text);
	return found;
}

/* Returns a value of a table, from the row whose first column is name. */
static double value_of(struct print *print, const struct report_class *class, const char *name,
		       const char *column)
{
	struct document document;
	struct context context;
	double value = -1;

	context_init(&context, print->profile, &print->options);
	document_init(&document, class->code, class->title, &context.tokens);
	class->build(&context, &document);
	for (size_t i = 0; i < document.count; i++) {
		const struct table *table = document.blocks[i].table;

		for (size_t j = 0; table && j < table->row_count; j++) {
			const struct value *values = table->rows[j].values;
			size_t at = table_column(table, column);

			if (values[0].text && strcmp(values[0].text, name) == 0)
				value = values[at].type == VALUE_REAL ? values[at].real
								      : (double)values[at].number;
		}
	}
	document_release(&document);
	context_release(&context);
	return value;
}

/* All totals match, and the figures of a program are the sums over its events. */
static void test_figures(void **state)
{
	struct print *print = *state;
	struct strbuf sb = STRBUF_INIT;
	uint64_t total[EVENT_AMOUNTS];

	assert_int_equal(report_check(print->profile, &print->options, &sb), 0);
	strbuf_release(&sb);
	event_usage_total(print->profile, total);
	assert_int_equal(total[EVENT_AMOUNT_EVENTS], 1129);
	assert_int_equal(total[EVENT_AMOUNT_DATABASE], 36000000);
	/* 40 calls: 5 us, ten times 40 and 8 us and 45 ns more, 2 us until it ended. */
	assert_true(value_of(print, &report_eps, "PAYTAX", "cpu_ns") == 40 * (487000 + 45));
	assert_true(value_of(print, &report_eps, "PAYTAX", "starts") == 40);
	assert_true(value_of(print, &report_eps, "PAYTAX", "statements") == 800);
	assert_true(value_of(print, &report_eps, "PAYROLL", "database_ns") == 36000000);
	assert_true(value_of(print, &report_ess, "COMPUTE", "elapsed_ns") == 400 * 44000);
	assert_true(value_of(print, &report_ets, "PAYSLIP", "count") == 40);
	assert_true(value_of(print, &report_eps, "TOTALS", "cpu_percent") > 99.999);
}

/* The pause is charged to nothing: 500 ms passed between two payslips, and no report has them. */
static void test_pause(void **state)
{
	struct print *print = *state;

	assert_true(value_of(print, &report_ess, "WRITE", "elapsed_ns") == 40 * 10000);
	assert_true(value_of(print, &report_ess, "WRITE", "cpu_ns") == 40 * 10000);
}

/* Unselected events are left out; shares are still those of the session. */
static void test_selection(void **state)
{
	struct print *print = *state;
	double share = value_of(print, &report_eps, "PAYTAX", "cpu_percent");
	char *text;

	/* Brackets are characters of names: operator[]. */
	print->options.events.program = "[p]aytax";
	assert_true(value_of(print, &report_eps, "PAYTAX", "cpu_ns") < 0);
	print->options.events.program = "pay?ax";
	assert_true(value_of(print, &report_eps, "PAYROLL", "cpu_ns") < 0);
	assert_true(value_of(print, &report_eps, "PAYTAX", "cpu_percent") == share);
	assert_true(value_of(print, &report_eps, "TOTALS", "cpu_percent") == share);
	print->options.events.types = UINT64_C(1) << EVENT_NS;
	assert_true(value_of(print, &report_eps, "PAYTAX", "events") == 800);
	assert_true(value_of(print, &report_eps, "PAYTAX", "starts") == 0);
	text = print_report(print, "EPS");
	assert_non_null(strstr(text, "SELECTED PROGRAM=pay?ax EVENT=NS"));
	free(text);
}

/* Returns whether the first of two names comes before the second in a report. */
static bool comes_before(struct print *print, const char *code, const char *first,
			 const char *second)
{
	char *text = print_report(print, code), line[2][40];
	const char *at[2];
	bool before;

	snprintf(line[0], sizeof(line[0]), "\n%s ", first);
	snprintf(line[1], sizeof(line[1]), "\n%s ", second);
	at[0] = strstr(text, line[0]);
	at[1] = strstr(text, line[1]);
	assert_non_null(at[0]);
	assert_non_null(at[1]);
	before = at[0] < at[1];
	free(text);
	return before;
}

static void test_order(void **state)
{
	struct print *print = *state;

	assert_true(comes_before(print, "EPS", "PAYTAX", "qsort"));
	assert_true(comes_before(print, "EPS", "qsort", "PAYROLL"));
	print->options.sort = REPORT_SORT_ELAPSED;
	assert_true(comes_before(print, "EPS", "PAYROLL", "PAYTAX"));
	print->options.sort = REPORT_SORT_NAME;
	assert_true(comes_before(print, "EPS", "PAYROLL", "PAYTAX"));
	assert_true(comes_before(print, "EPS", ".SESSION", "PAYROLL"));
	print->options.sort = REPORT_SORT_HITS;
	assert_true(comes_before(print, "EPS", "PAYTAX", "PAYROLL"));
	assert_true(comes_before(print, "EPS", "PAYROLL", "qsort"));
	print->options.sort = REPORT_SORT_DATABASE;
	assert_true(comes_before(print, "EPS", "PAYROLL", "PAYTAX"));
}

/* A session has the reports of what it was asked to record, and says so if others are requested. */
static void test_kinds(void **state)
{
	struct print *print = *state;
	char *text;

	assert_true(prints(print, "MSD") && prints(print, "EPS") && prints(print, "PRO"));
	assert_false(prints(print, "PSU") || prints(print, "ECR"));
	text = print_report(print, "MSD");
	assert_non_null(strstr(text, "VIG6501I"));
	assert_null(strstr(text, "FEWER THAN 100"));
	free(text);
	profile_free(print->profile);
	print->profile = fixture_profile("payroll");
	assert_true(prints(print, "MSD") && prints(print, "PSU"));
	assert_false(prints(print, "EPS") || prints(print, "PRO"));
	text = print_report(print, "EPS");
	assert_non_null(strstr(text, "VIG6500I"));
	free(text);
}

/* Samples and events of one session are in one profile. */
static void test_both(void **state)
{
	struct print *print = *state;
	struct strbuf sb = STRBUF_INIT;
	struct fixture fixture;

	profile_free(print->profile);
	fixture_init(&fixture);
	fixture_attribute(&fixture, ATTR_PRIVILEGE, "USER");
	fixture_number(&fixture, ATTR_PERIOD, NSEC_PER_MSEC);
	fixture_samples(&fixture, 200,
			fixture_stack(&fixture, 0,
				      fixture_frame(&fixture,
						    fixture_object(&fixture, OBJECT_FILE,
								   "/opt/pay/bin/PAYROLL", ""),
						    0x10, "pay.cob", "MAIN", 3, "")),
			1, 0, 0);
	fixture_events(&fixture);
	print->profile = fixture_end(&fixture);
	assert_true(session_facts_is_sampled(print->profile));
	assert_true(prints(print, "PSU") && prints(print, "EPS"));
	assert_int_equal(report_check(print->profile, &print->options, &sb), 0);
	strbuf_release(&sb);
}

/* Writes the session to a data set and reads it from there. */
static void reload(struct print *print, char path[32])
{
	struct error err = ERROR_INIT;
	int fd;

	snprintf(path, 32, "/tmp/vigil-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	close(fd);
	profile_free(print->profile);
	assert_int_equal(fixture_write("events", path, &err), 0);
	print->profile = profile_load(path, &err);
	assert_non_null(print->profile);
}

/* Returns how often part occurs in text. */
static size_t count(const char *text, const char *part)
{
	size_t found = 0;

	for (; (text = strstr(text, part)); text++)
		found++;
	return found;
}

/* Prints a report that was built as a whole. */
static char *print_at_once(struct print *print, const struct report_class *class,
			   const struct device_class *device_class)
{
	static const struct listing listing = { "", "", "", "", "", "", "", "", "", false, "", 0, NULL, NULL };
	struct strbuf out = STRBUF_INIT;
	struct document document;
	struct context context;
	struct device *device;

	context_init(&context, print->profile, &print->options);
	document_init(&document, class->code, class->title, &context.tokens);
	class->build(&context, &document);
	device = device_new(device_class, &print->options, &listing, &out);
	device_class->begin(device);
	device_class->print(device, &document);
	device_class->end(device);
	device_free(device);
	document_release(&document);
	context_release(&context);
	return strbuf_detach(&out, NULL);
}

/* Rows that have flowed are equal to those of a document built as a whole. */
static void test_flow(void **state)
{
	static const struct device_class *const classes[] = { &text_device, &csv_device, &json_device,
							      &html_device };
	struct print *print = *state;
	char path[32];

	reload(print, path);
	for (size_t i = 0; i < ARRAY_SIZE(classes); i++) {
		char *whole, *flowed;
		size_t rows = 0;

		print->options.device = classes[i];
		flowed = print_report(print, "EVT");
		whole = print_at_once(print, &report_evt, classes[i]);
		/* The report is surrounded by a page head, or by the frame of all reports. */
		if (classes[i] == &text_device)
			assert_non_null(strstr(flowed, strstr(whole, "#EVT")));
		if (classes[i] == &html_device) {
			const char *section = strstr(whole, "<section class='view report' id=EVT");
			char *end = strstr(section, "</section>");

			*end = '\0';
			assert_true(count(section, "<tr") > 1100);
			assert_non_null(strstr(flowed, section));
		}
		if (classes[i] == &json_device)
			assert_non_null(strstr(flowed, strstr(whole, "{\"code\":\"EVT\"")));
		/* A table that flows has a column for notes, which may follow. */
		for (char *line = whole, *end; classes[i] == &csv_device && *line; line = end + 1, rows++) {
			end = strchr(line, '\n');
			*end = '\0';
			assert_non_null(strstr(flowed, line));
		}
		assert_true(classes[i] != &csv_device || rows == count(flowed, "\n"));
		free(flowed);
		free(whole);
	}
	unlink(path);
}

/* The trace has each event, in time order over all tasks, and only selected ones. */
static void test_trace(void **state)
{
	struct print *print = *state;
	char path[32], *text;

	reload(print, path);
	print->options.device = &csv_device;
	text = print_report(print, "EVT");
	assert_int_equal(count(text, "\nEVT,events,detail,"), 1129);
	assert_true(strstr(text, ",PT,1,qsort") < strstr(text, "EVT,events,detail,600,"));
	free(text);
	print->options.events.types = UINT64_C(1) << EVENT_DA;
	text = print_report(print, "EVT");
	assert_int_equal(count(text, "\nEVT,events,detail,"), 40);
	assert_int_equal(count(text, ",5,,PAYSLIP"), 2);
	free(text);
	print->options.events.types = 0;
	print->options.events.from = 500 * NSEC_PER_MSEC;
	text = print_report(print, "EPT");
	assert_int_equal(count(text, ",PT,"), 21);
	/* The start of PAYROLL was not selected, so its duration is unknown. */
	assert_non_null(strstr(text, ",PT,PAYROLL,1,/opt/pay/bin,,,"));
	free(text);
	unlink(path);
}

/* A call lasts from its start to its end, including its callees. */
static void test_calls(void **state)
{
	struct print *print = *state;
	char path[32], *text;

	reload(print, path);
	text = print_report(print, "EPT");
	assert_non_null(strstr(text,
			       " PT   PAYTAX                                         2        "
			       "0.485        0.525"));
	assert_non_null(strstr(text,
			       " PT qsort                                            1        "
			       "7.000        7.400"));
	free(text);
	unlink(path);
}

/*
 * Writes a data set of two tasks and four snapshots: each event of task 2, which
 * waited, is in the snapshot after the one in which it happened, and its first
 * event is in the last.
 */
static void write_late(const char *path)
{
	struct record_event_site site = { .site = 1, .type = EVENT_NS, .kind = EVENT_KIND_PROGRAM };
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture fixture;
	uint64_t start;

	fixture_init(&fixture);
	start = fixture.time - NSEC_PER_SEC;
	writer = dataset_create(path, &fixture.strings, &err);
	assert_non_null(writer);
	site.program = fixture_string(&fixture, "LATE");
	fixture_add(&fixture, RECORD_EVENT_SITE, &site);
	for (uint64_t part = 0; part < 4; part++) {
		for (uint64_t i = 0; i < 10; i++) {
			struct record_event event = { .time = start + part * 1000 + i * 10,
						      .task = 1,
						      .site = 1,
						      .code = (int64_t)part };

			fixture_add(&fixture, RECORD_EVENT, &event);
			event.task = 2;
			event.time = part ? event.time + 5 - 1000 : event.time + 500;
			if (part || i < 5)
				fixture_add(&fixture, RECORD_EVENT, &event);
		}
		if (part == 3)
			fixture_add(&fixture, RECORD_EVENT,
				    &(struct record_event){ .time = start + 1, .task = 2, .site = 1 });
		assert_int_equal(fixture_write_snapshot(&fixture, writer, &err), 0);
	}
	assert_int_equal(dataset_finish(writer, &err), 0);
	fixture_release(&fixture);
}

/* The trace is in time order, whichever snapshot has an event. */
static void test_late(void **state)
{
	struct print *print = *state;
	struct error err = ERROR_INIT;
	char path[32], *text, *at;
	unsigned long long before = 0, time, number;
	size_t rows = 0;

	reload(print, path);
	write_late(path);
	profile_free(print->profile);
	print->profile = profile_load(path, &err);
	assert_non_null(print->profile);
	print->options.device = &csv_device;
	text = print_report(print, "EVT");
	for (at = text; (at = strstr(at, "\nEVT,events,detail,")); at++, rows++) {
		assert_int_equal(sscanf(at, "\nEVT,events,detail,%llu,%llu", &number, &time), 2);
		assert_int_equal(number, rows + 1);
		assert_true(time >= before);
		before = time;
	}
	assert_int_equal(rows, 40 + 35 + 1);
	free(text);
	unlink(path);
}

/* Writes a data set of many events, with their sums in addition or without. */
static void write_many(const char *path, bool with_sums)
{
	struct record_event_site site = { .site = 1, .type = EVENT_NS, .kind = EVENT_KIND_PROGRAM };
	struct record_event_sum sum = { 1, 0, 40000, 39999, 39999, 0 };
	struct error err = ERROR_INIT;
	struct dataset_writer *writer;
	struct fixture fixture;

	fixture_init(&fixture);
	writer = dataset_create(path, &fixture.strings, &err);
	assert_non_null(writer);
	site.program = fixture_string(&fixture, "MANY");
	fixture_add(&fixture, RECORD_EVENT_SITE, &site);
	for (uint64_t i = 0; i < 40000; i++) {
		struct record_event event = { .time = fixture.time - NSEC_PER_SEC + i,
					      .idle = 7,
					      .task = 1,
					      .site = 1,
					      .code = INT64_MIN };

		fixture_add(&fixture, RECORD_EVENT, &event);
	}
	if (with_sums)
		fixture_add(&fixture, RECORD_EVENT_SUM, &sum);
	assert_int_equal(fixture_write_snapshot(&fixture, writer, &err), 0);
	assert_int_equal(dataset_finish(writer, &err), 0);
	fixture_release(&fixture);
}

/*
 * Sums in the data set are used as they are and the events are not read; without
 * sums they are read.
 */
static void test_sums_beside_events(void **state)
{
	struct print *print = *state;
	char path[32], *text;

	for (int with_sums = 0; with_sums < 2; with_sums++) {
		struct error err = ERROR_INIT;

		reload(print, path);
		write_many(path, with_sums);
		profile_free(print->profile);
		print->profile = profile_load(path, &err);
		assert_non_null(print->profile);
		assert_int_equal(print->profile->events.given, with_sums);
		assert_int_equal(print->profile->snapshots, with_sums ? 1 : 3);
		assert_true(event_usage_has_trace(print->profile));
		assert_true(value_of(print, &report_eps, "MANY", "events") == 40000);
		assert_true(value_of(print, &report_eps, "MANY", "cpu_ns") == 39999);
		print->options.device = &csv_device;
		text = print_report(print, "EVT");
		assert_int_equal(count(text, "\nEVT,events,detail,"), 40000);
		free(text);
		unlink(path);
	}
}

/* Makes a source file of many lines, and a session that names it. */
static void make_source(struct print *print, char path[32])
{
	struct record_event_site site = { .site = 1, .type = EVENT_NS, .kind = EVENT_KIND_PROGRAM };
	static const uint64_t sums[][3] = { { 20, 600, 90 }, { 24, 10, 4 }, { 60, 1, 6 } };
	struct fixture fixture;
	FILE *file;
	int fd;

	snprintf(path, 32, "/tmp/vigil-test-XXXXXX");
	fd = mkstemp(path);
	file = fdopen(fd, "w");
	for (int line = 1; line <= 80; line++)
		fprintf(file, "       LINE-%02d.%s\n", line, line == 21 ? "\r" : "");
	fclose(file);
	profile_free(print->profile);
	fixture_init(&fixture);
	site.file = fixture_string(&fixture, path);
	for (size_t i = 0; i < ARRAY_SIZE(sums); i++) {
		struct record_event_sum sum = {
			site.site, 0, sums[i][1], sums[i][2] * 1000000, sums[i][2] * 1000000, 0
		};

		site.line = sums[i][0];
		fixture_add(&fixture, RECORD_EVENT_SITE, &site);
		fixture_add(&fixture, RECORD_EVENT_SUM, &sum);
		site.site++;
	}
	fixture_end_snapshot(&fixture);
	print->profile = fixture_end(&fixture);
}

/* The source with hits and times: near lines in full, far ones counted, hot ones coloured. */
static void test_source(void **state)
{
	struct print *print = *state;
	char path[32], *text;

	make_source(print, path);
	text = print_report(print, "ESL");
	assert_non_null(strstr(text,
			       "\n     20           600       90.000  90.00       90.000  90.00 "
			       "       LINE-20.\n     21 "));
	assert_non_null(strstr(text, "... 16 lines without events\n     17 "));
	assert_null(strstr(text, "LINE-16."));
	assert_non_null(strstr(text, "LINE-22."));
	assert_non_null(strstr(text, "LINE-27."));
	assert_non_null(strstr(text, "... 29 lines without events\n     57 "));
	assert_non_null(strstr(text, "LINE-63.\n"));
	assert_non_null(strstr(text, "... 17 lines without events\n                  611      "
				     "100.000 100.00"));
	assert_null(strchr(text, '\033'));
	free(text);
	print->options.all = true;
	print->options.colours = true;
	text = print_report(print, "ESL");
	assert_int_equal(count(text, "LINE-"), 80);
	assert_non_null(strstr(text, "\n\033[1;31m     20 "));
	assert_non_null(strstr(text, "LINE-20.\033[0m\n"));
	assert_non_null(strstr(text, "\n\033[33m     24 "));
	assert_int_equal(count(text, "\033["), 6);
	free(text);
	unlink(path);
	text = print_report(print, "ESL");
	assert_non_null(strstr(text, "VIG6506I"));
	assert_int_equal(count(text, "\033["), 6);
	free(text);
}

/* Without its data set, or with sums only, there is no trace, and the report says so. */
static void test_no_trace(void **state)
{
	struct print *print = *state;
	char *text = print_report(print, "EVT");

	assert_non_null(strstr(text, "VIG6504I"));
	free(text);
}

/* Values that the option for types of events accepts. */
static void test_types(void **state UNUSED)
{
	uint64_t types;

	assert_true(event_usage_types("ps,D", &types));
	assert_true(types ==
		    (UINT64_C(1) << EVENT_PS | UINT64_C(1) << EVENT_DB | UINT64_C(1) << EVENT_DA));
	assert_true(event_usage_types("e", &types) && types == UINT64_C(1) << EVENT_E);
	assert_true(event_usage_types("ALL", &types));
	assert_true(types >> 1 == (UINT64_C(1) << (EVENT_TYPE_COUNT - 1)) - 1);
	assert_false(event_usage_types("PS,", &types) || event_usage_types("", &types) ||
		     event_usage_types("X", &types));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(test_figures), TEST(test_pause),	 TEST(test_selection),
		TEST(test_order),   TEST(test_kinds),	 TEST(test_both),
		TEST(test_types),   TEST(test_flow),	 TEST(test_trace),
		TEST(test_calls),   TEST(test_no_trace), TEST(test_sums_beside_events),
		TEST(test_source),  TEST(test_late),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
