/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types described by a file, and their mapping to the reader's types;
 * part of the reader. A type is mapped to the registered one of its name, field by
 * field by name. Without one it is adopted: registered as the file describes it.
 */
#ifndef VIGIL_ENGINE_DATASET_TYPES_H
#define VIGIL_ENGINE_DATASET_TYPES_H

#include "engine/dataset-format.h"

/* Mapping of a record type of the file. */
struct file_type {
	const struct record_type *type; /* the registered type; NULL when its records cannot be
					 * read */
	bool adopted;			/* known from a file only */
	bool has_bytes;
	enum { WANTED_UNKNOWN, WANTED, UNWANTED } wanted; /* for the reader's use */
	size_t column_count;
	struct dataset_field *columns;
};

struct file_types {
	struct registry *known;			    /* the reader's registry */
	unsigned refused;			    /* types of the file that it did not accept */
	struct file_type *types[DATASET_MAX_TYPES]; /* by the file's type id */
	struct dataset_field substitute_columns[DATASET_MAX_COLUMNS];
	struct file_type substitute;
};

void file_types_init(struct file_types *types, struct registry *known);
void file_types_release(struct file_types *types);
/* Reads a block of descriptions or of meanings. Returns false when it is damaged. */
bool file_types_describe(struct file_types *types, struct dataset_cursor cursor);
bool file_types_explain(struct file_types *types, struct dataset_cursor cursor);
/*
 * Returns the mapping for a set's type id. When its description was lost with a
 * damaged block, the reader's built-in type of the id is used, since fields are
 * only ever added at the end. Valid until the next call.
 */
struct file_type *file_types_of_set(struct file_types *types, const struct dataset_set *set);
/*
 * Reads the columns of a set into new rows at the end of target. Returns false
 * when they are damaged.
 */
bool file_type_read(const struct file_type *from, struct dataset_set *set, struct recordset *target,
		    uint64_t time);

/* Does the same from numbers that were read (of a type without blocks of bytes). */
void file_type_take(const struct file_type *from, const struct dataset_numbers_set *numbers,
		    struct recordset *target);

#endif
