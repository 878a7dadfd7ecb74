/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of coverage rows: within a session, and of several sessions merged. */
#include "common/compat.h"
#include "records/coverage-sums.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

/* A session that provides rows, with its own strings. */
struct session {
	struct strmap strings;
	struct registry types;
	struct snapshot snapshot;
};

static void session_init(struct session *session, const char *padding)
{
	strmap_init(&session->strings);
	strmap_put(&session->strings, "");
	strmap_put(&session->strings, padding); /* so that string numbers differ */
	registry_init(&session->types, &session_records);
	snapshot_init(&session->snapshot, &session->types);
}

static void session_release(struct session *session)
{
	snapshot_release(&session->snapshot);
	registry_release(&session->types);
	strmap_release(&session->strings);
}

/* Sums with their own strings, and the sessions they take rows from. */
struct bench {
	struct strmap strings;
	struct coverage_sums sums;
	struct session one, two;
};

static void bench_init(struct bench *bench)
{
	strmap_init(&bench->strings);
	session_init(&bench->one, "one");
	session_init(&bench->two, "two and more");
	coverage_sums_init(&bench->sums, &bench->strings);
}

static void bench_release(struct bench *bench)
{
	coverage_sums_release(&bench->sums);
	session_release(&bench->one);
	session_release(&bench->two);
	strmap_release(&bench->strings);
}

static uint64_t text(struct session *session, const char *string)
{
	return strmap_put(&session->strings, string);
}

static void program(struct session *session, uint64_t number, uint64_t means, const char *build,
		    const char *name, const char *reason)
{
	struct record_coverage_program row = { .program = number,
					       .means = means,
					       .library = text(session, "/opt/pay"),
					       .object = text(session, "PAYROLL"),
					       .build_id = text(session, build),
					       .name = text(session, name),
					       .source = text(session, "pay.cob"),
					       .partial = *reason != '\0',
					       .reason = text(session, reason) };

	recordset_add(snapshot_set(&session->snapshot, RECORD_COVERAGE_PROGRAM), &row);
}

static void statement(struct session *session, uint64_t number, uint64_t of, uint64_t line,
		      uint64_t ordinal, uint64_t count)
{
	struct record_coverage_statement row = { .statement = number,
						 .program = of,
						 .procedure = text(session, "MAIN"),
						 .file = text(session, "pay.cob"),
						 .line = line,
						 .ordinal = ordinal,
						 .verb = text(session, "MOVE"),
						 .count = count };

	recordset_add(snapshot_set(&session->snapshot, RECORD_COVERAGE_STATEMENT), &row);
}

static void place(struct session *session, uint64_t number, uint64_t of, uint64_t start,
		  uint64_t executed)
{
	struct record_coverage_place row = { .place = number,
					     .statement = of,
					     .start = start,
					     .end = start + 8,
					     .executed = executed };

	recordset_add(snapshot_set(&session->snapshot, RECORD_COVERAGE_PLACE), &row);
}

/* Takes the rows of a session and clears its snapshot. */
static void take(struct coverage_sums *sums, struct session *session)
{
	coverage_sums_take(sums, &session->snapshot, &session->strings);
	snapshot_clear(&session->snapshot);
}

static void later_rows_replace_earlier_ones(void **state UNUSED)
{
	struct bench bench;

	bench_init(&bench);
	program(&bench.one, 7, COVERAGE_BY_EVENTS, "", "PAY", "");
	statement(&bench.one, 70, 7, 12, 1, 3);
	statement(&bench.one, 71, 7, 12, 2, 0);
	take(&bench.sums, &bench.one);
	statement(&bench.one, 70, 7, 12, 1, 11);
	take(&bench.sums, &bench.one);
	assert_int_equal(bench.sums.program_count, 1);
	assert_int_equal(bench.sums.statement_count, 2);
	assert_int_equal(bench.sums.statements[0].count, 11);
	assert_int_equal(bench.sums.statements[0].program, 1);
	assert_int_equal(bench.sums.statements[1].count, 0);
	assert_int_equal(bench.sums.statements[1].statement, 2);
	assert_string_equal(strmap_text(&bench.strings, (uint32_t)bench.sums.statements[0].verb),
			    "MOVE");
	bench_release(&bench);
}

static void counts_of_events_are_added_in_any_order_of_rows(void **state UNUSED)
{
	struct bench bench;

	bench_init(&bench);
	text(&bench.two, "another");
	program(&bench.one, 1, COVERAGE_BY_EVENTS, "", "PAY", "");
	statement(&bench.one, 1, 1, 12, 1, 5);
	statement(&bench.one, 2, 1, 14, 1, 2);
	take(&bench.sums, &bench.one);
	coverage_sums_begin(&bench.sums);
	program(&bench.two, 1, COVERAGE_BY_EVENTS, "", "OTHER", "");
	program(&bench.two, 2, COVERAGE_BY_EVENTS, "", "PAY", "its source is not known");
	statement(&bench.two, 1, 2, 14, 1, 40);
	statement(&bench.two, 2, 2, 12, 1, 0);
	statement(&bench.two, 3, 2, 16, 1, 1);
	take(&bench.sums, &bench.two);
	assert_int_equal(bench.sums.program_count, 2);
	assert_int_equal(bench.sums.programs[0].partial, 1);
	assert_string_equal(strmap_text(&bench.strings, (uint32_t)bench.sums.programs[0].reason),
			    "its source is not known");
	assert_int_equal(bench.sums.statement_count, 3);
	assert_int_equal(bench.sums.statements[0].count, 5);
	assert_int_equal(bench.sums.statements[1].count, 42);
	assert_int_equal(bench.sums.statements[2].count, 1);
	assert_int_equal(bench.sums.statements[2].program, 1);
	bench_release(&bench);
}

