/* SPDX-License-Identifier: Apache-2.0 */
/* Unit tests of exports: content, odd names, and streams that fail. */
#include "common/compat.h"
#include "common/clock.h"
#include "engine/dataset.h"
#include "exports/export.h"
#include "profile/fixture.h"
#include "records/record-types.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <unistd.h>

/* Returns the export of a session; the caller frees it. */
static char *export_of(const char *form, const char *session,
		       const struct coverage_selection *selection, struct export_result *result)
{
	struct profile *profile = fixture_profile(session);
	struct export_request request = { .coverage = &profile->coverage,
					  .name = "PAY-ROLL",
					  .start = UINT64_C(1763674445000000000) };
	struct export_result own;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	if (selection)
		request.selection = *selection;
	assert_int_equal(export_write(form, &request, stream, result ? result : &own, NULL), 0);
	fclose(stream);
	profile_free(profile);
	return text;
}

static void assert_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		fail_msg("the export has no %s\n%s", part, text);
}

static size_t count(const char *text, const char *part)
{
	size_t found = 0;

	for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
		found++;
	return found;
}

static void a_tracefile_has_functions_branches_and_lines(void **state UNUSED)
{
	struct export_result result;
	char *text = export_of("LCOV", "coverage", NULL, &result);

	assert_int_equal(result.files, 6);
	assert_int_equal(count(text, "end_of_record\n"), 6);
	assert_int_equal(count(text, "TN:PAY_ROLL\n"), 6);
	assert_has(text, "SF:/opt/pay/src/payroll.cob\nFN:120,MAIN\nFN:130,READ-NEXT\n"
			 "FN:140,BAD-RECORD\nFNDA:1,MAIN\nFNDA:41,READ-NEXT\nFNDA:0,BAD-RECORD\n"
			 "FNF:3\nFNH:2\nBRF:0\nBRH:0\nDA:120,1\nDA:121,41\nDA:122,40\n");
	assert_has(text, "DA:147,0\nLF:14\nLH:6\n");
	assert_has(text, "SF:/opt/pay/copy/rates.cpy\nFN:3,RATES\nFNDA:40,RATES\n");
	assert_has(text, "BRDA:15,0,0,1\nBRDA:15,0,1,1\nBRDA:15,0,2,0\nBRDA:32,0,0,1\n"
			 "BRDA:32,0,1,1\nBRF:5\nBRH:4\n");
	/* the header that both programs include appears once */
	assert_int_equal(count(text, "money.h"), 1);
	assert_has(text, "BRDA:8,0,0,1\nBRDA:8,0,1,0\nBRF:2\nBRH:1\nDA:8,1\nDA:9,1\nLF:2\nLH:2\n");
	free(text);
}

static void lines_that_were_never_executed_have_no_branch_that_could_be(void **state UNUSED)
{
	const struct coverage_selection save = { .program = "save.c" };
	char *text = export_of("lcov", "coverage", &save, NULL);

	assert_has(text, "BRDA:8,0,0,-\nBRDA:8,0,1,-\n");
	assert_int_equal(count(text, "end_of_record\n"), 2);
	free(text);
}

static void names_are_told_apart_and_fit_the_form(void **state UNUSED)
{
	char *text = export_of("lcov", "odd-paths", NULL, NULL);

	assert_has(text, "FN:10,OUTER:MAIN\nFN:30,INNER:MAIN\n");
	assert_has(text, "FNDA:3,OUTER:MAIN\nFNDA:4,INNER:MAIN\n");
	assert_has(text, "FN:3,std::less<int>::operator()(int const&; int const&) const\n");
	assert_has(text, "SF:/opt/R&D <old>, \"new\"/pay roll's gr\u00f6\u00dfe.c\n");
	free(text);
}

static void a_cobertura_report_has_packages_classes_and_methods(void **state UNUSED)
{
	char *text = export_of("cobertura", "coverage", NULL, NULL);

	assert_has(text, "lines-covered=\"20\" lines-valid=\"32\" branches-covered=\"5\" "
			 "branches-valid=\"7\"");
	assert_has(text, "timestamp=\"1763674445000\"");
	assert_has(text, "<source>/opt/pay</source>");
	assert_int_equal(count(text, "<package "), 3);
	assert_has(text, "<package name=\"src\" ");
	assert_has(text, "<class name=\"rates.cpy\" filename=\"copy/rates.cpy\" "
			 "line-rate=\"0.7500\" branch-rate=\"1.0000\" complexity=\"0\">");
	assert_has(text, "<method name=\"BAD-RECORD\" signature=\"\" line-rate=\"0.0000\"");
	assert_has(text, "<line number=\"15\" hits=\"1\" branch=\"true\" "
			 "condition-coverage=\"66% (2/3)\"><conditions>"
			 "<condition number=\"0\" type=\"jump\" coverage=\"100%\"/>");
	/* each line is in its class and in its method */
	assert_int_equal(count(text, "<line number=\"121\" hits=\"41\" branch=\"false\"/>"), 2);
	free(text);
}

