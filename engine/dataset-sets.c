/* SPDX-License-Identifier: Apache-2.0 */
/* Record sets in the content of a block, column by column, for fields of all types. */
#include "common/compat.h"
#include "engine/dataset-format.h"
#include "common/xalloc.h"

/* Returns whether a field's members in memory are already the numbers of the column. */
static bool is_direct(enum field_type type, bool optional)
{
	return !optional &&
	       (type == FIELD_UNSIGNED || type == FIELD_SIGNED || type == FIELD_STRING);
}

/*
 * Returns whether a type is zig-zagged: the signed types are, but not FIELD_SIGNED
 * of version 1.0.
 */
static bool is_zigzagged(enum field_type type, bool optional)
{
	return type == FIELD_I8 || type == FIELD_I16 || type == FIELD_I32 ||
	       (type == FIELD_SIGNED && optional);
}

/* Returns the number stored in a file for a value. */
static uint64_t number_of(const struct field_value *value, bool optional)
{
	uint64_t bits = value->number;

	if (value->type == FIELD_BYTES)
		return value->bytes.length;
	if (value->type == FIELD_DOUBLE) {
		memcpy(&bits, &value->real, sizeof(bits));
		/*
		 * Doubles with few digits end in zero bytes, which then become leading zeros and
		 * take no space.
		 */
		return __builtin_bswap64(bits);
	}
	return is_zigzagged(value->type, optional) ? varint_zigzag(bits) : bits;
}

/* Does the same for a signed member of 64 bits that may be missing. */
static void gather_optional(uint64_t *numbers, const unsigned char *member, size_t size,
			    size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t value;

		memcpy(&value, member + i * size, sizeof(value));
		numbers[i] = value == INT64_MIN ? 0 : varint_zigzag((uint64_t)value) + 1;
	}
}

uint64_t dataset_number(const struct recordset *set, size_t row, size_t field)
{
	bool optional = set->type->fields[field].optional;
	struct field_value value = { 0 };

	return recordset_value(set, row, field, &value) ? number_of(&value, optional) + optional : 0;
}

/*
 * Computes the numbers of a field whose members must be converted: 0 is a missing
 * one if the field is optional.
 */
static void gather(uint64_t *numbers, const struct recordset *set, size_t number, size_t first,
		   size_t count)
{
	const struct field *field = &set->type->fields[number];

	if (field->type == FIELD_SIGNED && field->optional) {
		gather_optional(numbers, set->rows + first * set->type->size + field->offset,
				set->type->size, count);
		return;
	}
	for (size_t i = 0; i < count; i++)
		numbers[i] = dataset_number(set, first + i, number);
}

/* Appends the bytes of a field, one block after the other. */
static void put_bytes(struct strbuf *out, const struct recordset *set, size_t field, size_t first,
		      size_t count)
{
	for (size_t i = 0; i < count; i++) {
		struct field_value value;

		if (recordset_value(set, first + i, field, &value))
			strbuf_add(out, value.bytes.data, value.bytes.length);
	}
}

/* Some records of a set, being written. */
struct part {
	const struct recordset *set;
	size_t first, count;
	uint64_t time;
};

/* Rows processed together: they stay in the cache until all their columns are done. */
enum { ROWS_AT_ONCE = 256 };

/* Copies the members of a field of some rows into an array. */
static void collect(uint64_t *to, const unsigned char *member, size_t size, size_t count)
{
	for (size_t i = 0; i < count; i++)
		memcpy(to + i, member + i * size, sizeof(*to));
}

/* Returns whether the members of a field of some rows are all equal to a given number. */
static bool is_all(uint64_t number, const unsigned char *member, size_t size, size_t count)
{
	uint64_t other = 0;

	for (size_t i = 0; i < count; i++) {
		uint64_t value;

		memcpy(&value, member + i * size, sizeof(value));
		other |= value ^ number;
	}
	return !other;
}

/* A field whose members are already the numbers of the column. */
struct column {
	uint64_t *numbers; /* one for each row */
	size_t same;	   /* this many of the first are equal, and only one of them is stored */
};

/* Appends the numbers of some rows, from row at on, to a column. */
static void extend(struct column *column, const unsigned char *member, size_t size, size_t at,
		   size_t count)
{
	if (at == 0)
		memcpy(column->numbers, member, sizeof(*column->numbers));
	if (column->same == at && is_all(column->numbers[0], member, size, count)) {
		column->same = at + count;
		return;
	}
	if (column->same == at)
		for (size_t i = 1; i < at; i++)
			column->numbers[i] = column->numbers[0];
	collect(column->numbers + at, member, size, count);
}

/*
 * Copies the columns of fields that need no conversion into arrays: a column is
 * read several times, and in memory the member of one row is far from that of the
 * next. Columns with all values equal, the majority, are not copied.
 */
