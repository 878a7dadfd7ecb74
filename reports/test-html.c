/* SPDX-License-Identifier: Apache-2.0 */
/* Tests the page: it has the contents of the reports, and names in it are harmless. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/utf8.h"
#include "profile/fixture.h"
#include "reports/device.h"
#include "reports/page/page-content.h"
#include "reports/page/page-files.h"
#include "reports/page/page-tree.h"
#include "reports/page/page-text.h"
#include "reports/report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <unistd.h>
#include <cmocka.h>

static char *print_page(const struct profile *profile)
{
	struct report_options options;
	char *text = NULL;
	size_t size;
	FILE *stream = open_memstream(&text, &size);

	report_options_init(&options);
	options.device = &html_device;
	assert_int_equal(report_print(profile, &options, stream, NULL), 0);
	fclose(stream);
	assert_int_equal(strlen(text), size);
	return text;
}

static size_t count(const char *text, const char *part)
{
	size_t found = 0;

	for (; (text = strcasestr(text, part)); text++)
		found++;
	return found;
}

/* Texts of any bytes become plain characters. */
static void test_texts(void **state UNUSED)
{
	static const struct {
		const char *text, *html, *json;
	} cases[] = {
		{ "PAY & <b>", "PAY &#38; &#60;b&#62;", "\"PAY \\u0026 \\u003cb\\u003e\"" },
		{ "\"'`\\", "&#34;&#39;&#96;\\", "\"\\\"'`\\\\\"" },
		{ "a\x1b[0m\n", "a\xe2\x90\x9b[0m\xe2\x90\x8a", "\"a\xe2\x90\x9b[0m\xe2\x90\x8a\"" },
		{ "\x7f\xc2\x85", "\xe2\x90\xa1[U+0085]", "\"\xe2\x90\xa1[U+0085]\"" },
		{ "\xff(", "\xef\xbf\xbd(", "\"\xef\xbf\xbd(\"" },
		{ "\xe2\x80\xaegnp", "[U+202E]gnp", "\"[U+202E]gnp\"" },
		{ "\xe4\xb8\xad\xc3\x9c", "\xe4\xb8\xad\xc3\x9c", "\"\xe4\xb8\xad\xc3\x9c\"" },
		{ "", "", "\"\"" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct strbuf html = STRBUF_INIT, json = STRBUF_INIT;

		page_text_html(&html, cases[i].text);
		page_text_json(&json, cases[i].text);
		assert_string_equal(html.text, cases[i].html);
		assert_string_equal(json.text, cases[i].json);
		strbuf_release(&html);
		strbuf_release(&json);
	}
}

static void test_source_text_keeps_tabs(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	page_text_source(&sb, "\tif (a < b)\x01");
	assert_string_equal(sb.text, "\"\\tif (a \\u003c b)\xe2\x90\x81\"");
	strbuf_reset(&sb);
	page_text_number(&sb, 0);
	page_text_number(&sb, UINT64_MAX);
	assert_string_equal(sb.text, "018446744073709551615");
	strbuf_release(&sb);
}

/* A page has only the elements that vigil wrote, whatever the names are. */
static void test_names_are_inert(void **state UNUSED)
{
	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);
		char *page = print_page(profile);
		char *content = strstr(page, "<script type='application/json' id=content>");
		char *script, *at;
		size_t length;

		assert_non_null(content);
		script = strstr(content, "</script>");
		assert_non_null(script);
		assert_int_equal(strncmp(script, "</script>\n<script>", 18), 0);
		assert_int_equal(count(page, "<script"), 2);
		assert_int_equal(count(page, "</script"), 2);
		assert_int_equal(count(page, "<style"), 1);
		assert_int_equal(count(page, "<!--"), 0);
		assert_int_equal(count(page, "<img"), 0);
		/* Up to the script of the page itself everything is plain characters. */
		script[18] = '\0';
		for (at = strstr(page, "</style>"); *at; at += length) {
			uint32_t code = utf8_decode(at, &length);

			assert_true(code != UINT32_MAX && code != 0x7f && code != 0x202e);
			assert_true(code >= 0x20 || code == '\n');
		}
		free(page);
		profile_free(profile);
	}
}

