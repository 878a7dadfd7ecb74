/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record types and record sets: the form in which all data travels between
 * processor modules and into the sample data set.
 *
 * A record is a C struct. A struct record_type describes it: its name, and
 * for each member name, type, unit, what its values say, and its meaning in a
 * sentence. That description is written into each file, so a reader needs no
 * knowledge of the writer's structs: fields are matched by name, unknown
 * fields are skipped, and whole types that the reader was not compiled with
 * are read by their description (recordset_value).
 *
 * A value that a producer could not get is missing, which is not the same as
 * 0: a field that is optional has a value of its own for that, the largest
 * number of an unsigned type, the smallest of a signed one, a NaN, or
 * RECORD_BYTES_MISSING as a length. field_is_missing knows them all.
 *
 * A record set holds the records of one type that one snapshot brings, and
 * the blocks of bytes that belong to them.
 */
#ifndef VIGIL_ENGINE_RECORD_H
#define VIGIL_ENGINE_RECORD_H

#include "common/compat.h"
#include "common/strbuf.h"

/* The member of the struct. The numbers are stable in files. */
enum field_type {
	FIELD_UNSIGNED = 0, /* uint64_t */
	FIELD_SIGNED = 1,   /* int64_t */
	FIELD_STRING = 2,   /* uint64_t, the number of a string in the collection's table */
	FIELD_U8 = 3,
	FIELD_U16 = 4,
	FIELD_U32 = 5,
	FIELD_I8 = 6,
	FIELD_I16 = 7,
	FIELD_I32 = 8,
	FIELD_DOUBLE = 9,
	FIELD_BYTES = 10, /* struct record_bytes: a block of bytes kept by the set */
	FIELD_TYPE_COUNT
};

/* What the values of a field say, and so what may be done with them. Stable in files. */
enum field_sense {
	SENSE_NONE = 0,	   /* an id, a name, a code: neither sums nor differences mean anything */
	SENSE_LEVEL = 1,   /* the state at the time of the record */
	SENSE_COUNTER = 2, /* grows from a start: the difference of two records is an amount */
	SENSE_AMOUNT = 3,  /* what the record's own interval brought: amounts add up */
};

struct field {
	const char *name; /* lower case, words joined by '_', stable */
	enum field_type type;
	const char *unit; /* "ns", "bytes", "pages", "count", "id", "enum", "address", ... */
	enum field_sense sense;
	bool optional; /* a value may be missing */
	size_t offset; /* of the member in the struct */
	const char *meaning;
};

struct record_type {
	unsigned id;	  /* of the registry it is in; stable in files for a built-in type */
	const char *name; /* lower case, stable in files */
	const struct field *fields;
	size_t field_count;
	size_t size; /* of the struct, a multiple of 8 */
	const char *meaning;
	bool many; /* in a file, more than a few rows of a snapshot stand apart: most readers pass over them */
};

/* The first id of a type made at run time; those below are for built-in types. */
#define RECORD_RUNTIME_FIRST 64

/* The types that are built in, by id; ids without a type have no name, [0] is unused. */
struct record_catalogue {
	const struct record_type *types;
	unsigned count; /* at most RECORD_RUNTIME_FIRST */
};

/* What a registry, a reader and a writer keep to. */
#define RECORD_TYPES_MAX 1024 /* type ids are below it */
#define RECORD_FIELDS_MAX 256
#define RECORD_BYTES_MAX (1U << 20) /* of one block; longer data takes several records */
#define RECORD_BYTES_MISSING UINT32_MAX

/* A block of bytes: where it stands in the bytes of its set. */
struct record_bytes {
	uint32_t offset;
	uint32_t length;
};

/* Record i stands at rows + i * type->size. */
struct recordset {
	const struct record_type *type;
	unsigned char *rows;
	size_t count; /* records */
	size_t alloc; /* bytes of rows allocated */
	struct strbuf bytes;
};

/* One value read by its description. */
struct field_value {
	enum field_type type;
	union {
		uint64_t number; /* of an unsigned type and of a string */
		int64_t integer; /* of a signed type */
		double real;
		struct {
			const void *data;
			size_t length;
		} bytes;
	};
};

/* Bytes that a member of a type takes in the struct, and to which it is aligned. */
size_t field_size(enum field_type type);
/* What users are told of a type and a sense: "unsigned", "signed", "text", "real", "bytes"; "level". */
const char *field_type_name(enum field_type type);
const char *field_sense_name(enum field_sense sense);
/* Returns whether the member at member holds no value. */
bool field_is_missing(const struct field *field, const void *member);
/* Lets the member hold no value, or 0 when the field is not optional. */
void field_set_missing(const struct field *field, void *member);

void recordset_init(struct recordset *set, const struct record_type *type);
void recordset_release(struct recordset *set);
/* Forgets the records, keep the memory. */
void recordset_clear(struct recordset *set);
/* Appends one record; record points at a struct of the type. */
void recordset_add(struct recordset *set, const void *record);
/*
 * Appends count records that the caller fills in: the first of them, valid until
 * the set changes.
 */
void *recordset_extend(struct recordset *set, size_t count);
/* Lets two sets of the same type change their contents. */
void recordset_swap(struct recordset *a, struct recordset *b);
/* Appends all records of another set of the same type, their bytes too. */
void recordset_append(struct recordset *set, const struct recordset *from);
/* Records number index as a struct of the type; valid until the set changes. */
const void *recordset_get(const struct recordset *set, size_t index);
/* The same for a filter that changes it. */
void *recordset_at(struct recordset *set, size_t index);
/* Drops the records for which keep returns false; the others stay in order. */
void recordset_keep(struct recordset *set, bool (*keep)(void *argument, const void *record),
		    void *argument);
/* Keeps bytes (RECORD_BYTES_MAX of them at most) in the set, for a member of a record of it. */
struct record_bytes recordset_put_bytes(struct recordset *set, const void *data, size_t length);
/* A value by its description; false when it is missing. */
bool recordset_value(const struct recordset *set, size_t index, size_t field,
		     struct field_value *value);

#endif
