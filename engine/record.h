/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record types and record sets: the form in which all data travels between
 * processor modules and into the sample data set.
 *
 * A record is a C struct whose members are all 8 bytes wide: an unsigned
 * number, a signed number, or the number of an interned string. A struct
 * record_type describes it: its name and, for each member in order, name,
 * type and unit. That description is written into each file, so a reader
 * needs no knowledge of the writer's structs: fields are matched by name,
 * absent ones read as 0, unknown ones are skipped.
 *
 * A record set holds the records of one type that one snapshot brings.
 */
#ifndef VIGIL_ENGINE_RECORD_H
#define VIGIL_ENGINE_RECORD_H

#include "common/compat.h"

enum field_type {
	FIELD_UNSIGNED = 0,
	FIELD_SIGNED = 1,
	FIELD_STRING = 2, /* number of a string in the collection's string table */
};

struct field {
	const char *name; /* lower case, words joined by '_', stable */
	enum field_type type;
	const char *unit; /* "ns", "bytes", "count", "id", "enum", "text" */
};

struct record_type {
	unsigned id;	  /* one of enum record_id, stable in files */
	const char *name; /* lower case, stable in files */
	const struct field *fields;
	size_t field_count; /* sizeof(the struct) == 8 * field_count */
};

/* Row-major: record i is the field_count values from values[i * field_count]. */
struct recordset {
	const struct record_type *type;
	uint64_t *values;
	size_t count; /* records */
	size_t alloc; /* values allocated */
};

void recordset_init(struct recordset *set, const struct record_type *type);
void recordset_release(struct recordset *set);
/* Forget the records, keep the memory. */
void recordset_clear(struct recordset *set);
/* Append one record; record points at a struct of the type, 8 * field_count bytes. */
void recordset_add(struct recordset *set, const void *record);
/* Record number index as a struct of the type; valid until the set changes. */
const void *recordset_get(const struct recordset *set, size_t index);

#endif
