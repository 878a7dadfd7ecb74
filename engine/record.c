/* SPDX-License-Identifier: Apache-2.0 */
/* Record sets: rows in one growing array, and values read by their description. */
#include "common/compat.h"
#include "engine/record.h"
#include "common/xalloc.h"

#include <math.h>

size_t field_size(enum field_type type)
{
	switch (type) {
	case FIELD_U8:
	case FIELD_I8:
		return 1;
	case FIELD_U16:
	case FIELD_I16:
		return 2;
	case FIELD_U32:
	case FIELD_I32:
		return 4;
	default:
		return 8;
	}
}

/* Returns the number that means "no value" in a member of a type. */
static uint64_t missing_number(enum field_type type)
{
	switch (type) {
	case FIELD_U8:
		return UINT8_MAX;
	case FIELD_U16:
		return UINT16_MAX;
	case FIELD_U32:
		return UINT32_MAX;
	case FIELD_I8:
		return (uint8_t)INT8_MIN;
	case FIELD_I16:
		return (uint16_t)INT16_MIN;
	case FIELD_I32:
		return (uint32_t)INT32_MIN;
	case FIELD_SIGNED:
		return (uint64_t)INT64_MIN;
	default:
		return UINT64_MAX;
	}
}

/* Returns the bits of a member of up to 8 bytes as an unsigned number. */
static uint64_t load_bits(enum field_type type, const void *member)
{
	uint8_t one;
	uint16_t two;
	uint32_t four;
	uint64_t eight;

	switch (field_size(type)) {
	case 1:
		memcpy(&one, member, sizeof(one));
		return one;
	case 2:
		memcpy(&two, member, sizeof(two));
		return two;
	case 4:
		memcpy(&four, member, sizeof(four));
		return four;
	default:
		memcpy(&eight, member, sizeof(eight));
		return eight;
	}
}

const char *field_type_name(enum field_type type)
{
	switch (type) {
	case FIELD_STRING:
		return "text";
	case FIELD_DOUBLE:
		return "real";
	case FIELD_BYTES:
		return "bytes";
	case FIELD_SIGNED:
	case FIELD_I8:
	case FIELD_I16:
	case FIELD_I32:
		return "signed";
	default:
		return "unsigned";
	}
}

const char *field_sense_name(enum field_sense sense)
{
	static const char *const names[] = { "identity", "level", "counter", "amount" };

	return sense < ARRAY_SIZE(names) ? names[sense] : "identity";
}

bool field_is_missing(const struct field *field, const void *member)
{
	struct record_bytes bytes;
	double real;

	if (!field->optional)
		return false;
	switch (field->type) {
	case FIELD_DOUBLE:
		memcpy(&real, member, sizeof(real));
		return isnan(real);
	case FIELD_BYTES:
		memcpy(&bytes, member, sizeof(bytes));
		return bytes.length == RECORD_BYTES_MISSING;
	default:
		return load_bits(field->type, member) == missing_number(field->type);
	}
}

void field_set_missing(const struct field *field, void *member)
{
	const struct record_bytes bytes = { 0, RECORD_BYTES_MISSING };
	const double real = NAN;
	uint64_t number = missing_number(field->type);

	if (!field->optional)
		memset(member, 0, field_size(field->type));
	else if (field->type == FIELD_BYTES)
		memcpy(member, &bytes, sizeof(bytes));
	else if (field->type == FIELD_DOUBLE)
		memcpy(member, &real, sizeof(real));
	else if (field_size(field->type) == 8)
		memcpy(member, &number, sizeof(number));
	else if (field_size(field->type) == 4)
		memcpy(member, &(uint32_t){ (uint32_t)number }, 4);
	else if (field_size(field->type) == 2)
		memcpy(member, &(uint16_t){ (uint16_t)number }, 2);
	else
		memcpy(member, &(uint8_t){ (uint8_t)number }, 1);
}

void recordset_init(struct recordset *set, const struct record_type *type)
{
	memset(set, 0, sizeof(*set));
	set->type = type;
	strbuf_init(&set->bytes);
}

void recordset_release(struct recordset *set)
{
	free(set->rows);
	strbuf_release(&set->bytes);
	recordset_init(set, set->type);
}

void recordset_clear(struct recordset *set)
{
	set->count = 0;
	if (set->bytes.length)
		strbuf_reset(&set->bytes);
}

