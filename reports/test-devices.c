/* SPDX-License-Identifier: Apache-2.0 */
/* Tests documents and devices without a session. */
#include "common/compat.h"
#include "common/utf8.h"
#include "common/xalloc.h"
#include "reports/device.h"
#include "reports/fold.h"
#include "reports/name-forms.h"
#include "reports/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

static void tokens_are_unique(void **state UNUSED)
{
	struct tokens tokens;

	tokens_init(&tokens);
	assert_string_equal(tokens_put(&tokens, "LONGNAME-FIRST-X", 8, false), "LONG-T-X");
	tokens_release(&tokens);
	tokens_init(&tokens);
	assert_string_equal(tokens_put(&tokens, "PAYROLLMASTER", 8, false), "PAYR-TER");
	assert_string_equal(tokens_put(&tokens, "PAYROLLMASTER", 8, false), "PAYR-TER");
	assert_string_equal(tokens_put(&tokens, "PAYRATEPOSTER", 8, false), "PA-ATEPO");
	assert_string_equal(tokens_put(&tokens, "PAYRATEPOSITER", 8, false), "PAYR-001");
	assert_string_equal(tokens_put(&tokens, "/data/pay/master.dat", 12, true), "...aster.dat");
	/* The same name shortened at its other end, and in a wider column. */
	assert_string_equal(tokens_put(&tokens, "/data/pay/master.dat", 12, false), "/data/pa-dat");
	assert_string_equal(tokens_put(&tokens, "/data/pay/master.dat", 13, true), "...master.dat");
	assert_string_equal(tokens_put(&tokens, "/data/pay/master.dat", 12, true), "...aster.dat");
	assert_int_equal(tokens.count, 6);
	tokens_release(&tokens);
}

/*
 * Short forms keep what distinguishes code: parameters are dropped first, then
 * arguments, then namespaces.
 */
