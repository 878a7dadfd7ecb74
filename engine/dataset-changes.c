/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record sets stored as changes of an earlier set of their type: unchanged values
 * take next to no space.
 */
#include "common/compat.h"
#include "engine/dataset-format.h"
#include "common/idmap.h"
#include "common/xalloc.h"
#include "engine/registry.h"

/* How a column of changed records is stored. */
enum { COLUMN_SOME = 0, COLUMN_ALL_ALIKE = 1 };

bool dataset_has_changes(const struct record_type *type)
{
	RETURN_IF(type->id < RECORD_RUNTIME_FIRST, false);
	for (size_t i = 0; i < type->field_count; i++)
		RETURN_IF(type->fields[i].type == FIELD_BYTES, false);
	return true;
}

/* The records that are in both sets, in pairs, and the fields that may differ. */
struct pairs {
	const struct recordset *set, *base;
	size_t (*rows)[2]; /* row in set, row in base; owned */
	/* For each field: its bytes in the struct; 0: 8 bytes that are the number as written. */
	unsigned char sizes[RECORD_FIELDS_MAX];
	bool words; /* all fields have 8 bytes, without gaps */
	unsigned char differs[RECORD_FIELDS_MAX]; /* the field differs in a changed pair */
	size_t count;
	struct recordset fresh;	   /* the records that are only in set */
	size_t *changed;	   /* indexes of pairs that differ; owned */
	size_t changed_count;
	unsigned char alike[RECORD_FIELDS_MAX]; /* the field has grown by the same amount in all
						 * pairs */
	bool any_alike;
};

static const unsigned char *member(const struct recordset *set, size_t row, size_t field)
{
	return set->rows + row * set->type->size + set->type->fields[field].offset;
}

/*
 * Returns the field that identifies a record within its type: the first that is no
 * measurement, and not the state or time of the record itself. Returns the number
 * of fields when there is none.
 */
static size_t key_field(const struct record_type *type)
{
	size_t i = 0;

	while (i < type->field_count &&
	       (type->fields[i].sense != SENSE_NONE ||
		strncmp(type->fields[i].name, "record_", 7) == 0))
		i++;
	return i;
}

/* Finds records of base by their key. */
struct finder {
	const struct recordset *base;
	size_t key, next;
	struct idmap rows; /* by key; filled once a record is not at the expected row */
	bool made;
};

/*
 * Finds the record of base with the same key as one of set: mostly the one after
 * the last one found.
 */
static bool find_row(struct finder *finder, const struct recordset *set, size_t row, size_t *found)
{
	uint64_t number, at = 0;
	bool is_next = finder->next < finder->base->count;

	*found = finder->next;
	RETURN_IF(finder->key == set->type->field_count, is_next);
	if (is_next && memcmp(member(set, row, finder->key),
			      member(finder->base, finder->next, finder->key),
			      field_size(set->type->fields[finder->key].type)) == 0)
		return true;
	for (; !finder->made && at < finder->base->count; at++)
		idmap_put(&finder->rows, dataset_number(finder->base, at, finder->key), at);
	finder->made = true;
	number = dataset_number(set, row, finder->key);
	RETURN_IF(!idmap_get(&finder->rows, number, &at), false);
	*found = at;
	return true;
}

/* Appends which records of base the records of the set correspond to, and pairs them. */
static void pair_rows(struct strbuf *out, struct pairs *pairs)
{
	const struct recordset *set = pairs->set;
	struct finder finder = { .base = pairs->base, .key = key_field(set->type) };

	idmap_init(&finder.rows);
	for (size_t row = 0; row < set->count;) {
		size_t next = finder.next, first = next, kept = 0, fresh = 0, found;

		for (; row < set->count && find_row(&finder, set, row, &found); row++) {
			if (kept && found != finder.next)
				break;
			first = kept ? first : found;
			pairs->rows[pairs->count][0] = row;
			pairs->rows[pairs->count++][1] = found;
			finder.next = found + 1;
			kept++;
		}
		for (; row < set->count && !find_row(&finder, set, row, &found); row++, fresh++)
			recordset_add(&pairs->fresh, recordset_get(set, row));
		dataset_put_varint(out, varint_zigzag(kept ? first - next : 0));
		dataset_put_varint(out, kept);
		dataset_put_varint(out, fresh);
	}
	idmap_release(&finder.rows);
}

