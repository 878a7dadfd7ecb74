/* SPDX-License-Identifier: Apache-2.0 */
/* Chains of callers as text. */
#include "common/compat.h"
#include "profile/attribution-chain.h"
#include "profile/profile.h"
#include "records/record-types.h"

/* Appends " 92", or " util.hpp:92" if the line is not in the section's main source. */
static void add_line(const char *other_file, uint64_t line, struct strbuf *sb)
{
	strbuf_addf(sb, *other_file ? " %s:%" PRIu64 : " %s%" PRIu64, other_file, line);
}

/* Appends "MAIN-LINE 92", or module and offset if there is no name. */
static void add_step(const struct profile *profile, const struct place *place, struct strbuf *sb)
{
	if (place->procedure)
		strbuf_addstr(sb, profile_text(profile, place->procedure));
	else if (!place->offset)
		strbuf_addf(sb, "%s " ATTRIBUTION_NO_PLACE, profile_text(profile, place->module));
	else
		strbuf_addf(sb, "%s+%" PRIX64, profile_text(profile, place->module), place->offset);
	if (place->line)
		add_line(profile_text(profile, place->other_file), place->line, sb);
}

/* Appends the procedures that the caller's frame was inlined into, innermost first. */
static void add_inlined(const struct profile *profile, size_t frame_number, struct strbuf *sb)
{
	const struct record_frame *frame;

	if (frame_number >= profile->frames.count)
		return;
	frame = id_table_at(&profile->frames, frame_number);
	for (uint64_t depth = 1; depth < 32; depth++) {
		const struct record_name *name =
			name_table_find(&profile->names, frame->frame, depth);

		if (!name)
			return;
		strbuf_addstr(sb, sb->length ? " < " : "");
		strbuf_addstr(sb, profile_text(profile, name->procedure));
		add_line(attribution_other_file(profile_text(profile, name->section),
				    profile_text(profile, name->file)),
			 name->line, sb);
		strbuf_addstr(sb, " (inlined)");
	}
}

void attribution_chain(const struct profile *profile, size_t stack, struct strbuf *sb)
{
	const struct attribution *attribution = &profile->attribution;
	const struct place *last;
	size_t steps = 0;

	if (stack == ATTRIBUTION_NONE || attribution->callers[stack] == ATTRIBUTION_NONE)
		return;
	stack = attribution->callers[stack];
	last = attribution_place(attribution, stack);
	add_inlined(profile, attribution->frames[stack], sb);
	for (stack = attribution->parents[stack]; stack != ATTRIBUTION_NONE && steps < 24;
	     stack = attribution->parents[stack]) {
		const struct place *place = attribution_place(attribution, stack);

		if (place->system || (place->module == last->module && place->procedure &&
				      place->procedure == last->procedure &&
				      place->line == last->line && place->file == last->file))
			continue;
		strbuf_addstr(sb, sb->length ? " < " : "");
		add_step(profile, place, sb);
		last = place;
		steps++;
	}
}