static void names_of_code_have_short_forms(void **state UNUSED)
{
	static const struct {
		const char *name, *forms[NAME_FORMS];
	} names[] = {
		{ "long shop::order::total<int>(int, char const*) const",
		  { "shop::order::total<int>", "shop::order::total<..>", "order::total<int>",
		    "order::total<..>", "total<int>", "total<..>" } },
		{ "main::{lambda(long)#2}::operator()(long) const",
		  { "main::{lambda#2}", "main::{lambda#2}", "main::{lambda#2}", "main::{lambda#2}",
		    "{lambda#2}", "{lambda#2}" } },
		{ "main::$_0::operator()(long) const",
		  { "main::$_0::operator()", "main::$_0::operator()", "main::$_0::operator()",
		    "main::$_0::operator()", "$_0::operator()", "$_0::operator()" } },
		{ "long apply<main::{lambda(long)#1}>(main::{lambda(long)#1}, long)",
		  { "apply<main::{lambda#1}>", "apply<..>", "apply<main::{lambda#1}>", "apply<..>",
		    "apply<{lambda#1}>", "apply<..>" } },
		{ "(anonymous namespace)::helper(long)",
		  { "{anon}::helper", "{anon}::helper", "{anon}::helper", "{anon}::helper",
		    "helper", "helper" } },
		{ "main(int, char**)::cell::operator<<(int)::fill(void (*)(int))",
		  { "main::cell::operator<<::fill", "main::cell::operator<<::fill",
		    "operator<<::fill", "operator<<::fill", "fill", "fill" } },
		{ "std::map<std::string, std::pair<int, a::b> >::operator[](std::string const&) &",
		  { "std::map<std::string,std::pair<int,a::b>>::operator[]",
		    "std::map<..>::operator[]", "map<std::string,std::pair<int,a::b>>::operator[]",
		    "map<..>::operator[]", "operator[]", "operator[]" } },
		{ "<alloc::vec::Vec<char> as core::fmt::Write>::write_str",
		  { "<alloc::vec::Vec<char> as core::fmt::Write>::write_str",
		    "<alloc::vec::Vec<..> as core::fmt::Write>::write_str",
		    "<vec::Vec<char> as fmt::Write>::write_str",
		    "<vec::Vec<..> as fmt::Write>::write_str", "write_str", "write_str" } },
		{ "big::sort(int*) [clone .part.0]",
		  { "big::sort.part.0", "big::sort.part.0", "big::sort.part.0", "big::sort.part.0",
		    "sort.part.0", "sort.part.0" } },
		{ "operator new(unsigned long)",
		  { "operator new", "operator new", "operator new", "operator new", "operator new",
		    "operator new" } },
		{ "PAY-ROLL-OF-THE-NIGHT",
		  { "PAY-ROLL-OF-THE-NIGHT", "PAY-ROLL-OF-THE-NIGHT", "PAY-ROLL-OF-THE-NIGHT",
		    "PAY-ROLL-OF-THE-NIGHT", "PAY-ROLL-OF-THE-NIGHT", "PAY-ROLL-OF-THE-NIGHT" } },
		{ "(no procedure)",
		  { "(no procedure)", "(no procedure)", "(no procedure)", "(no procedure)",
		    "(no procedure)", "(no procedure)" } },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		for (int form = 0; form < NAME_FORMS; form++) {
			strbuf_reset(&sb);
			name_forms_add(&sb, names[i].name, (enum name_form)form);
			assert_string_equal(sb.text, names[i].forms[form]);
		}
	strbuf_release(&sb);
}

/* Names that are truncated anywhere, or nested very deeply, have forms, too. */
static void broken_names_have_short_forms(void **state UNUSED)
{
	static const char whole[] =
		"a< b(c)>::{lambda(d<e>)#1}::operator()(f<(g)1>) const [clone .h]";
	struct strbuf sb = STRBUF_INIT, deep = STRBUF_INIT;

	for (size_t length = 1; length < sizeof(whole); length++)
		for (size_t from = 0; from < length; from++)
			for (int form = 0; form < NAME_FORMS; form++) {
				char *part = xstrndup(whole + from, length - from);

				strbuf_reset(&sb);
				name_forms_add(&sb, part, (enum name_form)form);
				assert_true(sb.length <= length);
				free(part);
			}
	for (int i = 0; i < 5000; i++)
		strbuf_addstr(&deep, "a<b(");
	strbuf_reset(&sb);
	name_forms_add(&sb, deep.text, NAME_FORM_LAST);
	strbuf_release(&sb);
	strbuf_release(&deep);
}

/* Tokens of known names are distinct, whichever is requested first. */
static void tokens_of_code_tell_it_apart(void **state UNUSED)
{
	static const struct {
		const char *name, *token;
	} names[] = {
		{ "long apply<main::{lambda(long)#1}>(main::{lambda(long)#1}, long)",
		  "apply<main::{lambda#1}>" },
		{ "long apply<main::{lambda(long)#2}>(main::{lambda(long)#2}, long)",
		  "apply<main::{lambda#2}>" },
		{ "shop::invoices::line::line_total(long, long) const", "line::line_total" },
		{ "shop::receipts::entry::entry_total(long, long) const", "entry::entry_total" },
		{ "(anonymous namespace)::of_the_night::helper(long)", "of_the_night::helper" },
		/* "helper" is another function. */
		{ "of_the_day_that_follows_it::helper(long)", "of_the_day.._it::helper" },
		{ "std::vector<int>::push_back(int const&)", "vector<int>::push_back" },
		{ "std::vector<long>::push_back(long const&)", "vector<long>::push_back" },
	};

	for (int reversed = 0; reversed < 2; reversed++) {
		struct tokens tokens;

		tokens_init(&tokens);
		tokens_register(&tokens, "helper");
		for (size_t i = 0; i < ARRAY_SIZE(names); i++)
			tokens_register(&tokens, names[i].name);
		for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
			size_t at = reversed ? ARRAY_SIZE(names) - 1 - i : i;

			assert_string_equal(tokens_put(&tokens, names[at].name, 23, false),
					    names[at].token);
		}
		tokens_release(&tokens);
	}
}

