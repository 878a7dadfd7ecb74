/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types that a file describes, and how each becomes one of ours;
 * part of the reader. A type is ours when one of its name is in the
 * registry: fields go by their names. Otherwise it is adopted: registered as
 * the file describes it.
 */
#ifndef VIGIL_ENGINE_DATASET_TYPES_H
#define VIGIL_ENGINE_DATASET_TYPES_H

#include "engine/dataset-format.h"

/* How a record type of the file becomes one of ours. */
struct file_type {
	const struct record_type *type; /* ours; NULL when its records cannot be read */
	bool adopted;			/* known from a file only */
	bool has_bytes;
	enum { WANTED_UNKNOWN, WANTED, UNWANTED } wanted; /* the reader's */
	size_t column_count;
	struct dataset_field *columns;
};

struct file_types {
	struct registry *known;			    /* ours */
	unsigned refused;			    /* types of the file that it did not take */
	struct file_type *types[DATASET_MAX_TYPES]; /* by the file's id */
	struct dataset_field substitute_columns[DATASET_MAX_COLUMNS];
	struct file_type substitute;
};

void file_types_init(struct file_types *types, struct registry *known);
void file_types_release(struct file_types *types);
/* Reads a block of descriptions or of meanings; false when it is damaged. */
bool file_types_describe(struct file_types *types, struct dataset_cursor cursor);
bool file_types_explain(struct file_types *types, struct dataset_cursor cursor);
/*
 * How sets of a type id are read. When its description was lost with a
 * damaged block, ours of a built-in id serves: fields are only ever added at
 * the end. Valid until the next call.
 */
struct file_type *file_types_of_set(struct file_types *types, const struct dataset_set *set);
/* Reads the columns of a set into new rows at the end of target; false when they are damaged. */
bool file_type_read(const struct file_type *from, struct dataset_set *set, struct recordset *target,
		    uint64_t time);

/* The same from numbers (of a type without blocks of bytes) that were read. */
void file_type_take(const struct file_type *from, const struct dataset_numbers_set *numbers,
		    struct recordset *target);

#endif
