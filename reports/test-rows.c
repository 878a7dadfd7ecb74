/* SPDX-License-Identifier: Apache-2.0 */
/* Tests single rows of the reports: what is listed, folded and divided, in edge cases. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/findings.h"
#include "profile/fixture.h"
#include "records/record-types.h"
#include "reports/report-class.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* The document of one report on a session, and what it was made from. */
struct built {
	struct profile *profile;
	struct report_options options;
	struct context context;
	struct document document;
};

/* Builds a report on the session of a fixture, which is released. */
static void build(struct built *built, struct fixture *f, const struct report_class *class)
{
	fixture_end_snapshot(f);
	built->profile = fixture_end(f);
	report_options_init(&built->options);
	context_init(&built->context, built->profile, &built->options);
	document_init(&built->document, class->code, class->title, &built->context.tokens);
	class->build(&built->context, &built->document);
}

static void end(struct built *built)
{
	document_release(&built->document);
	context_release(&built->context);
	profile_free(built->profile);
}

/* Returns the first table of an id; NULL if there is none. */
static const struct table *find_table(const struct built *built, const char *id)
{
	for (size_t i = 0; i < built->document.count; i++)
		if (built->document.blocks[i].table &&
		    strcmp(built->document.blocks[i].table->id, id) == 0)
			return built->document.blocks[i].table;
	return NULL;
}

/*
 * Returns the value of a column in the first row whose first text is name; NULL if
 * there is no such row.
 */
static const struct value *find(const struct built *built, const char *id, const char *name,
				const char *column)
{
	const struct table *table = find_table(built, id);

	for (size_t i = 0; table && i < table->row_count; i++)
		for (size_t j = 0; j < table->column_count; j++) {
			const struct value *value = &table->rows[i].values[j];

			if (value->type == VALUE_TEXT && strcmp(value->text, name) == 0)
				return &table->rows[i].values[table_column(table, column)];
		}
	return NULL;
}

/* Returns the number of rows of a kind in a table. */
static size_t count_rows(const struct built *built, const char *id, enum row_kind kind)
{
	const struct table *table = find_table(built, id);
	size_t count = 0;

	for (size_t i = 0; i < table->row_count; i++)
		count += table->rows[i].kind == kind;
	return count;
}

static void add_step(struct fixture *f, uint64_t wait)
{
	struct record_step step = {
		.time = f->time, .interval = NSEC_PER_SEC, .exec = NSEC_PER_SEC - wait, .wait = wait
	};

	fixture_add(f, RECORD_STEP, &step);
}

/* Adds a file that was opened with flags (O_ flags, -1 unknown) this many times. */
static void add_file(struct fixture *f, uint64_t id, const char *path, int flags, uint64_t opens)
{
	struct record_file file = { .file = id,
				    .kind = FILE_REGULAR,
				    .path = fixture_string(f, path),
				    .open_flags = (uint64_t)(flags + 1),
				    .opens = opens,
				    .bytes_known = 1 };

	fixture_add(f, RECORD_FILE, &file);
}

static void files_without_activity_are_listed_when_they_were_written(void **state UNUSED)
{
	static const struct {
		const char *path;
		int flags;
		uint64_t opens;
		const char *mode; /* NULL: not listed */
	} cases[] = {
		{ "/data/read", O_RDONLY, 1, NULL },
		{ "/data/write", O_WRONLY, 1, "WRITE" },
		{ "/data/update", O_RDWR | O_CREAT, 1, "UPDATE" },
		{ "/data/append", O_WRONLY | O_APPEND, 2, "APPEND" },
		{ "/data/inherited", O_WRONLY, 0, NULL },
		{ "/data/unknown", -1, 1, NULL },
	};
	struct record_file_activity activity = { .file = 7, .waits = 1 };
	struct built built;
	struct fixture f;

	fixture_init(&f);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++)
		add_file(&f, i + 1, cases[i].path, cases[i].flags, cases[i].opens);
	add_file(&f, 7, "/data/waited", O_RDONLY, 0);
	fixture_add(&f, RECORD_FILE_ACTIVITY, &activity);
	add_step(&f, 0);
	build(&built, &f, &report_dsc);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct value *mode = find(&built, "files", cases[i].path, "mode");

		assert_int_equal(mode != NULL, cases[i].mode != NULL);
		if (mode)
			assert_string_equal(mode->text, cases[i].mode);
	}
	assert_string_equal(find(&built, "files", "/data/waited", "mode")->text, "READ");
	end(&built);
}