/* The policy allows what the page contains, and nothing from outside. */
static void test_policy(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	char *page = print_page(profile);
	struct strbuf policy = STRBUF_INIT;

	strbuf_addf(&policy, "content=\"default-src 'none'; script-src '%s'; style-src '%s'; ", page_script.hash,
		    page_style.hash);
	assert_non_null(strstr(page, policy.text));
	assert_int_equal(strlen(page_script.hash), 7 + 44);
	assert_int_equal(count(page, "http://"), 0);
	assert_int_equal(count(page, " src="), 0);
	assert_int_equal(count(page, "@import"), 0);
	assert_int_equal(count(page, "url("), 0);
	strbuf_release(&policy);
	free(page);
	profile_free(profile);
}

/* Returns the sum of every step-th number of a member of the content, beginning with first. */
static uint64_t sum_of(const char *content, const char *member, size_t step, size_t first)
{
	const char *at = strstr(content, member);
	uint64_t sum = 0;

	assert_non_null(at);
	at += strlen(member);
	for (size_t i = 0; *at && *at != ']'; i++) {
		char *end;
		uint64_t number = strtoull(at, &end, 10);

		if (i % step == first)
			sum += number;
		at = *end == ',' ? end + 1 : end;
	}
	return sum;
}

/* The data of the pictures add up to the same as the reports, to the last sample. */
static void test_totals(void **state UNUSED)
{
	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);
		struct strbuf out = STRBUF_INIT;

		for (int course = 0; course < 2; course++) {
			strbuf_reset(&out);
			page_content_json(profile, 0, &out);
			assert_true(sum_of(out.text, "\"cpuCells\":[", 2, 1) == profile->samples);
			assert_true(sum_of(out.text, "\"waitCells\":[", 3, 1) == profile->total_wait);
			assert_true(sum_of(out.text, "\"waitCells\":[", 3, 2) == profile->charged);
			/* The same without a course. */
			run_course_free(profile->course);
			profile->course = NULL;
		}
		strbuf_release(&out);
		profile_free(profile);
	}
}

/* Loaded from a file, and without the names of data collectors. */
static void test_native(void **state UNUSED)
{
	char path[] = "/tmp/vigil-html-XXXXXX";
	struct strbuf out = STRBUF_INIT;
	struct profile *profile;
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(fixture_write("python", path, NULL), 0);
	profile = profile_load_course(path, NULL);
	assert_non_null(profile->course);
	profile_show_native(profile, true);
	page_content_json(profile, 0, &out);
	assert_true(sum_of(out.text, "\"cpuCells\":[", 2, 1) == profile->samples);
	profile_free(profile);
	profile = profile_load(path, NULL);
	assert_null(profile->course);
	profile_free(profile);
	unlink(path);
	strbuf_release(&out);
}

/*
 * Returns the time at all nodes that rows are at, and how many nodes there are;
 * each must be a kept one.
 */
static double sum_nodes(const struct page_tree *tree, size_t *nodes)
{
	const struct profile *profile = tree->profile;
	double sum = 0;

	*nodes = 0;
	for (size_t i = 0; i < profile->cpu_count; i++) {
		bool seen = false;

		assert_true(tree->cpu_nodes[i] && tree->cpu_nodes[i] < tree->nodes.count);
		sum += (double)profile->cpu[i].count;
		for (size_t j = 0; j < i; j++)
			seen = seen || tree->cpu_nodes[j] == tree->cpu_nodes[i];
		*nodes += !seen;
	}
	return sum;
}

/* Light nodes are merged; nothing is lost. */
static void test_limit(void **state UNUSED)
{
	struct profile *profile = fixture_profile("many");
	size_t before, after, count;
	struct page_tree tree;

	page_tree_init(&tree, profile, 0);
	count = tree.nodes.count;
	assert_true(sum_nodes(&tree, &before) == (double)profile->samples);
	page_tree_limit(&tree, count);
	assert_int_equal(tree.nodes.count, count);
	page_tree_limit(&tree, 50);
	assert_true(sum_nodes(&tree, &after) == (double)profile->samples);
	assert_true(before > 100);
	assert_true(after > 5);
	assert_true(after <= 100);
	page_tree_release(&tree);
	profile_free(profile);
}

