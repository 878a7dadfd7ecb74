/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the descriptions of record types, and records by them. */
#include "common/compat.h"
#include "engine/dataset-types.h"
#include "common/xalloc.h"

void file_types_init(struct file_types *types, struct registry *known)
{
	memset(types, 0, sizeof(*types));
	types->known = known;
	types->substitute.columns = types->substitute_columns;
}

void file_types_release(struct file_types *types)
{
	for (size_t i = 0; i < DATASET_MAX_TYPES; i++) {
		if (types->types[i])
			free(types->types[i]->columns);
		free(types->types[i]);
	}
}

/* A type as described by the file; it owns its texts. */
struct description {
	struct record_type type;
	struct field fields[DATASET_MAX_COLUMNS];
	bool readable; /* all its fields are of known types */
};

/* Reads the next text as an allocated string, truncated at an unexpected NUL. */
static char *read_string(struct dataset_cursor *cursor)
{
	size_t length;
	const char *text = dataset_get_text(cursor, &length);

	return xstrndup(text, length);
}

/* Returns the offset of a member of this size after the members so far. */
static size_t place_member(struct record_type *type, size_t size)
{
	size_t offset = (type->size + size - 1) / size * size;

	type->size = offset + size;
	return offset;
}

/* Reads the description of one type. */
static bool read_description(struct dataset_cursor *cursor, struct description *description)
{
	struct record_type *type = &description->type;
	uint64_t id = dataset_get_varint(cursor), count;

	*type = (struct record_type){ .fields = description->fields };
	description->readable = true;
	type->name = read_string(cursor);
	count = dataset_get_varint(cursor);
	RETURN_IF(cursor->bad || id >= DATASET_MAX_TYPES || count > DATASET_MAX_COLUMNS, false);
	type->id = (unsigned)id;
	for (; type->field_count < count && !cursor->bad; type->field_count++) {
		struct field *field = &description->fields[type->field_count];
		uint64_t kind = dataset_get_varint(cursor);

		*field = (struct field){ .type = (enum field_type)(kind & FIELD_TYPE_MASK),
					 .optional = kind & FIELD_OPTIONAL,
					 .sense = (enum field_sense)(kind >> FIELD_SENSE_SHIFT) };
		if (field->type >= FIELD_TYPE_COUNT || kind >> FIELD_SENSE_SHIFT > SENSE_AMOUNT)
			description->readable = false;
		else
			field->offset = place_member(type, field_size(field->type));
		field->name = read_string(cursor);
		field->unit = read_string(cursor);
	}
	type->size = (type->size + 7) / 8 * 8;
	return !cursor->bad;
}

/* Frees the texts of a description. */
static void drop_description(struct description *description)
{
	for (size_t i = 0; i < description->type.field_count; i++) {
		free((char *)description->fields[i].name);
		free((char *)description->fields[i].unit);
	}
	free((char *)description->type.name);
}

/* Returns the number of the reader's field for one of the file, or -1. */
static int find_field(const struct record_type *ours, const struct field *theirs)
{
	for (size_t i = 0; i < ours->field_count; i++)
		if (strcmp(ours->fields[i].name, theirs->name) == 0)
			return dataset_is_alike(theirs->type, ours->fields[i].type) ? (int)i : -1;
	return -1;
}

/* Registers an unknown type. Returns NULL on failure. */
static const struct record_type *adopt(struct file_types *types, const struct record_type *theirs)
{
	const struct record_type *type = NULL;

	/* Descriptions that are refused repeatedly must not take unlimited time. */
	if (types->refused < DATASET_MAX_TYPES)
		type = registry_add(types->known, theirs, NULL);
	if (!type)
		types->refused++;
	return type;
}

/* Processes a description. */
static void take_description(struct file_types *types, const struct description *description)
{
	const struct record_type *theirs = &description->type;
	struct file_type *type = types->types[theirs->id];
	const struct record_type *adopted = type && type->adopted ? type->type : NULL;

	if (!type)
		types->types[theirs->id] = type = xcalloc(1, sizeof(*type));
	free(type->columns);
	*type = (struct file_type){ .column_count = theirs->field_count };
	type->columns = xcalloc(theirs->field_count + 1, sizeof(*type->columns));
	if (!description->readable)
		return;
	type->type = registry_find(types->known, theirs->name);
	/* Descriptions may be repeated. */
	type->adopted = type->type && type->type == adopted;
	if (!type->type) {
		type->type = adopt(types, theirs);
		type->adopted = type->type;
	}
	for (size_t i = 0; i < theirs->field_count; i++)
		type->has_bytes = type->has_bytes || theirs->fields[i].type == FIELD_BYTES;
	for (size_t i = 0; type->type && i < theirs->field_count; i++)
		type->columns[i] = (struct dataset_field){
			.type = theirs->fields[i].type,
			.optional = theirs->fields[i].optional,
			.target = find_field(type->type, &theirs->fields[i]),
		};
}