/* Adds one statement of two places, one of them executed; numbers begin with first. */
static void half(struct session *session, uint64_t first, const char *build, size_t which)
{
	program(session, first, COVERAGE_BY_PLACES, build, "PAY", "");
	statement(session, first, first, 12, 1, 1);
	place(session, first, first, 0x100, which == 0);
	place(session, first + 1, first, 0x108, which == 1);
}

static void places_of_one_build_are_merged_by_address(void **state UNUSED)
{
	struct bench bench;

	bench_init(&bench);
	half(&bench.one, 1, "a1b2", 0);
	take(&bench.sums, &bench.one);
	assert_int_equal(bench.sums.places[1].executed, 0);
	coverage_sums_begin(&bench.sums);
	half(&bench.two, 9, "a1b2", 1);
	take(&bench.sums, &bench.two);
	assert_int_equal(bench.sums.program_count, 1);
	assert_int_equal(bench.sums.statement_count, 1);
	assert_int_equal(bench.sums.statements[0].count, 2);
	assert_int_equal(bench.sums.place_count, 2);
	assert_int_equal(bench.sums.places[0].executed, 1);
	assert_int_equal(bench.sums.places[1].executed, 1);
	bench_release(&bench);
}

static void places_of_other_builds_stay_apart(void **state UNUSED)
{
	static const char *const builds[][2] = { { "a1b2", "a1b3" }, { "", "" } };

	for (size_t i = 0; i < ARRAY_SIZE(builds); i++) {
		struct bench bench;

		bench_init(&bench);
		half(&bench.one, 1, builds[i][0], 0);
		take(&bench.sums, &bench.one);
		coverage_sums_begin(&bench.sums);
		half(&bench.one, 1, builds[i][1], 1);
		take(&bench.sums, &bench.one);
		assert_int_equal(bench.sums.program_count, 2);
		assert_int_equal(bench.sums.statement_count, 2);
		assert_int_equal(bench.sums.place_count, 4);
		assert_int_equal(bench.sums.places[2].statement, 2);
		bench_release(&bench);
	}
}

static void rows_without_what_they_belong_to_are_left_out(void **state UNUSED)
{
	struct bench bench;

	bench_init(&bench);
	statement(&bench.one, 1, 5, 12, 1, 1);
	place(&bench.one, 1, 1, 0x100, 1);
	take(&bench.sums, &bench.one);
	assert_int_equal(bench.sums.statement_count, 0);
	assert_int_equal(bench.sums.place_count, 0);
	assert_int_equal(bench.sums.orphans, 2);
	bench_release(&bench);
}

static void ways_to_a_file_are_one_path(void **state UNUSED)
{
	static const char *const paths[][2] = {
		{ "/opt/pay/src/../inc/a.h", "/opt/pay/inc/a.h" },
		{ "/opt//pay/./a.c", "/opt/pay/a.c" },
		{ "./a.c", "a.c" },
		{ "../../a.c", "../../a.c" },
		{ "src/../../a.c", "../a.c" },
		{ "src/../a.c", "a.c" },
		{ "/../a.c", "/../a.c" },
		{ "/a/b/../../c/.d/..e", "/c/.d/..e" },
		{ "/opt/a b/c.c", "/opt/a b/c.c" },
		{ "", "" },
		{ "/", "/" },
		{ "//", "/" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		struct record_coverage_statement row = { .statement = 1, .program = 1 };
		struct bench bench;

		bench_init(&bench);
		program(&bench.one, 1, COVERAGE_BY_EVENTS, "", "PAY", "");
		row.file = text(&bench.one, paths[i][0]);
		recordset_add(snapshot_set(&bench.one.snapshot, RECORD_COVERAGE_STATEMENT), &row);
		take(&bench.sums, &bench.one);
		assert_string_equal(
			strmap_text(&bench.strings, (uint32_t)bench.sums.statements[0].file),
			paths[i][1]);
		bench_release(&bench);
	}
}

static void what_is_put_can_be_taken_again(void **state UNUSED)
{
	struct coverage_sums sums, other;
	struct strmap strings, others;
	struct session one, out;

	strmap_init(&strings);
	strmap_init(&others);
	session_init(&one, "one");
	session_init(&out, "out");
	coverage_sums_init(&sums, &strings);
	coverage_sums_init(&other, &others);
	half(&one, 30, "a1b2", 0);
	take(&sums, &one);
	coverage_sums_put(&sums, &out.snapshot);
	coverage_sums_take(&other, &out.snapshot, &strings);
	coverage_sums_add(&other, &sums);
	assert_int_equal(other.program_count, 1);
	assert_int_equal(other.statement_count, 1);
	assert_int_equal(other.place_count, 2);
	assert_int_equal(other.places[0].executed, 1);
	assert_int_equal(other.places[1].executed, 0);
	assert_string_equal(strmap_text(&others, (uint32_t)other.programs[0].name), "PAY");
	coverage_sums_release(&sums);
	coverage_sums_release(&other);
	session_release(&one);
	session_release(&out);
	strmap_release(&strings);
	strmap_release(&others);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(later_rows_replace_earlier_ones),
		cmocka_unit_test(counts_of_events_are_added_in_any_order_of_rows),
		cmocka_unit_test(places_of_one_build_are_merged_by_address),
		cmocka_unit_test(places_of_other_builds_stay_apart),
		cmocka_unit_test(rows_without_what_they_belong_to_are_left_out),
		cmocka_unit_test(ways_to_a_file_are_one_path),
		cmocka_unit_test(what_is_put_can_be_taken_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
