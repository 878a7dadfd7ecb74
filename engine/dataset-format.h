/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The format of a sample data set, shared by its writer and its reader;
 * doc/vigil-dataset.5 describes every byte. Nothing else includes this header.
 *
 * 	header   magic, version, checksum
 * 	block    marker, type, packing, lengths, checksums; then the payload
 * 	...
 * 	end      the last block of a data set that was finished
 *
 * A block's content consists of varints (7 bits a byte, lowest first; the top bit
 * says that more follow), signed numbers zig-zagged into them, and texts (length,
 * bytes). A snapshot's content is its record sets, stored column by column.
 */
#ifndef VIGIL_ENGINE_DATASET_FORMAT_H
#define VIGIL_ENGINE_DATASET_FORMAT_H

#include "common/strbuf.h"
#include "common/varint.h"
#include "engine/dataset.h"

#define DATASET_MAGIC "\x89VPRF\r\n\x1a" /* 8 bytes */
#define DATASET_MAJOR 1
#define DATASET_MINOR 2
#define DATASET_HEADER_SIZE 16

#define DATASET_MARKER "\xf7VB\xa9" /* 4 bytes */
#define DATASET_BLOCK_SIZE 24	    /* bytes of a block's head */

enum dataset_block_type {
	BLOCK_TYPES = 1,    /* descriptions of record types */
	BLOCK_STRINGS = 2,  /* number of the first text, and the texts */
	BLOCK_SNAPSHOT = 3, /* record sets of one snapshot, all or some */
	BLOCK_END = 4,	    /* number of blocks before it */
	BLOCK_MEANINGS = 5, /* meanings of types and fields; since 1.1 */
	BLOCK_EVENTS = 6, /* as SNAPSHOT, only for a type with many rows (EVENT), so that it can
			   * be skipped; since 1.1 */
	BLOCK_CHANGES = 7, /* as SNAPSHOT, but some sets are stored as changes of earlier ones;
			    * since 1.2 */
	BLOCK_BASE_COPY = 8, /* a copy of sets on which changes build, in case the first is
			    * damaged; since 1.2 */
};

enum dataset_packing { PACKING_NONE = 0, PACKING_ZLIB = 1 };

/* Encoding of a column, and whether its base is the snapshot's time instead of 0. */
enum dataset_column {
	COLUMN_CONSTANT = 0, /* one number: the difference of every value from the base */
	COLUMN_LINEAR = 1,   /* the difference of the first value from the base, and the step
			      * between values */
	COLUMN_PLAIN = 2,    /* each value, not zig-zagged; no base */
	COLUMN_DELTA = 3, /* each value's difference from the one before, of the first from the
			   * base */
	COLUMN_DELTA2 = 4,  /* the differences of those differences; the first as it is */
	COLUMN_TIME = 0x80, /* or-ed: the base is the snapshot's time */
};

/* Mask of a field's type number in a description; the other bits are flags. */
#define FIELD_TYPE_MASK 31U
#define FIELD_OPTIONAL 32U
#define FIELD_SENSE_SHIFT 6

/* Limits that the writer observes and the reader enforces. */
#define DATASET_MAX_CONTENT (16U << 20) /* bytes of a decompressed block */
#define DATASET_MAX_VALUES (4U << 20)	/* values of one record set in one block */
#define DATASET_MAX_COLUMNS RECORD_FIELDS_MAX
#define DATASET_MAX_TYPES RECORD_TYPES_MAX /* type ids are below it */
#define DATASET_MAX_TEXT (1U << 20) /* bytes of one string; longer ones are truncated */
#define DATASET_MAX_DEPTH 8 /* length of a chain of snapshots that build on each other */
#define DATASET_DECODED_MAX 4096 /* maximum values decoded from changes, for each byte of the file */
#define DATASET_CHANGED 1024 /* added to the id of a type whose set is stored as changes */
#define DATASET_FREE_ROWS 64	    /* number of rows that a set may have regardless of its bytes */

