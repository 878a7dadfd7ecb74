/* SPDX-License-Identifier: Apache-2.0 */
/* Diagnostics: messages about the user's input, with a location. */
#include "common/compat.h"
#include "common/diag.h"
#include "common/error.h"
#include "common/idmap.h"
#include "common/utf8.h"
#include "common/xalloc.h"

#include <unistd.h>

/* Splits source->text into lines. */
static void source_index(struct source *source)
{
	size_t start = 0, alloc = 0;

	while (start < source->length) {
		char *end = memchr(source->text + start, '\n', source->length - start);
		size_t stop = end ? (size_t)(end - source->text) : source->length;
		size_t length = stop - start;

		source->text[stop] = '\0';
		while (length > 0 && source->text[start + length - 1] == '\r')
			source->text[start + --length] = '\0';
		GROW(source->lines, source->line_count + 1, alloc);
		source->lines[source->line_count].text = source->text + start;
		source->lines[source->line_count++].length = length;
		start = stop + 1;
	}
}

struct source *source_new(const char *name, const char *text, size_t length)
{
	struct source *source = xcalloc(1, sizeof(*source));

	source->name = xstrdup(name);
	source->text = xmalloc(length + 1);
	memcpy(source->text, text, length);
	source->text[length] = '\0';
	source->length = length;
	source_index(source);
	return source;
}

struct source *source_read(const char *path, struct error *err)
{
	struct strbuf text = STRBUF_INIT;
	struct source *source = NULL;
	bool from_stdin = strcmp(path, "-") == 0;
	int result =
		from_stdin ? strbuf_read_fd(&text, STDIN_FILENO) : strbuf_read_file(&text, path);

	if (result < 0)
		error_errno(err, "%s cannot be read", from_stdin ? "standard input" : path);
	else
		source = source_new(from_stdin ? "<stdin>" : path, text.text, text.length);
	strbuf_release(&text);
	return source;
}

void source_free(struct source *list)
{
	while (list) {
		struct source *next = list->next;

		free(list->name);
		free(list->text);
		free(list->lines);
		free(list);
		list = next;
	}
}

int diag_add(struct diag_list *list, enum severity severity, unsigned number,
	     const struct location *location, const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	struct diag *diag;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	GROW(list->items, list->count + 1, list->alloc);
	diag = &list->items[list->count++];
	memset(diag, 0, sizeof(*diag));
	diag->severity = severity;
	diag->number = number;
	if (location)
		diag->location = *location;
	diag_escape(&text, 0);
	diag->text = strbuf_detach(&text, NULL);
	return -1;
}

enum severity diag_max_severity(const struct diag_list *list)
{
	enum severity worst = SEVERITY_INFO;

	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].severity > worst)
			worst = list->items[i].severity;
	return worst;
}

/* A message with its sort keys. */
struct sorted_diag {
	uint64_t source; /* number of its source, in order of first message */
	size_t position; /* index in the unsorted list */
	struct diag diag;
};

static int sorted_order(const void *left, const void *right)
{
	const struct sorted_diag *a = left, *b = right;

	if (a->source != b->source)
		return a->source < b->source ? -1 : 1;
	if (a->diag.location.line != b->diag.location.line)
		return a->diag.location.line < b->diag.location.line ? -1 : 1;
	if (a->diag.location.column != b->diag.location.column)
		return a->diag.location.column < b->diag.location.column ? -1 : 1;
	return a->position < b->position ? -1 : a->position > b->position;
}

void diag_sort(struct diag_list *list)
{
	struct sorted_diag *sorted = xcalloc(list->count, sizeof(*sorted));
	struct idmap sources;

	idmap_init(&sources);
	for (size_t i = 0; i < list->count; i++) {
		uint64_t source = (uintptr_t)list->items[i].location.source, number;

		if (!idmap_get(&sources, source, &number))
			idmap_put(&sources, source, number = sources.count);
		sorted[i] = (struct sorted_diag){ number, i, list->items[i] };
	}
	if (list->count > 1)
		qsort(sorted, list->count, sizeof(*sorted), sorted_order);
	for (size_t i = 0; i < list->count; i++)
		list->items[i] = sorted[i].diag;
	idmap_release(&sources);
	free(sorted);
}

void diag_format_id(struct strbuf *sb, unsigned number, enum severity severity)
{
	static const char letters[] = { 'I', 'W', 'E', 'S' };

	strbuf_addf(sb, "VIG%04u%c", number, letters[severity / 4]);
}

/* Of a longer line only these columns are shown, beginning some columns before the location. */
#define CARD_SHOWN 100
#define CARD_BEFORE 40

/* Returns the length in bytes of the UTF-8 character at text; 0 if it is not valid. */
static size_t character_bytes(const unsigned char *text, size_t length)
{
	char character[5] = { 0 };
	size_t bytes;

	RETURN_IF(text[0] < 0x80, 1);
	memcpy(character, text, length < 4 ? length : 4);
	RETURN_IF(utf8_decode(character, &bytes) == UINT32_MAX, 0);
	return bytes;
}

