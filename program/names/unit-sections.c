/* SPDX-License-Identifier: Apache-2.0 */
/* Gives distinct sections to units whose sources have the same name. */
#include "common/compat.h"
#include "program/names/unit-sections.h"
#include "common/xalloc.h"

/* If more sources have one name they are not distinguished, because each is compared with each. */
#define MAX_ALIKE 1000

/* Source of a unit. */
struct source {
	const char *name; /* without folders */
	char *path;	  /* without "." and "..", owned */
	struct unit *unit;
};

/* Removes the last folder of a path; returns false if there is none, or it is "..". */
static bool leave_folder(struct strbuf *sb)
{
	size_t at = sb->length;

	while (at && sb->text[at - 1] != '/')
		at--;
	if (!at || !strcmp(sb->text + at, ".."))
		return false;
	strbuf_setlen(sb, at - 1);
	return true;
}

/* Returns a path without "." and "..", by its text alone. */
static char *plain_path(const char *path)
{
	struct strbuf sb = STRBUF_INIT;

	while (*path) {
		size_t length;

		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 2 && !strncmp(path, "..", 2) && leave_folder(&sb)) {
			path += length;
			continue;
		}
		if (length && !(length == 1 && *path == '.')) {
			strbuf_addch(&sb, '/');
			strbuf_add(&sb, path, length);
		}
		path += length;
	}
	return strbuf_detach(&sb, NULL);
}

static int by_name_and_path(const void *one, const void *other)
{
	const struct source *first = one, *second = other;
	int order = strcmp(first->name, second->name);

	return order ? order : strcmp(first->path, second->path);
}

/* Returns how many trailing components two paths have in common, including their names. */
static size_t common_parts(const char *one, const char *other)
{
	size_t a = strlen(one), b = strlen(other), parts = 0;

	for (; a && b && one[a - 1] == other[b - 1]; a--, b--)
		parts += one[a - 1] == '/';
	return parts;
}

/* Returns the last count components of a path. */
static const char *last_parts(const char *path, size_t count)
{
	const char *at = path + strlen(path);

	while (at > path && (at[-1] != '/' || --count))
		at--;
	return at;
}

/* Sets the sections of the sources that have one name. */
static void assign_sections(const struct source *sources, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct unit *unit = sources[i].unit;
		size_t parts = 0;

		for (size_t j = 0; j < count; j++) {
			size_t common = strcmp(sources[i].path, sources[j].path)
						? common_parts(sources[i].path, sources[j].path)
						: 0;

			if (common > parts)
				parts = common;
		}
		if (parts)
			unit->section =
				strmap_text(&unit->texts->strings,
					    strmap_put(&unit->texts->strings,
						       last_parts(sources[i].path, parts + 1)));
	}
}

void unit_sections_assign(struct unit_names *units, size_t count)
{
	struct source *sources = xcalloc(count + 1, sizeof(*sources));
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		struct unit *unit = &units[i].unit;

		unit_read_source(unit);
		/* "<artificial>" is not a source. */
		if (unit->section[0] && unit->section[0] != '<')
			sources[known++] =
				(struct source){ unit->section, plain_path(unit->source), unit };
	}
	qsort(sources, known, sizeof(*sources), by_name_and_path);
	for (size_t from = 0, to = 0; from < known; from = to) {
		while (to < known && !strcmp(sources[to].name, sources[from].name))
			to++;
		if (to - from > 1 && to - from <= MAX_ALIKE)
			assign_sections(sources + from, to - from);
	}
	for (size_t i = 0; i < known; i++)
		free(sources[i].path);
	free(sources);
}
