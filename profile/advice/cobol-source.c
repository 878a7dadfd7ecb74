/* SPDX-License-Identifier: Apache-2.0 */
/* Parses data descriptions, and the words of one statement. */
#include "common/compat.h"
#include "profile/advice/cobol-source.h"
#include "common/cobol-scan.h"
#include "common/path.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <strings.h>

#define MAX_COPY_DEPTH 8
#define MAX_ITEMS (1U << 20)
/* No hand-written statement has more words. */
#define MAX_WORDS 400

struct reading {
	struct cobol_source *source;
	struct cobol_reader at;
	bool data;	    /* in a data division */
	uint64_t copy_line; /* of the COPY in the source; 0 in the source itself */
	int depth;
};

static void read_copybook(struct reading *outer, const char *name);

/* Returns a name in upper case, as a string of the source; the caller frees nothing. */
static uint32_t put_name(struct cobol_source *source, const char *text)
{
	struct strbuf upper = STRBUF_INIT;
	uint32_t number;

	for (; *text; text++)
		strbuf_addch(&upper, (char)toupper((unsigned char)*text));
	number = strmap_put(&source->names, upper.text);
	strbuf_release(&upper);
	GROW(source->last, source->names.count, source->last_alloc);
	while (source->last_count < source->names.count)
		source->last[source->last_count++] = COBOL_NO_ITEM;
	return number;
}

/* Sets how an item is stored if the token is a USAGE word; returns whether it is. */
static bool take_usage(const struct reading *reading, struct cobol_item *item)
{
	static const struct {
		const char *word, *usage;
		enum cobol_keeping keeping;
		bool numeric; /* without a PICTURE */
	} usages[] = {
		{ "DISPLAY", "DISPLAY", COBOL_KEPT_DISPLAY, false },
		{ "COMP-3", "COMP-3", COBOL_KEPT_PACKED, false },
		{ "COMPUTATIONAL-3", "COMP-3", COBOL_KEPT_PACKED, false },
		{ "PACKED-DECIMAL", "PACKED-DECIMAL", COBOL_KEPT_PACKED, false },
		{ "COMP-6", "COMP-6", COBOL_KEPT_PACKED, false },
		{ "COMPUTATIONAL-6", "COMP-6", COBOL_KEPT_PACKED, false },
		{ "COMP", "COMP", COBOL_KEPT_BINARY, false },
		{ "COMPUTATIONAL", "COMP", COBOL_KEPT_BINARY, false },
		{ "COMP-4", "COMP", COBOL_KEPT_BINARY, false },
		{ "COMPUTATIONAL-4", "COMP", COBOL_KEPT_BINARY, false },
		{ "BINARY", "BINARY", COBOL_KEPT_BINARY, false },
		{ "COMP-5", "COMP-5", COBOL_KEPT_BINARY, false },
		{ "COMPUTATIONAL-5", "COMP-5", COBOL_KEPT_BINARY, false },
		{ "COMP-X", "COMP-X", COBOL_KEPT_BINARY, false },
		{ "COMP-N", "COMP-N", COBOL_KEPT_BINARY, false },
		{ "BINARY-CHAR", "BINARY-CHAR", COBOL_KEPT_BINARY, true },
		{ "BINARY-SHORT", "BINARY-SHORT", COBOL_KEPT_BINARY, true },
		{ "BINARY-LONG", "BINARY-LONG", COBOL_KEPT_BINARY, true },
		{ "BINARY-DOUBLE", "BINARY-DOUBLE", COBOL_KEPT_BINARY, true },
		{ "INDEX", "INDEX", COBOL_KEPT_BINARY, true },
		{ "COMP-1", "COMP-1", COBOL_KEPT_ELSE, true },
		{ "COMP-2", "COMP-2", COBOL_KEPT_ELSE, true },
		{ "FLOAT-SHORT", "COMP-1", COBOL_KEPT_ELSE, true },
		{ "FLOAT-LONG", "COMP-2", COBOL_KEPT_ELSE, true },
		{ "POINTER", "POINTER", COBOL_KEPT_ELSE, false },
	};

	for (size_t i = 0; i < ARRAY_SIZE(usages); i++)
		if (cobol_is_word(&reading->at, usages[i].word)) {
			item->keeping = usages[i].keeping;
			item->usage = usages[i].usage;
			item->numeric |= usages[i].numeric;
			return true;
		}
	return false;
}

