/* SPDX-License-Identifier: Apache-2.0 */
/* Counts the signs of an input's zoned fields. */
#include "common/compat.h"
#include "utilities/sign-count.h"

void sign_counts_add(struct sign_counts *counts, enum sign_kind kind, uint64_t record,
		     size_t column)
{
	struct sign_count *count = kind == SIGN_ASCII ? &counts->ascii : &counts->ebcdic;

	if (kind < SIGN_ASCII)
		return;
	if (count->signs++ == 0)
		*count = (struct sign_count){ 1, record, column };
}

static void merge(struct sign_count *total, const struct sign_count *more)
{
	uint64_t signs = total->signs + more->signs;

	if (more->signs > 0 && (total->signs == 0 || more->record < total->record))
		*total = *more;
	total->signs = signs;
}

void sign_counts_merge(struct sign_counts *total, const struct sign_counts *more)
{
	merge(&total->ascii, &more->ascii);
	merge(&total->ebcdic, &more->ebcdic);
}

/* Appends "3 ASCII signs (the first: record 2, column 10)". */
static void describe(struct strbuf *text, const struct sign_count *count, enum sign_kind kind)
{
	strbuf_addf(text, "%" PRIu64 " %s sign%s (the first: record %" PRIu64 ", column %zu)",
		    count->signs, signs_name(kind), count->signs == 1 ? "" : "s", count->record,
		    count->column);
}

bool sign_counts_warn(const struct sign_counts *counts, struct utility *utility, const char *name,
		      const char *where, enum sign_kind rule)
{
	const struct sign_count *ascii = &counts->ascii, *ebcdic = &counts->ebcdic;
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
	/*
	 * Both kinds were read correctly: a COND or IF after this step must not change its
	 * result.
	 */
	utility->worst = worst;
	strbuf_release(&text);
	return true;
}
