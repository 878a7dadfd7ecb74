/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the data division of a COBOL source and calculates the layout of its records. */
#include "common/compat.h"
#include "collectors/cobol-storage.h"
#include "common/xalloc.h"
#include "common/cobol-scan.h"

#include <ctype.h>
#include <strings.h>

#define MAX_COPY_DEPTH 8

const char cobol_storage_absent[] = "it is not in the WORKING-STORAGE SECTION";

enum part {
	PART_OUTSIDE, /* before the program, or in another one */
	PART_PROGRAM, /* in the program, in a section that does not matter */
	PART_FILES,
	PART_STORAGE,
	PART_DONE,
};

struct reading {
	struct cobol_storage *storage;
	struct source_cache *cache;
	const char *path, *program;
	enum part part;
	int copy_depth;
	struct cobol_reader at;
};

/* Returns whether the token is one of the words of a list that ends with NULL. */
static bool is_one_of(const struct reading *reading, const char *const *words)
{
	while (*words)
		if (cobol_is_word(&reading->at, *words++))
			return true;
	return false;
}

/* Applies a USAGE; returns false if the word is not one. */
static bool take_usage(struct reading *reading, struct cobol_storage_item *item)
{
	static const struct {
		const char *word;
		enum cobol_usage usage;
		uint32_t size; /* if no PICTURE gives it */
	} usages[] = {
		{ "DISPLAY", COBOL_DISPLAY, 0 },
		{ "COMP", COBOL_BINARY, 0 },
		{ "COMPUTATIONAL", COBOL_BINARY, 0 },
		{ "COMP-4", COBOL_BINARY, 0 },
		{ "COMPUTATIONAL-4", COBOL_BINARY, 0 },
		{ "BINARY", COBOL_BINARY, 0 },
		{ "COMP-5", COBOL_NATIVE, 0 },
		{ "COMPUTATIONAL-5", COBOL_NATIVE, 0 },
		{ "COMP-3", COBOL_PACKED, 0 },
		{ "COMPUTATIONAL-3", COBOL_PACKED, 0 },
		{ "PACKED-DECIMAL", COBOL_PACKED, 0 },
		{ "BINARY-CHAR", COBOL_NATIVE, 1 },
		{ "BINARY-SHORT", COBOL_NATIVE, 2 },
		{ "BINARY-LONG", COBOL_NATIVE, 4 },
		{ "BINARY-DOUBLE", COBOL_NATIVE, 8 },
		{ "INDEX", COBOL_NATIVE, 4 },
		{ "COMP-1", COBOL_OTHER, 4 },
		{ "COMPUTATIONAL-1", COBOL_OTHER, 4 },
		{ "COMP-2", COBOL_OTHER, 8 },
		{ "COMPUTATIONAL-2", COBOL_OTHER, 8 },
		{ "POINTER", COBOL_OTHER, 8 },
		{ "PROGRAM-POINTER", COBOL_OTHER, 8 },
		{ "PROCEDURE-POINTER", COBOL_OTHER, 8 },
	};
	static const char *const unknown[] = {
		"COMP-X",	   "COMPUTATIONAL-X", "COMP-N",	  "COMP-6",
		"COMPUTATIONAL-N", "COMPUTATIONAL-6", "NATIONAL", "FLOAT-SHORT",
		"FLOAT-LONG",	   "OBJECT",	      NULL
	};

	if (is_one_of(reading, unknown))
		item->refused = "a USAGE whose size is unknown";
	for (size_t i = 0; i < ARRAY_SIZE(usages); i++) {
		if (!cobol_is_word(&reading->at, usages[i].word))
			continue;
		item->type.usage = usages[i].usage;
		item->usage_given = true;
		if (usages[i].size) {
			item->type.size = usages[i].size;
			item->type.numeric = item->type.is_signed = true;
		}
		return true;
	}
	return false;
}

/* Words that begin a clause of an entry. */
static const char *const clauses[] = {
	"PIC",	  "PICTURE",  "USAGE",		"OCCURS",	"REDEFINES", "SIGN",
	"SYNC",	  "VALUE",    "VALUES",		"SYNCHRONIZED", "JUST",	     "JUSTIFIED",
	"BLANK",  "EXTERNAL", "GLOBAL",		"DISPLAY",	"COMP",	     "COMP-3",
	"COMP-5", "BINARY",   "PACKED-DECIMAL", "COMP-4",	"COMP-1",    "COMP-2",
	"INDEX",  "POINTER",  "LEADING",	"TRAILING",	NULL,
};