static void spread(const struct part *part, struct column *columns)
{
	const struct record_type *type = part->set->type;

	for (size_t at = 0; at < part->count; at += ROWS_AT_ONCE) {
		size_t rest = part->count - at, count = rest < ROWS_AT_ONCE ? rest : ROWS_AT_ONCE;
		const unsigned char *rows = part->set->rows + (part->first + at) * type->size;

		for (size_t i = 0; i < type->field_count; i++)
			if (columns[i].numbers)
				extend(&columns[i], rows + type->fields[i].offset, type->size, at,
				       count);
	}
}

/* Appends the column of a field; long: so that it takes at least a byte a record. */
static void put_field(struct strbuf *out, const struct part *part, size_t number,
		      const struct column *column, bool is_long)
{
	const struct dataset_numbers numbers = { column->numbers, column->same < part->count,
						 part->count, part->time };

	(is_long ? dataset_put_long_column : dataset_put_column)(out, &numbers);
	if (part->set->type->fields[number].type == FIELD_BYTES)
		put_bytes(out, part->set, number, part->first, part->count);
}

/*
 * Appends the columns of a set. A reader must be able to trust that rows come from
 * bytes, or a few bytes could make it fill the memory: so a long set has at least
 * one column that is not condensed. Returns where the first column ends.
 */
static size_t put_columns(struct strbuf *out, const struct part *part)
{
	const struct record_type *type = part->set->type;
	size_t start = out->length, count = type->field_count, last = start, first = start;
	uint64_t *numbers = xmalloc(count * part->count * sizeof(*numbers));
	struct column columns[RECORD_FIELDS_MAX] = { 0 };

	for (size_t i = 0; i < count; i++)
		if (is_direct(type->fields[i].type, type->fields[i].optional))
			columns[i].numbers = numbers + i * part->count;
	spread(part, columns);
	for (size_t i = 0; i < count; i++) {
		if (!columns[i].numbers) {
			columns[i].numbers = numbers + i * part->count;
			gather(columns[i].numbers, part->set, i, part->first, part->count);
		}
		last = out->length;
		put_field(out, part, i, &columns[i], false);
		first = i == 0 ? out->length : first;
	}
	if (part->count > out->length - start + DATASET_FREE_ROWS) {
		strbuf_setlen(out, last);
		put_field(out, part, count - 1, &columns[count - 1], true);
		first = count == 1 ? out->length : first;
	}
	free(numbers);
	return first;
}

size_t dataset_put_columns(struct strbuf *out, const struct recordset *set, size_t first,
			   size_t count, uint64_t time)
{
	return put_columns(out, &(struct part){ set, first, count, time });
}

size_t dataset_put_length(struct strbuf *out, size_t start)
{
	size_t end = out->length, moved;
	char length[16];

	/* The length precedes the columns, and is only available now. */
	dataset_put_varint(out, end - start);
	moved = out->length - end;
	memcpy(length, out->text + end, moved);
	memmove(out->text + start + moved, out->text + start, end - start);
	memcpy(out->text + start, length, moved);
	return moved;
}

size_t dataset_put_set(struct strbuf *out, const struct recordset *set, size_t first, size_t count,
		       uint64_t time)
{
	size_t start, first_column;

	dataset_put_varint(out, set->type->id);
	dataset_put_varint(out, count);
	dataset_put_varint(out, set->type->field_count);
	start = out->length;
	first_column = dataset_put_columns(out, set, first, count, time);
	return first_column + dataset_put_length(out, start);
}

void dataset_get_set(struct dataset_cursor *cursor, struct dataset_set *set, bool changes)
{
	const char *data;
	size_t length;

	set->type = dataset_get_varint(cursor);
	set->changed = changes && set->type >= DATASET_CHANGED && set->type < 2 * DATASET_CHANGED;
	if (set->changed)
		set->type -= DATASET_CHANGED;
	set->rows = dataset_get_varint(cursor);
	set->columns = dataset_get_varint(cursor);
	data = dataset_get_text(cursor, &length);
	if ((set->rows > (uint64_t)length + DATASET_FREE_ROWS && !set->changed) ||
	    set->rows > DATASET_MAX_VALUES || set->columns > DATASET_MAX_COLUMNS ||
	    set->rows * set->columns > DATASET_MAX_VALUES)
		cursor->bad = true;
	set->data = dataset_cursor(data, length);
}

/* Returns the family of a type: unsigned of any size, signed of any size, or the type itself. */
static enum field_type family(enum field_type type)
{
	switch (type) {
	case FIELD_U8:
	case FIELD_U16:
	case FIELD_U32:
		return FIELD_UNSIGNED;
	case FIELD_I8:
	case FIELD_I16:
	case FIELD_I32:
		return FIELD_SIGNED;
	default:
		return type;
	}
}

bool dataset_is_alike(enum field_type theirs, enum field_type ours)
{
	return family(theirs) == family(ours);
}