static void markup_in_names_is_text(void **state UNUSED)
{
	char *text = export_of("cobertura", "odd-paths", NULL, NULL);

	assert_has(text, "<source>.</source>");
	assert_has(text, "filename=\"/opt/R&amp;D &lt;old&gt;, &quot;new&quot;/pay roll's "
			 "gr\u00f6\u00dfe.c\"");
	assert_has(text, "name=\"std::less&lt;int&gt;::operator()(int const&amp;, int "
			 "const&amp;) const\"");
	assert_int_equal(count(text, "<class name=\"main.c\""), 2);
	free(text);
}

static void control_characters_and_bytes_that_are_no_text_are_replaced(void **state UNUSED)
{
	static const char *const forms[] = { "lcov", "cobertura" };

	for (size_t i = 0; i < ARRAY_SIZE(forms); i++) {
		struct record_coverage_program program = { .program = 1 };
		struct record_coverage_statement statement = {
			.statement = 1, .program = 1, .line = 1, .ordinal = 1, .count = 1
		};
		struct export_request request = { .name = "p" };
		struct export_result result;
		struct profile *profile;
		struct fixture f;
		char *text = NULL;
		size_t length;
		FILE *stream;

		fixture_init(&f);
		program.name = fixture_string(&f, "p");
		program.source = statement.file = fixture_string(&f, "a\nDA:1,1\x01\xff.c");
		statement.procedure = fixture_string(&f, "f\n");
		fixture_add(&f, RECORD_COVERAGE_PROGRAM, &program);
		fixture_add(&f, RECORD_COVERAGE_STATEMENT, &statement);
		statement.statement = 2;
		statement.line = 0; /* without a line: a viewer would fail */
		fixture_add(&f, RECORD_COVERAGE_STATEMENT, &statement);
		fixture_end_snapshot(&f);
		profile = fixture_end(&f);
		request.coverage = &profile->coverage;
		stream = open_memstream(&text, &length);
		assert_int_equal(export_write(forms[i], &request, stream, &result, NULL), 0);
		fclose(stream);
		assert_has(text, "a\ufffdDA:1,1\ufffd\ufffd.c");
		assert_null(strstr(text, "DA:0"));
		assert_null(strstr(text, "number=\"0\" hits"));
		profile_free(profile);
		free(text);
	}
}

/* Returns the lines of a profile in a stack form; the caller frees them. */
static char *stacks_of(const char *form, const struct profile *profile)
{
	const struct export_request request = { .profile = profile, .name = "p" };
	struct export_result result;
	char *text = NULL;
	size_t length;
	FILE *stream = open_memstream(&text, &length);

	assert_int_equal(export_write(form, &request, stream, &result, NULL), 0);
	assert_int_equal(result.samples, profile->samples);
	fclose(stream);
	return text;
}