/* Reads OCCURS n [TO m] TIMES ... [INDEXED BY names], and the token after it. */
static void parse_occurs(struct reading *reading, struct cobol_storage_item *item)
{
	cobol_next(&reading->at);
	item->occurs = (uint32_t)strtoul(reading->at.end ? "" : reading->at.token.text, NULL, 10);
	cobol_next(&reading->at);
	if (cobol_is_word(&reading->at, "TO")) {
		cobol_next(&reading->at);
		item->occurs =
			(uint32_t)strtoul(reading->at.end ? "" : reading->at.token.text, NULL, 10);
		cobol_next(&reading->at);
	}
	while (!reading->at.end && reading->at.token.kind == COBOL_WORD &&
	       !is_one_of(reading, clauses)) {
		bool indexed = cobol_is_word(&reading->at, "INDEXED");

		cobol_next(&reading->at);
		if (indexed && cobol_is_word(&reading->at, "BY"))
			cobol_next(&reading->at);
		/* Each index is a data item, too. */
		while (indexed && !reading->at.end && reading->at.token.kind == COBOL_WORD &&
		       !is_one_of(reading, clauses)) {
			reading->storage->numbers++;
			cobol_next(&reading->at);
		}
	}
	if (item->occurs < 1 || item->occurs > 1u << 24)
		item->refused = "an OCCURS that is not a number";
}

/* Reads REDEFINES name: the last preceding item with that name. */
static void parse_redefines(struct reading *reading, struct cobol_storage_item *item)
{
	const struct cobol_storage *storage = reading->storage;

	cobol_next(&reading->at);
	for (uint32_t i = storage->count; !reading->at.end && i > 0; i--) {
		if (strcasecmp(storage->items[i - 1].name, reading->at.token.text) != 0 ||
		    storage->items[i - 1].level != item->level)
			continue;
		item->redefines = i - 1;
		break;
	}
	if (item->redefines == COBOL_STORAGE_NONE)
		item->refused = "a REDEFINES of an item that is not found";
	cobol_next(&reading->at);
}

static void take_picture(struct reading *reading, struct cobol_storage_item *item)
{
	if (!cobol_scan_picture(reading->at.scan, &reading->at.token)) {
		reading->at.end = true;
		return;
	}
	if (cobol_is_word(&reading->at, "IS") &&
	    !cobol_scan_picture(reading->at.scan, &reading->at.token))
		reading->at.end = true;
	if (!reading->at.end && !cobol_type_picture(&item->type, reading->at.token.text))
		item->refused = "a PICTURE whose size cannot be determined";
	cobol_next(&reading->at);
}

/* Reads a clause that only changes flags, and the token after it. */
static void take_word(struct reading *reading, struct cobol_storage_item *item)
{
	static const char *const unknown[] = { "SYNC",	  "SYNCHRONIZED", "TYPE",  "LIKE",
					       "SAME",	  "ANY",	  "BASED", "REPLACING",
					       "DYNAMIC", "TYPEDEF",	  NULL };

	if (is_one_of(reading, unknown))
		item->refused = "a clause that shifts items, such as SYNCHRONIZED";
	item->external |= cobol_is_word(&reading->at, "EXTERNAL");
	item->type.sign_leading |= cobol_is_word(&reading->at, "LEADING");
	item->type.sign_separate |= cobol_is_word(&reading->at, "SEPARATE");
	if (cobol_is_word(&reading->at, "UNSIGNED"))
		item->type.is_signed = false;
	take_usage(reading, item);
	cobol_next(&reading->at);
}

/* Reads the clauses of an entry, up to its period. */
static void parse_clauses(struct reading *reading, struct cobol_storage_item *item)
{
	while (!reading->at.end && reading->at.token.kind != COBOL_PERIOD) {
		if (cobol_is_word(&reading->at, "PIC") || cobol_is_word(&reading->at, "PICTURE"))
			take_picture(reading, item);
		else if (cobol_is_word(&reading->at, "OCCURS"))
			parse_occurs(reading, item);
		else if (cobol_is_word(&reading->at, "REDEFINES"))
			parse_redefines(reading, item);
		else
			take_word(reading, item);
	}
}

/*
 * Reads an entry whose level number is the current token: counts it, and keeps it
 * if it has storage.
 */
