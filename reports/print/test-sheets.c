/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests the positions on the sheets of a print: nothing is over the edge or over
 * another item, and all links have a destination.
 */
#include "common/compat.h"
#include "common/utf8.h"
#include "profile/fixture.h"
#include "reports/device.h"
#include "reports/print/painter.h"
#include "reports/print/picture.h"
#include "reports/report.h"
#include "reports/text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <ctype.h>
#include <math.h>
#include <cmocka.h>

static const char *text_of(const struct sheets *sheets, size_t at)
{
	return sheets->texts.text + at;
}

/* Returns the sheet that a destination is on, SIZE_MAX: there is none. */
static size_t sheet_of(const struct sheets *sheets, const char *dest)
{
	for (size_t sheet = 0; sheet < sheets->sheet_count; sheet++)
		for (size_t i = sheets->firsts[sheet]; i < sheets_end(sheets, sheet); i++)
			if (sheets->items[i].kind == SHEET_DEST &&
			    strcmp(text_of(sheets, sheets->items[i].text), dest) == 0)
				return sheet;
	return SIZE_MAX;
}

static bool is_fixed(const struct sheet_item *item)
{
	return item->kind == SHEET_TEXT && (item->font == FONT_FIXED || item->font == FONT_FIXED_BOLD);
}

/* Computes the left and right end of a fixed text. */
static void span_of(const struct sheets *sheets, const struct sheet_item *item, double *left, double *right)
{
	const char *text = text_of(sheets, item->text);
	double width = (double)text_width(text) * (double)item->size;

	*left = (double)item->x + (double)item->size * (double)strspn(text, " ") -
		(item->align > 0 ? width : item->align == 0 ? width / 2 : 0);
	*right = (double)item->x + (item->align > 0 ? 0 : item->align == 0 ? width / 2 : width);
}

static void check_item(const struct sheets *sheets, const struct sheet_item *item)
{
	double left = (double)item->x, right = left + (double)item->width;
	double top = (double)item->y, low = top + (double)item->height;

	if (is_fixed(item))
		span_of(sheets, item, &left, &right);
	if (item->kind == SHEET_TEXT && !is_fixed(item))
		left = right = (double)item->x;
	if (item->kind == SHEET_WEDGE) {
		left -= (double)item->width;
		low = top + (double)item->width;
		top -= (double)item->width;
	}
	assert_true(isfinite(left) && isfinite(right) && isfinite(top) && isfinite(low));
	if (left < 0 || right > sheets->width + 0.01 || top < 0 || low > sheets->height + 0.01)
		fail_msg("kind %d '%s' at %.1f to %.1f, %.1f to %.1f is over the edge", item->kind,
			 text_of(sheets, item->text), left, right, top, low);
	assert_true(item->ink < INK_COUNT && item->frame < INK_COUNT);
}

/* Checks that a text has no control or invalid characters. */
static void check_text(const char *text)
{
	size_t length;

	for (; *text; text += length) {
		uint32_t code = utf8_decode(text, &length);

		assert_true(code != UINT32_MAX && code >= 0x20 && !(code >= 0x7f && code < 0xa0));
		assert_false(code >= 0x202a && code <= 0x202e);
		assert_false(code >= 0x2066 && code <= 0x2069);
	}
}

/* Checks that no text overlaps another on the same line. */
static void check_overlaps(const struct sheets *sheets, size_t sheet)
{
	for (size_t i = sheets->firsts[sheet]; i < sheets_end(sheets, sheet); i++) {
		const struct sheet_item *one = &sheets->items[i];
		double left, right;

		if (!is_fixed(one))
			continue;
		span_of(sheets, one, &left, &right);
		for (size_t j = i + 1; j < sheets_end(sheets, sheet); j++) {
			const struct sheet_item *other = &sheets->items[j];
			double from, to;

			if (!is_fixed(other) || fabs((double)one->y - (double)other->y) > 6)
				continue;
			span_of(sheets, other, &from, &to);
			if (from < right - 0.01 && left < to - 0.01)
				fail_msg("'%s' and '%s' overlap on sheet %zu", text_of(sheets, one->text),
					 text_of(sheets, other->text), sheet + 1);
		}
	}
}