static void native_stacks_are_those_that_were_walked(void **state UNUSED)
{
	struct record_stack named = { 0 };
	struct profile *profile;
	struct fixture f;
	uint64_t object, script;
	char *text;

	fixture_init(&f);
	fixture_number(&f, ATTR_PERIOD, 1000);
	object = fixture_object(&f, OBJECT_FILE, "/usr/bin/python3", "");
	script = fixture_object(&f, OBJECT_NAMED, "mix.py", "");
	named.native = fixture_stack(
		&f, 0, fixture_frame(&f, object, 0x10, "ceval.c", "eval_frame", 1, ""));
	named.stack = ++f.stacks;
	named.frame = fixture_place(&f, script, "mix.py", "blend", 12, "Python", "");
	fixture_add(&f, RECORD_STACK, &named);
	fixture_samples(&f, 7, named.stack, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	text = stacks_of("folded", profile);
	assert_has(text, ";blend 7\n");
	free(text);
	profile_show_native(profile, true);
	text = stacks_of("folded", profile);
	assert_has(text, ";eval_frame 7\n");
	free(text);
	profile_free(profile);
}

static void names_of_any_bytes_are_one_frame(void **state UNUSED)
{
	struct profile *profile;
	struct fixture f;
	uint64_t object, stack;
	char *text;

	fixture_init(&f);
	fixture_number(&f, ATTR_PERIOD, 1000);
	object = fixture_object(&f, OBJECT_FILE, "/opt/odd", "");
	stack = fixture_stack(
		&f, 0, fixture_frame(&f, object, 0x10, "o.c", "a;b\nc\xff\\\u00e4 9", 1, ""));
	fixture_samples(&f, 3, stack, 1, 0, 0);
	fixture_end_snapshot(&f);
	profile = fixture_end(&f);
	text = stacks_of("folded", profile);
	assert_has(text, ";a\\x3bb\\x0ac\\xff\\\\\u00e4 9 3\n");
	assert_int_equal(count(text, "\n"), 1);
	free(text);
	profile_free(profile);
}

/* Writes samples of two functions: those of the second are older, but stand after the first's. */
static struct profile *write_late_samples(const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile;
	struct fixture f;
	uint64_t object, stacks[2];

	fixture_init(&f);
	f.writer = dataset_create(path, &f.strings, &err);
	f.writer_error = &err;
	assert_non_null(f.writer);
	fixture_number(&f, ATTR_PERIOD, NSEC_PER_SEC / 8);
	object = fixture_object(&f, OBJECT_FILE, "/opt/late", "");
	stacks[0] = fixture_stack(&f, 0, fixture_frame(&f, object, 0x10, "l.c", "after", 1, ""));
	stacks[1] = fixture_stack(&f, 0, fixture_frame(&f, object, 0x20, "l.c", "before", 2, ""));
	fixture_end_snapshot(&f);
	f.time += 4 * NSEC_PER_SEC;
	fixture_samples(&f, 3, stacks[0], 1, 0, 0);
	f.time -= 2 * NSEC_PER_SEC;
	fixture_samples(&f, 3, stacks[1], 1, 0, 0);
	fixture_end_snapshot(&f);
	f.time -= 2 * NSEC_PER_SEC;
	fixture_samples(&f, 2, stacks[1], 1, 0, 0);
	fixture_end_snapshot(&f);
	assert_int_equal(dataset_finish(f.writer, &err), 0);
	fixture_release(&f);
	profile = profile_load(path, &err);
	assert_non_null(profile);
	return profile;
}

static void samples_are_in_the_order_of_their_times(void **state UNUSED)
{
	char path[] = "/tmp/vigil-test-XXXXXX", *text, *line;
	int fd = mkstemp(path);
	struct profile *profile;
	double last = 0, time;
	unsigned samples = 0;

	assert_true(fd >= 0);
	close(fd);
	profile = write_late_samples(path);
	text = stacks_of("perf-script", profile);
	for (line = strstr(text, "/0 "); line; line = strstr(line + 1, "/0 "), samples++) {
		assert_int_equal(sscanf(line, "/0 %lf:", &time), 1);
		assert_true(time > last);
		last = time;
	}
	assert_int_equal(samples, 8);
	assert_true(strstr(text, "after") > strstr(text, "before"));
	free(text);
	unlink(path);
	profile_free(profile);
}

static void a_full_stream_is_an_error(void **state UNUSED)
{
	struct profile *profile = fixture_profile("coverage");
	struct export_request request = { .coverage = &profile->coverage, .name = "p" };
	struct export_result result;
	struct error err = ERROR_INIT;
	FILE *stream = fopen("/dev/full", "w");

	if (!stream)
		skip();
	assert_int_equal(export_write("lcov", &request, stream, &result, &err), -1);
	assert_non_null(strstr(error_text(&err), "cannot write the export"));
	fclose(stream);
	error_release(&err);
	profile_free(profile);
}

static void forms_are_known_by_name(void **state UNUSED)
{
	struct strbuf list = STRBUF_INIT;

	assert_true(export_exists("lcov") && export_exists("Cobertura"));
	assert_false(export_exists("gcov") || export_exists(""));
	export_list(&list);
	assert_has(list.text, "lcov ");
	assert_has(list.text, "cobertura ");
	strbuf_release(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_tracefile_has_functions_branches_and_lines),
		cmocka_unit_test(lines_that_were_never_executed_have_no_branch_that_could_be),
		cmocka_unit_test(names_are_told_apart_and_fit_the_form),
		cmocka_unit_test(a_cobertura_report_has_packages_classes_and_methods),
		cmocka_unit_test(markup_in_names_is_text),
		cmocka_unit_test(control_characters_and_bytes_that_are_no_text_are_replaced),
		cmocka_unit_test(native_stacks_are_those_that_were_walked),
		cmocka_unit_test(names_of_any_bytes_are_one_frame),
		cmocka_unit_test(samples_are_in_the_order_of_their_times),
		cmocka_unit_test(a_full_stream_is_an_error),
		cmocka_unit_test(forms_are_known_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
