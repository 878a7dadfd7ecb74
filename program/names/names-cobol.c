/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the procedure headings of COBOL source, and finds the procedure of a line. */
#include "common/compat.h"
#include "program/names/names-cobol.h"
#include "common/cobol-scan.h"
#include "common/in-order.h"
#include "common/path.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"

#include <ctype.h>
#include <strings.h>

#define MAX_COPY_DEPTH 8
#define MAX_NESTED 16
#define SENTENCE_WORDS 4

/*
 * Applies from its line of a file on, up to the next entry of the file. Texts are
 * strmap numbers.
 */
struct entry {
	uint32_t file;
	uint32_t program, section, paragraph;
	uint32_t procedure; /* its displayed name */
	uint64_t line;
	uint32_t sequence;
	bool in_program; /* the line is inside a procedure division */
};

struct cobol_program {
	char **files; /* [0] is the source itself */
	size_t file_count;
	struct strmap texts;
	struct entry *entries;
	size_t count, alloc;
};

/* State of the reader, which continues into copybooks and after them. */
struct reading {
	struct cobol_program *result;
	struct source_cache *cache;
	uint32_t programs[MAX_NESTED];
	size_t depth;
	uint32_t section, paragraph;
	bool procedure_division;
	bool expect_name; /* PROGRAM-ID was read */
	/* The current sentence. */
	struct sentence_word {
		uint32_t text;
		uint64_t line;
		uint32_t file;
		bool literal;
	} words[SENTENCE_WORDS];
	size_t word_count;
	/* The COPY statement being read. */
	bool copy;
	uint32_t copy_name;
	size_t copy_depth;
};

/* Returns the program being read, 0 ("") before the first PROGRAM-ID. */
static uint32_t current_program(const struct reading *reading)
{
	return reading->depth ? reading->programs[reading->depth - 1] : 0;
}

/* Adds an entry: from line on, the file belongs to the current program, section and paragraph. */
static void add_entry(struct reading *reading, uint32_t file, uint64_t line)
{
	struct cobol_program *result = reading->result;
	struct entry entry = {
		.file = file,
		.line = line,
		.program = current_program(reading),
		.section = reading->section,
		.paragraph = reading->paragraph,
		.sequence = (uint32_t)result->count,
		.in_program = reading->procedure_division,
	};

	GROW(result->entries, result->count + 1, result->alloc);
	result->entries[result->count++] = entry;
}

/* Returns word number index of the sentence as text. */
static const char *word_text(const struct reading *reading, size_t index)
{
	return index < reading->word_count && index < SENTENCE_WORDS &&
			       !reading->words[index].literal
		       ? strmap_text(&reading->result->texts, reading->words[index].text)
		       : "";
}

static bool word_is(const struct reading *reading, size_t index, const char *text)
{
	return !strcasecmp(word_text(reading, index), text);
}

/* Returns whether a word is in a list that ends with NULL; case is ignored. */
static bool is_among(const char *word, const char *const *words)
{
	while (*words && strcasecmp(word, *words))
		words++;
	return *words;
}

/*
 * Returns whether a word that forms a whole sentence is not the name of a
 * paragraph. Other words that begin with END- are names: END-OF-JOB.
 */
static bool is_statement_word(const char *word)
{
	static const char *const words[] = { "CONTINUE", "EXIT",	 "GOBACK", "COMMIT",
					     "ROLLBACK", "EJECT",	 "SKIP1",  "SKIP2",
					     "SKIP3",	 "DECLARATIVES", "STOP",   "ELSE",
					     "TITLE",	 "RETURN",	 "ENTRY",  NULL };
	static const char *const ends[] = {
		"ACCEPT",   "ADD",	"CALL",	    "CHAIN",   "COMPUTE", "DELETE",
		"DISPLAY",  "DIVIDE",	"EVALUATE", "EXEC",    "IF",	  "INVOKE",
		"JSON",	    "MODIFY",	"MULTIPLY", "PERFORM", "READ",	  "RECEIVE",
		"RETURN",   "REWRITE",	"SEARCH",   "SEND",    "START",	  "STRING",
		"SUBTRACT", "UNSTRING", "WRITE",    "XML",     NULL
	};

	return is_among(word, words) || (!strncasecmp(word, "END-", 4) && is_among(word + 4, ends));
}

/* Begins a program (PROGRAM-ID). */
static void enter_program(struct reading *reading, uint32_t name)
{
	if (reading->depth < MAX_NESTED)
		reading->programs[reading->depth++] = name;
	reading->section = reading->paragraph = 0;
	reading->procedure_division = false;
}

static void leave_program(struct reading *reading)
{
	if (reading->depth)
		reading->depth--;
	reading->section = reading->paragraph = 0;
	reading->procedure_division = false;
}

