/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the view of coverage: states, counts, merging and selection. */
#include "common/compat.h"
#include "profile/coverage.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static struct profile *profile;
static struct coverage_view view;

/* Makes the view of the session "coverage". */
static void look(const char *name, enum coverage_grouping grouping,
		 const struct coverage_selection *selection)
{
	profile = fixture_profile(name);
	assert_non_null(profile);
	coverage_view_init(&view, &profile->coverage, grouping, selection);
}

static void end(void)
{
	coverage_view_release(&view);
	profile_free(profile);
}

static const struct coverage_unit *unit(const char *name)
{
	for (size_t i = 0; i < view.unit_count; i++)
		if (strcmp(coverage_text(&view, view.units[i].name), name) == 0)
			return &view.units[i];
	return NULL;
}

/* Returns the line of a file in a unit. */
static const struct coverage_line *line(const char *name, const char *file, uint64_t number)
{
	const struct coverage_unit *of = unit(name);

	for (size_t i = 0; of && i < of->line_count; i++) {
		const struct coverage_line *at = &view.lines[of->line + i];

		if (at->line == number && strstr(coverage_text(&view, at->file), file))
			return at;
	}
	return NULL;
}

static void assert_counts(const struct coverage_counts *counts, const uint64_t *expected)
{
	const uint64_t found[] = { counts->statements,
				   counts->statements_executed,
				   counts->lines,
				   counts->lines_executed,
				   counts->lines_partly,
				   counts->procedures,
				   counts->procedures_executed,
				   counts->blocks,
				   counts->blocks_executed };

	for (size_t i = 0; i < ARRAY_SIZE(found); i++)
		assert_int_equal(found[i], expected[i]);
}

static void programs_have_counts_of_all_they_contain(void **state UNUSED)
{
	static const uint64_t payroll[] = { 15, 6, 14, 6, 1, 3, 2, 0, 0 };
	static const uint64_t load[] = { 7, 6, 7, 6, 3, 3, 3, 11, 8 };
	static const uint64_t total[] = { 34, 20, 33, 20, 4, 11, 9, 18, 11 };

	look("coverage", COVERAGE_BY_PROGRAM, NULL);
	assert_int_equal(view.unit_count, 4);
	assert_counts(&unit("PAYROLL")->counts, payroll);
	assert_counts(&unit("load.c")->counts, load);
	assert_counts(&view.total, total);
	assert_true(unit("PAYROLL")->events && !unit("load.c")->events);
	assert_true(unit("load.c")->optimised && !unit("load.c")->partial);
	assert_true(unit("save.c")->partial && !unit("save.c")->optimised);
	assert_true(coverage_statement_percent(&unit("PAYROLL")->counts) == 40);
	end();
}

static void lines_are_executed_in_full_in_part_or_not(void **state UNUSED)
{
	static const struct {
		const char *program, *file;
		uint64_t line, count;
		enum coverage_state state;
	} cases[] = {
		{ "PAYROLL", ".cob", 121, 41, COVERAGE_EXECUTED },
		{ "PAYROLL", ".cob", 122, 40, COVERAGE_PARTLY }, /* one of two statements */
		{ "PAYROLL", ".cob", 140, 0, COVERAGE_MISSED },
		{ "PAYTAX", ".cpy", 7, 7, COVERAGE_EXECUTED },
		{ "load.c", ".c", 15, 1, COVERAGE_PARTLY }, /* two of three blocks */
		{ "load.c", ".c", 31, 1, COVERAGE_PARTLY }, /* half of its block */
		{ "load.c", ".c", 32, 1, COVERAGE_EXECUTED },
		{ "load.c", ".c", 17, 0, COVERAGE_MISSED },
	};

	look("coverage", COVERAGE_BY_PROGRAM, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		const struct coverage_line *at =
			line(cases[i].program, cases[i].file, cases[i].line);

		assert_non_null(at);
		assert_int_equal(at->state, cases[i].state);
		assert_int_equal(at->count, cases[i].count);
	}
	end();
}

static void the_source_stands_before_copybooks(void **state UNUSED)
{
	const struct coverage_unit *of;

	look("coverage", COVERAGE_BY_PROGRAM, NULL);
	of = unit("PAYTAX");
	assert_int_equal(of->line_count, 6);
	assert_int_equal(view.lines[of->line].line, 20);
	assert_int_equal(view.lines[of->line + 2].line, 3);
	end();
}

static void what_programs_have_of_one_file_is_joined(void **state UNUSED)
{
	static const uint64_t header[] = { 2, 2, 2, 2, 1, 1, 1, 3, 2 };

	look("coverage", COVERAGE_BY_FILE, NULL);
	assert_int_equal(view.unit_count, 6);
	assert_counts(&unit("/opt/pay/include/money.h")->counts, header);
	assert_int_equal(line("/opt/pay/include/money.h", "", 8)->state, COVERAGE_PARTLY);
	assert_int_equal(unit("/opt/pay/src/paytax.cob")->counts.procedures, 1);
	assert_int_equal(unit("/opt/pay/copy/rates.cpy")->counts.procedures, 1);
	assert_string_equal(
		coverage_text(&view,
			      view.procedures[unit("/opt/pay/copy/rates.cpy")->procedure].name),
		"RATES");
	end();
}