/* Checks that links have destinations; those of the contents on the page that the line gives. */
static void check_links(const struct sheets *sheets)
{
	for (size_t i = 0; i < sheets->count; i++) {
		const struct sheet_item *item = &sheets->items[i];
		const char *dest = text_of(sheets, item->text), *line;
		size_t sheet;

		if (item->kind != SHEET_LINK)
			continue;
		sheet = sheet_of(sheets, dest);
		assert_true(sheet != SIZE_MAX);
		assert_int_equal(strspn(dest, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"), strlen(dest));
		line = text_of(sheets, sheets->items[i - 1].text);
		if (strcmp(line, "Contents") != 0)
			assert_int_equal(strtoul(strrchr(line, ' '), NULL, 10), sheet + 1);
	}
	for (size_t i = 0; i < sheets->outline_count; i++)
		assert_true(sheet_of(sheets, text_of(sheets, sheets->outlines[i].dest)) != SIZE_MAX);
}

static struct {
	size_t sheets, texts, outlines;
	struct strbuf words; /* all texts, one per line */
	const char *fails;
} seen;

/* A painter that checks instead of drawing. */
static const char *look(const struct sheets *sheets, enum paint_form form, double scale UNUSED,
			int (*write)(void *argument, const void *bytes, size_t length), void *argument)
{
	char page[64];

	seen.sheets = sheets->sheet_count;
	seen.outlines = sheets->outline_count;
	strbuf_reset(&seen.words);
	for (size_t sheet = 0; sheet < sheets->sheet_count; sheet++) {
		snprintf(page, sizeof(page), "Page %zu of %zu", sheet + 1, sheets->sheet_count);
		if (form == PAINT_PDF)
			assert_string_equal(text_of(sheets, sheets->items[sheets->firsts[sheet]].text), page);
		check_overlaps(sheets, sheet);
		assert_true(sheets_end(sheets, sheet) > sheets->firsts[sheet]);
	}
	for (size_t i = 0; i < sheets->count; i++) {
		check_item(sheets, &sheets->items[i]);
		check_text(text_of(sheets, sheets->items[i].text));
		strbuf_addf(&seen.words, "%s\n", text_of(sheets, sheets->items[i].text));
	}
	check_links(sheets);
	if (seen.fails)
		return seen.fails;
	return write(argument, "drawn", 5) < 0 ? "not written" : NULL;
}

static const struct painter painter = { .version = PAINTER_VERSION, .paint = look };

static const double papers[][2] = { { REPORT_A4_WIDTH, REPORT_A4_HEIGHT },
				    { REPORT_LETTER_WIDTH, REPORT_LETTER_HEIGHT } };

static void test_sessions_on_paper(void **state UNUSED)
{
	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);

		for (size_t paper = 0; paper < 4; paper++) {
			struct report_options options;
			char *text = NULL;
			size_t size;
			FILE *stream = open_memstream(&text, &size);

			report_options_init(&options);
			options.device = &pdf_device;
			options.painter = &painter;
			options.width = papers[paper % 2][0];
			options.height = papers[paper % 2][1];
			options.margins = options.all = paper / 2;
			assert_int_equal(report_print(profile, &options, stream, NULL), 0);
			fclose(stream);
			assert_string_equal(text, "drawn");
			assert_true(seen.sheets >= 2);
			free(text);
		}
		profile_free(profile);
	}
}

static void test_pictures_of_all_sizes(void **state UNUSED)
{
	static const double sizes[][2] = { { 400, 400 }, { 1000, 600 }, { 400, 2000 }, { 4000, 400 } };

	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);

		for (size_t number = 0; number < picture_count * ARRAY_SIZE(sizes); number++) {
			const double *size = sizes[number / picture_count];
			struct sheets sheets;

			picture_sheet(&sheets, pictures[number % picture_count], profile, "a title", size[0], size[1], 64);
			for (size_t item = 0; item < sheets.count; item++)
				check_item(&sheets, &sheets.items[item]);
			assert_int_equal(sheets.sheet_count, 1);
			sheets_release(&sheets);
		}
		profile_free(profile);
	}
}

/* Adjacent inks are distinguishable without colour, and black is readable on the light ones. */
static void test_inks(void **state UNUSED)
{
	for (unsigned one = INK_PROGRAM; one < INK_COUNT; one++) {
		assert_true(ink_brightness(one) > 0.55);
		for (unsigned other = one + 1; other < INK_COUNT; other++)
			if (ink_styles[one].hatch == ink_styles[other].hatch &&
			    fabs(ink_brightness(one) - ink_brightness(other)) < 0.08)
				fail_msg("inks %u and %u are alike in grey", one, other);
	}
	assert_true(ink_brightness(INK_REST) - ink_brightness(INK_SOLO) > 0.4);
	assert_true(ink_styles[INK_REST].hatch != HATCH_NONE);
	assert_true(ink_brightness(INK_FAINT) > 0.9);
}