/* Determines how each field can be compared. */
static void find_sizes(struct pairs *pairs)
{
	const struct record_type *type = pairs->set->type;

	pairs->words = type->size == 8 * type->field_count;
	for (size_t i = 0; i < type->field_count; i++) {
		enum field_type one = type->fields[i].type;

		pairs->sizes[i] = one == FIELD_UNSIGNED || one == FIELD_STRING
					  ? 0
					  : (unsigned char)field_size(one);
		pairs->words = pairs->words && field_size(one) == 8 &&
			       type->fields[i].offset == 8 * i;
	}
}

/*
 * Returns the difference of the members of a pair, for fields of 8 bytes that are
 * written as they are.
 */
static uint64_t difference(const struct pairs *pairs, size_t pair, size_t field)
{
	uint64_t mine, other;

	memcpy(&mine, member(pairs->set, pairs->rows[pair][0], field), sizeof(mine));
	memcpy(&other, member(pairs->base, pairs->rows[pair][1], field), sizeof(other));
	return mine - other;
}

/* Returns whether a member of a pair is bitwise the same in both. */
static bool is_same(const struct pairs *pairs, size_t pair, size_t field)
{
	RETURN_IF(!pairs->sizes[field], !difference(pairs, pair, field));
	return memcmp(member(pairs->set, pairs->rows[pair][0], field),
		      member(pairs->base, pairs->rows[pair][1], field), pairs->sizes[field]) == 0;
}

/* Returns by how much a member of a pair has grown. */
static uint64_t growth(const struct pairs *pairs, size_t pair, size_t field)
{
	RETURN_IF(!pairs->sizes[field], difference(pairs, pair, field));
	RETURN_IF(is_same(pairs, pair, field), 0);
	return dataset_number(pairs->set, pairs->rows[pair][0], field) -
	       dataset_number(pairs->base, pairs->rows[pair][1], field);
}

/* Finds the fields that have grown by the same amount in all pairs, such as the time. */
static void find_alike(struct pairs *pairs)
{
	for (size_t field = 0; pairs->count && field < pairs->set->type->field_count; field++) {
		uint64_t first = growth(pairs, 0, field);
		size_t pair = 1;

		while (first && pair < pairs->count && growth(pairs, pair, field) == first)
			pair++;
		pairs->alike[field] = first && pair == pairs->count;
		pairs->any_alike = pairs->any_alike || pairs->alike[field];
	}
}

/* Returns whether a pair differs in a field, other than those that have grown equally in all. */
static bool has_changed(const struct pairs *pairs, size_t pair)
{
	size_t size = pairs->set->type->size;

	RETURN_IF(memcmp(pairs->set->rows + pairs->rows[pair][0] * size,
			 pairs->base->rows + pairs->rows[pair][1] * size, size) == 0,
		  false);
	for (size_t field = 0; field < pairs->set->type->field_count; field++)
		RETURN_IF(!pairs->alike[field] && !is_same(pairs, pair, field), true);
	return false;
}

/* Marks the fields in which a pair differs. */
static void note_fields(struct pairs *pairs, size_t pair)
{
	size_t count = pairs->set->type->field_count, size = pairs->set->type->size;
	const unsigned char *mine = pairs->set->rows + pairs->rows[pair][0] * size;
	const unsigned char *other = pairs->base->rows + pairs->rows[pair][1] * size;

	for (size_t i = 0; pairs->words && i < count; i++)
		pairs->differs[i] |= memcmp(mine + 8 * i, other + 8 * i, 8) != 0;
	for (size_t i = 0; !pairs->words && i < count; i++)
		pairs->differs[i] |= !is_same(pairs, pair, i);
}

/* Appends which pairs have changed. */
static void put_changed(struct strbuf *out, struct pairs *pairs)
{
	size_t next = 0;

	for (size_t pair = 0; pair < pairs->count; pair++) {
		if (!has_changed(pairs, pair))
			continue;
		pairs->changed[pairs->changed_count++] = pair;
		note_fields(pairs, pair);
	}
	dataset_put_varint(out, pairs->changed_count);
	for (size_t i = 0; i < pairs->changed_count; i++) {
		dataset_put_varint(out, pairs->changed[i] - next);
		next = pairs->changed[i] + 1;
	}
}