static void procedures_of_one_name_in_one_file_are_told_apart(void **state UNUSED)
{
	const struct coverage_procedure *procedures;

	look("odd-paths", COVERAGE_BY_FILE, NULL);
	assert_int_equal(unit("nested.cob")->procedure_count, 2);
	procedures = &view.procedures[unit("nested.cob")->procedure];
	assert_true(procedures[0].ambiguous && procedures[1].ambiguous);
	assert_string_equal(coverage_text(&view, procedures[0].program), "OUTER");
	assert_int_equal(procedures[0].line, 10);
	assert_int_equal(procedures[0].count, 3);
	assert_string_equal(coverage_text(&view, procedures[1].program), "INNER");
	assert_int_equal(procedures[1].count, 4);
	assert_false(view.procedures[unit("src/main.c")->procedure].ambiguous);
	end();
}

static void programs_are_selected_by_name_and_percentage(void **state UNUSED)
{
	const struct coverage_selection name = { .program = "pay*" };
	const struct coverage_selection below = { .below = 50.1 };

	look("coverage", COVERAGE_BY_PROGRAM, &name);
	assert_int_equal(view.unit_count, 2);
	assert_int_equal(view.total.statements, 21);
	end();
	look("coverage", COVERAGE_BY_FILE, &name);
	assert_int_equal(view.unit_count, 3);
	end();
	look("coverage", COVERAGE_BY_PROGRAM, &below);
	assert_int_equal(view.unit_count, 2);
	assert_non_null(unit("PAYROLL"));
	assert_non_null(unit("save.c"));
	assert_int_equal(view.total.statements, 21);
	end();
}

/*
 * Two builds of a program: in each, one place of the statement was executed, of
 * two and of three.
 */
static void builds_are_joined_by_source_and_line(void **state UNUSED)
{
	struct fixture f;

	fixture_init(&f);
	for (uint64_t build = 1; build <= 2; build++) {
		struct record_coverage_program program = {
			.program = build,
			.build_id = fixture_string(&f, build == 1 ? "a1" : "a2"),
			.object = fixture_string(&f, "pay"),
			.name = fixture_string(&f, "pay.c"),
			.source = fixture_string(&f, "pay.c"),
		};
		struct record_coverage_statement statement = {
			.statement = build,
			.program = build,
			.procedure = fixture_string(&f, "main"),
			.file = program.source,
			.line = 7,
			.ordinal = 1,
			.count = 1,
		};

		fixture_add(&f, RECORD_COVERAGE_PROGRAM, &program);
		fixture_add(&f, RECORD_COVERAGE_STATEMENT, &statement);
		for (uint64_t i = 0; i < build + 1; i++) {
			struct record_coverage_place place = { .place = build * 10 + i,
							       .statement = build,
							       .start = i * 16,
							       .end = i * 16 + 16,
							       .block = i,
							       .executed = i == 0 };

			fixture_add(&f, RECORD_COVERAGE_PLACE, &place);
		}
	}
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	coverage_view_init(&view, &profile->coverage, COVERAGE_BY_PROGRAM, NULL);
	assert_int_equal(view.unit_count, 1);
	assert_int_equal(view.units[0].builds, 2);
	assert_int_equal(view.statement_count, 1);
	assert_int_equal(view.statements[0].count, 2);
	assert_int_equal(view.statements[0].places, 2);
	assert_int_equal(view.statements[0].places_executed, 1);
	assert_int_equal(view.lines[0].state, COVERAGE_PARTLY);
	end();
}

static void a_session_without_coverage_has_an_empty_view(void **state UNUSED)
{
	look("payroll", COVERAGE_BY_PROGRAM, NULL);
	assert_false(coverage_any(&profile->coverage));
	assert_int_equal(view.unit_count, 0);
	assert_true(coverage_statement_percent(&view.total) == 100);
	end();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(programs_have_counts_of_all_they_contain),
		cmocka_unit_test(lines_are_executed_in_full_in_part_or_not),
		cmocka_unit_test(the_source_stands_before_copybooks),
		cmocka_unit_test(what_programs_have_of_one_file_is_joined),
		cmocka_unit_test(procedures_of_one_name_in_one_file_are_told_apart),
		cmocka_unit_test(programs_are_selected_by_name_and_percentage),
		cmocka_unit_test(builds_are_joined_by_source_and_line),
		cmocka_unit_test(a_session_without_coverage_has_an_empty_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
