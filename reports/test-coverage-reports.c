/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the reports of coverage: totals, selection, and which sessions have them. */
#include "common/compat.h"
#include "profile/fixture.h"
#include "records/record-types.h"
#include "reports/report-check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static const char *const usual[] = { "EPS", "PRO", "CPS", "CST" };

/* Prints a profile with codes (count 0: all); the caller frees the text. */
static char *print(const struct profile *profile, struct report_options *options)
{
	struct error err = ERROR_INIT;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	options->lines = 0;
	assert_int_equal(report_print(profile, options, stream, &err), 0);
	fclose(stream);
	return text;
}

static void totals_tie_out_whatever_is_selected(void **state UNUSED)
{
	static const char *const sessions[] = { "coverage", "odd-paths" };
	static const char *const programs[] = { NULL, "pay*", "nobody" };
	static const double below[] = { 0, 60 };

	for (unsigned i = 0; i < 2 * 3 * 2 * 4; i++) {
		struct profile *profile = fixture_profile(sessions[i % 2]);
		struct strbuf sb = STRBUF_INIT;
		struct report_options options;

		report_options_init(&options);
		options.events.program = programs[i / 2 % 3];
		options.coverage.below = below[i / 6 % 2];
		options.coverage.missed = i / 12 % 2;
		options.all = i / 24;
		if (report_check(profile, &options, &sb))
			fail_msg("%s", sb.text);
		strbuf_release(&sb);
		profile_free(profile);
	}
}

static void a_session_may_have_events_and_coverage(void **state UNUSED)
{
	static const char *const parts[] = { "\n#EPS ",	   "\n#PRO ",	     "TRACE SESSION",
					     "\nCOVERAGE", "PLACES WATCHED", "\n#CPS ",
					     "\n#CST " };
	struct report_options options;
	struct profile *profile;
	struct fixture f;
	char *text;

	fixture_init(&f);
	fixture_events(&f);
	fixture_coverage(&f);
	profile = fixture_end(&f);
	report_options_init(&options);
	text = print(profile, &options);
	for (size_t i = 0; i < ARRAY_SIZE(parts); i++)
		if (!strstr(text, parts[i]))
			fail_msg("there is no %s", parts[i]);
	assert_null(strstr(text, "\n#PSU "));
	assert_null(strstr(text, "\n#CSL "));
	free(text);
	profile_free(profile);
}

static void usual_reports_are_those_of_what_the_session_has(void **state UNUSED)
{
	static const struct {
		const char *session;
		bool usual;
		const char *printed, *not_printed;
	} cases[] = {
		{ "coverage", true, "\n#CST ", "\n#EPS " },
		{ "events", true, "\n#EPS ", "\n#CPS " },
		{ "payroll", true, "VIG6500I", "VIG6520I" },
		{ "coverage", false, "VIG6500I", NULL },
		{ "events", false, "VIG6520I", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct profile *profile = fixture_profile(cases[i].session);
		struct report_options options;
		char *text;

		report_options_init(&options);
		options.codes = usual;
		options.code_count = ARRAY_SIZE(usual);
		options.usual = cases[i].usual;
		text = print(profile, &options);
		assert_non_null(strstr(text, cases[i].printed));
		assert_true(!cases[i].not_printed || !strstr(text, cases[i].not_printed));
		free(text);
		profile_free(profile);
	}
}

static void rows_that_were_lost_are_told(void **state UNUSED)
{
	struct record_coverage_statement orphan = { .statement = 9000, .program = 9000, .line = 1 };
	struct report_options options;
	struct profile *profile;
	struct fixture f;
	char *text;

	fixture_init(&f);
	fixture_coverage(&f);
	fixture_add(&f, RECORD_COVERAGE_STATEMENT, &orphan);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	report_options_init(&options);
	options.codes = usual + 2;
	options.code_count = 1;
	text = print(profile, &options);
	assert_non_null(strstr(text, "VIG6526W 1 records of coverage"));
	free(text);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(totals_tie_out_whatever_is_selected),
		cmocka_unit_test(a_session_may_have_events_and_coverage),
		cmocka_unit_test(usual_reports_are_those_of_what_the_session_has),
		cmocka_unit_test(rows_that_were_lost_are_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
