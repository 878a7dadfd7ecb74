/* SPDX-License-Identifier: Apache-2.0 */
/* Symbols of JCL: their table, the predefined ones, and substitution. */
#include "common/compat.h"
#include "parser/jcl-tree.h"
#include "common/xalloc.h"

#include <sys/utsname.h>

void jcl_symbols_init(struct jcl_symbols *symbols)
{
	memset(symbols, 0, sizeof(*symbols));
	strbuf_init(&symbols->text);
	strmap_init(&symbols->names);
}

void jcl_symbols_release(struct jcl_symbols *symbols)
{
	for (size_t i = 0; i < symbols->alloc; i++)
		free(symbols->values[i]);
	free(symbols->values);
	free(symbols->used);
	strmap_release(&symbols->names);
	strbuf_release(&symbols->text);
	free(symbols->segments);
	memset(symbols, 0, sizeof(*symbols));
}

void jcl_symbols_set(struct jcl_symbols *symbols, const char *name, const char *value)
{
	uint32_t number = strmap_put(&symbols->names, name);
	size_t before = symbols->alloc;

	GROW(symbols->values, (size_t)number + 1, symbols->alloc);
	if (symbols->alloc > before)
		symbols->used = xreallocarray(symbols->used, symbols->alloc, sizeof(bool));
	for (size_t i = before; i < symbols->alloc; i++) {
		symbols->values[i] = NULL;
		symbols->used[i] = false;
	}
	free(symbols->values[number]);
	symbols->values[number] = value ? xstrdup(value) : NULL;
}

const char *jcl_symbols_get(const struct jcl_symbols *symbols, const char *name, size_t length)
{
	char key[9];
	uint32_t number;

	if (length == 0 || length > 8)
		return NULL;
	for (size_t i = 0; i < length; i++)
		key[i] = (char)(name[i] >= 'a' && name[i] <= 'z' ? name[i] - 'a' + 'A' : name[i]);
	key[length] = '\0';
	number = strmap_find(&symbols->names, key);
	if (number >= symbols->alloc)
		return NULL;
	symbols->used[number] = true;
	return symbols->values[number];
}

bool jcl_symbols_used(const struct jcl_symbols *symbols, const char *name)
{
	uint32_t number = strmap_find(&symbols->names, name);

	return number < symbols->alloc && symbols->used[number];
}

/* Sets a dozen symbols from one time: those of local time begin with L. */
static void predefine_times(struct jcl_symbols *symbols, const char *prefix, const struct tm *when)
{
	static const struct {
		const char *name, *format;
	} times[] = {
		{ "YR4", "%Y" },	{ "YR2", "%y" },  { "MON", "%m" },  { "DAY", "%d" },
		{ "HR", "%H" },		{ "MIN", "%M" },  { "SEC", "%S" },  { "YYMMDD", "%y%m%d" },
		{ "HHMMSS", "%H%M%S" }, { "JDAY", "%j" }, { "WDAY", "%a" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		char name[16], value[16];

		snprintf(name, sizeof(name), "%s%s", prefix, times[i].name);
		if (strftime(value, sizeof(value), times[i].format, when) == 0)
			continue;
		for (char *c = value; *c; c++)
			if (*c >= 'a' && *c <= 'z')
				*c = (char)(*c - 'a' + 'A');
		jcl_symbols_set(symbols, name, value);
	}
}

/*
 * Converts a system name to a JCL name, up to its first dot: upper case, at most 8
 * characters, invalid ones omitted.
 */
static void system_name(char value[9], const char *name)
{
	size_t length = 0;

	for (; length < 8 && *name && *name != '.'; name++) {
		char c = (char)(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name);

		if ((c >= 'A' && c <= 'Z') || strchr("@#$", c) ||
		    (length > 0 && c >= '0' && c <= '9'))
			value[length++] = c;
	}
	value[length] = '\0';
}

static void predefine_system(struct jcl_symbols *symbols)
{
	struct utsname name;
	char value[9];

	if (uname(&name) != 0)
		return;
	system_name(value, name.nodename);
	jcl_symbols_set(symbols, "SYSNAME", value);
	jcl_symbols_set(symbols, "SYSPLEX", value);
}

void jcl_symbols_set_user(struct jcl_symbols *symbols, const struct jcl_options *options)
{
	char value[9];

	if (!options || !options->user)
		return;
	system_name(value, options->user);
	jcl_symbols_set(symbols, "SYSUID", value);
}

void jcl_symbols_predefine(struct jcl_symbols *symbols, const struct jcl_options *options)
{
	time_t now = time(NULL);
	struct tm when;

	if (localtime_r(&now, &when))
		predefine_times(symbols, "L", &when);
	if (gmtime_r(&now, &when))
		predefine_times(symbols, "", &when);
	predefine_system(symbols);
	jcl_symbols_set_user(symbols, options);
	if (options && options->deck_folder)
		jcl_symbols_set(symbols, "SYSDECK", options->deck_folder);
}

/* Returns whether c is allowed in a symbol's name, in either case. */
static bool symbol_character(char c, bool first)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '@' || c == '#' ||
	       c == '$' || (!first && c >= '0' && c <= '9');
}

