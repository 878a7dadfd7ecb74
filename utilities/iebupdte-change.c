/* SPDX-License-Identifier: Apache-2.0 */
/* Changes the records of a member by their sequence numbers. */
#include "common/compat.h"
#include "utilities/iebupdte-change.h"
#include "common/xalloc.h"

#include <ctype.h>

/* State of a CHANGE while it is executed. */
struct changing {
	struct utility *utility;
	const struct iebupdte_statement *change;
	const struct card_image_list *old;
	size_t at; /* index of the next record of old */
	struct card_image_list *changed;
	char card[9];  /* sequence number of the last data card, "" before the first */
	uint64_t step; /* of the last NUMBER */
};

/* Reads a record's sequence number; "" when the columns are blank or beyond the record. */
static void read_key(const char *text, size_t length, const struct sequence_field *field,
		     char key[9])
{
	size_t have = length > field->start ? length - field->start : 0;

	memset(key, ' ', 8);
	memcpy(key, text + (have ? field->start : 0), have < field->length ? have : field->length);
	key[strspn(key, " ") >= field->length ? 0 : field->length] = '\0';
}

/* Orders digits after letters, as in EBCDIC. */
static int rank(char c)
{
	return (unsigned char)c + (isdigit((unsigned char)c) ? 256 : 0);
}

static int compare_keys(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return rank(*a) - rank(*b);
}

/* Pads SEQ1 or SEQ2 to the width of the columns: 20 becomes 00000020. */
static void pad_key(const char *text, const struct sequence_field *field, char key[9])
{
	size_t length = strlen(text), zeros = length < field->length ? field->length - length : 0;

	memset(key, '0', zeros);
	memcpy(key + zeros, text, length + 1);
}

void card_image_add(struct card_image_list *list, const char *text, size_t length,
		    const struct sequence_field *field)
{
	struct card_image *image;

	GROW(list->items, list->count + 1, list->alloc);
	image = &list->items[list->count++];
	*image = (struct card_image){ .text = xmemdup(length ? text : " ", length ? length : 1),
				      .length = length };
	read_key(text, length, field, image->key);
}

void card_image_add_card(struct card_image_list *list, const struct source_line *card,
			 const struct sequence_field *field)
{
	size_t length = card->length;

	while (length > 0 && card->text[length - 1] == ' ')
		length--;
	card_image_add(list, card->text, length, field);
}

void card_image_list_release(struct card_image_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].text);
	free(list->items);
	*list = (struct card_image_list){ 0 };
}

bool card_image_stays(const struct card_image *image)
{
	return image->mark != IMAGE_REPLACED && image->mark != IMAGE_DELETED;
}

/*
 * Writes a number into a record's columns; the key by which the record is found
 * stays. -1: the number does not fit.
 */
static int write_number(struct card_image *image, const struct sequence_field *field,
			uint64_t number)
{
	size_t end = field->start + field->length;
	char digits[24];
	int length = snprintf(digits, sizeof(digits), "%0*" PRIu64, (int)field->length, number);

	RETURN_IF(length != (int)field->length, -1);
	if (image->length < end) {
		image->text = xreallocarray(image->text, end, 1);
		memset(image->text + image->length, ' ', end - image->length);
		image->length = end;
	}
	memcpy(image->text + field->start, digits, field->length);
	return 0;
}

static int too_large(struct utility *utility, const struct iebupdte_statement *number)
{
	return iebupdte_report_error(utility, number->line,
			     "the sequence numbers become too large for their columns");
}

int card_image_number_all(struct utility *utility, struct card_image_list *list,
			  const struct iebupdte_statement *number,
			  const struct sequence_field *field)
{
	uint64_t next = number->start, step = number->has_step ? number->step : number->start;

	if (!number->has_start)
		return iebupdte_report_error(utility, number->line, "NUMBER needs NEW1=");
	for (size_t i = 0; i < list->count; i++, next += step)
		if (write_number(&list->items[i], field, next) < 0)
			return too_large(utility, number);
	return 0;
}

/* Copies the next record of the old master to changed. */
static struct card_image *copy_old(struct changing *changing, enum card_image_mark mark)
{
	const struct card_image *old = &changing->old->items[changing->at++];
	struct card_image_list *list = changing->changed;