/* Takes a sentence inside a procedure division if it is a heading. */
static bool take_heading(struct reading *reading)
{
	size_t count = reading->word_count;

	if (count == 1 && word_text(reading, 0)[0] && !is_statement_word(word_text(reading, 0))) {
		reading->paragraph = reading->words[0].text;
		return true;
	}
	if ((count == 2 || count == 3) && word_is(reading, 1, "SECTION")) {
		reading->section = reading->words[0].text;
		reading->paragraph = 0;
		return true;
	}
	if (count == 2 && word_is(reading, 0, "END") && word_is(reading, 1, "DECLARATIVES")) {
		reading->section = reading->paragraph = 0;
		return true;
	}
	return false;
}

/* Applies a sentence that has ended. */
static void take_sentence(struct reading *reading)
{
	uint32_t file = reading->words[0].file;
	uint64_t line = reading->words[0].line;
	bool changed = true;

	if (reading->expect_name) {
		reading->expect_name = false;
		enter_program(reading, reading->words[0].text);
	} else if (word_is(reading, 0, "PROGRAM-ID") || word_is(reading, 0, "FUNCTION-ID")) {
		if (reading->word_count > 1)
			enter_program(reading, reading->words[1].text);
		else
			reading->expect_name = true;
	} else if (word_is(reading, 0, "END") &&
		   (word_is(reading, 1, "PROGRAM") || word_is(reading, 1, "FUNCTION"))) {
		leave_program(reading);
	} else if (word_is(reading, 1, "DIVISION")) {
		reading->procedure_division = word_is(reading, 0, "PROCEDURE");
		reading->section = reading->paragraph = 0;
	} else {
		changed = reading->procedure_division && take_heading(reading);
	}
	if (changed)
		add_entry(reading, file, line);
	reading->word_count = 0;
}

/* Returns whether path is the file that COPY name means, with or without its extension. */
static bool is_copybook(const char *path, const char *name)
{
	const char *base = path_base(path), *wanted = path_base(name);
	size_t length = strlen(wanted);

	return length && !strncasecmp(base, wanted, length) &&
	       (!base[length] || (base[length] == '.' && !strchr(base + length + 1, '.')));
}

static void read_file(struct reading *reading, uint32_t file, bool fixed);

/* Handles the end of a COPY statement at line of file: reads the copybook if it is known. */
static void take_copy(struct reading *reading, uint32_t file, uint64_t line, bool fixed)
{
	const char *name = strmap_text(&reading->result->texts, reading->copy_name);
	struct cobol_program *result = reading->result;
	uint32_t section = reading->section, paragraph = reading->paragraph;

	reading->copy = false;
	if (reading->copy_depth >= MAX_COPY_DEPTH)
		return;
	for (uint32_t i = 1; i < result->file_count; i++) {
		if (i == file || !is_copybook(result->files[i], name))
			continue;
		reading->copy_depth++;
		add_entry(reading, i, 1);
		read_file(reading, i, fixed);
		reading->copy_depth--;
		if (reading->section != section || reading->paragraph != paragraph)
			add_entry(reading, file, line + 1);
		return;
	}
}

/* Takes a word or a literal. */
static void take_word(struct reading *reading, const struct cobol_token *token, uint32_t file)
{
	struct strmap *texts = &reading->result->texts;

	if (reading->copy) {
		if (!reading->copy_name)
			reading->copy_name = strmap_put_n(texts, token->text, token->length);
		return;
	}
	if (token->kind == COBOL_WORD && token->length == 4 &&
	    !strncasecmp(token->text, "COPY", 4)) {
		reading->copy = true;
		reading->copy_name = 0;
		return;
	}
	if (reading->word_count < SENTENCE_WORDS)
		reading->words[reading->word_count] = (struct sentence_word){
			.text = strmap_put_n(texts, token->text, token->length),
			.line = token->line,
			.file = file,
			.literal = token->kind == COBOL_LITERAL,
		};
	reading->word_count++;
}

/* Reads one file. */
static void read_file(struct reading *reading, uint32_t file, bool fixed)
{
	struct source_file *source = source_file_get(reading->cache, reading->result->files[file]);
	struct cobol_token token;
	struct cobol_scan scan;

	cobol_scan_init(&scan, source->lines, source->line_count, fixed);
	while (cobol_scan_next(&scan, &token)) {
		if (token.kind != COBOL_PERIOD) {
			take_word(reading, &token, file);
		} else if (reading->copy) {
			take_copy(reading, file, token.line, scan.fixed);
		} else if (reading->word_count) {
			take_sentence(reading);
		}
	}
	source->fixed = scan.fixed;
	cobol_scan_release(&scan);
}

/* Orders by file and line; of equal lines the one read later takes precedence. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;

	if (a->file != b->file)
		return a->file < b->file ? -1 : 1;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	return a->sequence < b->sequence ? -1 : a->sequence > b->sequence;
}

/* Copies the names of the source files. */
static void take_files(struct cobol_program *program, const char *path, const char *const *files,
		       size_t file_count)
{
	program->files = xcalloc(file_count + 1, sizeof(*program->files));
	program->files[program->file_count++] = xstrdup(path);
	for (size_t i = 0; i < file_count; i++)
		if (strcmp(files[i], path))
			program->files[program->file_count++] = xstrdup(files[i]);
}