/* Returns the length of the symbol's name at text, 0 if there is none. */
static size_t symbol_length(const char *text, const char *end)
{
	size_t length = 0;

	while (text + length < end && symbol_character(text[length], length == 0))
		length++;
	return length;
}

/* A text under construction, with its map. */
struct substitution {
	struct jcl_symbols *symbols;
	const struct jcl_text *in;
	struct strbuf *sb; /* buffer of the symbols */
	size_t count;	   /* number of its segments */
};

/*
 * Adds a segment: from here on the text comes from offset of the old one (or is
 * the value of a symbol there).
 */
static void map_add(struct substitution *put, size_t offset, unsigned width)
{
	struct location at = jcl_location(NULL, put->in, (unsigned)offset, width ? width : 1);

	GROW(put->symbols->segments, put->count + 1, put->symbols->segment_alloc);
	put->symbols->segments[put->count++] =
		(struct jcl_segment){ (unsigned)put->sb->length, at.line, at.column, width };
}

/* Copies a stretch of the old text, with its segment boundaries. */
static void copy_stretch(struct substitution *put, size_t from, size_t to)
{
	while (from < to) {
		size_t stop = to;

		for (unsigned i = 0; i < put->in->segment_count; i++)
			if (put->in->segments[i].offset > from &&
			    put->in->segments[i].offset < stop)
				stop = put->in->segments[i].offset;
		map_add(put, from, 0);
		strbuf_add(put->sb, put->in->text + from, stop - from);
		from = stop;
	}
}

/*
 * Appends a symbol's value; inside apostrophes single apostrophes are doubled,
 * outside trailing blanks are dropped.
 */
static void add_value(struct substitution *put, const char *value, bool quoted)
{
	if (!quoted) {
		size_t length = strlen(value);

		while (length > 0 && value[length - 1] == ' ')
			length--;
		strbuf_add(put->sb, value, length);
		return;
	}
	while (*value) {
		size_t apostrophes = strspn(value, "'"), length = strcspn(value + apostrophes, "'");

		strbuf_addchars(put->sb, '\'', apostrophes + apostrophes % 2);
		strbuf_add(put->sb, value + apostrophes, length);
		value += apostrophes + length;
	}
}

/* Moves the constructed text into out. */
static void substitution_keep(struct substitution *put, struct jcl_arena *arena,
			      struct jcl_text *out)
{
	size_t size = put->count * sizeof(*put->symbols->segments);

	out->length = (unsigned)put->sb->length;
	out->text = jcl_arena_get(arena, put->sb->length + 2);
	memcpy(out->text, put->sb->text, put->sb->length);
	out->text[out->length] = out->text[out->length + 1] = '\0';
	out->segment_count = (unsigned)put->count;
	out->segments = jcl_arena_get(arena, size);
	if (size)
		memcpy(out->segments, put->symbols->segments, size);
}