	GROW(list->items, list->count + 1, list->alloc);
	list->items[list->count] = *old;
	list->items[list->count].text = xmemdup(old->text, old->length ? old->length : 1);
	list->items[list->count].mark = mark;
	return &list->items[list->count++];
}

/*
 * Copies the old records before a number; records without a number belong to the
 * one before them.
 */
static void copy_below(struct changing *changing, const char *key)
{
	const struct card_image_list *old = changing->old;

	while (*key && changing->at < old->count &&
	       (!*old->items[changing->at].key ||
		compare_keys(old->items[changing->at].key, key) < 0))
		copy_old(changing, IMAGE_KEPT);
}

/* Returns whether the next record of the old master has this number. */
static bool next_is(const struct changing *changing, const char *key)
{
	const struct card_image_list *old = changing->old;

	return changing->at < old->count && strcmp(old->items[changing->at].key, key) == 0;
}

/* Handles COLUMN: the columns before it keep the old text. */
static void merge_columns(struct card_image *image, const struct card_image *old, unsigned column)
{
	char *text;
	size_t length = old->length > image->length ? old->length : image->length;

	if (column == 0)
		return;
	text = xmalloc(length + 1);
	memset(text, ' ', length);
	memcpy(text, old->text, old->length < column ? old->length : column);
	if (image->length > column)
		memcpy(text + column, image->text + column, image->length - column);
	free(image->text);
	image->text = text;
	image->length = length;
}

/* Reports a data card whose number does not ascend: it is put after the cards before it. */
static void report_position(const struct changing *changing, const char *key, unsigned line)
{
	if (*key && compare_keys(key, changing->card) > 0)
		return;
	utility_message(changing->utility, SEVERITY_INFO, 5666,
			"SYSIN line %u: the sequence number %s%s%s, the card is put after the ones "
			"before it",
			line, *key ? key : "is blank", *key ? " is not above " : "",
			*key ? changing->card : "");
}

/*
 * Processes a data card: it replaces the record with its number, or is inserted
 * before the next higher one.
 */
static void process_card(struct changing *changing, const struct source_line *card, unsigned line)
{
	const struct sequence_field *field = &changing->change->old;
	struct card_image_list *list = changing->changed;
	struct card_image *image;
	char key[9];
	bool replaces;

	read_key(card->text, card->length, field, key);
	report_position(changing, key, line);
	copy_below(changing, key);
	replaces = *key && next_is(changing, key);
	if (replaces)
		copy_old(changing, IMAGE_REPLACED);
	card_image_add_card(list, card, field);
	image = &list->items[list->count - 1];
	image->mark = replaces ? IMAGE_REPLACEMENT : IMAGE_INSERTED;
	if (replaces)
		merge_columns(image, image - 1, changing->change->column);
	if (*key)
		memcpy(changing->card, key, sizeof(key));
}

/* Processes the data cards of a statement from index first on. */
static void process_cards(struct changing *changing, const struct iebupdte_statement *statement,
		       size_t first)
{
	for (size_t i = first; i < statement->data_count; i++)
		process_card(changing, &statement->data[i], statement->line + 1 + (unsigned)i);
}

static int delete_range(struct changing *changing, const struct iebupdte_statement *statement)
{
	const struct card_image_list *old = changing->old;
	char first[9], last[9];
	size_t before;

	pad_key(statement->first, &changing->change->old, first);
	pad_key(statement->last, &changing->change->old, last);
	copy_below(changing, first);
	before = changing->changed->count;
	while (changing->at < old->count && (!*old->items[changing->at].key ||
					     compare_keys(old->items[changing->at].key, last) <= 0))
		copy_old(changing, IMAGE_DELETED);
	if (changing->changed->count == before)
		return iebupdte_report_error(changing->utility, statement->line,
				     "no record has a number from %s to %s", first, last);
	return 0;
}

/* Renumbers the next records while their old numbers are not above the new ones. */
static int close_gap(struct changing *changing, const struct iebupdte_statement *statement,
		     uint64_t next)
{
	const struct card_image_list *old = changing->old;

	while (changing->at < old->count &&
	       strtoull(old->items[changing->at].key, NULL, 10) < next) {
		if (write_number(copy_old(changing, IMAGE_NUMBERED), &changing->change->new, next) <
		    0)
			return too_large(changing->utility, statement);
		next += changing->step;
	}
	return 0;
}

