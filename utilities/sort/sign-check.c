/* SPDX-License-Identifier: Apache-2.0 */
/* Watches the signs of an input's zoned fields. */
#include "common/compat.h"
#include "utilities/sort/sign-check.h"
#include "common/xalloc.h"

static struct sign_field place_of(const struct sort_field *field)
{
	size_t end = field->position + field->length;

	return (struct sign_field){ field->position, end,
				    field->format == FORMAT_OL ? field->position : end - 1 };
}

static bool has(const struct sign_watch *watch, size_t at)
{
	for (size_t i = 0; i < watch->count; i++)
		if (watch->fields[i].at == at)
			return true;
	return false;
}

/* Adds fields to watch, except those whose signs are already watched in watch or other. */
static void watch_fields(struct sign_watch *watch, const struct sign_watch *other,
			 const struct sort_fields *fields)
{
	for (size_t i = 0; i < fields->count; i++) {
		const struct sign_field field = place_of(&fields->items[i]);

		if (has(watch, field.at) || (other && has(other, field.at)))
			continue;
		GROW(watch->fields, watch->count + 1, watch->alloc);
		watch->fields[watch->count++] = field;
	}
}

void sign_check_init(struct sign_check *check, const struct sort_request *request)
{
	bool remade = request->inrec.count > 0;
	struct sign_watch *later = remade ? &check->made : &check->read;
	const struct sign_watch *before = remade ? NULL : &check->selected;

	*check = (struct sign_check){ 0 };
	watch_fields(&check->selected, NULL, &request->zoned[ZONED_CONDITION]);
	watch_fields(&check->read, &check->selected, &request->zoned[ZONED_INREC]);
	watch_fields(later, before, &request->zoned[ZONED_KEYS]);
	watch_fields(later, before, &request->zoned[ZONED_SUM]);
	watch_fields(later, before, &request->zoned[ZONED_OUTREC]);
	if (request->outrec.count == 0)
		watch_fields(later, before, &request->zoned[ZONED_OUTFIL]);
}

void sign_check_release(struct sign_check *check)
{
	free(check->selected.fields);
	free(check->read.fields);
	free(check->made.fields);
	*check = (struct sign_check){ 0 };
}

/* Returns whether the bytes from start to end are digits. */
static bool are_digits(const char *data, size_t start, size_t end)
{
	for (size_t i = start; i < end; i++)
		if ((unsigned char)(data[i] - '0') > 9)
			return false;
	return true;
}

void sign_watch_fields(struct sign_watch *watch, const struct sort_record *record, uint64_t number)
{
	for (size_t i = 0; i < watch->count; i++) {
		const struct sign_field *field = &watch->fields[i];
		enum sign_kind kind;

		if (field->end > record->length)
			continue;
		kind = sign_kind((unsigned char)record->data[field->at]);
		if (kind < SIGN_ASCII || !are_digits(record->data, field->start, field->at) ||
		    !are_digits(record->data, field->at + 1, field->end))
			continue;
		sign_counts_add(&watch->counts, kind, number, field->at + 1);
	}
}

void sign_check_warn(const struct sign_check *check, struct utility *utility, const char *name,
		     enum sign_kind rule)
{
	struct sign_counts read = check->read.counts;

	sign_counts_merge(&read, &check->selected.counts);
	if (!sign_counts_warn(&read, utility, name, "", rule))
		sign_counts_warn(&check->made.counts, utility, name, " after INREC", rule);
}