/* Stores the low bytes of a number. */
static void store_bits(unsigned char *member, size_t size, uint64_t bits)
{
	const uint8_t one = (uint8_t)bits;
	const uint16_t two = (uint16_t)bits;
	const uint32_t four = (uint32_t)bits;

	switch (size) {
	case 1:
		*member = one;
		return;
	case 2:
		memcpy(member, &two, sizeof(two));
		return;
	case 4:
		memcpy(member, &four, sizeof(four));
		return;
	default:
		memcpy(member, &bits, sizeof(bits));
	}
}

/* Stores an unsigned number; one that is too large becomes the maximum. */
static void store_unsigned(enum field_type type, unsigned char *member, uint64_t number)
{
	size_t size = field_size(type);
	uint64_t most = UINT64_MAX >> (64 - 8 * size);

	store_bits(member, size, number < most ? number : most);
}

/* Stores a signed number; one out of range becomes the maximum or minimum. */
static void store_signed(enum field_type type, unsigned char *member, int64_t number)
{
	size_t size = field_size(type);
	int64_t most = INT64_MAX >> (64 - 8 * size);

	if (number > most)
		number = most;
	if (number < -most - 1)
		number = -most - 1;
	store_bits(member, size, (uint64_t)number);
}

/* Stores a number of the file that is not missing. */
static void store_number(const struct dataset_field *from, const struct field *field,
			 unsigned char *member, uint64_t number)
{
	if (is_zigzagged(from->type, from->optional))
		number = varint_unzigzag(number);
	if (field->type == FIELD_DOUBLE) {
		number = __builtin_bswap64(number);
		memcpy(member, &number, sizeof(number));
	} else if (family(field->type) == FIELD_SIGNED) {
		store_signed(field->type, member, (int64_t)number);
	} else {
		store_unsigned(field->type, member, number);
	}
}

/*
 * Reads the bytes that follow a column of lengths into target. Returns false when
 * there are too few.
 */
static bool take_bytes(struct dataset_cursor *data, uint64_t length, struct recordset *target)
{
	if (length > RECORD_BYTES_MAX || length > (size_t)(data->end - data->at) ||
	    (target && target->bytes.length > UINT32_MAX - length)) {
		data->bad = true;
		return false;
	}
	if (target)
		strbuf_add(&target->bytes, data->at, (size_t)length);
	data->at += length;
	return true;
}

/* Stores one number of a column in a record of target; NULL: only skips it. */
static void store(struct dataset_cursor *data, const struct dataset_field *from,
		  struct recordset *target, size_t row, uint64_t number)
{
	const struct field *field = NULL;
	unsigned char *member = NULL;
	struct record_bytes bytes;

	if (target) {
		field = &target->type->fields[from->target];
		member = (unsigned char *)recordset_at(target, row) + field->offset;
	}
	if (from->optional && number-- == 0) {
		if (target)
			field_set_missing(field, member);
		return;
	}
	if (from->type != FIELD_BYTES) {
		if (target)
			store_number(from, field, member, number);
		return;
	}
	bytes.offset = target ? (uint32_t)target->bytes.length : 0;
	bytes.length = (uint32_t)number;
	if (take_bytes(data, number, target) && target)
		memcpy(member, &bytes, sizeof(bytes));
}

void dataset_get_field(struct dataset_set *set, const struct dataset_field *from,
		       struct recordset *target, size_t first, uint64_t time)
{
	const struct record_type *type = target->type;
	const struct field *field = from->target >= 0 ? &type->fields[from->target] : NULL;
	size_t count = (size_t)set->rows;
	uint64_t *numbers;

	if (!field && from->type != FIELD_BYTES) {
		dataset_skip_column(&set->data, count);
		return;
	}
	if (field && is_direct(from->type, from->optional) && field_size(field->type) == 8) {
		dataset_get_column(
			&set->data,
			(uint64_t *)(void *)(target->rows + first * type->size + field->offset),
			type->size / sizeof(uint64_t), count, time);
		return;
	}
	numbers = xcalloc(count, sizeof(*numbers));
	dataset_get_column(&set->data, numbers, 1, count, time);
	for (size_t i = 0; i < count && !set->data.bad; i++)
		store(&set->data, from, field ? target : NULL, first + i, numbers[i]);
	free(numbers);
}

void dataset_take_numbers(const struct dataset_numbers_set *numbers, size_t column,
			  const struct dataset_field *from, struct recordset *target, size_t first)
{
	const struct record_type *type = target->type;
	const struct field *field = &type->fields[from->target];
	const uint64_t *number = numbers->values + column;
	unsigned char *member = target->rows + first * type->size + field->offset;
	bool plain = field->type == from->type && field->optional == from->optional &&
		     (from->type == FIELD_UNSIGNED || from->type == FIELD_STRING);

	for (size_t row = 0; row < numbers->rows; row++) {
		/* A missing one becomes the largest number, as 0 - 1. */
		uint64_t value = *number - from->optional;

		if (plain)
			memcpy(member, &value, sizeof(value));
		else
			store(NULL, from, target, first + row, *number);
		number += numbers->columns;
		member += type->size;
	}
}