/*
 * Processes NUMBER with INSERT=YES: inserts its data cards, up to the first with a
 * number, after SEQ1.
 */
static int insert_cards(struct changing *changing, const struct iebupdte_statement *statement)
{
	uint64_t above = strtoull(statement->first, NULL, 10);
	uint64_t next = statement->has_start ? statement->start : above + changing->step;
	char first[9];
	size_t done = 0;

	pad_key(statement->first, &changing->change->old, first);
	copy_below(changing, first);
	if (!next_is(changing, first))
		return iebupdte_report_error(changing->utility, statement->line,
				     "no record has the number %s", first);
	if (next <= above)
		return iebupdte_report_error(changing->utility, statement->line, "NEW1 is not above SEQ1");
	copy_old(changing, IMAGE_KEPT);
	for (; done < statement->data_count; done++, next += changing->step) {
		struct card_image *image;

		card_image_add_card(changing->changed, &statement->data[done],
				    &changing->change->old);
		image = &changing->changed->items[changing->changed->count - 1];
		if (*image->key)
			break;
		image->mark = IMAGE_INSERTED;
		if (write_number(image, &changing->change->new, next) < 0)
			return too_large(changing->utility, statement);
	}
	if (done < statement->data_count)
		free(changing->changed->items[--changing->changed->count].text);
	RETURN_IF(close_gap(changing, statement, next) < 0, -1);
	process_cards(changing, statement, done);
	return 0;
}

/*
 * Returns whether a record is in the range of NUMBER; one without a number is
 * where the record before it is.
 */
static bool in_range(const struct changing *changing, const struct iebupdte_statement *statement,
		     const struct card_image *image, bool before)
{
	char key[9];

	if (statement->all || !*image->key)
		return statement->all || before;
	pad_key(statement->first, &changing->change->old, key);
	if (compare_keys(image->key, key) < 0)
		return false;
	pad_key(statement->last, &changing->change->old, key);
	return !*statement->last || compare_keys(image->key, key) <= 0;
}

/* Processes NUMBER without INSERT once all records are in changed: renumbers those of the range. */
static int renumber(struct changing *changing, const struct iebupdte_statement *statement)
{
	struct card_image_list *list = changing->changed;
	uint64_t next = statement->start;
	uint64_t step = statement->has_step ? statement->step : statement->start;
	bool inside = !*statement->first;

	if (!statement->has_start)
		return iebupdte_report_error(changing->utility, statement->line, "NUMBER needs NEW1=");
	for (size_t i = 0; i < list->count; i++) {
		struct card_image *image = &list->items[i];

		inside = !*statement->first || in_range(changing, statement, image, inside);
		if (!inside || !card_image_stays(image))
			continue;
		if (write_number(image, &changing->change->new, next) < 0)
			return too_large(changing->utility, statement);
		if (image->mark == IMAGE_KEPT)
			image->mark = IMAGE_NUMBERED;
		next += step;
	}
	return 0;
}

/* Processes a statement that follows CHANGE; they are processed in their order. */
static int take_detail(struct changing *changing, const struct iebupdte_statement *statement)
{
	if (statement->operation == UPDATE_ALIAS)
		return 0;
	if (statement->has_step)
		changing->step = statement->step;
	if (statement->insert)
		return insert_cards(changing, statement);
	if (statement->operation == UPDATE_DELETE)
		RETURN_IF(delete_range(changing, statement) < 0, -1);
	process_cards(changing, statement, 0);
	return 0;
}

int card_image_change(struct utility *utility, const struct iebupdte_statement *change,
		      const struct iebupdte_statement *end, const struct card_image_list *old,
		      struct card_image_list *changed)
{
	struct changing changing = {
		.utility = utility, .change = change, .old = old, .changed = changed, .step = 1
	};

	process_cards(&changing, change, 0);
	for (const struct iebupdte_statement *one = change->next; one != end; one = one->next)
		RETURN_IF(take_detail(&changing, one) < 0, -1);
	while (changing.at < old->count)
		copy_old(&changing, IMAGE_KEPT);
	for (const struct iebupdte_statement *one = change->next; one != end; one = one->next)
		if (one->operation == UPDATE_NUMBER && !one->insert)
			RETURN_IF(renumber(&changing, one) < 0, -1);
	return 0;
}
