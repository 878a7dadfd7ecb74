/* SPDX-License-Identifier: Apache-2.0 */
/* Encodes and decodes the content of blocks: numbers, texts, and columns of numbers. */
#include "common/compat.h"
#include "engine/dataset-format.h"

/* Returns the address for the next byte of out, with space for count varints. */
static unsigned char *open_end(struct strbuf *out, size_t count)
{
	strbuf_grow(out, count * VARINT_MAX);
	return (unsigned char *)out->text + out->length;
}

/* Adds the bytes written from open_end up to end to out. */
static void close_end(struct strbuf *out, const unsigned char *end)
{
	out->length = (size_t)(end - (unsigned char *)out->text);
	out->text[out->length] = '\0';
}

void dataset_put_varint(struct strbuf *out, uint64_t value)
{
	close_end(out, varint_write(open_end(out, 1), value));
}

void dataset_put_text(struct strbuf *out, const char *text, size_t length)
{
	dataset_put_varint(out, length);
	strbuf_add(out, text, length);
}

/* The number of bytes of a column in each encoding. */
struct column_cost {
	size_t plain, delta, delta2;
	bool linear;
};

/* Returns whether all values differ by the same step. */
static bool is_linear(const struct dataset_numbers *column)
{
	const uint64_t *values = column->values;
	size_t stride = column->stride;

	for (size_t i = 2; stride && i < column->count; i++)
		if (values[i * stride] - values[(i - 1) * stride] != values[stride] - values[0])
			return false;
	return true;
}

/* Adds the cost of each encoding for the values from number first up to end. */
static void weigh_stretch(const struct dataset_numbers *column, size_t first, size_t end,
			  struct column_cost *cost)
{
	uint64_t last = column->values[(first - 1) * column->stride];
	uint64_t last_step = first > 1 ? last - column->values[(first - 2) * column->stride] : 0;

	for (size_t i = first; i < end; i++) {
		uint64_t value = column->values[i * column->stride];
		uint64_t step = value - last;

		cost->plain += varint_size(value);
		cost->delta += varint_size(varint_zigzag(step));
		cost->delta2 += varint_size(varint_zigzag(step - last_step));
		last = value;
		last_step = step;
	}
}

/*
 * For a long column, the first WEIGHED of each WEIGHED_OF values are examined, as
 * they are alike throughout.
 */
enum { WEIGHED = 32, WEIGHED_OF = 1024, LONG_COLUMN = 4 * WEIGHED_OF };

/* Determines the cost of each encoding. */
static struct column_cost weigh_column(const struct dataset_numbers *column)
{
	struct column_cost cost = { .plain = varint_size(column->values[0]),
				    .linear = is_linear(column) };
	size_t step = column->count < LONG_COLUMN ? WEIGHED : WEIGHED_OF;

	for (size_t first = 1; first < column->count && !cost.linear; first += step)
		weigh_stretch(column, first,
			      first + WEIGHED < column->count ? first + WEIGHED : column->count,
			      &cost);
	return cost;
}

/* Returns the encoding for a column: plain, which compresses best, unless another is shorter. */
static unsigned choose_column(const struct dataset_numbers *column, const struct column_cost *cost,
			      size_t first)
{
	if (cost->linear) {
		bool constant =
			column->count == 1 || column->values[0] == column->values[column->stride];

		return constant ? COLUMN_CONSTANT : COLUMN_LINEAR;
	}
	if (cost->plain <= cost->delta + first && cost->plain <= cost->delta2 + first)
		return COLUMN_PLAIN;
	return cost->delta2 < cost->delta ? COLUMN_DELTA2 : COLUMN_DELTA;
}

/* Numbers written together. */
enum { AT_ONCE = 8 };

/*
 * Writes varints where VARINT_MAX bytes are available for each; mostly each of
 * them takes one byte.
 */
static inline unsigned char *write_varints(unsigned char *at, const uint64_t values[AT_ONCE])
{
	uint64_t any = 0;

	for (size_t i = 0; i < AT_ONCE; i++)
		any |= values[i];
	if (any > 127) {
		for (size_t i = 0; i < AT_ONCE; i++)
			at = varint_write(at, values[i]);
		return at;
	}
	for (size_t i = 0; i < AT_ONCE; i++)
		at[i] = (unsigned char)values[i];
	return at + AT_ONCE;
}

/* Writes every value as it is. */
static unsigned char *write_plain(unsigned char *at, const struct dataset_numbers *column)
{
	const uint64_t *values = column->values;
	size_t i = 0;

	for (; column->stride == 1 && i + AT_ONCE <= column->count; i += AT_ONCE)
		at = write_varints(at, values + i);
	for (; i < column->count; i++)
		at = varint_write(at, values[i * column->stride]);
	return at;
}

/* Writes the first value as its difference from base, then the differences between values. */
static unsigned char *write_delta(unsigned char *at, const struct dataset_numbers *column,
				  uint64_t base)
{
	const uint64_t *values = column->values;
	size_t i = 1;

	at = varint_write(at, varint_zigzag(values[0] - base));
	for (; column->stride == 1 && i + AT_ONCE <= column->count; i += AT_ONCE) {
		uint64_t steps[AT_ONCE];

		for (size_t j = 0; j < AT_ONCE; j++)
			steps[j] = varint_zigzag(values[i + j] - values[i + j - 1]);
		at = write_varints(at, steps);
	}
	for (; i < column->count; i++)
		at = varint_write(at, varint_zigzag(values[i * column->stride] -
						     values[(i - 1) * column->stride]));
	return at;
}