bool file_types_describe(struct file_types *types, struct dataset_cursor cursor)
{
	struct description *description = xmalloc(sizeof(*description));
	bool whole = true;

	while (whole && cursor.at < cursor.end) {
		whole = read_description(&cursor, description);
		if (whole)
			take_description(types, description);
		drop_description(description);
	}
	free(description);
	return whole;
}

bool file_types_explain(struct file_types *types, struct dataset_cursor cursor)
{
	while (cursor.at < cursor.end) {
		uint64_t id = dataset_get_varint(&cursor);
		const struct file_type *type = id < DATASET_MAX_TYPES ? types->types[id] : NULL;
		char *text = read_string(&cursor);
		uint64_t count = dataset_get_varint(&cursor);

		if (type && type->adopted)
			registry_explain(types->known, type->type, SIZE_MAX, text);
		free(text);
		RETURN_IF(cursor.bad || count > DATASET_MAX_COLUMNS, false);
		for (size_t i = 0; i < count; i++) {
			text = read_string(&cursor);
			if (type && type->adopted && i < type->column_count)
				registry_explain(types->known, type->type, i, text);
			free(text);
		}
	}
	return !cursor.bad;
}

struct file_type *file_types_of_set(struct file_types *types, const struct dataset_set *set)
{
	struct file_type *substitute = &types->substitute;

	if (set->type < DATASET_MAX_TYPES && types->types[set->type])
		return types->types[set->type];
	substitute->type = NULL;
	substitute->column_count = (size_t)set->columns;
	if (set->type < RECORD_RUNTIME_FIRST)
		substitute->type = registry_type(types->known, set->type);
	for (size_t i = 0; substitute->type && i < set->columns; i++) {
		const struct record_type *ours = substitute->type;
		bool there = i < ours->field_count;

		substitute->columns[i] = (struct dataset_field){
			.type = there ? ours->fields[i].type : FIELD_UNSIGNED,
			.optional = there && ours->fields[i].optional,
			.target = there ? (int)i : -1,
		};
	}
	return substitute;
}

/* Sets the fields that the file does not have to "no value". */
static void set_absent(const struct file_type *from, struct recordset *target, size_t first)
{
	const struct record_type *type = target->type;

	for (size_t i = 0; i < type->field_count; i++) {
		bool there = false;

		for (size_t j = 0; type->fields[i].optional && j < from->column_count; j++)
			there = there || from->columns[j].target == (int)i;
		if (there || !type->fields[i].optional)
			continue;
		for (size_t row = first; row < target->count; row++)
			field_set_missing(&type->fields[i],
					  (unsigned char *)recordset_at(target, row) +
						  type->fields[i].offset);
	}
}

/* Appends this many zeroed records. Returns the number of the first. */
static size_t add_rows(struct recordset *target, size_t rows)
{
	size_t size = target->type->size, first = target->count;

	GROW(target->rows, (first + rows) * size, target->alloc);
	memset(target->rows + first * size, 0, rows * size);
	target->count += rows;
	return first;
}

bool file_type_read(const struct file_type *from, struct dataset_set *set, struct recordset *target,
		    uint64_t time)
{
	size_t first = add_rows(target, (size_t)set->rows);

	for (size_t i = 0; i < from->column_count; i++)
		dataset_get_field(set, &from->columns[i], target, first, time);
	if (set->data.bad || set->data.at != set->data.end) {
		target->count = first;
		return false;
	}
	set_absent(from, target, first);
	return true;
}

void file_type_take(const struct file_type *from, const struct dataset_numbers_set *numbers,
		    struct recordset *target)
{
	size_t first = add_rows(target, numbers->rows);

	for (size_t i = 0; i < from->column_count; i++)
		if (from->columns[i].target >= 0)
			dataset_take_numbers(numbers, i, &from->columns[i], target, first);
	set_absent(from, target, first);
}