static void texts_are_cut_by_columns(void **state UNUSED)
{
	struct strbuf sb = STRBUF_INIT;

	text_add_field(&sb, "\xe4\xb8\xad\xe6\x96\x87\xe5\xad\x97", 5, false);
	assert_int_equal(text_width(sb.text), 5);
	strbuf_reset(&sb);
	text_clean(&sb, "a\tb\x1b\xff\xc2\x85");
	assert_string_equal(sb.text, "a b...");
	strbuf_reset(&sb);
	text_add_number(&sb, 1234567);
	assert_string_equal(sb.text, "1,234,567");
	strbuf_reset(&sb);
	text_add_bytes(&sb, UINT64_MAX);
	assert_string_equal(sb.text, "16.0E");
	assert_int_equal(text_wrap("one two three", 8), 8);
	strbuf_release(&sb);
}

/* Returns the pages of a text listing of a document with this many paragraphs of one line. */
static unsigned count_pages(unsigned paragraphs, unsigned lines)
{
	const struct listing listing = { "PROFILE", "1", "", "", "", "", "", "", "", false, "", 0, NULL, NULL };
	struct report_options options;
	struct strbuf out = STRBUF_INIT;
	struct document document;
	struct tokens tokens;
	struct device *device;
	unsigned pages = 1;

	report_options_init(&options);
	options.lines = lines;
	tokens_init(&tokens);
	document_init(&document, "XXX", "Some Report", &tokens);
	for (unsigned i = 0; i < paragraphs; i++)
		document_text(&document, "line %u", i);
	device = device_new(&text_device, &options, &listing, &out);
	device->class->begin(device);
	device->class->print(device, &document);
	device->class->end(device);
	device_free(device);
	for (size_t i = 0; i < out.length; i++)
		pages += out.text[i] == '\f';
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&out);
	return pages;
}

static void a_page_is_filled_to_its_last_line(void **state UNUSED)
{
	/* Two lines of head and three of title. */
	assert_int_equal(count_pages(20 - 5, 20), 1);
	assert_int_equal(count_pages(20 - 5 + 1, 20), 2);
	assert_int_equal(count_pages(2 * (20 - 5), 20), 2);
	assert_int_equal(count_pages(2 * (20 - 5) + 1, 20), 3);
	assert_int_equal(count_pages(500, 0), 1);
}

/* Prints the text listing of a document of one pair whose value has this many characters. */
static void print_value(size_t length, struct strbuf *out)
{
	const struct listing listing = { "PROFILE", "1", "", "", "", "", "", "", "", false, "", 0, NULL, NULL };
	struct strbuf value = STRBUF_INIT;
	struct report_options options;
	struct pair_group *group;
	struct document document;
	struct tokens tokens;
	struct device *device;

	report_options_init(&options);
	tokens_init(&tokens);
	document_init(&document, "XXX", "Some Report", &tokens);
	group = document_pairs(&document, 1);
	group->id = group->title = "";
	strbuf_addchars(&value, 'x', length - 1);
	strbuf_addch(&value, 'y');
	pair_text(group, "value", "V", value.text);
	device = device_new(&text_device, &options, &listing, out);
	device->class->begin(device);
	device->class->print(device, &document);
	device->class->end(device);
	device_free(device);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&value);
}

/* The first line holds 130 characters after the label, five more hold 128 each. */
static void a_value_of_six_lines_is_whole(void **state UNUSED)
{
	const size_t most = 130 + 5 * 128;
	struct strbuf out = STRBUF_INIT;

	print_value(most, &out);
	assert_non_null(strstr(out.text, "xy\n"));
	assert_null(strstr(out.text, "..."));
	strbuf_reset(&out);
	print_value(most + 1, &out);
	assert_null(strchr(out.text, 'y'));
	assert_non_null(strstr(out.text, "x\n    ...\n"));
	strbuf_release(&out);
}