/* Appends a byte that a terminal would interpret, as a C escape. */
static void add_escaped(struct strbuf *sb, unsigned char c)
{
	static const char controls[] = "\a\b\t\n\v\f\r", letters[] = "abtnvfr";
	const char *found = c ? strchr(controls, c) : NULL;

	if (found)
		strbuf_addf(sb, "\\%c", letters[found - controls]);
	else
		strbuf_addf(sb, "\\%03o", c);
}

void diag_escape(struct strbuf *sb, size_t from)
{
	char *text;
	size_t length, clean = from;

	for (const char *at = sb->text; clean < sb->length; clean++)
		if ((unsigned char)at[clean] < 0x20 || (unsigned char)at[clean] >= 0x7f)
			break;
	if (clean >= sb->length)
		return;
	length = sb->length - from;
	text = xmemdup(sb->text + from, length);
	strbuf_setlen(sb, from);
	for (size_t i = 0; i < length;) {
		const unsigned char *at = (const unsigned char *)text + i;
		size_t bytes = character_bytes(at, length - i);
		bool control = bytes == 2 && at[0] == 0xc2 && at[1] < 0xa0;

		if (bytes > 1 && !control)
			strbuf_add(sb, at, bytes);
		else if (bytes == 1 && *at >= 0x20 && *at != 0x7f)
			strbuf_addch(sb, (char)*at);
		else
			add_escaped(sb, *at);
		i += bytes > 1 && !control ? bytes : 1;
	}
	free(text);
}

void diag_add_printable(struct strbuf *sb, const char *text, size_t length)
{
	for (size_t i = 0; i < length;) {
		unsigned char c = (unsigned char)text[i];
		size_t bytes = character_bytes((const unsigned char *)text + i, length - i);

		if (bytes > 1)
			strbuf_add(sb, text + i, bytes);
		else
			strbuf_addch(sb, c == '\t' ? ' ' : c < 0x20 || c >= 0x7f ? '.' : (char)c);
		i += bytes ? bytes : 1;
	}
}

/* Appends the card and, below it, the line with the caret. */
static void format_card(const struct location *location, struct strbuf *sb)
{
	const struct source_line *line = &location->source->lines[location->line - 1];
	size_t column = location->column ? location->column : 1, length = location->length;
	size_t from = 0, shown = line->length;

	if (shown > CARD_SHOWN) {
		from = column > CARD_BEFORE ? column - CARD_BEFORE : 0;
		if (from > line->length)
			from = line->length;
		shown = line->length - from < CARD_SHOWN ? line->length - from : CARD_SHOWN;
	}
	strbuf_addstr(sb, from ? "\n ...": "\n    ");
	diag_add_printable(sb, line->text + from, shown);
	strbuf_addstr(sb, from + shown < line->length ? "...\n    " : "\n    ");
	strbuf_addchars(sb, ' ', column - 1 - from);
	strbuf_addch(sb, '^');
	if (length > CARD_SHOWN)
		length = CARD_SHOWN;
	if (length > 1)
		strbuf_addchars(sb, '~', length - 1);
}

void diag_format(const struct diag *diag, struct strbuf *sb)
{
	const struct location *at = &diag->location;
	bool placed = at->source && at->line > 0 && at->line <= at->source->line_count;

	if (at->source) {
		size_t from = sb->length;

		strbuf_addstr(sb, at->source->name);
		diag_escape(sb, from);
		strbuf_addch(sb, ':');
	}
	if (placed)
		strbuf_addf(sb, "%u:%u:", at->line, at->column ? at->column : 1);
	if (at->source)
		strbuf_addch(sb, ' ');
	diag_format_id(sb, diag->number, diag->severity);
	strbuf_addf(sb, " %s", diag->text);
	if (placed)
		format_card(at, sb);
	strbuf_addch(sb, '\n');
}

/* Writes the messages from number first on. */
static size_t print_from(const struct diag_list *list, size_t first, FILE *stream)
{
	struct strbuf sb = STRBUF_INIT;

	for (size_t i = first; i < list->count; i++)
		diag_format(&list->items[i], &sb);
	fwrite(sb.text, 1, sb.length, stream);
	strbuf_release(&sb);
	return list->count - first;
}

size_t diag_print(const struct diag_list *list, FILE *stream)
{
	return print_from(list, 0, stream);
}

size_t diag_print_new(struct diag_list *list, FILE *stream)
{
	size_t first = list->printed_count;

	list->printed_count = list->count;
	return print_from(list, first, stream);
}

void diag_list_release(struct diag_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].text);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

struct location location_join(const struct location *first, const struct location *last)
{
	struct location whole = *first;
	unsigned end = last->column + last->length;

	if (first->source == last->source && first->line == last->line && end > first->column)
		whole.length = end - first->column;
	return whole;
}