static void parse_entry(struct reading *reading, bool keep)
{
	struct cobol_storage *storage = reading->storage;
	struct cobol_storage_item item = { .redefines = COBOL_STORAGE_NONE, .occurs = 1 };
	unsigned long level = strtoul(reading->at.token.text, NULL, 10);

	item.number = storage->numbers++;
	item.level = level == 77 ? 1 : (unsigned)level;
	cobol_next(&reading->at);
	if (item.level < 1 || item.level > 49) { /* 66, 78, 88: no storage */
		cobol_skip_sentence(&reading->at);
		return;
	}
	item.name = xstrdup("");
	if (!reading->at.end && reading->at.token.kind == COBOL_WORD &&
	    !is_one_of(reading, clauses)) {
		if (!cobol_is_word(&reading->at, "FILLER")) {
			free(item.name);
			item.name = xstrdup(reading->at.token.text);
		}
		cobol_next(&reading->at);
	}
	parse_clauses(reading, &item);
	if (!keep) {
		free(item.name);
		return;
	}
	item.root = item.level == 1  ? storage->count
		    : storage->count ? storage->items[storage->count - 1].root
				     : 0;
	GROW(storage->items, storage->count + 1, storage->alloc);
	storage->items[storage->count++] = item;
}

static void read_file(struct reading *reading, const char *path);

/* Reads COPY name: the copybook in the source's folder. */
static void take_copy(struct reading *reading)
{
	static const char *const endings[] = { "", ".cpy", ".CPY", ".cbl", ".CBL", ".cob", ".COB" };
	const char *slash = strrchr(reading->path, '/');
	struct strbuf path = STRBUF_INIT;
	char *name = NULL;
	bool found = false, plain;

	if (cobol_next(&reading->at))
		name = xstrdup(reading->at.token.text);
	cobol_next(&reading->at);
	plain = !reading->at.end && reading->at.token.kind == COBOL_PERIOD;
	cobol_skip_sentence(&reading->at);
	for (size_t i = 0; name && plain && !found && i < 2 * ARRAY_SIZE(endings); i++) {
		strbuf_reset(&path);
		strbuf_add(&path, reading->path, slash ? (size_t)(slash + 1 - reading->path) : 0);
		for (const char *c = name; *c; c++)
			strbuf_addch(&path, i < ARRAY_SIZE(endings)
						    ? *c
						    : (char)tolower((unsigned char)*c));
		strbuf_addstr(&path, endings[i % ARRAY_SIZE(endings)]);
		found = source_file_get(reading->cache, path.text)->line_count > 0;
	}
	if (found && reading->copy_depth < MAX_COPY_DEPTH)
		read_file(reading, path.text);
	else
		reading->storage->refused = plain ? "a COPY whose copybook is not next to the "
						    "source"
						  : "a COPY with REPLACING or OF";
	free(name);
	strbuf_release(&path);
}

/* Applies the two words that begin a sentence, as in PROGRAM-ID and the headers. */
static void take_header(struct reading *reading)
{
	static const char *const sections[] = { "LOCAL-STORAGE", "LINKAGE",	  "REPORT",
						"SCREEN",	 "COMMUNICATION", NULL };
	struct cobol_storage *storage = reading->storage;

	if (cobol_is_word(&reading->at, "PROGRAM-ID")) {
		if (cobol_next(&reading->at) && reading->at.token.kind == COBOL_PERIOD)
			cobol_next(&reading->at);
		if (reading->part != PART_OUTSIDE)
			reading->part = PART_DONE;
		else if (!reading->at.end && !strcasecmp(reading->at.token.text, reading->program))
			reading->part = PART_PROGRAM;
		storage->has_program |= reading->part == PART_PROGRAM;
	} else if (reading->part == PART_OUTSIDE) {
		; /* of another program */
	} else if (cobol_is_word(&reading->at, "FILE")) {
		if (cobol_next(&reading->at) && cobol_is_word(&reading->at, "SECTION"))
			reading->part = PART_FILES;
	} else if (cobol_is_word(&reading->at, "WORKING-STORAGE")) {
		reading->part = PART_STORAGE;
		storage->before = storage->numbers;
		storage->numbers = 0;
		storage->has_storage = true;
	} else if (is_one_of(reading, sections) || cobol_is_word(&reading->at, "PROCEDURE")) {
		reading->part = PART_DONE;
	} else if (reading->part == PART_FILES &&
		   (cobol_is_word(&reading->at, "FD") || cobol_is_word(&reading->at, "SD"))) {
		storage->numbers++; /* the file's implicit record */
	}
	cobol_skip_sentence(&reading->at);
}

