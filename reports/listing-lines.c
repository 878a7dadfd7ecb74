/* SPDX-License-Identifier: Apache-2.0 */
/* Paragraphs and pairs in lines. */
#include "common/compat.h"
#include "reports/listing-lines.h"
#include "reports/text.h"

void listing_paragraph(const char *paragraph, size_t indent, size_t line_width, listing_put put,
		       void *argument)
{
	struct strbuf clean = STRBUF_INIT, line = STRBUF_INIT;
	const char *rest;
	bool first = true;

	text_clean(&clean, paragraph);
	for (rest = clean.text; *rest || first; first = false) {
		size_t end = text_wrap(rest, line_width - (first ? 0 : indent));

		strbuf_reset(&line);
		strbuf_addchars(&line, ' ', first ? 0 : indent);
		strbuf_add(&line, rest, end);
		put(argument, line.text);
		for (rest += end; *rest == ' '; rest++)
			;
	}
	strbuf_release(&clean);
	strbuf_release(&line);
}

/*
 * Appends a value that fits after its label: right-aligned, with leaders; directly
 * if it is alone on a line.
 */
static void add_short_value(struct strbuf *line, const char *value, size_t line_width, bool alone)
{
	size_t leaders = line_width - text_width(value);

	strbuf_addch(line, ' ');
	if (!alone && leaders > 1)
		strbuf_addchars(line, '.', leaders - 1);
	if (leaders)
		strbuf_addch(line, ' ');
	strbuf_addstr(line, value);
}

/*
 * Appends one pair in at most width columns; what does not fit is returned in
 * *rest, part of *value.
 */
static void add_pair(struct strbuf *line, const struct pair *pair, size_t width, bool alone,
		     const char **rest, struct strbuf *value)
{
	size_t line_width = width - text_width(pair->label) - 1, end;

	strbuf_reset(value);
	device_value_add(value, pair->type, &pair->value);
	if (pair->value.type == VALUE_NONE)
		strbuf_addstr(value, "-");
	strbuf_addstr(line, pair->label);
	if (text_width(value->text) <= line_width) {
		add_short_value(line, value->text, line_width, alone);
		return;
	}
	end = text_wrap(value->text, line_width);
	strbuf_addch(line, ' ');
	strbuf_add(line, value->text, end);
	for (*rest = value->text + end; **rest == ' '; (*rest)++)
		;
}

/* Maximum number of lines of a value; CSV and JSON have it in full. */
#define VALUE_LINES 6
/* Minimum columns of a group of pairs next to another one. */
#define GROUP_MIN 40

/* The position in one group of pairs while lines are put side by side. */
struct cursor {
	size_t next;
	unsigned lines;	  /* of the current value */
	const char *rest; /* of a value that continues, into value */
	bool alone;	  /* the only group of its block */
	struct strbuf value;
};

/* Appends the next line of one group; returns false if there is none. */
static bool add_group_line(const struct pair_group *group, struct cursor *cursor,
			   struct strbuf *line, size_t width)
{
	if (cursor->rest && *cursor->rest) {
		size_t end = text_wrap(cursor->rest, width - 4);

		strbuf_addstr(line, "    ");
		if (++cursor->lines == VALUE_LINES && cursor->rest[end]) {
			strbuf_addstr(line, "...");
			cursor->rest = NULL;
			return true;
		}
		strbuf_add(line, cursor->rest, end);
		for (cursor->rest += end; *cursor->rest == ' '; cursor->rest++)
			;
		return true;
	}
	cursor->rest = NULL;
	if (cursor->next >= group->count)
		return false;
	cursor->lines = 1;
	add_pair(line, &group->pairs[cursor->next++], width, cursor->alone, &cursor->rest,
		 &cursor->value);
	return true;
}

static void put_titles(const struct pair_group *groups, size_t count, size_t width, listing_put put,
		       void *argument)
{
	struct strbuf line = STRBUF_INIT, rule = STRBUF_INIT;

	for (size_t i = 0; i < count; i++) {
		if (i)
			strbuf_addstr(&line, "   ");
		if (i)
			strbuf_addstr(&rule, "   ");
		text_add_field(&line, groups[i].title, width, false);
		strbuf_addchars(&rule, '-', width);
	}
	put(argument, line.text);
	put(argument, rule.text);
	strbuf_release(&line);
	strbuf_release(&rule);
}

/* Puts some groups side by side. */
static void put_groups(const struct pair_group *groups, size_t count, size_t line_width, bool alone,
		       listing_put put, void *argument)
{
	size_t width = (line_width - 3 * (count - 1)) / count;
	struct cursor cursors[4];
	struct strbuf line = STRBUF_INIT;
	bool any = true;

	assert(count <= ARRAY_SIZE(cursors));
	memset(cursors, 0, sizeof(cursors));
	for (size_t i = 0; i < count; i++) {
		strbuf_init(&cursors[i].value);
		cursors[i].alone = alone;
	}
	if (groups[0].title[0])
		put_titles(groups, count, width, put, argument);
	while (any) {
		any = false;
		strbuf_reset(&line);
		for (size_t i = 0; i < count; i++) {
			size_t column = i * (width + 3), used = text_width(line.text);

			strbuf_addchars(&line, ' ', column > used ? column - used : 0);
			any |= add_group_line(&groups[i], &cursors[i], &line, width);
		}
		if (any)
			put(argument, line.text);
	}
	for (size_t i = 0; i < count; i++)
		strbuf_release(&cursors[i].value);
	strbuf_release(&line);
}

void listing_pairs(const struct block *block, size_t line_width, listing_put put, void *argument)
{
	size_t count = block->group_count, beside = (line_width + 3) / (GROUP_MIN + 3);

	if (beside > count || line_width >= LISTING_WIDTH)
		beside = count;
	else if (!beside)
		beside = 1;
	for (size_t i = 0; i < count; i += beside) {
		if (i && block->groups[i].title[0])
			put(argument, "");
		put_groups(block->groups + i, count - i < beside ? count - i : beside, line_width,
			   count == 1, put, argument);
	}
}