/* The mean is that of the tasks' waits, even if several waited at once. */
static void the_mean_wait_for_a_file_is_that_of_a_task(void **state UNUSED)
{
	struct record_file_activity activity = { .file = 1,
						 .waits = 4,
						 .total = 120 * NSEC_PER_MSEC,
						 .busy = 40 * NSEC_PER_MSEC,
						 .busy_solo = 10 * NSEC_PER_MSEC };
	struct built built;
	struct fixture f;

	fixture_init(&f);
	add_file(&f, 1, "/data/pay", O_RDONLY, 1);
	fixture_add(&f, RECORD_FILE_ACTIVITY, &activity);
	add_step(&f, 0);
	build(&built, &f, &report_iof);
	assert_int_equal(find(&built, "devices", "pay", "mean_ns")->number, 30 * NSEC_PER_MSEC);
	assert_int_equal(find(&built, "devices", "pay", "busy_ns")->number, 40 * NSEC_PER_MSEC);
	assert_true(find(&built, "devices", "pay", "run_total_percent")->real == 4.0);
	assert_true(find(&built, "devices", "pay", "run_solo_percent")->real == 1.0);
	end(&built);
}

/*
 * Builds a report on a session of one second whose first task was busy for this
 * many ms from its start.
 */
static void busy_tasks(struct built *built, uint64_t tasks, uint64_t ms)
{
	struct fixture f;

	fixture_init(&f);
	for (uint64_t i = 1; i <= tasks; i++) {
		struct record_task task = {
			.task = i, .name = fixture_string(&f, i == 1 ? "first" : "other")
		};
		struct record_activity activity = { .task = i, .cpu = ms * NSEC_PER_MSEC };

		fixture_add(&f, RECORD_TASK, &task);
		fixture_add(&f, RECORD_ACTIVITY, &activity);
	}
	add_step(&f, 0);
	build(built, &f, &report_tda);
}

static void levels_are_tenths(void **state UNUSED)
{
	static const struct {
		uint64_t ms;
		char level;
	} cases[] = { { 0, 0 },	    { 1, '.' },	  { 49, '.' },	{ 50, '1' },  { 149, '1' },
		      { 150, '2' }, { 949, '9' }, { 950, '+' }, { 1000, '+' } };
	struct built built;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct value *level;

		busy_tasks(&built, 1, cases[i].ms);
		level = find(&built, "tasks", "first", "level");
		assert_int_equal(level != NULL, cases[i].level != 0);
		for (size_t j = 0; level && j < 100; j++)
			assert_int_equal(level->text[j], cases[i].level);
		end(&built);
	}
}

/* A single row beyond the limit is shown: .OTHER would take as many lines. */
static void a_single_row_is_not_folded(void **state UNUSED)
{
	struct built built;

	busy_tasks(&built, 5, 100);
	assert_int_equal(count_rows(&built, "tasks", ROW_DETAIL), 5);
	assert_int_equal(count_rows(&built, "tasks", ROW_OTHER), 0);
	end(&built);
	busy_tasks(&built, 6, 100);
	assert_int_equal(count_rows(&built, "tasks", ROW_DETAIL), 6);
	assert_int_equal(count_rows(&built, "tasks", ROW_OTHER), 0);
	end(&built);
	busy_tasks(&built, 7, 100);
	assert_int_equal(count_rows(&built, "tasks", ROW_DETAIL), 5);
	assert_int_equal(count_rows(&built, "tasks", ROW_OTHER), 1);
	end(&built);
}

