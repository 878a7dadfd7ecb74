/* SPDX-License-Identifier: Apache-2.0 */
/* Computes the words of sort keys. */
#include "common/compat.h"
#include "utilities/sort/keys.h"

#define WORD 8
#define LONGEST_FIELD 4092

void sort_keys_init(struct sort_keys *keys, const struct sort_request *request)
{
	*keys = (struct sort_keys){ request->keys, request->key_count, request->altseq, 0, ' ' };
	for (size_t i = 0; i < keys->count; i++)
		keys->length += field_key_length(&keys->keys[i].field);
}

static uint64_t load(const void *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, sizeof(word));
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
	word = __builtin_bswap64(word);
#endif
	return word;
}

/* Copies the bytes from to from+count of a character field, padded beyond the record's end. */
static void field_part(const struct sort_field *field, const struct sort_record *record,
		       size_t from, size_t count, char fill, unsigned char *out)
{
	size_t at = field->position + from;
	size_t there = record->length > at ? record->length - at : 0;

	if (there > count)
		there = count;
	if (there > 0)
		memcpy(out, record->data + at, there);
	memset(out + there, field->format == FORMAT_BI ? '\0' : fill, count - there);
}

/* Does the same for a field whose key is computed. */
static void computed_key_part(const struct sort_keys *keys, const struct sort_field *field,
		      const struct sort_record *record, size_t from, size_t count,
		      unsigned char *out)
{
	unsigned char whole[LONGEST_FIELD];

	field_key(field, record, keys->altseq, whole);
	memcpy(out, whole + from, count);
}

uint64_t sort_keys_word(const struct sort_keys *keys, const struct sort_record *record,
			size_t depth)
{
	const struct sort_field *first = &keys->keys[0].field;
	unsigned char bytes[WORD] = { 0 };
	size_t start = 0, filled = 0;

	if (depth + WORD <= first->length && first->position + depth + WORD <= record->length &&
	    (first->format == FORMAT_CH || first->format == FORMAT_BI)) {
		uint64_t word = load(record->data + first->position + depth);

		return keys->keys[0].descending ? ~word : word;
	}
	for (size_t i = 0; i < keys->count && filled < WORD; i++) {
		const struct sort_key *key = &keys->keys[i];
		size_t length = field_key_length(&key->field), from, count;

		if (depth + filled < start + length) {
			from = depth + filled - start;
			count = length - from < WORD - filled ? length - from : WORD - filled;
			if (key->field.format == FORMAT_CH || key->field.format == FORMAT_BI)
				field_part(&key->field, record, from, count, keys->fill,
					   bytes + filled);
			else
				computed_key_part(keys, &key->field, record, from, count, bytes + filled);
			for (size_t n = 0; key->descending && n < count; n++)
				bytes[filled + n] ^= 0xff;
			filled += count;
		}
		start += length;
	}
	return load(bytes);
}

int sort_keys_compare(const struct sort_keys *keys, const struct sort_record *a,
		      const struct sort_record *b, size_t depth)
{
	for (; depth < keys->length; depth += WORD) {
		uint64_t x = sort_keys_word(keys, a, depth), y = sort_keys_word(keys, b, depth);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

bool sort_keys_truncated(const struct sort_keys *keys, const struct sort_record *record)
{
	for (size_t i = 0; i < keys->count; i++)
		if (keys->keys[i].field.position + keys->keys[i].field.length > record->length)
			return true;
	return false;
}
