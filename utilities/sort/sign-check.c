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

/* Watch fields, but not those whose signs are watched, here or there. */
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

/* Whether bytes from start to end are digits. */
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
		struct sign_count *count;
		enum sign_kind kind;

		if (field->end > record->length)
			continue;
		kind = sign_kind((unsigned char)record->data[field->at]);
		if (kind < SIGN_ASCII || !are_digits(record->data, field->start, field->at) ||
		    !are_digits(record->data, field->at + 1, field->end))
			continue;
		count = kind == SIGN_ASCII ? &watch->ascii : &watch->ebcdic;
		if (count->signs++ == 0)
			*count = (struct sign_count){ 1, number, field->at + 1 };
	}
}

/* Add counts; the first place is that of the record that came first. */
static void add_count(struct sign_count *total, const struct sign_count *more)
{
	uint64_t signs = total->signs + more->signs;

	if (more->signs > 0 && (total->signs == 0 || more->record < total->record))
		*total = *more;
	total->signs = signs;
}

/* "3 ASCII signs (the first: record 2, column 10)". */
static void describe(struct strbuf *text, const struct sign_count *count, enum sign_kind kind)
{
	strbuf_addf(text, "%" PRIu64 " %s sign%s (the first: record %" PRIu64 ", column %zu)",
		    count->signs, signs_name(kind), count->signs == 1 ? "" : "s", count->record,
		    count->column);
}

/* Warn of what is wrong with counts; whether something is. */
static bool warn(struct utility *utility, const char *name, const char *where,
		 const struct sign_count *ascii, const struct sign_count *ebcdic,
		 enum sign_kind rule)
{
	enum sign_kind other = rule == SIGN_ASCII ? SIGN_EBCDIC : SIGN_ASCII;
	const struct sign_count *misread = other == SIGN_ASCII ? ascii : ebcdic;
	bool both = ascii->signs > 0 && ebcdic->signs > 0;
	struct strbuf text = STRBUF_INIT;
	unsigned worst;

	RETURN_IF(misread->signs == 0, false);
	if (both)
		describe(&text, rule == SIGN_ASCII ? ascii : ebcdic, rule);
	if (both)
		strbuf_addstr(&text, " and ");
	describe(&text, misread, other);
	worst = utility->worst;
	utility_message(utility, SEVERITY_WARNING, 5546,
			"%s has %s%s in zoned fields%s; the rule is %s: COBOL programs misread the "
			"%s signs",
			name, both ? "both kinds of sign, " : "", text.text, where,
			signs_name(rule), signs_name(other));
	/* SORT has read both kinds as they are meant: a COND or IF behind it must not go another way. */
	utility->worst = worst;
	strbuf_release(&text);
	return true;
}

void sign_check_warn(const struct sign_check *check, struct utility *utility, const char *name,
		     enum sign_kind rule)
{
	struct sign_count ascii = check->read.ascii, ebcdic = check->read.ebcdic;

	add_count(&ascii, &check->selected.ascii);
	add_count(&ebcdic, &check->selected.ebcdic);
	if (!warn(utility, name, "", &ascii, &ebcdic, rule))
		warn(utility, name, " after INREC", &check->made.ascii, &check->made.ebcdic, rule);
}
