/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A collector for tests/programs/memory: names code executed in mapped memory by
 * the text in the second half of each area.
 *
 *	NAME		module with this name
 *	=NAME		procedure with this name, in no module
 *	.NAME		only the transaction
 *	?...		nothing
 *
 * The transaction is the parameter with '%' replaced by the text.
 */
#include <vigil/collector.h>

#include <stdlib.h>
#include <string.h>

#define PAGE 4096

static const struct vigil_pseudo_section sections[] = {
	{ "NIGHTRUN", "ABC" }, { "NIGHTRUN", "DEF" }, { ".ITSELF", "selfmade" }, { NULL, NULL }
};
static const char *const programs[] = { "memory", "selfmade", NULL };
static char text[VIGIL_NAME_MAX + 1], transaction[VIGIL_NAME_MAX + 1];

/* Sets the transaction: the parameter with the text inserted. */
static void make_transaction(const char *parameter)
{
	size_t length = 0;

	for (; *parameter && length < VIGIL_NAME_MAX; parameter++) {
		if (*parameter != '%') {
			transaction[length++] = *parameter;
			continue;
		}
		for (const char *at = text; *at && length < VIGIL_NAME_MAX; at++)
			transaction[length++] = *at;
	}
	transaction[length] = '\0';
}

static enum vigil_outcome entry(struct vigil_communication *area)
{
	static struct vigil_place place;
	struct vigil_mapping mapping;
	uint64_t page = area->address & ~(uint64_t)(PAGE - 1);

	area->id = "MEMORY TEST";
#ifdef CRASH
	if (++*(int *)(area->anchor ? area->anchor : (area->anchor = calloc(1, sizeof(int)))) >
	    CRASH)
		abort();
#endif
	if (vigil_mapping_at(area, area->address, &mapping) || *mapping.path)
		return VIGIL_DONE;
	/* the kernel merges adjacent areas into one mapping */
	if (vigil_text(area, page + PAGE / 2, text, sizeof(text)) <= 0)
		return VIGIL_DONE;
	make_transaction(area->parameter);
	area->transaction = transaction;
	if (*text == '?' || *text == '.')
		return VIGIL_DONE;
	area->base = page;
	area->size = PAGE;
	if (*text != '=') {
		area->module = text;
		return VIGIL_DONE;
	}
	place = (struct vigil_place){ .procedure = text + 1 };
	area->places = &place;
	area->place_count = 1;
	return VIGIL_DONE;
}

VIGIL_COLLECTOR("STRBMEMO", "G-01", 0, sections, programs, entry);
