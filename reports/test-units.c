/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Tests that each duration and size in a report has its unit in its heading, its
 * group's or its label.
 */
#include "common/compat.h"
#include "profile/fixture.h"
#include "reports/report-class.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Returns the unit of figures; NULL: a count. */
static const char *unit_of(enum column_type type, const char *id)
{
	size_t length = strlen(id);

	switch (type) {
	case COLUMN_TIME:
		return "MM.SS.HH";
	case COLUMN_AVERAGE:
		return "MS";
	case COLUMN_BYTES:
		return "BYTES";
	case COLUMN_PERCENT:
		return length > 3 && strcmp(id + length - 3, "_us") == 0 ? "US" : "%";
	default:
		return NULL;
	}
}

static bool has(const char *text, const char *unit)
{
	return text && strstr(text, unit);
}

/* Returns whether one of the texts above a figure names its unit. */
static bool says_unit(enum column_type type, const char *id, const char *const texts[3])
{
	const char *unit = unit_of(type, id);
	bool share = unit && *unit == '%';

	for (size_t i = 0; i < 3; i++)
		if (!unit || has(texts[i], unit) ||
		    (share && (has(texts[i], "PERCENT") || has(texts[i], "PCT"))))
			return true;
	/* A margin is next to its share; a rate says what it counts. */
	return strcmp(texts[0], "+/-") == 0 || has(texts[0], "/SEC");
}

/* Counts the columns of a table without a unit. */
static unsigned check_table(const char *code, const struct table *table)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < table->column_count; i++) {
		const struct column *column = &table->columns[i];
		const char *const texts[] = { column->heading, column->group, table->title };

		if (column->flags & COLUMN_DATA_ONLY || says_unit(column->type, column->id, texts))
			continue;
		print_message("%s, %s: %s has no unit\n", code, table->id, column->id);
		wrong++;
	}
	return wrong;
}

/* The same for groups of pairs. */
static unsigned check_pairs(const char *code, const struct block *block)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < block->group_count; i++) {
		const struct pair_group *group = &block->groups[i];

		for (size_t j = 0; j < group->count; j++) {
			const struct pair *pair = &group->pairs[j];
			const char *const texts[] = { pair->label, group->title, NULL };

			if (says_unit(pair->type, pair->id, texts))
				continue;
			print_message("%s: %s has no unit\n", code, pair->id);
			wrong++;
		}
	}
	return wrong;
}

/* Checks all reports of a session, with margins and all rows. */
static unsigned check_session(const struct profile *profile)
{
	struct report_options options;
	struct context context;
	unsigned wrong = 0;

	report_options_init(&options);
	options.all = options.margins = true;
	context_init(&context, profile, &options);
	for (size_t i = 0; i < report_class_count; i++) {
		struct document document;

		document_init(&document, report_classes[i]->code, report_classes[i]->title,
			      &context.tokens);
		report_classes[i]->build(&context, &document);
		for (size_t j = 0; j < document.count; j++)
			if (document.blocks[j].kind == BLOCK_TABLE)
				wrong += check_table(document.code, document.blocks[j].table);
			else if (document.blocks[j].kind == BLOCK_PAIRS)
				wrong += check_pairs(document.code, &document.blocks[j]);
		document_release(&document);
	}
	context_release(&context);
	return wrong;
}

static void figures_have_units(void **state UNUSED)
{
	unsigned wrong = 0;

	for (size_t i = 0; fixture_names[i]; i++) {
		struct profile *profile = fixture_profile(fixture_names[i]);

		wrong += check_session(profile);
		profile_free(profile);
	}
	assert_int_equal(wrong, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(figures_have_units),
	};

	return cmocka_run_group_tests_name("reports/units", tests, NULL, NULL);
}
