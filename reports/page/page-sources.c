/* SPDX-License-Identifier: Apache-2.0 */
/* The sources of a page's lines, if they are still those that were measured. */
#include "common/compat.h"
#include "reports/page/page-sources.h"
#include "common/xalloc.h"
#include "profile/source-text.h"
#include "records/record-types.h"
#include "reports/page/page-text.h"

/*
 * A source with more lines is shown only around those that matter, this many
 * before and after each.
 */
#define LINES_WHOLE 4000
#define LINES_AROUND 40
/* Limit of bytes of all sources of a page; further sources have only the lines of the data set. */
#define BYTES_MAX (4 * 1024 * 1024)

/* The lines of one file that the data set names, with their texts. */
struct lines {
	struct {
		uint64_t line;
		const char *text; /* as measured, "": unknown */
	} * items;
	size_t count, alloc;
};

/* Lines by file; a file is a string of tree->texts. */
struct sources {
	struct lines *files;
	size_t count;
	struct keymap seen; /* file, line */
	struct source_texts texts;
};

static void add_line(struct sources *sources, uint64_t file, uint64_t line, const char *text)
{
	struct lines *lines = &sources->files[file];
	size_t before = sources->seen.count, number;

	number = keymap_put(&sources->seen, (const uint64_t[]){ file, line });
	if (number < before) {
		for (size_t i = 0; *text && i < lines->count; i++)
			if (lines->items[i].line == line)
				lines->items[i].text = text;
		return;
	}
	GROW(lines->items, lines->count + 1, lines->alloc);
	lines->items[lines->count].line = line;
	lines->items[lines->count++].text = text;
}

/* Takes the lines of all names whose files are on the page. */
static void take_names(struct sources *sources, const struct page_tree *tree)
{
	const struct profile *profile = tree->profile;

	for (size_t i = 1; i < tree->nodes.count; i++) {
		const uint64_t *key = keymap_key(&tree->nodes, i);

		if (key[PAGE_NODE_FILE])
			add_line(sources, key[PAGE_NODE_FILE], key[PAGE_NODE_LINE], "");
	}
	for (size_t i = 0; i < profile->names.index.count; i++) {
		const struct record_name *name = &profile->names.rows[i];
		uint32_t file = strmap_find(&tree->texts, profile_text(profile, name->file));

		if (file != UINT32_MAX && file && name->line &&
		    keymap_find(&sources->seen, (const uint64_t[]){ file, name->line }) != SIZE_MAX)
			add_line(sources, file, name->line, profile_text(profile, name->text));
	}
}

/* Returns whether a line is unchanged, ignoring blanks around it. */
static bool is_same(const char *now, const char *then)
{
	size_t length;

	now += strspn(now, " \t");
	then += strspn(then, " \t");
	length = strlen(then);
	while (length && strchr(" \t\r", then[length - 1]))
		length--;
	return strncmp(now, then, length) == 0;
}

/*
 * Returns whether a readable file has all lines that the data set has from it, at
 * least one with a text.
 */
static bool is_measured(struct sources *sources, const char *path, const struct lines *lines)
{
	size_t known = 0;

	for (size_t i = 0; i < lines->count; i++) {
		const char *then = lines->items[i].text;

		if (!then[strspn(then, " \t")])
			continue;
		known++;
		if (!is_same(source_texts_line(&sources->texts, path, lines->items[i].line), then))
			return false;
	}
	return known > 0;
}

static void put_line(struct strbuf *out, bool *any, uint64_t line, const char *text)
{
	strbuf_addf(out, "%s[%" PRIu64 ",", *any ? "," : "", line);
	*any = true;
	page_text_source(out, text);
	strbuf_addch(out, ']');
}

/* Puts a source, or of a large one the surroundings of the lines. */
static void put_source(struct sources *sources, const char *path, const struct lines *lines,
		       struct strbuf *out)
{
	size_t count = source_texts_count(&sources->texts, path);
	bool *wanted = xcalloc(count + 1, sizeof(*wanted)), any = false;

	for (size_t i = 0; count > LINES_WHOLE && i < lines->count; i++) {
		uint64_t line = lines->items[i].line;
		size_t from = line > LINES_AROUND ? (size_t)line - LINES_AROUND : 1;

		for (size_t at = from; line <= count && at <= line + LINES_AROUND && at <= count; at++)
			wanted[at] = true;
	}
	for (size_t at = 1; at <= count; at++)
		if (count <= LINES_WHOLE || wanted[at])
			put_line(out, &any, at, source_texts_line(&sources->texts, path, at));
	free(wanted);
}

static int compare_lines(const void *first, const void *second)
{
	uint64_t a = *(const uint64_t *)first, b = *(const uint64_t *)second;

	return a < b ? -1 : a > b;
}

/* Puts the lines that the data set has. */
static void put_known(const struct lines *lines, struct strbuf *out)
{
	bool any = false;

	qsort(lines->items, lines->count, sizeof(*lines->items), compare_lines);
	for (size_t i = 0; i < lines->count; i++)
		put_line(out, &any, lines->items[i].line, lines->items[i].text);
}

/*
 * Puts one file: unchanged ("whole", "parts"), different now ("changed") or not
 * readable ("missing").
 */
static void put_file(struct sources *sources, const char *path, const struct lines *lines, bool room,
		     struct strbuf *out)
{
	size_t count = *path == '/' && room ? source_texts_count(&sources->texts, path) : 0;
	bool measured = count && is_measured(sources, path, lines);
	const char *state = !count ? "missing" : !measured ? "changed" : count > LINES_WHOLE ? "parts" : "whole";

	strbuf_addf(out, "\"state\":\"%s\",\"lines\":[", state);
	if (measured)
		put_source(sources, path, lines, out);
	else
		put_known(lines, out);
	strbuf_addstr(out, "]}");
}

void page_sources_json(const struct page_tree *tree, struct strbuf *out)
{
	struct sources sources = { .count = tree->texts.count };
	size_t start = out->length;
	bool any = false;

	sources.files = xcalloc(sources.count + 1, sizeof(*sources.files));
	keymap_init(&sources.seen, 2);
	source_texts_init(&sources.texts);
	take_names(&sources, tree);
	strbuf_addch(out, '[');
	for (size_t i = 0; i < sources.count; i++) {
		if (!sources.files[i].count)
			continue;
		strbuf_addf(out, "%s\n{\"file\":%zu,", any ? "," : "", i);
		any = true;
		put_file(&sources, strmap_text(&tree->texts, (uint32_t)i), &sources.files[i],
			 out->length - start < BYTES_MAX, out);
		free(sources.files[i].items);
	}
	strbuf_addch(out, ']');
	free(sources.files);
	keymap_release(&sources.seen);
	source_texts_release(&sources.texts);
}