static void put_pair(struct context *context UNUSED, struct table *table, struct row *row,
		     const uint64_t *amounts, const uint64_t *above)
{
	row_number(table, row, amounts[0]);
	row_number(table, row, amounts[1]);
	row_number(table, row, above[0]);
}

static void small_rows_are_folded(void **state UNUSED)
{
	static const struct column columns[] = {
		{ .id = "kind", .heading = "KIND", .width = 8, .type = COLUMN_NAME },
		{ .id = "name", .heading = "NAME", .width = 12, .type = COLUMN_NAME },
		FIGURE(COLUMN_NUMBER, "first", NULL, "FIRST", 8, .flags = COLUMN_ADDITIVE),
		FIGURE(COLUMN_NUMBER, "second", NULL, "SECOND", 8, .flags = COLUMN_ADDITIVE),
		FIGURE(COLUMN_NUMBER, "above", NULL, "ABOVE", 8, .flags = 0),
	};
	static const uint64_t amounts[][2] = { { 50, 1 }, { 3, 2 }, { 40, 3 }, { 2, 4 } };
	static const uint64_t expected[][3] = {
		{ 50, 1, 50 }, { 40, 3, 90 }, { 5, 6, 95 }, { 7, 8, 102 }, { 102, 18, 102 },
	};
	struct strbuf sb = STRBUF_INIT;
	struct document document;
	struct tokens tokens;
	struct fold fold = { .amounts = 2, .names = 2, .label = 1, .put = put_pair };

	tokens_init(&tokens);
	document_init(&document, "XXX", "Some Report", &tokens);
	fold.table = document_table(&document, "rows", NULL, columns, ARRAY_SIZE(columns));
	for (size_t i = 0; i < ARRAY_SIZE(amounts); i++) {
		struct row *row;

		if (!fold_take(&fold, amounts[i], amounts[i][0] >= 40))
			continue;
		row = table_row(fold.table, ROW_DETAIL);
		row_text(fold.table, row, "kind");
		row_text(fold.table, row, "name");
		fold_fill(&fold, row, amounts[i]);
	}
	fold_other(&fold);
	fold_extra(&fold, ".EXTRA", (const uint64_t[]){ 7, 8 });
	fold_total(&fold, "TOTALS");
	assert_int_equal(fold.table->row_count, 5);
	for (size_t i = 0; i < 5; i++)
		for (size_t j = 0; j < 3; j++)
			assert_int_equal(fold.table->rows[i].values[2 + j].number, expected[i][j]);
	assert_string_equal(fold.table->rows[2].values[1].text, ".OTHER (2)");
	assert_string_equal(fold.table->rows[3].values[1].text, ".EXTRA");
	assert_int_equal(fold.table->rows[4].kind, ROW_TOTAL);
	assert_int_equal(document_check(&document, &sb), 0);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&sb);
}

/* Invalid UTF-8 is rejected, however close to valid: surrogates, overlong forms, truncated ones. */
static void texts_are_decoded_strictly(void **state UNUSED)
{
	static const struct {
		const char *text;
		uint32_t code;
		size_t length;
	} cases[] = {
		{ "a", 'a', 1 },
		{ "\xc2\x80", 0x80, 2 },
		{ "\xc1\xbf", UINT32_MAX, 1 },
		{ "\xe0\xa0\x80", 0x800, 3 },
		{ "\xe0\x9f\xbf", UINT32_MAX, 1 },
		{ "\xed\x9f\xbf", 0xd7ff, 3 },
		{ "\xed\xa0\x80", UINT32_MAX, 1 },
		{ "\xed\xbf\xbf", UINT32_MAX, 1 },
		{ "\xee\x80\x80", 0xe000, 3 },
		{ "\xf0\x90\x80\x80", 0x10000, 4 },
		{ "\xf0\x8f\xbf\xbf", UINT32_MAX, 1 },
		{ "\xf4\x8f\xbf\xbf", 0x10ffff, 4 },
		{ "\xf4\x90\x80\x80", UINT32_MAX, 1 },
		{ "\xe2\x82", UINT32_MAX, 1 },
		{ "\x80", UINT32_MAX, 1 },
		{ "", 0, 0 },
	};

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		size_t length;

		assert_int_equal(utf8_decode(cases[i].text, &length), cases[i].code);
		assert_int_equal(length, cases[i].length);
	}
}