/* Returns the number of a text in keys, ignoring case. */
static uint32_t key_of(struct strmap *keys, const char *text)
{
	struct strbuf key = STRBUF_INIT;
	uint32_t number;

	for (; *text; text++)
		strbuf_addch(&key, (char)toupper((unsigned char)*text));
	number = strmap_put(keys, key.text);
	strbuf_release(&key);
	return number;
}

/* Where the procedures with one name are. */
struct namesakes {
	uint32_t program, section; /* those of the last one, as keys */
	bool seen;
	bool sections; /* a program has several of them */
	bool programs; /* several programs have one */
};

/* Returns the unqualified name of an entry's procedure, as a number in the texts. */
static uint32_t plain_name(const struct entry *entry)
{
	return entry->paragraph ? entry->paragraph : entry->section;
}

/* Counts an entry among the procedures with its name. */
static void count_namesake(const struct cobol_program *program, struct strmap *keys,
			   const struct entry *entry, struct namesakes *namesakes)
{
	uint32_t of_program = key_of(keys, strmap_text(&program->texts, entry->program));
	uint32_t of_section = key_of(keys, strmap_text(&program->texts, entry->section));

	if (namesakes->seen && namesakes->program != of_program)
		namesakes->programs = true;
	else if (namesakes->seen && namesakes->section != of_section)
		namesakes->sections = true;
	namesakes->seen = true;
	namesakes->program = of_program;
	namesakes->section = of_section;
}

/* Sets the displayed name of an entry. */
static void name_entry(struct cobol_program *program, struct entry *entry,
		       const struct namesakes *namesakes)
{
	struct strbuf name = STRBUF_INIT;
	uint32_t plain = plain_name(entry);

	strbuf_addstr(&name, strmap_text(&program->texts, plain ? plain : entry->program));
	if (plain && namesakes->sections && entry->paragraph && entry->section)
		strbuf_addf(&name, " OF %s", strmap_text(&program->texts, entry->section));
	if (plain && namesakes->programs && entry->program)
		strbuf_addf(&name, " OF %s", strmap_text(&program->texts, entry->program));
	entry->procedure = strmap_put(&program->texts, name.text);
	strbuf_release(&name);
}

/* Sets unique names for all entries. */
static void name_entries(struct cobol_program *program)
{
	struct namesakes *namesakes = xcalloc(program->count + 1, sizeof(*namesakes));
	struct strmap names, keys;

	strmap_init(&names);
	strmap_init(&keys);
	for (size_t i = 0; i < program->count; i++) {
		const struct entry *entry = &program->entries[i];
		const char *name = strmap_text(&program->texts, plain_name(entry));

		if (entry->in_program)
			count_namesake(program, &keys, entry, &namesakes[key_of(&names, name)]);
	}
	for (size_t i = 0; i < program->count; i++) {
		struct entry *entry = &program->entries[i];
		const char *name = strmap_text(&program->texts, plain_name(entry));

		if (entry->in_program)
			name_entry(program, entry, &namesakes[key_of(&names, name)]);
	}
	strmap_release(&names);
	strmap_release(&keys);
	free(namesakes);
}

struct cobol_program *cobol_program_new(struct source_cache *cache, const char *path,
					const char *const *files, size_t file_count)
{
	struct source_file *source = source_file_get(cache, path);
	struct reading reading = { .cache = cache };
	struct cobol_program *program;
	bool found = false;

	RETURN_IF(!source->line_count, NULL);
	program = xcalloc(1, sizeof(*program));
	strmap_init(&program->texts);
	take_files(program, path, files, file_count);
	reading.result = program;
	read_file(&reading, 0, cobol_scan_looks_fixed(source->lines, source->line_count));
	for (size_t i = 0; i < program->count; i++)
		found |= program->entries[i].in_program;
	if (!found) {
		cobol_program_free(program);
		return NULL;
	}
	sort_if_needed(program->entries, program->count, sizeof(*program->entries),
		       compare_entries);
	name_entries(program);
	return program;
}

void cobol_program_free(struct cobol_program *program)
{
	if (!program)
		return;
	for (size_t i = 0; i < program->file_count; i++)
		free(program->files[i]);
	free(program->files);
	strmap_release(&program->texts);
	free(program->entries);
	free(program);
}

/* Returns the entry that a line of a file belongs to, or NULL. */
static const struct entry *find_entry(const struct cobol_program *program, uint32_t file,
				      uint64_t line)
{
	const struct entry *entries = program->entries;
	size_t behind = LOWER_BOUND(program->count, at,
				    entries[at].file < file ||
					    (entries[at].file == file && entries[at].line <= line));

	return behind && entries[behind - 1].file == file ? &entries[behind - 1] : NULL;
}

bool cobol_program_procedure(const struct cobol_program *program, const char *path, uint64_t line,
			     struct strbuf *sb)
{
	const struct entry *entry = NULL;

	for (uint32_t i = 0; !entry && i < program->file_count; i++)
		if (!strcmp(program->files[i], path))
			entry = find_entry(program, i, line);
	if (!entry || !entry->in_program || !entry->procedure)
		return false;
	strbuf_addstr(sb, strmap_text(&program->texts, entry->procedure));
	return true;
}