/* Takes a PICTURE: whether it has digits only, and where its decimal point is. */
static void set_picture(struct cobol_item *item, const char *text)
{
	struct strbuf picture = STRBUF_INIT;
	bool nine = false, other = false, point = false;

	for (; *text; text++) {
		char c = (char)toupper((unsigned char)*text);

		strbuf_addch(&picture, c);
		if (c == '(') {
			while (text[1] && *text != ')')
				strbuf_addch(&picture, *++text);
			continue;
		}
		item->fraction |= (c == '9' && point) || c == 'P';
		point |= c == 'V';
		nine |= c == '9';
		other |= !strchr("9SVP", c);
	}
	item->numeric = nine && !other;
	free(item->picture);
	item->picture = strbuf_detach(&picture, NULL);
}

/* Takes PICTURE IS string; the token after it has been read. */
static void take_picture(struct reading *reading, struct cobol_item *item)
{
	reading->at.end = !cobol_scan_picture(reading->at.scan, &reading->at.token);
	if (cobol_is_word(&reading->at, "IS"))
		reading->at.end = !cobol_scan_picture(reading->at.scan, &reading->at.token);
	if (!reading->at.end)
		set_picture(item, reading->at.token.text);
	cobol_next(&reading->at);
}

/* Returns the group that a new entry of a level belongs to. */
static uint32_t find_parent(const struct cobol_source *source, unsigned level)
{
	uint32_t at = source->count ? (uint32_t)source->count - 1 : COBOL_NO_ITEM;

	while (at != COBOL_NO_ITEM &&
	       (source->items[at].level >= level || source->items[at].level == 77))
		at = source->items[at].parent;
	return level == 1 || level == 77 ? COBOL_NO_ITEM : at;
}

/* Returns the item that a condition name belongs to. */
static uint32_t find_conditional(const struct cobol_source *source)
{
	uint32_t at = source->count ? (uint32_t)source->count - 1 : COBOL_NO_ITEM;

	return at != COBOL_NO_ITEM && source->items[at].level == 88 ? source->items[at].parent : at;
}

/* Returns whether a word after a level is a clause, not an item's name. */
static bool is_clause(const struct reading *reading)
{
	static const char *const clauses[] = { "PIC",	"PICTURE",   "USAGE", "OCCURS",
					       "VALUE", "REDEFINES", "SIGN",  "FILLER" };
	struct cobol_item ignored = { 0 };

	for (size_t i = 0; i < ARRAY_SIZE(clauses); i++)
		if (cobol_is_word(&reading->at, clauses[i]))
			return true;
	return take_usage(reading, &ignored);
}

/* Takes the clauses of an entry up to its period. */
static void take_clauses(struct reading *reading, struct cobol_item *item)
{
	while (!reading->at.end && reading->at.token.kind != COBOL_PERIOD) {
		if (cobol_is_word(&reading->at, "PIC") || cobol_is_word(&reading->at, "PICTURE")) {
			take_picture(reading, item);
			continue;
		}
		if (cobol_is_word(&reading->at, "OCCURS") ||
		    (item->occurs && cobol_is_word(&reading->at, "TO"))) {
			cobol_next(&reading->at);
			item->occurs = reading->at.end ? 0
						       : (uint32_t)strtoul(reading->at.token.text,
									   NULL, 10);
		}
		/* Operands of an OCCURS or a VALUE name other items. */
		take_usage(reading, item);
		cobol_next(&reading->at);
	}
}

/* Takes a data description; the token is its level. */
static void take_entry(struct reading *reading, unsigned level)
{
	struct cobol_source *source = reading->source;
	struct cobol_item item = {
		.level = level,
		.parent = level == 88 ? find_conditional(source) : find_parent(source, level),
		.usage = "DISPLAY",
		.line = reading->copy_line ? reading->copy_line : reading->at.token.line
	};

	if (item.parent != COBOL_NO_ITEM) {
		item.keeping = source->items[item.parent].keeping;
		item.usage = source->items[item.parent].usage;
	}
	cobol_next(&reading->at);
	item.name = put_name(source, !reading->at.end && reading->at.token.kind == COBOL_WORD &&
						     !is_clause(reading)
					     ? reading->at.token.text
					     : "");
	if (level == 88)
		cobol_skip_sentence(&reading->at);
	else
		take_clauses(reading, &item);
	if (source->count >= MAX_ITEMS) {
		free(item.picture);
		return;
	}
	GROW(source->items, source->count + 1, source->alloc);
	item.earlier = source->last[item.name];
	source->last[item.name] = (uint32_t)source->count;
	source->items[source->count++] = item;
}

/*
 * Takes COPY name; the token is COPY. The sentence is first read to its end, so
 * that its names do not count as items.
 */
static void take_copy(struct reading *reading)
{
	char *name;

	cobol_next(&reading->at);
	if (reading->at.end || reading->at.token.kind == COBOL_PERIOD)
		return;
	name = xstrdup(reading->at.token.text);
	cobol_skip_sentence(&reading->at);
	read_copybook(reading, name);
	free(name);
}