/* Returns whether symbols inside apostrophes are substituted in the operand that begins at text. */
static bool counts_quoted(enum jcl_operation operation, const char *text)
{
	static const char *const of_dd[] = { "AMP", "PATH", "SUBSYS" };
	static const char *const of_exec[] = { "ACCT", "PARM" };
	const char *const *keywords = operation == JCL_DD ? of_dd : of_exec;
	size_t count = operation == JCL_DD ? ARRAY_SIZE(of_dd) : ARRAY_SIZE(of_exec);
	size_t length = strcspn(text, ".=,'(");

	if (operation != JCL_DD && operation != JCL_EXEC)
		return operation == JCL_SET || operation == JCL_JCLLIB; /* there they would be
									 * useless otherwise */
	for (size_t i = 0; i < count; i++)
		if (strlen(keywords[i]) == length && memcmp(keywords[i], text, length) == 0)
			return true;
	return false;
}

/* State of the scan of a text for symbols. */
struct symbol_scan {
	enum jcl_operation operation;
	const char *operand; /* start of the current operand */
	const char *symbol;  /* end of the last substituted symbol */
	unsigned depth;	     /* of parentheses */
	bool quoted, counts; /* inside apostrophes; whether symbols are substituted there */
};

/* Accounts for one character that is no ampersand. */
static void scan_character(struct symbol_scan *scan, const char *at)
{
	if (*at == '\'') {
		scan->quoted = !scan->quoted;
		if (scan->quoted)
			scan->counts =
				scan->symbol == at || counts_quoted(scan->operation, scan->operand);
	} else if (scan->quoted) {
		return;
	} else if (*at == '(') {
		scan->depth++;
	} else if (*at == ')' && scan->depth > 0) {
		scan->depth--;
	} else if (*at == ',' && scan->depth == 0) {
		scan->operand = at + 1;
	}
}

bool jcl_symbols_substitute(struct jcl_symbols *symbols, struct jcl_arena *arena,
			    enum jcl_operation operation, const struct jcl_text *in,
			    struct jcl_text *out,
			    void (*report)(void *context, unsigned offset, const char *name,
					   size_t length),
			    void *context)
{
	struct substitution put = { .symbols = symbols, .in = in, .sb = &symbols->text };
	struct symbol_scan scan = { .operation = operation, .operand = in->text };
	const char *end = in->text + in->length;
	size_t copied = 0;
	bool fits;

	strbuf_reset(put.sb);
	for (const char *at = in->text; at < end && put.sb->length <= JCL_MAXIMUM_TEXT; at++) {
		size_t length, offset = (size_t)(at - in->text);
		const char *value;

		if (*at != '&') {
			scan_character(&scan, at);
			continue;
		}
		if (at + 1 < end && at[1] == '&') {
			at++;
			continue;
		}
		if (scan.quoted && !scan.counts)
			continue;
		length = symbol_length(at + 1, end);
		value = jcl_symbols_get(symbols, at + 1, length);
		if (!value) {
			if (length > 0 && !scan.quoted && report)
				report(context, (unsigned)offset, at + 1, length);
			continue;
		}
		copy_stretch(&put, copied, offset);
		map_add(&put, offset, (unsigned)length + 1);
		add_value(&put, value, scan.quoted);
		copied = offset + 1 + length;
		if (copied < in->length && in->text[copied] == '.')
			copied++;
		scan.symbol = in->text + copied;
		at = scan.symbol - 1;
	}
	copy_stretch(&put, copied, in->length);
	fits = put.sb->length <= JCL_MAXIMUM_TEXT;
	if (fits)
		substitution_keep(&put, arena, out);
	return fits;
}

void jcl_symbols_substitute_line(const struct jcl_symbols *symbols, const char *line, size_t length,
				 struct strbuf *sb)
{
	const char *end = line + length;

	while (line < end) {
		const char *at = memchr(line, '&', (size_t)(end - line)), *value;
		size_t name;

		if (!at)
			break;
		strbuf_add(sb, line, (size_t)(at - line));
		name = symbol_length(at + 1, end);
		value = jcl_symbols_get(symbols, at + 1, name);
		if (!value) {
			size_t keep = at + 1 < end && at[1] == '&' ? 2 : 1;

			strbuf_add(sb, at, keep);
			line = at + keep;
			continue;
		}
		strbuf_addstr(sb, value);
		line = at + 1 + name;
		if (line < end && *line == '.')
			line++;
	}
	strbuf_add(sb, line, (size_t)(end - line));
}