/*
 * Begins a session with a sample in each of this many procedures of a program, and
 * some in a library.
 */
static void begin_procedures(struct fixture *f, size_t procedures, uint64_t library)
{
	uint64_t program, object, stack = 0;
	char name[32];

	fixture_init(f);
	program = fixture_object(f, OBJECT_FILE, "/opt/pay/server", "");
	object = fixture_object(f, OBJECT_FILE, "/usr/lib/libz.so.1", "");
	for (size_t i = 0; i < procedures; i++) {
		snprintf(name, sizeof(name), "step_%zu", i);
		stack = fixture_stack(
			f, 0, fixture_frame(f, program, 0x1000 + i * 0x100, "a.c", name, 5, ""));
		fixture_samples(f, 1, stack, 1, 0, 0);
	}
	stack = fixture_stack(f, stack, fixture_frame(f, object, 0x100, "z.c", "deflate", 7, ""));
	fixture_samples(f, library, stack, 1, 0, 0);
	add_step(f, 0);
}

static void twenty_procedures_are_listed(void **state UNUSED)
{
	struct built built;
	struct fixture f;

	begin_procedures(&f, 20, 0);
	build(&built, &f, &report_mep);
	assert_int_equal(count_rows(&built, "procedures_charged", ROW_DETAIL), 20);
	assert_int_equal(count_rows(&built, "procedures_charged", ROW_OTHER), 0);
	end(&built);
	begin_procedures(&f, 21, 0);
	build(&built, &f, &report_mep);
	assert_int_equal(count_rows(&built, "procedures_charged", ROW_DETAIL), 20);
	assert_int_equal(count_rows(&built, "procedures_charged", ROW_OTHER), 1);
	end(&built);
}

/*
 * The system's pseudo-sections are always shown separately; a program only if it
 * is above the baseline.
 */
static void the_system_is_detailed_below_the_baseline(void **state UNUSED)
{
	struct built built;
	struct fixture f;

	begin_procedures(&f, 99, 1);
	build(&built, &f, &report_psu);
	assert_non_null(find(&built, "sections", ".LIBZ", "samples"));
	assert_null(find(&built, "sections", "below the baseline", "samples"));
	end(&built);
	begin_procedures(&f, 1, 99);
	build(&built, &f, &report_psu);
	assert_int_equal(find(&built, "sections", "below the baseline", "samples")->number, 1);
	assert_null(find(&built, "sections", "a.c", "samples"));
	end(&built);
}

/* Calls of a library procedure through the library's own stub count for the library. */
static void stubs_of_a_library_are_the_library(void **state UNUSED)
{
	static const struct {
		const char *path, *procedure, *section;
	} cases[] = {
		{ "/usr/lib/libz.so.1", "memcpy@plt", ".LIBZ" },
		{ "/opt/pay/server", "memcpy@plt", ".PLT" },
		{ "/opt/pay/server", "@plt", "a.c" },
	};
	struct built built;
	struct fixture f;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t object;

		fixture_init(&f);
		object = fixture_object(&f, OBJECT_FILE, cases[i].path, "");
		fixture_samples(&f, 1,
				fixture_stack(&f, 0,
					      fixture_frame(&f, object, 0x100, "a.c",
							    cases[i].procedure, 5, "")),
				1, 0, 0);
		build(&built, &f, &report_psu);
		assert_non_null(find(&built, "sections", cases[i].section, "samples"));
		end(&built);
	}
}

static void add_wait(struct fixture *f, uint64_t stack, uint64_t ms)
{
	struct record_wait wait = { .task = 1,
				    .stack = stack,
				    .reason = WAIT_SLEEP,
				    .count = 1,
				    .total = ms * NSEC_PER_MSEC,
				    .charged = ms * NSEC_PER_MSEC };

	fixture_add(f, RECORD_WAIT, &wait);
}

/*
 * Waits at several places of one procedure's line are one finding; code without a
 * name is distinguished by place.
 */
