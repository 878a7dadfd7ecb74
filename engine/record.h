/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record types and record sets: the form in which all data pass between processor
 * modules and into the sample data set.
 *
 * A record is a C struct. A struct record_type describes it: its name, and for
 * each member the name, type, unit, sense and a sentence on its meaning. That
 * description is written into each file, so a reader does not need the writer's
 * structs: fields are matched by name, unknown fields are skipped, and types
 * unknown to the reader are read by their description (recordset_value).
 *
 * A value that a producer could not get is missing, which is different from 0. An
 * optional field has a reserved value for that: the largest number of an unsigned
 * type, the smallest of a signed one, a NaN, or RECORD_BYTES_MISSING as a length.
 * field_is_missing handles all of them.
 *
 * A record set holds the records of one type in one snapshot, and their blocks of
 * bytes.
 */
#ifndef VIGIL_ENGINE_RECORD_H
#define VIGIL_ENGINE_RECORD_H

#include "common/compat.h"
#include "common/strbuf.h"

/* Type of a member of the struct. The numbers are stable in files. */
enum field_type {
	FIELD_UNSIGNED = 0, /* uint64_t */
	FIELD_SIGNED = 1,   /* int64_t */
	FIELD_STRING = 2,   /* uint64_t, number of a string in the collection's table */
	FIELD_U8 = 3,
	FIELD_U16 = 4,
	FIELD_U32 = 5,
	FIELD_I8 = 6,
	FIELD_I16 = 7,
	FIELD_I32 = 8,
	FIELD_DOUBLE = 9,
	FIELD_BYTES = 10, /* struct record_bytes: a block of bytes stored in the set */
	FIELD_TYPE_COUNT
};

/* Meaning of a field's values, and so which arithmetic they allow. Stable in files. */
enum field_sense {
	SENSE_NONE = 0,	   /* an id, a name, a code: sums and differences are meaningless */
	SENSE_LEVEL = 1,   /* the state at the time of the record */
	SENSE_COUNTER = 2, /* cumulative: the difference of two records is an amount */
	SENSE_AMOUNT = 3,  /* amount in the record's interval: amounts add up */
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

struct snapshot;

struct record_type {
	unsigned id;	  /* in its registry; stable in files for a built-in type */
	const char *name; /* lower case, stable in files */
	const struct field *fields;
	size_t field_count;
	size_t size; /* bytes of the struct, a multiple of 8 */
	const char *meaning;
	bool many; /* in a file, if a snapshot has more than a few rows, or rows with bytes, they
		    * are in separate blocks, which most readers skip */
	/*
	 * Replaces the records of a snapshot by the records of other types for which they
	 * stand, after they were read from a file; NULL: they stand for themselves.
	 */
	void (*expand)(struct snapshot *snapshot);
};

/* First id of a type made at run time; those below are for built-in types. */
#define RECORD_RUNTIME_FIRST 64

/* The built-in types, by id; unused ids have no name, [0] is unused. */
struct record_catalogue {
	const struct record_type *types;
	unsigned count; /* at most RECORD_RUNTIME_FIRST */
};

/* Limits of registry, reader and writer. */
#define RECORD_TYPES_MAX 1024 /* type ids are below it */
#define RECORD_FIELDS_MAX 256
#define RECORD_BYTES_MAX (1U << 20) /* bytes of one block; longer data take several records */
#define RECORD_BYTES_MISSING UINT32_MAX

/* A block of bytes: its offset in the bytes of its set, and its length. */
struct record_bytes {
	uint32_t offset;
	uint32_t length;
};

/* Records of one type; record i is at rows + i * type->size. */
struct recordset {
	const struct record_type *type;
	unsigned char *rows;
	size_t count; /* records */
	size_t alloc; /* bytes of rows allocated */
	struct strbuf bytes;
};

/* One value, read by its description. */
struct field_value {
	enum field_type type;
	union {
		uint64_t number; /* for unsigned types and strings */
		int64_t integer; /* for signed types */
		double real;
		struct {
			const void *data;
			size_t length;
		} bytes;
	};
};

/* Returns the size of a member of a type in the struct in bytes, which is also its alignment. */
size_t field_size(enum field_type type);
/*
 * Return the names of a type and a sense for users: "unsigned", "signed", "text",
 * "real", "bytes"; "level".
 */
const char *field_type_name(enum field_type type);
const char *field_sense_name(enum field_sense sense);
/* Returns whether the member at member has no value. */
bool field_is_missing(const struct field *field, const void *member);
/* Sets the member to "no value", or to 0 when the field is not optional. */
void field_set_missing(const struct field *field, void *member);

void recordset_init(struct recordset *set, const struct record_type *type);
void recordset_release(struct recordset *set);
/* Removes the records, keeps the memory. */
void recordset_clear(struct recordset *set);
/* Appends one record; record points to a struct of the type. */
void recordset_add(struct recordset *set, const void *record);
/*
 * Appends count records for the caller to fill in. Returns the first of them,
 * valid until the set changes.
 */
void *recordset_extend(struct recordset *set, size_t count);
/* Swaps the contents of two sets of the same type. */
void recordset_swap(struct recordset *a, struct recordset *b);
/* Appends all records of another set of the same type, with their bytes. */
void recordset_append(struct recordset *set, const struct recordset *from);
/* Returns record number index as a struct of the type; valid until the set changes. */
const void *recordset_get(const struct recordset *set, size_t index);
/* Returns the same for a filter that changes it. */
void *recordset_at(struct recordset *set, size_t index);
/* Removes the records for which keep returns false; the order of the others is kept. */
void recordset_keep(struct recordset *set, bool (*keep)(void *argument, const void *record),
		    void *argument);
/* Stores bytes (at most RECORD_BYTES_MAX) in the set, for a member of one of its records. */
struct record_bytes recordset_put_bytes(struct recordset *set, const void *data, size_t length);
/* Reads a value by its description. Returns false when it is missing. */
bool recordset_value(const struct recordset *set, size_t index, size_t field,
		     struct field_value *value);

#endif
