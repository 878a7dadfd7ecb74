/* SPDX-License-Identifier: Apache-2.0 */
/* Lists all statements of an object. */
#include "common/compat.h"
#include "program/names/statements.h"

#include "common/hash.h"
#include "common/idmap.h"
#include "common/in-order.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#define NO_STATEMENT UINT32_MAX

/* A list under construction. */
struct listing {
	struct statement_list *list;
	struct idmap numbers; /* hash of a statement -> its number */
	/* The last stretch, which the next one may extend: a statement for each level. */
	uint32_t last[NAMES_MAX_INLINE];
	size_t last_count;
	uint64_t last_end;
	size_t last_places; /* number of places that it added */
	uint32_t recent;    /* statement found last: most stretches belong to the same one */
};

/* Returns whether a statement is that of a level. */
static bool is_same(const struct statement *statement, const struct name_level *level,
		    const struct name_stretch *stretch)
{
	return statement->line == level->line && !strcmp(statement->procedure, level->procedure) &&
	       !strcmp(statement->section, level->section) &&
	       !strcmp(statement->file, level->file) &&
	       !strcmp(statement->source, stretch->source);
}

/* Returns whether a statement is that of a level, comparing only the addresses of texts. */
static bool is_again(const struct statement *statement, const struct name_level *level,
		     const struct name_stretch *stretch)
{
	return statement->line == level->line && statement->procedure == level->procedure &&
	       statement->section == level->section && statement->file == level->file &&
	       statement->source == stretch->source;
}

/* Returns a hash of a statement's fields. */
static uint64_t key_of(const struct name_level *level, const struct name_stretch *stretch)
{
	uint64_t names = hash_pair(hash_bytes(level->procedure, strlen(level->procedure)),
				   hash_bytes(stretch->source, strlen(stretch->source)));

	return hash_pair(hash_pair(hash_bytes(level->file, strlen(level->file)), level->line),
			 names);
}

/*
 * Returns the number of a level's statement, adding it if it is new; NO_STATEMENT
 * if it has no line.
 */
static uint32_t number_of(struct listing *listing, const struct name_stretch *stretch,
			  const struct name_level *level)
{
	struct statement_list *list = listing->list;
	uint64_t key, number;

	if (!level->line)
		return NO_STATEMENT;
	if (listing->recent < list->count && is_again(&list->items[listing->recent], level, stretch))
		return listing->recent;
	key = key_of(level, stretch);
	for (; idmap_get(&listing->numbers, key, &number); key++)
		if (is_same(&list->items[number], level, stretch))
			return listing->recent = (uint32_t)number;
	idmap_put(&listing->numbers, key, list->count);
	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count] = (struct statement){ .section = level->section,
						       .procedure = level->procedure,
						       .source = stretch->source,
						       .program = stretch->program,
						       .file = level->file,
						       .language = level->language,
						       .optimised = stretch->optimised,
						       .line = level->line };
	listing->recent = (uint32_t)list->count++;
	return listing->recent;
}

/* Returns whether a stretch continues the last one. */
static bool continues_last(const struct listing *listing, const struct name_stretch *stretch,
		    const uint32_t *numbers)
{
	return !stretch->begins && !stretch->other_line && stretch->start == listing->last_end &&
	       stretch->count == listing->last_count &&
	       !memcmp(numbers, listing->last, stretch->count * sizeof(*numbers));
}

/* Adds a place for each level of a stretch that is a statement. */
static void add_places(struct listing *listing, const struct name_stretch *stretch,
		       const uint32_t *numbers)
{
	struct statement_list *list = listing->list;

	listing->last_places = 0;
	for (size_t level = 0; level < stretch->count; level++) {
		if (numbers[level] == NO_STATEMENT)
			continue;
		GROW(list->places, list->place_count + 1, list->place_alloc);
		list->places[list->place_count++] =
			(struct statement_place){ .start = stretch->start,
						  .end = stretch->end,
						  .statement = numbers[level],
						  .level = (uint8_t)level,
						  .begins = stretch->begins && level == 0,
						  .doubtful = stretch->doubtful,
						  .mixed = stretch->mixed && level == 0,
						  .block = level == 0 ? stretch->block : 0,
						  .other_line = stretch->other_line };
		listing->last_places++;
	}
}

/* Adds a stretch to the list. */
static bool take_stretch(void *argument, const struct name_stretch *stretch)
{
	struct listing *listing = argument;
	struct statement_list *list = listing->list;
	uint32_t numbers[NAMES_MAX_INLINE];

	if (list->place_count > STATEMENT_PLACES_MAX - NAMES_MAX_INLINE) {
		list->whole = false;
		return false;
	}
	for (size_t level = 0; level < stretch->count; level++)
		numbers[level] = number_of(listing, stretch, &stretch->levels[level]);
	if (continues_last(listing, stretch, numbers)) {
		for (size_t i = 1; i <= listing->last_places; i++)
			list->places[list->place_count - i].end = stretch->end;
	} else {
		add_places(listing, stretch, numbers);
		memcpy(listing->last, numbers, stretch->count * sizeof(*numbers));
		listing->last_count = stretch->count;
	}
	listing->last_end = stretch->end;
	return true;
}

