/* SPDX-License-Identifier: Apache-2.0 */
/* One procedure with its callers, callees and lines. */
#include "common/compat.h"
#include "profile/butterfly.h"
#include "common/path.h"
#include "common/similar.h"
#include "common/xalloc.h"

/* Number of keys that identify a procedure; places of different lines share them. */
#define PROCEDURE_KEYS 6

/* Numbers the procedures of the places. */
static void find_procedures(struct butterfly *butterfly)
{
	const struct call_places *places = &butterfly->tree.places;
	size_t count = places->keys.count;
	struct keymap procedures;

	keymap_init(&procedures, PROCEDURE_KEYS);
	butterfly->procedure_of = xcalloc(count + 1, sizeof(size_t));
	butterfly->places = xcalloc(count + 1, sizeof(size_t));
	for (size_t i = 0; i < count; i++) {
		const struct call_place *place = &places->items[i];
		const uint64_t key[PROCEDURE_KEYS] = { place->module,	   place->section,
						       place->real_module, place->procedure,
						       place->start,	   place->size };
		size_t before = procedures.count, number = keymap_put(&procedures, key);

		butterfly->procedure_of[i] = number;
		if (number == before)
			butterfly->places[number] = i;
	}
	butterfly->procedure_count = procedures.count;
	keymap_release(&procedures);
}

static void add(uint64_t *sums, const uint64_t *amounts)
{
	for (size_t i = 0; i < CALL_TREE_AMOUNTS; i++)
		sums[i] += amounts[i];
}

static bool is_procedure(const struct butterfly *butterfly, size_t node)
{
	return butterfly->tree.nodes[node].kind == CALL_TREE_PROCEDURE;
}

static size_t procedure_at(const struct butterfly *butterfly, size_t node)
{
	return butterfly->procedure_of[butterfly->tree.nodes[node].place];
}

/* Sums up each procedure, self and total; each sample counts once. */
static void sum_procedures(struct butterfly *butterfly)
{
	const struct call_tree *tree = &butterfly->tree;
	size_t *seen = xcalloc(butterfly->procedure_count + 1, sizeof(*seen));

	butterfly->sums = xcalloc(butterfly->procedure_count + 1, sizeof(*butterfly->sums));
	for (size_t i = 1; i < tree->count; i++) {
		const struct call_tree_node *node = &tree->nodes[i];
		bool any = false;

		for (size_t j = 0; j < CALL_TREE_AMOUNTS; j++)
			any = any || node->own[j];
		if (!any || !is_procedure(butterfly, i))
			continue;
		add(butterfly->sums[procedure_at(butterfly, i)].own, node->own);
		for (size_t at = i; is_procedure(butterfly, at); at = tree->nodes[at].parent) {
			size_t procedure = procedure_at(butterfly, at);

			if (seen[procedure] != i)
				add(butterfly->sums[procedure].all, node->own);
			seen[procedure] = i;
		}
	}
	free(seen);
}

void butterfly_init(struct butterfly *butterfly, const struct profile *profile, unsigned resolution)
{
	const struct call_tree_options options = { .by_line = true, .resolution = resolution };

	*butterfly = (struct butterfly){ .procedure = BUTTERFLY_NONE };
	call_tree_init(&butterfly->tree, profile, &options);
	find_procedures(butterfly);
	sum_procedures(butterfly);
}

void butterfly_release(struct butterfly *butterfly)
{
	call_tree_release(&butterfly->tree);
	free(butterfly->procedure_of);
	free(butterfly->places);
	free(butterfly->sums);
	free(butterfly->sides);
	*butterfly = (struct butterfly){ 0 };
}

/* How names are compared; the first way with a match is used. */
enum way { WAY_EXACT, WAY_ANY_CASE, WAY_NO_PARAMETERS, WAYS };

/* Returns the length of a C++ name without its parameters; 0 if it has none. */
static size_t bare_length(const char *name)
{
	size_t length = strlen(name);
	const char *end = strrchr(name, ')');
	unsigned depth = 0;

	if (!end || end == name)
		return 0;
	length = (size_t)(end - name) + 1;
	while (length--) {
		depth += name[length] == ')';
		depth -= name[length] == '(';
		if (depth == 0)
			return length;
	}
	return 0;
}

static bool is_name(const char *label, const char *name, enum way way)
{
	size_t length;

	switch (way) {
	case WAY_EXACT:
		return strcmp(label, name) == 0;
	case WAY_ANY_CASE:
		return strcasecmp(label, name) == 0;
	default:
		length = bare_length(label);
		return length && strlen(name) == length && memcmp(label, name, length) == 0;
	}
}

/* Returns whether the first length characters of text are a whole name or its last component. */
static bool is_home(const char *home, const char *text, size_t length)
{
	const char *base = path_base(home);

	return length && ((strlen(home) == length && memcmp(home, text, length) == 0) ||
			  (strlen(base) == length && memcmp(base, text, length) == 0));
}