/* Reads the sentences of a file, the program's source or a copybook. */
static void read_file(struct reading *reading, const char *path)
{
	struct source_file *source = source_file_get(reading->cache, path);
	struct cobol_scan scan, *outer = reading->at.scan;

	cobol_scan_init(&scan, source->lines, source->line_count,
			outer ? outer->fixed
			      : cobol_scan_looks_fixed(source->lines, source->line_count));
	reading->at.scan = &scan;
	reading->copy_depth++;
	while (reading->part != PART_DONE && cobol_next(&reading->at)) {
		bool data = reading->part == PART_FILES || reading->part == PART_STORAGE;

		if (reading->at.token.kind != COBOL_WORD)
			continue;
		if (data && cobol_is_word(&reading->at, "COPY"))
			take_copy(reading);
		else if (data && isdigit((unsigned char)reading->at.token.text[0]))
			parse_entry(reading, reading->part == PART_STORAGE);
		else
			take_header(reading);
	}
	cobol_scan_release(&scan);
	reading->copy_depth--;
	reading->at.scan = outer;
	reading->at.end = false;
}

/*
 * Lays out the item at *at and all items below it from offset on; *at becomes the
 * index after them.
 */
static uint64_t lay_out(struct cobol_storage *storage, uint32_t *at, uint64_t offset,
			const struct cobol_storage_item *parent, bool one_byte)
{
	struct cobol_storage_item *item = &storage->items[(*at)++];
	uint64_t end = offset;

	item->offset = offset;
	item->in_table = item->occurs > 1 || (parent && parent->in_table);
	if (parent && !item->usage_given)
		item->type.usage = parent->type.usage;
	if (parent && parent->type.sign_separate)
		item->type.sign_separate = true;
	item->group = *at < storage->count && storage->items[*at].level > item->level;
	if (!item->group) {
		cobol_type_size(&item->type, one_byte);
		item->size = (uint64_t)item->type.size * item->occurs;
		return offset + item->size;
	}
	while (*at < storage->count && storage->items[*at].level > item->level) {
		uint32_t redefines = storage->items[*at].redefines;
		uint64_t start =
			redefines == COBOL_STORAGE_NONE ? end : storage->items[redefines].offset;
		uint64_t behind = lay_out(storage, at, start, item, one_byte);

		end = behind > end ? behind : end;
	}
	item->type = (struct cobol_type){ .size = (uint32_t)(end - offset) };
	item->size = (end - offset) * item->occurs;
	return offset + item->size;
}

/* Marks a record as refused if one of its items is, for the reason of the first. */
static void refuse_records(struct cobol_storage *storage)
{
	for (uint32_t i = 0; i < storage->count; i++) {
		struct cobol_storage_item *root = &storage->items[storage->items[i].root];

		if (!root->refused)
			root->refused = storage->items[i].refused;
	}
}

void cobol_storage_read(struct cobol_storage *storage, struct source_cache *cache, const char *path,
			const char *program, bool one_byte)
{
	struct reading reading = {
		.storage = storage, .cache = cache, .path = path, .program = program
	};

	memset(storage, 0, sizeof(*storage));
	read_file(&reading, path);
	for (uint32_t at = 0; at < storage->count;)
		lay_out(storage, &at, 0, NULL, one_byte);
	refuse_records(storage);
}

void cobol_storage_release(struct cobol_storage *storage)
{
	for (uint32_t i = 0; i < storage->count; i++)
		free(storage->items[i].name);
	free(storage->items);
}

/* Returns whether an item is in a group with this name. */
static bool is_in_group(const struct cobol_storage *storage, uint32_t item, const char *group)
{
	unsigned level = storage->items[item].level;

	for (uint32_t i = item; i > 0 && level > 1; i--) {
		const struct cobol_storage_item *outer = &storage->items[i - 1];

		if (outer->level >= level)
			continue;
		level = outer->level;
		if (!strcasecmp(outer->name, group))
			return true;
	}
	return false;
}

uint32_t cobol_storage_find(const struct cobol_storage *storage, const char *group,
			    const char *name, const char **why)
{
	uint32_t found = COBOL_STORAGE_NONE;

	*why = cobol_storage_absent;
	for (uint32_t i = 0; i < storage->count; i++) {
		if (strcasecmp(storage->items[i].name, name) != 0 ||
		    (*group && !is_in_group(storage, i, group)))
			continue;
		if (found != COBOL_STORAGE_NONE) {
			*why = "several items have this name: specify PROGRAM.GROUP.FIELD";
			return COBOL_STORAGE_NONE;
		}
		found = i;
	}
	if (found == COBOL_STORAGE_NONE)
		return found;
	*why = storage->refused ? storage->refused
				: storage->items[storage->items[found].root].refused;
	if (!*why && storage->items[found].in_table)
		*why = "it is in a table (OCCURS)";
	if (!*why && storage->items[found].type.usage == COBOL_OTHER)
		*why = "its USAGE cannot be shown as text";
	return *why ? COBOL_STORAGE_NONE : found;
}