/* The decoded head of a block. */
struct dataset_block {
	unsigned type;
	unsigned packing;
	uint32_t stored;   /* bytes of the payload in the file */
	uint32_t content;  /* bytes of the decompressed payload */
	uint32_t checksum; /* crc32 of the payload as stored */
};

/* Reads content from front to end. After an error bad stays set and 0 is read. */
struct dataset_cursor {
	const unsigned char *at, *end;
	bool bad;
};

/* A record set in a snapshot's content. */
struct dataset_set {
	uint64_t type;
	uint64_t rows;
	uint64_t columns;
	bool changed;		    /* stored as changes of an earlier set of the type */
	struct dataset_cursor data; /* the columns, or the changes */
};

/* The numbers of a record set as they are in the file, row by row. */
struct dataset_numbers_set {
	uint64_t *values; /* owned */
	size_t rows, columns, alloc;
};

/* A column of numbers in memory. */
struct dataset_numbers {
	const uint64_t *values; /* the first value; the others follow at distance stride */
	size_t stride;		/* 0: all are equal to the first */
	size_t count;  /* at least 1 */
	uint64_t time; /* of the snapshot */
};

/* A column of the file and the field to which it belongs. */
struct dataset_field {
	enum field_type type;
	bool optional;
	int target; /* number of the reader's field, -1: none */
};

/* dataset-codec.c: numbers, texts, columns of numbers. */

void dataset_put_varint(struct strbuf *out, uint64_t value);
void dataset_put_text(struct strbuf *out, const char *text, size_t length);
/*
 * Append a column: in the encoding that takes the fewest bytes (for a long one
 * estimated from parts of it); or, a long column, in one that takes at least a
 * byte a number.
 */
void dataset_put_column(struct strbuf *out, const struct dataset_numbers *column);
void dataset_put_long_column(struct strbuf *out, const struct dataset_numbers *column);

struct dataset_cursor dataset_cursor(const void *content, size_t length);
uint64_t dataset_get_varint(struct dataset_cursor *cursor);
/* Returns a text, not NUL-terminated, valid as long as the content. */
const char *dataset_get_text(struct dataset_cursor *cursor, size_t *length);
/* Reads the next column of a set: count values to target[0], target[stride], ... */
void dataset_get_column(struct dataset_cursor *data, uint64_t *target, size_t stride, size_t count,
			uint64_t time);
/* Skips the next column of a set. */
void dataset_skip_column(struct dataset_cursor *data, size_t count);

/* dataset-sets.c: record sets. */

/*
 * Appends count (at least 1) records of a set, from number first on, as a record
 * set of a snapshot. Returns the offset in out at which its first column ends.
 */
size_t dataset_put_set(struct strbuf *out, const struct recordset *set, size_t first, size_t count,
		       uint64_t time);
/* Appends only the columns of count records. Returns the offset at which the first of them ends. */
size_t dataset_put_columns(struct strbuf *out, const struct recordset *set, size_t first,
			   size_t count, uint64_t time);
/*
 * Inserts, at start, the length of what was appended since. Returns the number of
 * bytes inserted.
 */
size_t dataset_put_length(struct strbuf *out, size_t start);
/* Returns a value (not of FIELD_BYTES) as the number stored in a file. */
uint64_t dataset_number(const struct recordset *set, size_t row, size_t field);
/*
 * Reads the head of the next record set, without its columns. It may be stored as
 * changes if changes is true.
 */
void dataset_get_set(struct dataset_cursor *cursor, struct dataset_set *set, bool changes);
/* Returns whether values of a column of the file can be stored in one of the reader's fields. */
bool dataset_is_alike(enum field_type theirs, enum field_type ours);
/*
 * Reads the next column of a set into existing, zeroed records of target from
 * number first on; sets data.bad when it is damaged.
 */
void dataset_get_field(struct dataset_set *set, const struct dataset_field *from,
		       struct recordset *target, size_t first, uint64_t time);

