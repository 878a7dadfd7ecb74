/* SPDX-License-Identifier: Apache-2.0 */
/* Parses texts of the kernel by tables. */
#include "common/compat.h"
#include "metrics/metric-text.h"
#include "common/hash.h"
#include "common/xalloc.h"

#include <unistd.h>

void metric_plan_init(struct metric_plan *plan, const struct metric_item *items, size_t count,
		      unsigned file)
{
	*plan = (struct metric_plan){ .items = items, .item_count = count, .file = file };
	for (size_t i = 0; i < METRIC_COLUMNS; i++)
		plan->columns[i] = -1;
	for (size_t i = 0; i < count; i++)
		if (items[i].from.file == file && !items[i].from.key && items[i].from.column)
			plan->columns[items[i].from.column] = (short)i;
}

void metric_plan_release(struct metric_plan *plan)
{
	free(plan->key_positions);
	plan->key_positions = NULL;
	plan->count = plan->alloc = 0;
}

/* Returns the value of an item that means "missing". */
static uint64_t missing(const struct metric_item *item)
{
	uint64_t value = UINT64_MAX;
	double none = __builtin_nan("");

	if (item->type == FIELD_SIGNED)
		value = (uint64_t)INT64_MIN;
	else if (item->type == FIELD_DOUBLE)
		memcpy(&value, &none, sizeof(value));
	return value;
}

void metric_clear(const struct metric_item *items, size_t count, uint64_t *values)
{
	for (size_t i = 0; i < count; i++)
		values[i] = missing(&items[i]);
}

bool metric_any(const struct metric_plan *plan, const uint64_t *values)
{
	for (size_t i = 0; i < plan->item_count; i++)
		if (plan->items[i].from.file == plan->file && values[i] != missing(&plan->items[i]))
			return true;
	return false;
}

/* Parses a number as a double. */
static bool take_double(const char *text, size_t length, uint64_t *value)
{
	char copy[64], *end;
	double number;

	if (length >= sizeof(copy))
		return false;
	memcpy(copy, text, length);
	copy[length] = '\0';
	number = strtod(copy, &end);
	if (end == copy || *end)
		return false;
	memcpy(value, &number, sizeof(*value));
	return true;
}

/* Resolves a scale that depends on the system. */
static uint64_t resolve(uint64_t scale)
{
	static uint64_t tick, page;

	if (scale == METRIC_TICKS) {
		if (!tick)
			tick = UINT64_C(1000000000) / (uint64_t)sysconf(_SC_CLK_TCK);
		return tick;
	}
	if (scale == METRIC_PAGES) {
		if (!page)
			page = (uint64_t)sysconf(_SC_PAGESIZE);
		return page;
	}
	return scale ? scale : 1;
}