/* Returns whether a procedure is in the module or file that the first characters of text name. */
static bool is_in(const struct butterfly *butterfly, size_t procedure, const char *text,
		  size_t length)
{
	const struct profile *profile = butterfly->tree.profile;
	const struct call_place *place = butterfly_place(butterfly, procedure);
	const uint64_t homes[] = { place->module, place->real_module, place->section, place->file };

	for (size_t i = 0; i < ARRAY_SIZE(homes); i++)
		if (is_home(profile_text(profile, homes[i]), text, length))
			return true;
	return false;
}

/* Returns whether NAME, MODULE:NAME or FILE:NAME means a procedure. */
static bool is_meant(const struct butterfly *butterfly, size_t procedure, const char *name,
		     enum way way)
{
	struct strbuf label = STRBUF_INIT;
	bool meant;

	call_place_label(butterfly->tree.profile, butterfly_place(butterfly, procedure), &label);
	meant = is_name(label.text, name, way);
	for (const char *colon = strchr(name, ':'); colon && !meant; colon = strchr(colon + 1, ':'))
		meant = is_name(label.text, colon + 1, way) &&
			is_in(butterfly, procedure, name, (size_t)(colon - name));
	strbuf_release(&label);
	return meant;
}

static int compare_procedures(const void *first, const void *second, void *argument)
{
	const struct butterfly *butterfly = argument;
	const struct profile *profile = butterfly->tree.profile;
	size_t a = *(const size_t *)first, b = *(const size_t *)second;
	uint64_t x = call_tree_weight(profile, butterfly->sums[a].all);
	uint64_t y = call_tree_weight(profile, butterfly->sums[b].all);

	if (x != y)
		return x > y ? -1 : 1;
	return call_place_compare(profile, butterfly_place(butterfly, a),
				  butterfly_place(butterfly, b));
}

size_t butterfly_find(const struct butterfly *butterfly, const char *name, size_t **numbers)
{
	size_t count = 0;

	*numbers = xcalloc(butterfly->procedure_count + 1, sizeof(**numbers));
	for (enum way way = WAY_EXACT; way < WAYS && !count; way++)
		for (size_t i = 0; i < butterfly->procedure_count; i++)
			if (is_meant(butterfly, i, name, way))
				(*numbers)[count++] = i;
	qsort_r(*numbers, count, sizeof(**numbers), compare_procedures,
		(void *)(uintptr_t)butterfly);
	return count;
}

/*
 * Returns the name most similar to one that was not found, NULL if there is none;
 * the caller frees it.
 */
static char *find_similar(const struct butterfly *butterfly, const char *name)
{
	const char *last = strrchr(name, ':');
	struct similar similar = { .wanted = last && last[1] ? last + 1 : name };
	struct strbuf label = STRBUF_INIT;
	char *found = NULL;

	for (size_t i = 0; i < butterfly->procedure_count; i++) {
		const char *before = similar.name;

		strbuf_reset(&label);
		call_place_label(butterfly->tree.profile, butterfly_place(butterfly, i), &label);
		similar_compare(&similar, label.text);
		if (similar.name == before)
			continue;
		free(found);
		found = xstrdup(label.text);
		similar.name = found;
	}
	strbuf_release(&label);
	return found;
}

bool butterfly_has_none(const struct butterfly *butterfly, const char *name, struct strbuf *why)
{
	size_t *numbers, count = butterfly_find(butterfly, name, &numbers);
	char *similar;

	free(numbers);
	RETURN_IF(count, false);
	similar = find_similar(butterfly, name);
	strbuf_addf(why, "no recorded procedure is called %s", name);
	if (similar)
		strbuf_addf(why, "; did you mean %s?", similar);
	free(similar);
	return true;
}

/* Returns how a node relates to the procedure, given how its parent does. */
static struct butterfly_side side_of(const struct butterfly *butterfly, size_t number)
{
	const struct call_tree_node *node = &butterfly->tree.nodes[number];
	struct butterfly_side side = butterfly->sides[node->parent];

	if (procedure_at(butterfly, number) == butterfly->procedure) {
		if (side.caller == BUTTERFLY_NONE)
			side.caller = is_procedure(butterfly, node->parent)
					      ? procedure_at(butterfly, node->parent)
					      : BUTTERFLY_OUTERMOST;
		side.callee = BUTTERFLY_SELF;
		side.line = node->place;
	} else if (side.callee == BUTTERFLY_SELF) {
		side.callee = procedure_at(butterfly, number);
	}
	return side;
}

void butterfly_choose(struct butterfly *butterfly, size_t procedure)
{
	const struct butterfly_side none = { BUTTERFLY_NONE, BUTTERFLY_NONE, CALL_TREE_NONE };

	free(butterfly->sides);
	butterfly->sides = xcalloc(butterfly->tree.count, sizeof(*butterfly->sides));
	butterfly->procedure = procedure;
	butterfly->sides[0] = none;
	for (size_t i = 1; i < butterfly->tree.count; i++)
		butterfly->sides[i] = side_of(butterfly, i);
}