/* Takes a sentence; the token is its first word. */
static void take_sentence(struct reading *reading)
{
	static const char *const begins[] = { "DATA", "FILE", "WORKING-STORAGE", "LOCAL-STORAGE",
					      "LINKAGE" };
	static const char *const ends[] = { "PROCEDURE", "IDENTIFICATION", "ID", "PROGRAM-ID" };
	unsigned long level = strtoul(reading->at.token.text, NULL, 10);

	for (size_t i = 0; i < ARRAY_SIZE(begins); i++)
		reading->data |= cobol_is_word(&reading->at, begins[i]);
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++)
		reading->data &= !cobol_is_word(&reading->at, ends[i]);
	if (!reading->data || reading->at.token.kind != COBOL_WORD)
		return;
	if (cobol_is_word(&reading->at, "COPY"))
		take_copy(reading);
	else if ((level >= 1 && level <= 49) || level == 77 || level == 88)
		take_entry(reading, (unsigned)level);
}

/* Reads one file; its lines belong to the source. */
static void read_file(struct reading *reading, const char *path, bool *fixed)
{
	struct cobol_scan scan;
	size_t count;
	char *const *lines = source_texts_lines(reading->source->texts, path, &count);

	cobol_scan_init(&scan, lines, count, *fixed);
	reading->at.scan = &scan;
	while (cobol_next(&reading->at)) {
		take_sentence(reading);
		cobol_skip_sentence(&reading->at);
	}
	*fixed = scan.fixed;
	cobol_scan_release(&scan);
}

/* Returns the path of a copybook in the source's folder; NULL if it is not there. */
static const char *find_copybook(struct cobol_source *source, const char *name)
{
	static const char *const endings[] = { "", ".cpy", ".CPY", ".cbl", ".CBL", ".cob", ".COB" };
	char *folder = xstrndup(source->path, (size_t)(path_base(source->path) - source->path));
	const char *found = NULL;

	for (int lower = 0; lower < 2 && !found; lower++)
		for (size_t i = 0; i < ARRAY_SIZE(endings) && !found; i++) {
			struct strbuf path = STRBUF_INIT;

			strbuf_addstr(&path, *name == '/' ? "" : folder);
			for (const char *c = name; *c; c++)
				strbuf_addch(&path, lower ? (char)tolower((unsigned char)*c) : *c);
			strbuf_addstr(&path, endings[i]);
			if (source_texts_count(source->texts, path.text))
				found = strmap_text(&source->texts->paths,
						    strmap_put(&source->texts->paths, path.text));
			strbuf_release(&path);
		}
	free(folder);
	return found;
}

static void read_copybook(struct reading *outer, const char *name)
{
	struct reading reading = { .source = outer->source,
				   .data = true,
				   .depth = outer->depth + 1,
				   .copy_line = outer->copy_line ? outer->copy_line
								 : outer->at.token.line };
	const char *path =
		outer->depth < MAX_COPY_DEPTH ? find_copybook(outer->source, name) : NULL;
	bool fixed = outer->at.scan->fixed;

	if (path)
		read_file(&reading, path, &fixed);
}

struct cobol_source *cobol_source_new(struct source_texts *texts, const char *path)
{
	struct cobol_source *source;
	struct reading reading = { 0 };
	size_t count;
	char *const *lines = source_texts_lines(texts, path, &count);

	RETURN_IF(!count, NULL);
	source = xcalloc(1, sizeof(*source));
	source->texts = texts;
	source->path = path;
	source->fixed = cobol_scan_looks_fixed(lines, count);
	strmap_init(&source->names);
	reading.source = source;
	read_file(&reading, path, &source->fixed);
	return source;
}

void cobol_source_free(struct cobol_source *source)
{
	if (!source)
		return;
	for (size_t i = 0; i < source->count; i++)
		free(source->items[i].picture);
	free(source->items);
	free(source->last);
	strmap_release(&source->names);
	free(source);
}

const char *cobol_source_name(const struct cobol_source *source, const struct cobol_item *item)
{
	return strmap_text(&source->names, item->name);
}

/* Returns whether a word begins a statement, or a part of one that contains statements. */
static bool begins_statement(const char *word)
{
	static const char *const verbs[] = {
		"ACCEPT", "ADD",     "CALL",	   "CANCEL",  "CLOSE",	  "COMPUTE",  "CONTINUE",
		"DELETE", "DISPLAY", "DIVIDE",	   "ELSE",    "EVALUATE", "EXIT",     "GO",
		"GOBACK", "IF",	     "INITIALIZE", "INSPECT", "MOVE",	  "MULTIPLY", "NEXT",
		"OPEN",	  "PERFORM", "READ",	   "RELEASE", "RETURN",	  "REWRITE",  "SEARCH",
		"SET",	  "SORT",    "START",	   "STOP",    "STRING",	  "SUBTRACT", "UNSTRING",
		"WHEN",	  "WRITE",   "MERGE",	   "THEN",    "COPY"
	};

	if (!strncasecmp(word, "END-", 4))
		return true;
	for (size_t i = 0; i < ARRAY_SIZE(verbs); i++)
		if (!strcasecmp(word, verbs[i]))
			return true;
	return false;
}