/*
 * When samples were taken: those of the second second are in later slices than
 * those of the first.
 */
static void test_course(void **state UNUSED)
{
	const struct run_course *course;
	struct fixture fixture;
	struct profile *profile;
	uint64_t object, first, second;

	fixture_init(&fixture);
	object = fixture_object(&fixture, OBJECT_FILE, "/opt/pay/PAYCALC", "");
	first = fixture_stack(&fixture, 0, fixture_frame(&fixture, object, 0x100, "pay.cob", "READ", 2, ""));
	second = fixture_stack(&fixture, 0, fixture_frame(&fixture, object, 0x200, "pay.cob", "WRITE", 4, ""));
	fixture_end_snapshot(&fixture);
	fixture_samples(&fixture, 70, first, 1, 0, 0);
	fixture_end_snapshot(&fixture);
	fixture_samples(&fixture, 30, second, 1, 0, 0);
	fixture_end_snapshot(&fixture);
	profile = fixture_end(&fixture);
	course = profile->course;
	assert_int_equal(course->cpu.count, 2);
	for (size_t row = 0; row < 2; row++)
		for (size_t i = 0; i < course->cpu.items[row].count; i++) {
			uint64_t from = course->start + course->cpu.items[row].cells[i].slice * course->width;

			assert_true(from + course->width > (1000 + row) * NSEC_PER_SEC);
			assert_true(from <= (1001 + row) * NSEC_PER_SEC);
		}
	profile_free(profile);
}

/* Returns a session of one procedure whose lines are in a file; texts as measured. */
static struct profile *session_of(const char *path, const char *first, const char *second)
{
	struct fixture fixture;
	uint64_t object, stack;

	fixture_init(&fixture);
	fixture.line_file = path;
	object = fixture_object(&fixture, OBJECT_FILE, "/opt/pay/PAYCALC", "");
	stack = fixture_stack(&fixture, 0, fixture_frame(&fixture, object, 0x100, "pay.cob", "MAIN", 2, first));
	stack = fixture_stack(&fixture, stack, fixture_frame(&fixture, object, 0x200, "pay.cob", "SUB", 4, second));
	fixture_samples(&fixture, 10, stack, 1, 0, 0);
	fixture_end_snapshot(&fixture);
	return fixture_end(&fixture);
}

static void check_source(const char *path, const char *first, const char *second, const char *expected)
{
	struct profile *profile = session_of(path, first, second);
	struct strbuf out = STRBUF_INIT;

	page_content_json(profile, 0, &out);
	if (!strstr(out.text, expected))
		fail_msg("%s is not in %s", expected, strstr(out.text, "\"sources\""));
	strbuf_release(&out);
	profile_free(profile);
}

/* A source is in the page only if it is the one that was measured. */
static void test_sources(void **state UNUSED)
{
	char path[] = "/tmp/vigil-html-XXXXXX";
	static const char text[] = "one\n\tPERFORM SUB\nsecret\n  ADD <1> TO A  \n";
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	check_source(path, "PERFORM SUB", "ADD <1> TO A",
		     "\"state\":\"whole\",\"lines\":[[1,\"one\"],[2,\"\\tPERFORM SUB\"],[3,\"secret\"],"
		     "[4,\"  ADD \\u003c1\\u003e TO A  \"]]");
	check_source(path, "PERFORM SUB", "SUBTRACT 1 FROM A",
		     "\"state\":\"changed\",\"lines\":[[2,\"PERFORM SUB\"],[4,\"SUBTRACT 1 FROM A\"]]");
	/* None of its lines was known: it may be any file. */
	check_source(path, "", "", "\"state\":\"changed\",\"lines\":[[2,\"\"],[4,\"\"]]");
	unlink(path);
	check_source(path, "PERFORM SUB", "", "\"state\":\"missing\",\"lines\":[[2,\"PERFORM SUB\"],[4,\"\"]]");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_source_text_keeps_tabs),
		cmocka_unit_test(test_names_are_inert),
		cmocka_unit_test(test_policy),
		cmocka_unit_test(test_totals),
		cmocka_unit_test(test_native),
		cmocka_unit_test(test_limit),
		cmocka_unit_test(test_course),
		cmocka_unit_test(test_sources),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