/* Writes the first value as its difference from base, then the differences of the differences. */
static unsigned char *write_delta2(unsigned char *at, const struct dataset_numbers *column,
				   uint64_t base)
{
	uint64_t last = column->values[0], last_step = 0;

	at = varint_write(at, varint_zigzag(last - base));
	for (size_t i = 1; i < column->count; i++) {
		uint64_t value = column->values[i * column->stride];
		uint64_t step = value - last;

		at = varint_write(at, varint_zigzag(step - last_step));
		last = value;
		last_step = step;
	}
	return at;
}

/* Appends a column in a given encoding. */
static void put_column(struct strbuf *out, const struct dataset_numbers *column, unsigned how)
{
	uint64_t first = column->values[0];
	bool by_time = how != COLUMN_PLAIN &&
		       varint_size(varint_zigzag(first - column->time)) < varint_size(varint_zigzag(first));
	uint64_t base = by_time ? column->time : 0;
	unsigned char *at = open_end(out, column->count + 2);

	*at++ = (unsigned char)(how | (by_time ? COLUMN_TIME : 0));
	switch (how) {
	case COLUMN_CONSTANT:
		at = varint_write(at, varint_zigzag(first - base));
		break;
	case COLUMN_LINEAR:
		at = varint_write(at, varint_zigzag(first - base));
		at = varint_write(at, varint_zigzag(column->values[column->stride] - first));
		break;
	case COLUMN_PLAIN:
		at = write_plain(at, column);
		break;
	case COLUMN_DELTA:
		at = write_delta(at, column, base);
		break;
	default:
		at = write_delta2(at, column, base);
		break;
	}
	close_end(out, at);
}

void dataset_put_column(struct strbuf *out, const struct dataset_numbers *column)
{
	struct column_cost cost = weigh_column(column);
	size_t first = varint_size(varint_zigzag(column->values[0] - column->time));
	size_t first_plain = varint_size(varint_zigzag(column->values[0]));

	if (first_plain < first)
		first = first_plain;
	put_column(out, column, choose_column(column, &cost, first));
}

void dataset_put_long_column(struct strbuf *out, const struct dataset_numbers *column)
{
	put_column(out, column, COLUMN_DELTA);
}

struct dataset_cursor dataset_cursor(const void *content, size_t length)
{
	const unsigned char *at = content;

	return (struct dataset_cursor){ at, at + length, false };
}

uint64_t dataset_get_varint(struct dataset_cursor *cursor)
{
	uint64_t value;

	if (!varint_read(&cursor->at, cursor->end, &value))
		cursor->bad = true;
	return value;
}

const char *dataset_get_text(struct dataset_cursor *cursor, size_t *length)
{
	uint64_t count = dataset_get_varint(cursor);
	const char *text = (const char *)cursor->at;

	if (count > (size_t)(cursor->end - cursor->at)) {
		cursor->bad = true;
		count = 0;
	}
	cursor->at += count;
	*length = (size_t)count;
	return text;
}

/* Reads values stored as differences from the value before. */
static void get_deltas(struct dataset_cursor *data, uint64_t *target, size_t stride, size_t count,
		       uint64_t value)
{
	for (size_t i = 0; i < count; i++) {
		value += varint_unzigzag(dataset_get_varint(data));
		target[i * stride] = value;
	}
}

/* Reads values stored as differences of differences. */
static void get_deltas2(struct dataset_cursor *data, uint64_t *target, size_t stride, size_t count,
			uint64_t value)
{
	uint64_t step = 0;

	value += varint_unzigzag(dataset_get_varint(data));
	target[0] = value;
	for (size_t i = 1; i < count; i++) {
		step += varint_unzigzag(dataset_get_varint(data));
		value += step;
		target[i * stride] = value;
	}
}

/* Fills in values that differ by the same step. */
static void fill_linear(uint64_t *target, size_t stride, size_t count, uint64_t value,
			uint64_t step)
{
	for (size_t i = 0; i < count; i++) {
		target[i * stride] = value;
		value += step;
	}
}

/* Reads the byte before a column: its encoding and its base. */
static unsigned get_column_head(struct dataset_cursor *data, uint64_t time, uint64_t *base)
{
	unsigned how = data->at < data->end ? *data->at++ : UCHAR_MAX;

	*base = how & COLUMN_TIME ? time : 0;
	return how & ~(unsigned)COLUMN_TIME;
}

void dataset_get_column(struct dataset_cursor *data, uint64_t *target, size_t stride, size_t count,
			uint64_t time)
{
	uint64_t base, step;

	switch (get_column_head(data, time, &base)) {
	case COLUMN_CONSTANT:
		fill_linear(target, stride, count, base + varint_unzigzag(dataset_get_varint(data)), 0);
		return;
	case COLUMN_LINEAR:
		base += varint_unzigzag(dataset_get_varint(data));
		step = varint_unzigzag(dataset_get_varint(data));
		fill_linear(target, stride, count, base, step);
		return;
	case COLUMN_PLAIN:
		for (size_t i = 0; i < count; i++)
			target[i * stride] = dataset_get_varint(data);
		return;
	case COLUMN_DELTA:
		get_deltas(data, target, stride, count, base);
		return;
	case COLUMN_DELTA2:
		get_deltas2(data, target, stride, count, base);
		return;
	default:
		data->bad = true;
		fill_linear(target, stride, count, 0, 0);
	}
}

void dataset_skip_column(struct dataset_cursor *data, size_t count)
{
	uint64_t base;

	switch (get_column_head(data, 0, &base)) {
	case COLUMN_CONSTANT:
		count = 1;
		break;
	case COLUMN_LINEAR:
		count = 2;
		break;
	case COLUMN_PLAIN:
	case COLUMN_DELTA:
	case COLUMN_DELTA2:
		break;
	default:
		data->bad = true;
		return;
	}
	while (count-- > 0 && !data->bad)
		dataset_get_varint(data);
}
