/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time by section, procedure and statement. */
#include "common/compat.h"
#include "profile/usage.h"
#include "common/xalloc.h"
#include "records/record-types.h"

/* Fills the key of a place. resolution: bytes per block of code without a name. */
static void place_key(const struct place *place, unsigned resolution, uint64_t key[USAGE_KEYS])
{
	memset(key, 0, USAGE_KEYS * sizeof(*key));
	key[USAGE_MODULE] = place->module;
	key[USAGE_SECTION] = place->section;
	key[USAGE_REAL_MODULE] = place->real_module;
	key[USAGE_PROCEDURE] = place->procedure;
	if (place->procedure) {
		key[USAGE_START] = place->start;
		key[USAGE_SIZE] = place->size;
	} else if (place->offset) {
		key[USAGE_START] = place->offset / resolution * resolution;
		key[USAGE_SIZE] = resolution;
	}
	if (!place->system) {
		key[USAGE_FILE] = place->file;
		key[USAGE_OTHER_FILE] = place->other_file;
		key[USAGE_LINE] = place->line;
		key[USAGE_TEXT] = place->text;
	}
}

/*
 * One procedure may have several pieces: its code and the places it was inlined
 * into. All are listed under the piece with the lowest address.
 */
struct pieces {
	struct keymap keys;    /* module, section, real module, procedure */
	uint64_t (*places)[2]; /* start, size */
	size_t alloc;
};

static size_t piece_number(const struct place *place, struct pieces *pieces)
{
	uint64_t key[] = { place->module, place->section, place->real_module, place->procedure };

	return keymap_put(&pieces->keys, key);
}

static void pieces_init(struct pieces *pieces, const struct attribution *attribution)
{
	keymap_init(&pieces->keys, 4);
	pieces->places = NULL;
	pieces->alloc = 0;
	for (size_t i = 0; i < attribution->place_count; i++) {
		const struct place *place = &attribution->places[i];
		size_t before = pieces->keys.count, number = piece_number(place, pieces);

		GROW(pieces->places, number + 1, pieces->alloc);
		if (number < before && pieces->places[number][0] <= place->start)
			continue;
		pieces->places[number][0] = place->start;
		pieces->places[number][1] = place->size;
	}
}

static void pieces_release(struct pieces *pieces)
{
	keymap_release(&pieces->keys);
	free(pieces->places);
}

static void add_amounts(uint64_t *sums, const uint64_t *amounts)
{
	for (size_t i = 0; i < USAGE_AMOUNTS; i++)
		sums[i] += amounts[i];
}

static void add(struct usage *usage, struct pieces *pieces, const struct place *place,
		unsigned resolution, const uint64_t amounts[USAGE_AMOUNTS])
{
	uint64_t section[] = { place->module, place->section, place->function };
	uint64_t key[USAGE_KEYS];

	place_key(place, resolution, key);
	if (place->procedure) {
		size_t piece = piece_number(place, pieces);

		key[USAGE_START] = pieces->places[piece][0];
		key[USAGE_SIZE] = pieces->places[piece][1];
	}
	add_amounts(sums_at(&usage->rows, key), amounts);
	add_amounts(sums_at(&usage->sections, section), amounts);
}

static int compare_sections(const uint64_t *first, const uint64_t *second, void *argument)
{
	return profile_compare_text_pairs(first, second, argument);
}

/* Compares files, the section's main source first, then others by name; then lines. */
static int compare_lines(const struct profile *profile, const uint64_t *first,
			 const uint64_t *second)
{
	int order =
		profile_compare_texts(profile, first[USAGE_OTHER_FILE], second[USAGE_OTHER_FILE]);

	if (!order)
		order = profile_compare_texts(profile, first[USAGE_FILE], second[USAGE_FILE]);
	if (!order && first[USAGE_LINE] != second[USAGE_LINE])
		order = first[USAGE_LINE] < second[USAGE_LINE] ? -1 : 1;
	return order;
}

/* Compares by module and section name, then address, then file and line. */
static int compare_rows(const uint64_t *first, const uint64_t *second, void *argument)
{
	static const enum usage_key numbers[] = { USAGE_START, USAGE_PROCEDURE };
	int order = profile_compare_text_pairs(first, second, argument);

	if (!order)
		order = profile_compare_texts(argument, first[USAGE_REAL_MODULE],
					      second[USAGE_REAL_MODULE]);
	for (size_t i = 0; !order && i < ARRAY_SIZE(numbers); i++)
		if (first[numbers[i]] != second[numbers[i]])
			order = first[numbers[i]] < second[numbers[i]] ? -1 : 1;
	return order ? order : compare_lines(argument, first, second);
}

void usage_init(struct usage *usage, const struct profile *profile, unsigned resolution)
{
	struct pieces pieces;

	if (!resolution)
		resolution = USAGE_RESOLUTION;
	memset(usage, 0, sizeof(*usage));
	pieces_init(&pieces, &profile->attribution);
	sums_init(&usage->sections, 3, USAGE_AMOUNTS);
	sums_init(&usage->rows, USAGE_KEYS, USAGE_AMOUNTS);
	for (size_t i = 0; i < profile->cpu_count; i++) {
		const struct profile_cpu *cpu = &profile->cpu[i];
		const struct place *caller = attribution_caller(&profile->attribution, cpu->stack);
		uint64_t solo = cpu->flags & SAMPLE_SOLO ? cpu->count : 0;
		const uint64_t own[USAGE_AMOUNTS] = { [USAGE_TOTAL] = cpu->count, [USAGE_SOLO] = solo };
		const uint64_t charged[USAGE_AMOUNTS] = { [USAGE_CHARGED] = cpu->count,
							  [USAGE_CHARGED_SOLO] = solo,
							  [USAGE_CHARGED_PLACED] = profile_cpu_placed(cpu) };

		add(usage, &pieces, attribution_place(&profile->attribution, cpu->stack),
		    resolution, own);
		if (caller) {
			add(usage, &pieces, caller, resolution, charged);
		} else {
			add_amounts(usage->unreached, charged);
		}
	}
	pieces_release(&pieces);
	sums_sort(&usage->sections, compare_sections, (void *)profile);
	sums_sort(&usage->rows, compare_rows, (void *)profile);
}

void usage_release(struct usage *usage)
{
	sums_release(&usage->sections);
	sums_release(&usage->rows);
}

void usage_procedures(const struct usage *usage, struct sums *procedures)
{
	sums_init(procedures, USAGE_KEYS, USAGE_AMOUNTS);
	for (size_t i = 0; i < usage->rows.keys.count; i++) {
		uint64_t key[USAGE_KEYS];

		memcpy(key, sums_key(&usage->rows, i), sizeof(key));
		memset(key + USAGE_FILE, 0, (USAGE_KEYS - USAGE_FILE) * sizeof(*key));
		add_amounts(sums_at(procedures, key), sums_values(&usage->rows, i));
	}
}

void usage_label(const struct profile *profile, const uint64_t *key, struct strbuf *sb)
{
	if (key[USAGE_PROCEDURE])
		strbuf_addstr(sb, profile_text(profile, key[USAGE_PROCEDURE]));
	else if (!key[USAGE_SIZE])
		strbuf_addstr(sb, ATTRIBUTION_NO_PLACE);
	else
		strbuf_addf(sb, "+%" PRIX64, key[USAGE_START]);
}