/*
 * Reads the words of a statement: names as strings of the source, COBOL_NO_ITEM
 * for all other words.
 */
static size_t read_words(const struct cobol_source *source, const char *file, uint64_t line,
			 uint32_t *words)
{
	struct cobol_token token;
	struct cobol_scan scan;
	size_t lines, count = 0;
	bool ended = false;
	char *const *text = source_texts_lines(source->texts, file, &lines);

	RETURN_IF(!line || line > lines, 0);
	cobol_scan_init(&scan, text, lines, source->fixed);
	scan.line = line - 1;
	while (count < MAX_WORDS && cobol_scan_next(&scan, &token)) {
		struct strbuf upper = STRBUF_INIT;

		if (token.line > line &&
		    (ended || token.kind == COBOL_PERIOD ||
		     (token.kind == COBOL_WORD && begins_statement(token.text))))
			break;
		ended = token.kind == COBOL_PERIOD;
		for (const char *c = token.kind == COBOL_WORD ? token.text : ""; *c; c++)
			strbuf_addch(&upper, (char)toupper((unsigned char)*c));
		words[count] = strmap_find(&source->names, upper.text);
		if (!strcmp(upper.text, "OF") || !strcmp(upper.text, "IN"))
			words[count] = COBOL_NO_ITEM - 1;
		count += token.kind == COBOL_WORD;
		strbuf_release(&upper);
	}
	cobol_scan_release(&scan);
	return count;
}

/* Returns whether an item is in a group of a name. */
static bool lies_in(const struct cobol_source *source, const struct cobol_item *item,
		    uint32_t group)
{
	for (uint32_t at = item->parent; at != COBOL_NO_ITEM; at = source->items[at].parent)
		if (source->items[at].name == group)
			return true;
	return false;
}

/*
 * Returns the item that word number at means, qualified by the groups named after
 * it; NULL: none.
 */
static const struct cobol_item *find_item(const struct cobol_source *source, const uint32_t *words,
					  size_t count, size_t at, uint64_t line)
{
	uint32_t number = words[at] < source->last_count ? source->last[words[at]] : COBOL_NO_ITEM;

	for (; number != COBOL_NO_ITEM; number = source->items[number].earlier) {
		const struct cobol_item *item = &source->items[number];
		bool fits = item->line <= line;

		for (size_t i = at + 1; fits && i + 1 < count && words[i] == COBOL_NO_ITEM - 1;
		     i += 2)
			fits = lies_in(source, item, words[i + 1]);
		if (!fits)
			continue;
		if (item->level == 88)
			return item->parent == COBOL_NO_ITEM ? NULL : &source->items[item->parent];
		return item;
	}
	return NULL;
}

/* A statement of a copybook may use all items. */
static uint64_t items_before(const struct cobol_source *source, const char *file, uint64_t line)
{
	return strcmp(file, source->path) ? UINT64_MAX : line;
}

const struct cobol_item *cobol_source_item(const struct cobol_source *source, const char *name,
					   const char *file, uint64_t line)
{
	struct strbuf upper = STRBUF_INIT;
	uint32_t word;

	for (; *name; name++)
		strbuf_addch(&upper, (char)toupper((unsigned char)*name));
	word = strmap_find(&source->names, upper.text);
	strbuf_release(&upper);
	return find_item(source, &word, 1, 0, items_before(source, file, line));
}

size_t cobol_source_statement(const struct cobol_source *source, const char *file, uint64_t line,
			      const struct cobol_item **items, size_t room)
{
	uint32_t words[MAX_WORDS];
	size_t count = read_words(source, file, line, words), found = 0;
	uint64_t before = items_before(source, file, line);

	for (size_t i = 0; i < count; i++) {
		const struct cobol_item *item = NULL;
		bool known = false;

		if (i == 0 || words[i - 1] != COBOL_NO_ITEM - 1)
			item = find_item(source, words, count, i, before);
		if (!item || !item->numeric)
			continue;
		for (size_t j = 0; j < found && j < room; j++)
			known |= items[j] == item;
		if (known)
			continue;
		if (found < room)
			items[found] = item;
		found++;
	}
	return found;
}
