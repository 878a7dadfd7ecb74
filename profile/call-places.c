/* SPDX-License-Identifier: Apache-2.0 */
/* The procedures that frames stand for. */
#include "common/compat.h"
#include "profile/call-places.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "profile/usage.h"
#include "records/record-types.h"

#define INLINED_MAX 32 /* limit of inlining levels of one frame */

/* The keys that identify a place. */
enum key {
	KEY_MODULE,
	KEY_SECTION,
	KEY_REAL_MODULE,
	KEY_PROCEDURE,
	KEY_START,
	KEY_SIZE,
	KEY_FILE,
	KEY_LINE,
	KEY_COUNT
};

void call_places_init(struct call_places *places, const struct profile *profile, bool by_line,
		      unsigned resolution)
{
	size_t frames = profile->attribution.place_count + 1;

	*places = (struct call_places){ .profile = profile,
					.resolution = resolution ? resolution : USAGE_RESOLUTION,
					.by_line = by_line,
					.first = xcalloc(frames, sizeof(size_t)),
					.many = xcalloc(frames, sizeof(size_t)) };
	keymap_init(&places->keys, KEY_COUNT);
	for (size_t i = 0; i < frames; i++)
		places->first[i] = SIZE_MAX;
}

void call_places_release(struct call_places *places)
{
	keymap_release(&places->keys);
	free(places->items);
	free(places->of_frames);
	free(places->first);
	free(places->many);
	*places = (struct call_places){ 0 };
}

/* Returns the number of a place, adding it if it is new. */
static size_t put(struct call_places *places, const struct call_place *place)
{
	uint64_t key[KEY_COUNT] = { place->module,    place->section, place->real_module,
				    place->procedure, place->start,   place->size };
	size_t before = places->keys.count, number;

	if (place->line) {
		key[KEY_FILE] = place->file;
		key[KEY_LINE] = place->line;
	}
	number = keymap_put(&places->keys, key);
	GROW(places->items, number + 1, places->alloc);
	if (number == before)
		places->items[number] = *place;
	else if (!places->items[number].file)
		places->items[number].file = place->file;
	return number;
}

/* Returns the base name of a line's file if the section is not named after it; else 0. */
static uint64_t other_file(const struct profile *profile, uint64_t section, uint64_t file)
{
	const char *path = profile_text(profile, file);
	uint32_t name;

	if (!*path || !*profile_text(profile, section) ||
	    path_is_of(path, profile_text(profile, section)))
		return 0;
	name = strmap_find(&profile->strings, path_base(path));
	return name == UINT32_MAX ? file : name;
}

/* Sets line and text of a statement if places are distinguished by line. */
static void set_line(const struct call_places *places, struct call_place *place,
		     const struct record_name *name)
{
	if (!places->by_line || !name->line)
		return;
	place->line = name->line;
	place->text = name->text;
	place->other_file =
		place->system ? 0 : other_file(places->profile, place->section, place->file);
}

/* Returns the place of a frame's innermost procedure. name: its NAME record, or NULL. */
static struct call_place innermost(const struct call_places *places, const struct place *place,
				   const struct record_name *name)
{
	struct call_place made = {
		.module = place->module,
		.section = place->section,
		.real_module = place->real_module,
		.procedure = place->procedure,
		.object = place->object,
		.system = place->system,
		.named = place->named,
		.vigil =
			place->system && place->section == places->profile->attribution.vigil_section,
	};

	if (!place->procedure && place->offset) {
		made.start = place->offset / places->resolution * places->resolution;
		made.size = places->resolution;
	}
	if (!name)
		return made;
	made.file = name->file;
	made.language = name->language;
	set_line(places, &made, name);
	return made;
}

/* Returns the place of a procedure that a frame was inlined into. */
static struct call_place outer(const struct call_places *places, const struct call_place *inner,
			       const struct record_name *name)
{
	struct call_place made = *inner;

	made.procedure = name->procedure;
	made.file = name->file;
	made.line = made.text = made.other_file = 0;
	if (*profile_text(places->profile, name->language))
		made.language = name->language;
	if (!made.system && *profile_text(places->profile, name->section))
		made.section = name->section;
	set_line(places, &made, name);
	return made;
}

/* Finds and caches what a frame stands for. */
static void find(struct call_places *places, size_t frame)
{
	const struct profile *profile = places->profile;
	const struct record_frame *record =
		frame < profile->frames.count ? id_table_at(&profile->frames, frame) : NULL;
	const struct record_name *name =
		record ? name_table_find(&profile->names, record->frame, 0) : NULL;
	struct call_place place = innermost(places, &profile->attribution.places[frame], name);
	size_t numbers[INLINED_MAX], count = 0;

	numbers[count++] = put(places, &place);
	while (name && place.procedure && count < INLINED_MAX) {
		name = name_table_find(&profile->names, record->frame, count);
		if (!name || !*profile_text(profile, name->procedure))
			break;
		place = outer(places, &place, name);
		numbers[count++] = put(places, &place);
	}
	GROW(places->of_frames, places->of_frame_count + count, places->of_frame_alloc);
	places->first[frame] = places->of_frame_count;
	places->many[frame] = count;
	while (count)
		places->of_frames[places->of_frame_count++] = numbers[--count];
}

const size_t *call_places_of(struct call_places *places, size_t frame, size_t *count)
{
	if (places->first[frame] == SIZE_MAX)
		find(places, frame);
	*count = places->many[frame];
	return places->of_frames + places->first[frame];
}

void call_place_label(const struct profile *profile, const struct call_place *place,
		      struct strbuf *sb)
{
	if (place->procedure)
		strbuf_addstr(sb, profile_text(profile, place->procedure));
	else if (!place->size)
		strbuf_addstr(sb, ATTRIBUTION_NO_PLACE);
	else
		strbuf_addf(sb, "+%" PRIX64, place->start);
}

int call_place_compare(const struct profile *profile, const struct call_place *first,
		       const struct call_place *second)
{
	const uint64_t texts[][2] = { { first->module, second->module },
				      { first->section, second->section },
				      { first->real_module, second->real_module },
				      { first->procedure, second->procedure },
				      { first->file, second->file } };
	const uint64_t numbers[][2] = { { first->start, second->start },
					{ first->line, second->line } };

	for (size_t i = 0; i < ARRAY_SIZE(texts); i++) {
		int order = profile_compare_texts(profile, texts[i][0], texts[i][1]);

		if (order)
			return order;
	}
	for (size_t i = 0; i < ARRAY_SIZE(numbers); i++)
		if (numbers[i][0] != numbers[i][1])
			return numbers[i][0] < numbers[i][1] ? -1 : 1;
	return 0;
}