void recordset_add(struct recordset *set, const void *record)
{
	size_t size = set->type->size;

	GROW(set->rows, (set->count + 1) * size, set->alloc);
	memcpy(set->rows + set->count * size, record, size);
	set->count++;
}

void *recordset_extend(struct recordset *set, size_t count)
{
	size_t size = set->type->size, first = set->count;

	GROW(set->rows, (first + count) * size, set->alloc);
	set->count += count;
	return set->rows + first * size;
}

void recordset_swap(struct recordset *a, struct recordset *b)
{
	struct recordset kept = *a;

	assert(a->type == b->type);
	*a = *b;
	*b = kept;
}

/* Adds shift to the offsets of a record's byte blocks, after the bytes were moved. */
static void shift_bytes(struct recordset *set, size_t index, uint32_t shift)
{
	unsigned char *row = recordset_at(set, index);

	for (size_t i = 0; i < set->type->field_count; i++) {
		const struct field *field = &set->type->fields[i];
		struct record_bytes bytes;

		if (field->type != FIELD_BYTES)
			continue;
		memcpy(&bytes, row + field->offset, sizeof(bytes));
		bytes.offset += shift;
		memcpy(row + field->offset, &bytes, sizeof(bytes));
	}
}

void recordset_append(struct recordset *set, const struct recordset *from)
{
	uint32_t shift = (uint32_t)set->bytes.length;
	size_t first = set->count;

	assert(set->type == from->type);
	if (!from->count)
		return;
	strbuf_addbuf(&set->bytes, &from->bytes);
	memcpy(recordset_extend(set, from->count), from->rows, from->count * set->type->size);
	for (size_t i = first; shift && i < set->count; i++)
		shift_bytes(set, i, shift);
}

void *recordset_at(struct recordset *set, size_t index)
{
	assert(index < set->count);
	return set->rows + index * set->type->size;
}

const void *recordset_get(const struct recordset *set, size_t index)
{
	assert(index < set->count);
	return set->rows + index * set->type->size;
}

void recordset_keep(struct recordset *set, bool (*keep)(void *argument, const void *record),
		    void *argument)
{
	size_t size = set->type->size, kept = 0;

	for (size_t i = 0; i < set->count; i++) {
		if (!keep(argument, set->rows + i * size))
			continue;
		if (kept != i)
			memcpy(set->rows + kept * size, set->rows + i * size, size);
		kept++;
	}
	set->count = kept;
}

struct record_bytes recordset_put_bytes(struct recordset *set, const void *data, size_t length)
{
	struct record_bytes bytes = { (uint32_t)set->bytes.length, (uint32_t)length };

	assert(length <= RECORD_BYTES_MAX && set->bytes.length <= UINT32_MAX - length);
	strbuf_add(&set->bytes, data, length);
	return bytes;
}

/* Returns the bytes of a member of a record of the set; NULL when they are missing. */
static const void *recordset_bytes(const struct recordset *set, struct record_bytes bytes)
{
	if (bytes.length == RECORD_BYTES_MISSING)
		return NULL;
	assert(bytes.offset <= set->bytes.length &&
	       bytes.length <= set->bytes.length - bytes.offset);
	return set->bytes.text + bytes.offset;
}

bool recordset_value(const struct recordset *set, size_t index, size_t number,
		     struct field_value *value)
{
	const struct field *field = &set->type->fields[number];
	const unsigned char *member =
		(const unsigned char *)recordset_get(set, index) + field->offset;
	struct record_bytes bytes;
	uint64_t bits = load_bits(field->type, member);

	value->type = field->type;
	switch (field->type) {
	case FIELD_I8:
		value->integer = (int8_t)bits;
		break;
	case FIELD_I16:
		value->integer = (int16_t)bits;
		break;
	case FIELD_I32:
		value->integer = (int32_t)bits;
		break;
	case FIELD_DOUBLE:
		memcpy(&value->real, member, sizeof(value->real));
		break;
	case FIELD_BYTES:
		memcpy(&bytes, member, sizeof(bytes));
		value->bytes.data = recordset_bytes(set, bytes);
		value->bytes.length = value->bytes.data ? bytes.length : 0;
		break;
	default:
		value->number = bits;
	}
	return !field_is_missing(field, member);
}