static void bytes_have_three_digits(void **state UNUSED)
{
	static const struct {
		uint64_t bytes;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ 9999, "9999" },
		{ 10000, "9.8K" },
		{ 102348, "99.9K" },
		{ 102349, "100K" },
		{ 1023487, "999K" },
		{ 1023488, "1.0M" },
		{ UINT64_C(1) << 30, "1.0G" },
		{ UINT64_MAX, "16.0E" },
	};
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		strbuf_reset(&sb);
		text_add_bytes(&sb, cases[i].bytes);
		assert_string_equal(sb.text, cases[i].text);
	}
	strbuf_release(&sb);
}

static void names_are_inert_in_csv(void **state UNUSED)
{
	static const char *const names[][2] = {
		{ "=1+1", "'=1+1" },
		{ "+12C0", "'+12C0" },
		{ "-2", "-2" },
		{ "-1.50", "-1.50" },
		{ "+.5", "+.5" },
		{ "-", "'-" },
		{ "-2+3", "'-2+3" },
		{ "-2.", "-2." },
		{ "+1.2.3", "'+1.2.3" },
		{ "@SUM(A1)", "'@SUM(A1)" },
		{ "a=b", "a=b" },
		{ "a\rb\nc\x1b[31md", "a.b.c.[31md" },
		{ "\xc2\x9b"
		  "31m",
		  ".31m" },
		{ "a\xff", "a\xef\xbf\xbd" },
	};
	static const struct column columns[] = {
		{ .id = "name", .heading = "NAME", .width = 12, .type = COLUMN_TEXT },
	};
	const struct listing listing = { "PROFILE", "1", "", "", "", "", "", "", "", false, "", 0, NULL, NULL };
	struct report_options options;

	report_options_init(&options);
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct strbuf out = STRBUF_INIT, expected = STRBUF_INIT;
		struct document document;
		struct tokens tokens;
		struct table *table;
		struct device *device = device_new(&csv_device, &options, &listing, &out);

		tokens_init(&tokens);
		document_init(&document, "XXX", "Some Report", &tokens);
		table = document_table(&document, "rows", NULL, columns, ARRAY_SIZE(columns));
		row_text(table, table_row(table, ROW_DETAIL), names[i][0]);
		device->class->begin(device);
		device->class->print(device, &document);
		device->class->end(device);
		device_free(device);
		strbuf_addf(&expected, "XXX,rows,detail,%s\n", names[i][1]);
		assert_non_null(strstr(out.text, expected.text));
		document_release(&document);
		tokens_release(&tokens);
		strbuf_release(&out);
		strbuf_release(&expected);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tokens_are_unique),
		cmocka_unit_test(names_of_code_have_short_forms),
		cmocka_unit_test(broken_names_have_short_forms),
		cmocka_unit_test(tokens_of_code_tell_it_apart),
		cmocka_unit_test(texts_are_cut_by_columns),
		cmocka_unit_test(a_page_is_filled_to_its_last_line),
		cmocka_unit_test(a_value_of_six_lines_is_whole),
		cmocka_unit_test(small_rows_are_folded),
		cmocka_unit_test(names_are_inert_in_csv),
		cmocka_unit_test(texts_are_decoded_strictly),
		cmocka_unit_test(bytes_have_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