/* Does the same from the numbers of a file, which must have no block of bytes. */
void dataset_take_numbers(const struct dataset_numbers_set *numbers, size_t column,
			  const struct dataset_field *from, struct recordset *target, size_t first);

/* dataset-changes.c: record sets as changes of earlier ones. */

/* Returns whether sets of a type are stored as changes where possible. */
bool dataset_has_changes(const struct record_type *type);
/* Appends a set as changes of base, a set of the same type; both must have records. */
void dataset_put_changes(struct strbuf *out, const struct recordset *set,
			 const struct recordset *base, uint64_t time);
/*
 * Reads a set without blocks of bytes into numbers, however it is stored; base is
 * the set on which it builds, NULL: none. Returns false when it is damaged.
 */
bool dataset_get_numbers(struct dataset_set *set, const struct dataset_numbers_set *base,
			 struct dataset_numbers_set *numbers, uint64_t time);

/* dataset-block.c: blocks, compression, checksums. */
struct dataset_packer;

struct dataset_packer *dataset_packer_new(void);
void dataset_packer_free(struct dataset_packer *packer);
/* Appends the header of a file. */
void dataset_put_header(struct strbuf *out);
/* Checks the header of a data set and returns its version. */
bool dataset_get_header(const unsigned char header[DATASET_HEADER_SIZE], unsigned *major,
			unsigned *minor);
/*
 * Appends a block. The first literals bytes of its content are incompressible and
 * coded as literals; if they are many, the rest is compressed with less effort.
 */
void dataset_put_block(struct dataset_packer *packer, struct strbuf *out, unsigned type,
		       const struct strbuf *content, size_t literals);
/* Reads the head of a block. Returns false when it is none. */
bool dataset_get_block(const unsigned char head[DATASET_BLOCK_SIZE], struct dataset_block *block);
bool dataset_payload_is_whole(const struct dataset_block *block, const unsigned char *payload);
/* Decompresses a payload into content, which is emptied first. Returns false when it is damaged. */
bool dataset_unpack(struct dataset_packer *packer, const struct dataset_block *block,
		    const unsigned char *payload, struct strbuf *content);

/* dataset-literals.c */
/*
 * Appends data (not empty) as a block of literals of a deflate stream, ending at a
 * byte boundary.
 */
void dataset_put_literals(struct strbuf *out, const void *data, size_t length);

/* dataset-read.c: reads the blocks of a file in order, and resynchronises after damage. */
struct dataset_reader;

/*
 * Opens a file. Its strings and record types are added to strings and types; both
 * may be NULL if no snapshot will be read.
 */
struct dataset_reader *dataset_reader_open(const char *path, struct strmap *strings,
					   struct registry *types, struct error *err);
/*
 * Does the same for a descriptor, which the reader takes over; for -1 it fails
 * with the present errno.
 */
struct dataset_reader *dataset_reader_new(int fd, const char *path, struct strmap *strings,
					  struct registry *types, struct error *err);
void dataset_reader_close(struct dataset_reader *reader);
/*
 * Reads the next intact block of any type: 1 with the head and the payload (valid
 * until the next call), 0 at the end, -1 when the file cannot be read.
 */
int dataset_reader_block(struct dataset_reader *reader, struct dataset_block *block,
			 const unsigned char **payload, struct error *err);
/*
 * Reads the rows of the next snapshot block into sets, which must be empty: 1, 0
 * at the end, or -1.
 */
int dataset_reader_snapshot(struct dataset_reader *reader, struct snapshot *snapshot,
			    struct error *err);
/* Skips the EVENT records of the file from now on; status.passed_events counts them. */
void dataset_reader_skip_events(struct dataset_reader *reader);
/* Skips records of modules for which wants returns false. */
void dataset_reader_want(struct dataset_reader *reader,
			 bool (*wants)(const void *argument, const struct record_type *type),
			 const void *argument);
/* Returns the findings so far. */
const struct dataset_status *dataset_reader_status(const struct dataset_reader *reader);

#endif