static void test_sheets_are_moved(void **state UNUSED)
{
	struct sheets sheets;

	sheets_init(&sheets, 100, 100);
	for (int i = 0; i < 3; i++) {
		char name[16];

		sheets_begin(&sheets);
		for (int j = 0; j <= i; j++) {
			snprintf(name, sizeof(name), "%d.%d", i, j);
			sheets_text(&sheets, 1, 1, 0, FONT_PLAIN, 8, name);
		}
	}
	sheets_move(&sheets, 0);
	sheets_move(&sheets, 2);
	sheets_move(&sheets, 1);
	assert_int_equal(sheets.sheet_count, 3);
	for (size_t sheet = 0; sheet < 3; sheet++) {
		static const int order[] = { 2, 1, 0 };

		assert_int_equal(sheets_end(&sheets, sheet) - sheets.firsts[sheet], order[sheet] + 1);
		assert_int_equal(*text_of(&sheets, sheets.items[sheets.firsts[sheet]].text) - '0', order[sheet]);
	}
	sheets_release(&sheets);
}

#define MANY_ROWS 30000

/* A very long report is cut off, and says how much is missing. */
static void test_long_reports_end(void **state UNUSED)
{
	static const struct column columns[] = {
		{ .id = "name", .heading = "NAME", .width = 20, .type = COLUMN_NAME },
	};
	const struct listing listing = { "PROFILE", "1", "", "", "", "", "", "", "", false, "", 0, NULL, NULL };
	struct report_options options;
	struct strbuf out = STRBUF_INIT;
	struct document document;
	struct tokens tokens;
	struct table *table;
	struct device *device;
	size_t rows = 0;
	const char *note;

	report_options_init(&options);
	options.painter = &painter;
	tokens_init(&tokens);
	document_init(&document, "EVT", "Event Trace", &tokens);
	table = document_table(&document, "rows", "ROWS", columns, 1);
	for (int i = 0; i < MANY_ROWS; i++) {
		char name[24];

		snprintf(name, sizeof(name), "row %d", i);
		row_text(table, table_row(table, ROW_DETAIL), name);
	}
	device = device_new(&pdf_device, &options, &listing, &out);
	device->class->begin(device);
	device->class->print(device, &document);
	device->class->end(device);
	assert_null(device->failure);
	for (const char *at = seen.words.text; (at = strstr(at, "\nrow ")); at++)
		rows++;
	note = strstr(seen.words.text, "VIG6742I ");
	assert_non_null(note);
	assert_true(seen.sheets > 300 && seen.sheets < 410);
	assert_int_equal(strtoul(note + 9, NULL, 10) * 1000 + strtoul(strchr(note, ',') + 1, NULL, 10),
			 MANY_ROWS - rows);
	device_free(device);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&out);
}

static void test_what_is_not_drawn_fails(void **state UNUSED)
{
	struct profile *profile = fixture_profile("payroll");
	struct report_options options;
	struct error err = ERROR_INIT;
	FILE *stream = fopen("/dev/null", "w");

	report_options_init(&options);
	options.painter = &painter;
	options.picture = picture_find("flame");
	seen.fails = "no more ink";
	for (size_t i = 0; devices[i]; i++) {
		if (!devices[i]->drawn)
			continue;
		options.device = devices[i];
		assert_int_equal(report_print(profile, &options, stream, &err), -1);
		assert_non_null(strstr(error_text(&err), "no more ink"));
		error_release(&err);
	}
	seen.fails = NULL;
	fclose(stream);
	profile_free(profile);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_sessions_on_paper), cmocka_unit_test(test_pictures_of_all_sizes),
		cmocka_unit_test(test_inks),		  cmocka_unit_test(test_sheets_are_moved),
		cmocka_unit_test(test_long_reports_end),  cmocka_unit_test(test_what_is_not_drawn_fails),
	};
	int failed;

	strbuf_init(&seen.words);
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	strbuf_release(&seen.words);
	return failed;
}