/* Returns the value of a digit, 99 when it is none. */
static unsigned digit_of(char c)
{
	if (c >= '0' && c <= '9')
		return (unsigned)(c - '0');
	if (c >= 'a' && c <= 'f')
		return (unsigned)(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return (unsigned)(c - 'A') + 10;
	return 99;
}

/*
 * Parses a number, scaled, with decimals as far as the scale can represent them.
 * Returns false when it is none.
 */
static bool take_number(const char *text, size_t length, uint64_t scale, uint64_t *value)
{
	unsigned base = scale == METRIC_HEX ? 16 : 10;
	uint64_t factor = scale == METRIC_HEX ? 1 : resolve(scale), number = 0;
	size_t at = 0;

	for (; at < length && digit_of(text[at]) < base; at++)
		number = number * base + digit_of(text[at]);
	if (!at)
		return false;
	number *= factor;
	if (at < length && text[at] == '.')
		for (at++; at < length && digit_of(text[at]) < 10; at++) {
			factor /= 10;
			number += factor * digit_of(text[at]);
		}
	if (at < length && text[at] != '%')
		return false;
	*value = number;
	return number != UINT64_MAX;
}

bool metric_set(const struct metric_item *item, const char *text, size_t length, uint64_t *value,
		struct strmap *strings)
{
	uint64_t number;

	switch (item->type) {
	case FIELD_STRING:
		*value = strmap_put_n(strings, text, length);
		return true;
	case FIELD_DOUBLE:
		return take_double(text, length, value);
	case FIELD_SIGNED:
		if (length && *text == '-') {
			RETURN_IF(!take_number(text + 1, length - 1, item->from.scale, &number),
				  false);
			*value = (uint64_t) - (int64_t)number;
			return true;
		}
		/* fall through */
	default:
		return take_number(text, length, item->from.scale, value);
	}
}

/*
 * Returns the length of the word at text. Words end with a blank or the line;
 * "12:34" and "a=b" are two.
 */
static size_t word_length(const char *text)
{
	size_t length = 0;

	while ((unsigned char)text[length] > ' ' && text[length] != '=')
		length++;
	return length;
}

/* Returns the next word of a line. */
static const char *next_word(const char *at)
{
	while (*at == ' ' || *at == '\t' || *at == '=')
		at++;
	return at;
}

/* Returns the start of the next line; NULL: none. */
static const char *next_line(const char *at)
{
	at = strchr(at, '\n');
	return at && at[1] ? at + 1 : NULL;
}

/*
 * Returns whether a key that ends with its text or a '|' is "group label", or only
 * group without a label.
 */
static bool is_one_key(const char *key, const char *group, size_t group_length, const char *label,
		       size_t label_length)
{
	if (strncmp(key, group, group_length) != 0)
		return false;
	key += group_length;
	if (label) {
		if (group_length && *key++ != ' ')
			return false;
		if (strncmp(key, label, label_length) != 0)
			return false;
		key += label_length;
	}
	return !*key || *key == '|';
}

/* Returns whether one of the keys of an item, separated by '|', matches that. */
static bool is_key(const char *key, const char *group, size_t group_length, const char *label,
		   size_t label_length)
{
	while (key && !is_one_key(key, group, group_length, label, label_length)) {
		key = strchr(key, '|');
		key = key ? key + 1 : NULL;
	}
	return key;
}

/* Returns the place for key number place of a text, allocating it if necessary. */
static struct metric_key_position *key_position(struct metric_plan *plan, size_t place)
{
	GROW(plan->key_positions, place + 1, plan->alloc);
	if (place >= plan->count) {
		memset(plan->key_positions + plan->count, 0,
		       (place + 1 - plan->count) * sizeof(*plan->key_positions));
		plan->count = place + 1;
	}
	return &plan->key_positions[place];
}

/* Finds the items of a key, which are adjacent in the table: one a column. */
static void find_columns(const struct metric_plan *plan, struct metric_key_position *found)
{
	const struct metric_item *items = plan->items;

	found->end = (size_t)found->item;
	found->last = 1;
	for (; found->end < plan->item_count && items[found->end].from.key &&
	       items[found->end].from.file == plan->file &&
	       strcmp(items[found->end].from.key, items[found->item].from.key) == 0;
	     found->end++)
		if (items[found->end].from.column > found->last)
			found->last = items[found->end].from.column;
}

/* Looks up the items for key number place of a text. */
static struct metric_key_position *find_item(struct metric_plan *plan, size_t place, const char *group,
				      size_t group_length, const char *label, size_t label_length)
{
	uint64_t hash =
		hash_more(hash_more(HASH_START, group, group_length) + 1, label, label_length);
	struct metric_key_position *found;

	if (place < plan->count && plan->key_positions[place].hash == hash)
		return &plan->key_positions[place];
	found = key_position(plan, place);
	*found = (struct metric_key_position){ .hash = hash, .item = -1 };
	for (size_t i = 0; i < plan->item_count && found->item < 0; i++)
		if (plan->items[i].from.file == plan->file && plan->items[i].from.key &&
		    is_key(plan->items[i].from.key, group, group_length, label, label_length))
			found->item = (int)i;
	if (found->item >= 0)
		find_columns(plan, found);
	return found;
}

/* Stores what follows a key in its items. */
static void take_columns(const struct metric_plan *plan, const struct metric_key_position *place,
			 const char *at, uint64_t *values, struct strmap *strings)
{
	const struct metric_item *items = plan->items;

	for (unsigned column = 1; column <= place->last && *(at = next_word(at)) && *at != '\n';
	     column++) {
		size_t length = word_length(at);

		for (size_t i = (size_t)place->item; i < place->end; i++)
			if (items[i].from.column == column ||
			    (column == 1 && !items[i].from.column))
				metric_set(&items[i], at, length, &values[i], strings);
		at += length;
	}
}

/*
 * Returns the length of the key at the start of a line, without the colon after
 * it; *behind is what follows.
 */
static size_t key_length(const char *line, const char **behind)
{
	size_t length = word_length(line);
	const char *colon = memchr(line, ':', length);

	if (colon)
		length = (size_t)(colon - line);
	*behind = line + length + (colon ? 1 : 0);
	return length;
}

/* Looks up the items for the key at the start of a line; *behind is what follows the key. */
static const struct metric_key_position *find_key(struct metric_plan *plan, size_t place, const char *key,
					   const char **behind)
{
	struct metric_key_position *found;
	size_t length;

	/* Usually it is the key found there last time. */
	if (place < plan->count) {
		found = &plan->key_positions[place];
		if (found->length && strncmp(key, found->key, found->length) == 0) {
			*behind = key + found->length - (key[found->length - 1] != ':');
			return found;
		}
	}
	length = key_length(key, behind);
	found = find_item(plan, place, key, length, NULL, 0);
	found->length = 0;
	if (length < sizeof(found->key) && key[length]) {
		found->length = (unsigned char)(length + 1);
		memcpy(found->key, key, length + 1);
	}
	return found;
}

static void take_keys(struct metric_plan *plan, const char *line, uint64_t *values,
		      struct strmap *strings)
{
	for (size_t place = 0; line; place++) {
		const char *behind;
		const struct metric_key_position *found =
			find_key(plan, place, next_word(line), &behind);

		if (found->item >= 0)
			take_columns(plan, found, behind, values, strings);
		line = next_line(behind);
	}
}

static void take_labels(struct metric_plan *plan, const char *line, uint64_t *values,
			struct strmap *strings)
{
	size_t place = 0;

	for (; line; line = next_line(line)) {
		const char *at, *key = line;
		size_t length = key_length(line, &at);

		for (;;) {
			const char *label = next_word(at), *value;
			size_t label_length = word_length(label);
			int item;

			value = next_word(label + label_length);
			if (!label_length || !*value || *value == '\n')
				break;
			item = find_item(plan, place++, key, length, label, label_length)->item;
			at = value + word_length(value);
			if (item >= 0)
				metric_set(&plan->items[item], value, (size_t)(at - value),
					   &values[item], strings);
		}
	}
}

static void take_heads(struct metric_plan *plan, const char *line, uint64_t *values,
		       struct strmap *strings)
{
	size_t place = 0;

	while (line) {
		const char *below = next_line(line), *at, *value;
		size_t length = key_length(line, &at);

		/*
		 * A head without values, or with values of another head: ignored, to avoid a
		 * mismatch.
		 */
		if (!below || strncmp(line, below, length + 1) != 0) {
			line = below;
			continue;
		}
		key_length(below, &value);
		for (;; place++) {
			size_t label_length, value_length;
			int item;

			at = next_word(at);
			value = next_word(value);
			label_length = word_length(at);
			value_length = word_length(value);
			if (!label_length || !value_length)
				break;
			item = find_item(plan, place, line, length, at, label_length)->item;
			if (item >= 0)
				metric_set(&plan->items[item], value, value_length, &values[item],
					   strings);
			at += label_length;
			value += value_length;
		}
		line = next_line(below);
	}
}

const char *metric_parse_line(const struct metric_plan *plan, const char *line, uint64_t *values,
			     struct strmap *strings)
{
	const char *at = line;

	for (unsigned column = 1; column < METRIC_COLUMNS; column++) {
		size_t length = 0;
		int item = plan->columns[column];

		while (*at == ' ' || *at == '\t' || *at == ':')
			at++;
		while ((unsigned char)at[length] > ' ' && at[length] != ':')
			length++;
		if (!length)
			break;
		if (item >= 0)
			metric_set(&plan->items[item], at, length, &values[item], strings);
		at += length;
	}
	return next_line(at);
}

void metric_parse(struct metric_plan *plan, enum metric_form form, const char *text,
		 uint64_t *values, struct strmap *strings)
{
	if (!*text)
		return;
	if (form == METRIC_KEYS)
		take_keys(plan, text, values, strings);
	else if (form == METRIC_LABELS)
		take_labels(plan, text, values, strings);
	else if (form == METRIC_HEADS)
		take_heads(plan, text, values, strings);
	else if (form == METRIC_WORDS)
		metric_parse_line(plan, text, values, strings);
	else if (form == METRIC_LINE && plan->columns[1] >= 0 && *text != '\n')
		metric_set(&plan->items[plan->columns[1]], text, strcspn(text, "\n"),
			   &values[plan->columns[1]], strings);
}