static void a_finding_sums_up_the_places_of_a_statement(void **state UNUSED)
{
	struct findings findings;
	struct built built;
	struct fixture f;
	uint64_t object;

	for (unsigned named = 0; named < 2; named++) {
		const char *pause = named ? "pause" : NULL;

		fixture_init(&f);
		object = fixture_object(&f, OBJECT_FILE, "/opt/pay/server", "");
		add_wait(
			&f,
			fixture_stack(&f, 0, fixture_frame(&f, object, 0x110, "a.c", pause, 5, "")),
			60);
		add_wait(
			&f,
			fixture_stack(&f, 0, fixture_frame(&f, object, 0x120, "a.c", pause, 5, "")),
			61);
		add_wait(&f,
			 fixture_stack(&f, 0,
				       fixture_frame(&f, object, 0x210, "a.c",
						     named ? "rest" : NULL, 9, "")),
			 100);
		add_step(&f, 221 * NSEC_PER_MSEC);
		build(&built, &f, &report_msd);
		findings_init(&findings, built.profile, 8);
		assert_int_equal(findings.count, 1);
		assert_string_equal(findings.items[0].where,
				    named ? "a.c: pause line 5" : "server: +210");
		findings_release(&findings);
		end(&built);
	}
}

/* A collector that never answered in time completed no call, but has its row. */
static void collectors_that_were_too_late_have_a_row(void **state UNUSED)
{
	struct record_collector collector = { .collector = 1, .calls = 10, .answers = 8 };
	struct built built;
	struct fixture f;

	fixture_init(&f);
	collector.name = fixture_string(&f, "CALLED");
	fixture_add(&f, RECORD_COLLECTOR, &collector);
	collector = (struct record_collector){ .collector = 2, .late = 3 };
	collector.name = fixture_string(&f, "LATE");
	fixture_add(&f, RECORD_COLLECTOR, &collector);
	collector = (struct record_collector){ .collector = 3 };
	collector.name = fixture_string(&f, "IDLE");
	fixture_add(&f, RECORD_COLLECTOR, &collector);
	build(&built, &f, &report_msd);
	assert_int_equal(find(&built, "collector_calls", "CALLED", "calls")->number, 10);
	assert_int_equal(find(&built, "collector_calls", "LATE", "late")->number, 3);
	assert_null(find(&built, "collector_calls", "IDLE", "calls"));
	assert_int_equal(find(&built, "collector_calls", "TOTALS", "late")->number, 3);
	assert_int_equal(count_rows(&built, "data_collectors", ROW_DETAIL), 3);
	end(&built);
}

/*
 * Checks whether the summary of a session with this many samples gives a margin,
 * and whether it warns.
 */
static void assert_margin(uint64_t samples, bool expected)
{
	struct strbuf sb = STRBUF_INIT;
	struct profile *profile;
	struct fixture f;

	fixture_init(&f);
	fixture_samples(&f, samples, 0, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	report_summary(profile, &sb);
	assert_int_equal(strstr(sb.text, "margin of error") != NULL, expected);
	assert_int_equal(strstr(sb.text, "percentages of CPU time are not reliable") != NULL,
			 !expected);
	strbuf_release(&sb);
	profile_free(profile);
}

static void a_hundred_samples_have_a_margin(void **state UNUSED)
{
	assert_margin(99, false);
	assert_margin(100, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_without_activity_are_listed_when_they_were_written),
		cmocka_unit_test(the_mean_wait_for_a_file_is_that_of_a_task),
		cmocka_unit_test(levels_are_tenths),
		cmocka_unit_test(a_single_row_is_not_folded),
		cmocka_unit_test(twenty_procedures_are_listed),
		cmocka_unit_test(the_system_is_detailed_below_the_baseline),
		cmocka_unit_test(stubs_of_a_library_are_the_library),
		cmocka_unit_test(collectors_that_were_too_late_have_a_row),
		cmocka_unit_test(a_hundred_samples_have_a_margin),
		cmocka_unit_test(a_finding_sums_up_the_places_of_a_statement),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