/*
 * Appends which of the changed pairs differ in a field, and by how much; nothing
 * if none does. Returns whether one does.
 */
static bool put_growths(struct strbuf *out, const struct pairs *pairs, size_t field, uint64_t head)
{
	size_t bytes = (pairs->changed_count + 7) / 8, start = out->length, bits;
	bool any = false;

	RETURN_IF(!pairs->differs[field], false);
	dataset_put_varint(out, head | COLUMN_SOME);
	bits = out->length;
	strbuf_grow(out, bytes);
	memset(out->text + bits, 0, bytes);
	out->length += bytes;
	for (size_t i = 0; i < pairs->changed_count; i++) {
		uint64_t by = growth(pairs, pairs->changed[i], field);

		if (!by)
			continue;
		out->text[bits + i / 8] = (char)(out->text[bits + i / 8] | 1 << i % 8);
		dataset_put_varint(out, varint_zigzag(by));
		any = true;
	}
	if (!any)
		strbuf_setlen(out, start);
	return any;
}

/* Appends the changes, field by field. */
static void put_fields(struct strbuf *out, const struct pairs *pairs)
{
	size_t next = 0;

	for (size_t field = 0; field < pairs->set->type->field_count; field++) {
		uint64_t head = (uint64_t)(field - next + 1) << 1;

		if (pairs->alike[field]) {
			dataset_put_varint(out, head | COLUMN_ALL_ALIKE);
			dataset_put_varint(out, varint_zigzag(growth(pairs, 0, field)));
			next = field + 1;
		} else if (pairs->changed_count && put_growths(out, pairs, field, head)) {
			next = field + 1;
		}
	}
	dataset_put_varint(out, 0);
}

void dataset_put_changes(struct strbuf *out, const struct recordset *set,
			 const struct recordset *base, uint64_t time)
{
	struct pairs pairs = { .set = set, .base = base };
	size_t start;

	recordset_init(&pairs.fresh, set->type);
	pairs.rows = xmalloc(set->count * sizeof(*pairs.rows));
	pairs.changed = xmalloc(set->count * sizeof(*pairs.changed));
	dataset_put_varint(out, set->type->id + DATASET_CHANGED);
	dataset_put_varint(out, set->count);
	dataset_put_varint(out, set->type->field_count);
	start = out->length;
	find_sizes(&pairs);
	pair_rows(out, &pairs);
	find_alike(&pairs);
	put_changed(out, &pairs);
	put_fields(out, &pairs);
	if (pairs.fresh.count)
		dataset_put_columns(out, &pairs.fresh, 0, pairs.fresh.count, time);
	dataset_put_length(out, start);
	recordset_release(&pairs.fresh);
	free(pairs.changed);
	free(pairs.rows);
}

/* A set being read. */
struct decoding {
	struct dataset_cursor *data;
	const struct dataset_numbers_set *base;
	struct dataset_numbers_set *to;
	size_t *kept; /* rows of to that come from base */
	size_t kept_count;
	size_t *fresh; /* the other rows */
	size_t fresh_count;
	size_t *changed; /* the changed ones among kept */
	size_t changed_count;
};

/* Takes over some records of base. */
static bool keep_rows(struct decoding *all, size_t row, uint64_t first, uint64_t count)
{
	size_t width = all->to->columns;

	RETURN_IF(first > all->base->rows || count > all->base->rows - first ||
			  count > all->to->rows - row,
		  false);
	memcpy(all->to->values + row * width, all->base->values + first * width,
	       (size_t)count * width * sizeof(*all->to->values));
	for (size_t i = 0; i < count; i++)
		all->kept[all->kept_count++] = row + i;
	return true;
}

/* Reads which records come from base, and takes them over. */
static bool decode_rows(struct decoding *all)
{
	uint64_t next = 0;

	for (size_t row = 0; row < all->to->rows;) {
		uint64_t first = next + varint_unzigzag(dataset_get_varint(all->data));
		uint64_t kept = dataset_get_varint(all->data);
		uint64_t fresh = dataset_get_varint(all->data);

		RETURN_IF(all->data->bad || (!kept && !fresh), false);
		RETURN_IF(kept && !keep_rows(all, row, first, kept), false);
		next = kept ? first + kept : next;
		row += (size_t)kept;
		RETURN_IF(fresh > all->to->rows - row, false);
		while (fresh-- > 0)
			all->fresh[all->fresh_count++] = row++;
	}
	return true;
}