/* As strcmp; fast, because most equal texts have the same address. */
static int compare_texts(const char *left, const char *right)
{
	return left == right ? 0 : strcmp(left, right);
}

/* Compares a statement with a section, a procedure and a line of it, as far as given. */
static int compare_names(const struct statement *statement, const char *section,
			 const char *procedure, uint64_t line)
{
	int order = section ? compare_texts(statement->section, section) : 0;

	if (!order && procedure)
		order = compare_texts(statement->procedure, procedure);
	if (!order && line && statement->line != line)
		order = statement->line < line ? -1 : 1;
	return order;
}

/* Orders numbers of statements. */
static int compare_statements(const void *left, const void *right, void *argument)
{
	const struct statement *items = argument;
	const struct statement *a = &items[*(const uint32_t *)left];
	const struct statement *b = &items[*(const uint32_t *)right];
	int order = compare_names(a, b->section, b->procedure, b->line);

	order = order ? order : compare_texts(a->file, b->file);
	return order ? order : compare_texts(a->source, b->source);
}

static int compare_by_address(const void *left, const void *right)
{
	const struct statement_place *a = left, *b = right;

	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	return (a->level > b->level) - (a->level < b->level);
}

/* Returns an array of the numbers from 0 on. */
static uint32_t *count_up(size_t count)
{
	uint32_t *numbers = xcalloc(count + 1, sizeof(*numbers));

	for (size_t i = 0; i < count; i++)
		numbers[i] = (uint32_t)i;
	return numbers;
}

/* Sorts the statements, and updates their numbers in the places. */
static void sort_statements(struct statement_list *list)
{
	uint32_t *order = count_up(list->count), *place = count_up(list->count);
	struct statement *sorted = xcalloc(list->count + 1, sizeof(*sorted));

	if (list->count)
		qsort_r(order, list->count, sizeof(*order), compare_statements, list->items);
	for (size_t i = 0; i < list->count; i++) {
		sorted[i] = list->items[order[i]];
		place[order[i]] = (uint32_t)i;
	}
	for (size_t i = 0; i < list->place_count; i++)
		list->places[i].statement = place[list->places[i].statement];
	free(list->items);
	list->items = sorted;
	list->alloc = list->count + 1;
	free(order);
	free(place);
}

/* Sets the first place and the number of places of each statement. */
static void count_places(struct statement_list *list)
{
	uint32_t first = 0;

	for (size_t i = 0; i < list->place_count; i++)
		list->items[list->places[i].statement].place_count++;
	for (size_t i = 0; i < list->count; i++) {
		list->items[i].first = first;
		first += list->items[i].place_count;
	}
}

/* Sorts the places in both orders. */
static void sort_places(struct statement_list *list)
{
	struct statement_place *sorted = xcalloc(list->place_count + 1, sizeof(*sorted));
	uint32_t *next = xcalloc(list->count + 1, sizeof(*next));

	sort_if_needed(list->places, list->place_count, sizeof(*list->places), compare_by_address);
	count_places(list);
	for (size_t i = 0; i < list->count; i++)
		next[i] = list->items[i].first;
	list->by_address = xcalloc(list->place_count + 1, sizeof(*list->by_address));
	for (size_t i = 0; i < list->place_count; i++) {
		uint32_t number = next[list->places[i].statement]++;

		sorted[number] = list->places[i];
		list->by_address[i] = number;
	}
	free(list->places);
	list->places = sorted;
	list->place_alloc = list->place_count + 1;
	free(next);
}

void statement_list_read(struct statement_list *list, struct names *names, struct object *object)
{
	struct listing listing = { .list = list };

	memset(list, 0, sizeof(*list));
	list->whole = true;
	idmap_init(&listing.numbers);
	names_stretches(names, object, take_stretch, &listing);
	idmap_release(&listing.numbers);
	sort_statements(list);
	sort_places(list);
}

void statement_list_release(struct statement_list *list)
{
	free(list->items);
	free(list->places);
	free(list->by_address);
}

/* Returns place number at in address order. */
static const struct statement_place *place_at(const struct statement_list *list, size_t at)
{
	return &list->places[list->by_address[at]];
}

size_t statement_list_at(const struct statement_list *list, uint64_t address, size_t *first)
{
	size_t behind = LOWER_BOUND(list->place_count, at, place_at(list, at)->start <= address);
	size_t from = behind;

	/* All levels of a stretch begin and end together. */
	while (from > 0 && address < place_at(list, from - 1)->end &&
	       place_at(list, from - 1)->start == place_at(list, behind - 1)->start)
		from--;
	*first = from;
	return behind - from;
}

size_t statement_list_find(const struct statement_list *list, const char *section,
			   const char *procedure, uint64_t line, size_t *first)
{
	const struct statement *items = list->items;

	*first = LOWER_BOUND(list->count, at,
			     compare_names(&items[at], section, procedure, line) < 0);
	return LOWER_BOUND(list->count, at,
			   compare_names(&items[at], section, procedure, line) <= 0) -
	       *first;
}
