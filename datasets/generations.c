/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the generations of a group and numbers them. */
#include "common/compat.h"
#include "datasets/generations.h"
#include "datasets/entries.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <dirent.h>

#define HIGHEST 9999
/* If both exist, numbers below NEW_ROUND are newer than those from OLD_ROUND on. */
#define OLD_ROUND 9000
#define NEW_ROUND 1000

/* Returns whether text begins with "GnnnnV00", in either case; sets its number. */
static bool take_generation(const char *text, unsigned *number)
{
	RETURN_IF(toupper((unsigned char)text[0]) != 'G', false);
	*number = 0;
	for (int i = 1; i <= 4; i++) {
		RETURN_IF(!isdigit((unsigned char)text[i]), false);
		*number = *number * 10 + (unsigned)(text[i] - '0');
	}
	return toupper((unsigned char)text[5]) == 'V' && text[6] == '0' && text[7] == '0' &&
	       *number > 0;
}

bool generation_parse(const char *dsn, size_t *base_length, unsigned *number)
{
	const char *last = strrchr(dsn, '.');

	RETURN_IF(!last || strlen(last) != 9 || last == dsn || !take_generation(last + 1, number),
		  false);
	*base_length = (size_t)(last - dsn);
	return true;
}

static void add_name(struct strbuf *name, const char *base, unsigned number)
{
	strbuf_addf(name, "%s.G%04uV00", base, number);
}

/* Returns whether a generation exists and has not left the group. */
static bool in_group(const struct catalog *catalog, const char *base, unsigned number)
{
	struct strbuf name = STRBUF_INIT, path = STRBUF_INIT;
	struct catalog_entry entry;
	bool found;

	add_name(&name, base, number);
	catalog_file(catalog, name.text, &path);
	found = catalog_exists(path.text);
	if (found && catalog_entry_read(catalog, name.text, &entry, NULL) == 0) {
		found = !entry.rolled_off;
		catalog_entry_release(&entry);
	}
	strbuf_release(&name);
	strbuf_release(&path);
	return found;
}

/*
 * Adds the generations among the files of a folder; start is what precedes the
 * number in their names.
 */
static void add_from(struct generation_group *group, const struct catalog *catalog,
		     const char *path, const char *start)
{
	DIR *folder = opendir(path);
	size_t length = strlen(start);
	struct dirent *found;

	if (!folder)
		return;
	while ((found = readdir(folder))) {
		unsigned number;

		if (strncmp(found->d_name, start, length) != 0 ||
		    !take_generation(found->d_name + length, &number) ||
		    !in_group(catalog, group->base, number))
			continue;
		GROW(group->numbers, group->count + 1, group->alloc);
		group->numbers[group->count++] = number;
	}
	closedir(folder);
}

/* Finds the generations where the catalogue puts them: the folder is taken from the path of one. */
static void find_generations(struct generation_group *group, const struct catalog *catalog)
{
	struct strbuf name = STRBUF_INIT, path = STRBUF_INIT;
	char *at, *slash;
	unsigned number;

	add_name(&name, group->base, HIGHEST);
	catalog_file(catalog, name.text, &path);
	for (at = path.text; *at && !(take_generation(at, &number) && number == HIGHEST); at++)
		;
	if (*at) {
		*at = '\0';
		slash = strrchr(path.text, '/');
		*slash = '\0';
		add_from(group, catalog, *path.text ? path.text : "/", slash + 1);
	}
	strbuf_release(&name);
	strbuf_release(&path);
}

static int by_number(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

	return x < y ? -1 : x > y;
}

/* Sorts the numbers in the order in which they were assigned. */
static void put_in_order(struct generation_group *group)
{
	size_t young = 0, kept = 0;
	unsigned *numbers = group->numbers, *copy;

	if (group->count == 0)
		return;
	qsort(numbers, group->count, sizeof(*numbers), by_number);
	for (size_t i = 0; i < group->count; i++)
		if (kept == 0 || numbers[kept - 1] != numbers[i])
			numbers[kept++] = numbers[i];
	group->count = kept;
	while (young < kept && numbers[young] < NEW_ROUND)
		young++;
	if (numbers[kept - 1] < OLD_ROUND || young == kept)
		return;
	copy = xmemdup(numbers, young * sizeof(*numbers));
	memmove(numbers, numbers + young, (kept - young) * sizeof(*numbers));
	memcpy(numbers + kept - young, copy, young * sizeof(*numbers));
	free(copy);
}

int generation_group_read(struct generation_group *group, const struct catalog *catalog,
			  const char *base, struct error *err)
{
	struct catalog_entry entry;

	*group = (struct generation_group){ 0 };
	RETURN_IF(catalog_entry_read(catalog, base, &entry, err) < 0, -1);
	group->base = xstrdup(base);
	if (entry.type == CATALOG_GDG) {
		group->limit = entry.limit;
		group->empty = entry.empty;
		group->scratch = entry.scratch;
	}
	catalog_entry_release(&entry);
	find_generations(group, catalog);
	put_in_order(group);
	return 0;
}

void generation_group_release(struct generation_group *group)
{
	free(group->base);
	free(group->numbers);
	*group = (struct generation_group){ 0 };
}

int generation_name(const struct generation_group *group, int relative, struct strbuf *name)
{
	unsigned newest = group->count ? group->numbers[group->count - 1] : 0;

	if (relative > 0) {
		RETURN_IF(relative > HIGHEST, -1);
		add_name(name, group->base, (newest + (unsigned)relative - 1) % HIGHEST + 1);
		return 0;
	}
	RETURN_IF((size_t)-(int64_t)relative >= group->count, -1);
	add_name(name, group->base, group->numbers[group->count - 1 - (size_t)-(int64_t)relative]);
	return 0;
}

size_t generation_roll_off(const struct generation_group *group, size_t added, char ***names)
{
	size_t leaving;

	*names = NULL;
	RETURN_IF(group->limit == 0 || group->count <= group->limit, 0);
	leaving = group->count - group->limit;
	if (group->empty && added > 0 && added <= group->limit && added <= group->count)
		leaving = group->count - added;
	*names = xcalloc(leaving, sizeof(**names));
	for (size_t i = 0; i < leaving; i++) {
		struct strbuf name = STRBUF_INIT;

		add_name(&name, group->base, group->numbers[i]);
		(*names)[i] = strbuf_detach(&name, NULL);
	}
	return leaving;
}