/* Reads which of the kept records have changed. */
static bool decode_changed(struct decoding *all)
{
	uint64_t count = dataset_get_varint(all->data);
	uint64_t next = 0;

	RETURN_IF(count > all->kept_count, false);
	while (count-- > 0) {
		uint64_t gap = dataset_get_varint(all->data);

		RETURN_IF(next >= all->kept_count || gap >= all->kept_count - next, false);
		next += gap;
		all->changed[all->changed_count++] = all->kept[next++];
	}
	return !all->data->bad;
}

/* Adds the growth to a column of some changed records. */
static bool decode_growths(struct decoding *all, size_t column)
{
	const unsigned char *bits = all->data->at;
	size_t bytes = (all->changed_count + 7) / 8;

	RETURN_IF((size_t)(all->data->end - bits) < bytes, false);
	all->data->at += bytes;
	for (size_t i = 0; i < all->changed_count; i++)
		if (bits[i / 8] >> i % 8 & 1)
			all->to->values[all->changed[i] * all->to->columns + column] +=
				varint_unzigzag(dataset_get_varint(all->data));
	return !all->data->bad;
}

/* Reads the changes, field by field. */
static bool decode_fields(struct decoding *all)
{
	uint64_t next = 0, head;

	while ((head = dataset_get_varint(all->data)) != 0) {
		uint64_t gap = head >> 1, by;
		size_t column;

		RETURN_IF(gap == 0 || gap > all->to->columns - next, false);
		next += gap;
		column = (size_t)next - 1;
		if (!(head & COLUMN_ALL_ALIKE)) {
			RETURN_IF(!decode_growths(all, column), false);
			continue;
		}
		by = varint_unzigzag(dataset_get_varint(all->data));
		for (size_t i = 0; i < all->kept_count; i++)
			all->to->values[all->kept[i] * all->to->columns + column] += by;
	}
	return !all->data->bad;
}

/* Reads the columns of the records that do not come from base. */
static bool decode_new_rows(struct decoding *all, uint64_t time)
{
	size_t count = all->fresh_count, width = all->to->columns;
	uint64_t *column;

	RETURN_IF(!count, true);
	RETURN_IF(count > (size_t)(all->data->end - all->data->at) + DATASET_FREE_ROWS, false);
	column = xmalloc(count * sizeof(*column));
	for (size_t i = 0; i < width && !all->data->bad; i++) {
		dataset_get_column(all->data, column, 1, count, time);
		for (size_t j = 0; j < count; j++)
			all->to->values[all->fresh[j] * width + i] = column[j];
	}
	free(column);
	return !all->data->bad;
}

/* Reads a set that is written as changes. */
static bool decode_changes(struct dataset_set *set, const struct dataset_numbers_set *base,
		   struct dataset_numbers_set *numbers, uint64_t time)
{
	size_t rows = numbers->rows;
	size_t *places = xmalloc((3 * rows + 1) * sizeof(*places));
	struct decoding all = { .data = &set->data,
				 .base = base,
				 .to = numbers,
				 .kept = places,
				 .fresh = places + rows,
				 .changed = places + 2 * rows };
	bool whole = decode_rows(&all) && decode_changed(&all) && decode_fields(&all) &&
		     decode_new_rows(&all, time);

	free(places);
	return whole;
}

bool dataset_get_numbers(struct dataset_set *set, const struct dataset_numbers_set *base,
			 struct dataset_numbers_set *numbers, uint64_t time)
{
	numbers->rows = (size_t)set->rows;
	numbers->columns = (size_t)set->columns;
	GROW(numbers->values, numbers->rows * numbers->columns, numbers->alloc);
	if (set->changed) {
		RETURN_IF(!base || base->columns != numbers->columns, false);
		RETURN_IF(!decode_changes(set, base, numbers, time), false);
	} else {
		for (size_t i = 0; i < numbers->columns; i++)
			dataset_get_column(&set->data, numbers->values + i, numbers->columns,
					   numbers->rows, time);
	}
	return !set->data.bad && set->data.at == set->data.end;
}
