/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The form of a sample data set, shared by its writer and its reader;
 * doc/vigil-dataset.5 describes every byte. Nobody else includes this.
 *
 *	header   magic, version, checksum
 *	block    marker, type, packing, lengths, checksums; then the payload
 *	...
 *	end      the last block of a data set that was finished
 *
 * A block's content is made of varints (7 bits a byte, lowest first, the top
 * bit says that more follow), signed numbers zig-zagged into them, and texts
 * (length, bytes). A snapshot's content is its record sets, each a column
 * after the other.
 */
#ifndef VIGIL_ENGINE_DATASET_FORMAT_H
#define VIGIL_ENGINE_DATASET_FORMAT_H

#include "common/strbuf.h"
#include "engine/dataset.h"

#define DATASET_MAGIC "\x89VPRF\r\n\x1a" /* 8 bytes */
#define DATASET_MAJOR 1
#define DATASET_MINOR 2
#define DATASET_HEADER_SIZE 16

#define DATASET_MARKER "\xf7VB\xa9" /* 4 bytes */
#define DATASET_BLOCK_SIZE 24	    /* of a block's head */

enum dataset_block_type {
	BLOCK_TYPES = 1,    /* descriptions of record types */
	BLOCK_STRINGS = 2,  /* texts and the number of the first */
	BLOCK_SNAPSHOT = 3, /* record sets of one snapshot, all or some */
	BLOCK_END = 4,	    /* how many blocks stand before it */
	BLOCK_MEANINGS = 5, /* what types and fields mean; since 1.1 */
	BLOCK_EVENTS = 6, /* as SNAPSHOT, of a type that has many (EVENT) alone, so they can be passed over; since 1.1 */
	BLOCK_CHANGES = 7, /* as SNAPSHOT, but some sets are changes of earlier ones; since 1.2 */
	BLOCK_PICTURE = 8, /* sets on which changes build once more, should the first be damaged; since 1.2 */
};

enum dataset_packing { PACKING_NONE = 0, PACKING_ZLIB = 1 };

/* How a column is written, and whether its values follow on the snapshot's time instead of 0. */
enum dataset_column {
	COLUMN_CONSTANT = 0, /* the difference of every value from the base */
	COLUMN_LINEAR = 1,   /* that of the first, and what each value adds to the one before */
	COLUMN_PLAIN = 2,    /* each value, not zig-zagged; no base */
	COLUMN_DELTA = 3, /* each value's difference from the one before, the first from the base */
	COLUMN_DELTA2 = 4,  /* the difference of those differences; the first as it is */
	COLUMN_TIME = 0x80, /* or-ed: the base is the snapshot's time */
};

/* In a description, the number of a field's type holds what else there is to say of it. */
#define FIELD_TYPE_MASK 31U
#define FIELD_OPTIONAL 32U
#define FIELD_SENSE_SHIFT 6

/* What a writer keeps to and a reader insists on. */
#define DATASET_MAX_CONTENT (16U << 20) /* bytes of a block, unpacked */
#define DATASET_MAX_VALUES (4U << 20)	/* values of one record set in one block */
#define DATASET_MAX_COLUMNS RECORD_FIELDS_MAX
#define DATASET_MAX_TYPES RECORD_TYPES_MAX /* type ids are below it */
#define DATASET_MAX_TEXT (1U << 20) /* bytes of one string; longer ones are cut */
#define DATASET_MAX_DEPTH 8 /* snapshots that build on each other */
#define DATASET_UNFOLDED 4096 /* values that changes may come to, for each byte of the file */
#define DATASET_CHANGED 1024 /* added to the id of a type whose set is written as changes */
#define DATASET_FREE_ROWS 64	    /* rows a set may have beyond its bytes */

/* The head of a block as numbers. */
struct dataset_block {
	unsigned type;
	unsigned packing;
	uint32_t stored;   /* bytes of the payload in the file */
	uint32_t content;  /* bytes of the payload unpacked */
	uint32_t checksum; /* crc32 of the payload as stored */
};

/* Reads content from front to end; once something was wrong, bad stays set and 0 is read. */
struct dataset_cursor {
	const unsigned char *at, *end;
	bool bad;
};

/* Where one record set stands in a snapshot's content. */
struct dataset_set {
	uint64_t type;
	uint64_t rows;
	uint64_t columns;
	bool changed;		    /* written as changes of an earlier set of the type */
	struct dataset_cursor data; /* the columns, or the changes */
};

/* The numbers of a record set as they are in the file, those of a record side by side. */
struct dataset_numbers_set {
	uint64_t *values; /* owned */
	size_t rows, columns, alloc;
};

/* A column of numbers in memory. */
struct dataset_numbers {
	const uint64_t *values; /* the first; the others stand stride apart */
	size_t stride;		/* 0: they are all the first */
	size_t count;  /* above 0 */
	uint64_t time; /* of the snapshot */
};

/* A column of the file and where it goes. */
struct dataset_field {
	enum field_type type;
	bool optional;
	int target; /* number of our field, -1 none */
};

/* dataset-codec.c: numbers, texts, columns of numbers. */

/* Small numbers of either sign become small numbers. */
static inline uint64_t dataset_zigzag(uint64_t value)
{
	return value << 1 ^ (uint64_t)((int64_t)value >> 63);
}

/* The number that dataset_zigzag was given. */
static inline uint64_t dataset_unzigzag(uint64_t value)
{
	return value >> 1 ^ (0 - (value & 1));
}

void dataset_put_varint(struct strbuf *out, uint64_t value);
void dataset_put_text(struct strbuf *out, const char *text, size_t length);
/*
 * Appends a column in the way that takes the fewest bytes (of a long one, as far
 * as parts of it tell), or in one that takes a byte a number at least.
 */
void dataset_put_column(struct strbuf *out, const struct dataset_numbers *column);
void dataset_put_long_column(struct strbuf *out, const struct dataset_numbers *column);

struct dataset_cursor dataset_cursor(const void *content, size_t length);
uint64_t dataset_get_varint(struct dataset_cursor *cursor);
/* A text, not ended by NUL, valid as long as the content. */
const char *dataset_get_text(struct dataset_cursor *cursor, size_t *length);
/* Reads the next column of a set: count values to target[0], target[stride], ... */
void dataset_get_column(struct dataset_cursor *data, uint64_t *target, size_t stride, size_t count,
			uint64_t time);
/* Goes past the next column of a set. */
void dataset_skip_column(struct dataset_cursor *data, size_t count);

/* dataset-sets.c: record sets. */

/*
 * Appends count (above 0) records of a set, from number first on, as a record set
 * of a snapshot. Returns where in out its first column ends.
 */
size_t dataset_put_set(struct strbuf *out, const struct recordset *set, size_t first, size_t count,
		       uint64_t time);
/* The columns of count records alone; returns where the first of them ends. */
size_t dataset_put_columns(struct strbuf *out, const struct recordset *set, size_t first,
			   size_t count, uint64_t time);
/* Puts the length of what was appended since start before it; returns how many bytes that took. */
size_t dataset_put_length(struct strbuf *out, size_t start);
/* A value (not of FIELD_BYTES) as the number that it is in a file. */
uint64_t dataset_number(const struct recordset *set, size_t row, size_t field);
/* The next record set, without looking into its columns; it may be changes where that is so. */
void dataset_get_set(struct dataset_cursor *cursor, struct dataset_set *set, bool changes);
/* Returns whether values of a column of the file can go into a field of ours. */
bool dataset_is_alike(enum field_type theirs, enum field_type ours);
/*
 * Reads the next column of a set into the records of target from number first on,
 * which are there and hold zeros; data.bad says that it is damaged.
 */
void dataset_get_field(struct dataset_set *set, const struct dataset_field *from,
		       struct recordset *target, size_t first, uint64_t time);

/* The same from numbers of the file, none of them of a block of bytes. */
void dataset_take_numbers(const struct dataset_numbers_set *numbers, size_t column,
			  const struct dataset_field *from, struct recordset *target, size_t first);

/* dataset-changes.c: record sets as changes of earlier ones. */

/* Returns whether sets of a type are written as changes where that is possible. */
bool dataset_has_changes(const struct record_type *type);
/* Appends a set as changes of base, a set of the same type; both have records. */
void dataset_put_changes(struct strbuf *out, const struct recordset *set,
			 const struct recordset *base, uint64_t time);
/*
 * Reads a set that has no blocks of bytes into numbers, whichever way it is
 * written; base is the set that it builds on, NULL: there is none. False when it
 * is damaged.
 */
bool dataset_get_numbers(struct dataset_set *set, const struct dataset_numbers_set *base,
			 struct dataset_numbers_set *numbers, uint64_t time);

/* dataset-block.c: blocks, packing, checksums. */
struct dataset_packer;

struct dataset_packer *dataset_packer_new(void);
void dataset_packer_free(struct dataset_packer *packer);
/* Appends the header of a file. */
void dataset_put_header(struct strbuf *out);
/* Returns whether header is that of a data set, and its version. */
bool dataset_get_header(const unsigned char header[DATASET_HEADER_SIZE], unsigned *major,
			unsigned *minor);
/*
 * Appends a block. The first literals bytes of its content look like noise, and
 * are packed as such; where they are many, the others with less effort.
 */
void dataset_put_block(struct dataset_packer *packer, struct strbuf *out, unsigned type,
		       const struct strbuf *content, size_t literals);
/* Reads the head of a block; false when it is not one. */
bool dataset_get_block(const unsigned char head[DATASET_BLOCK_SIZE], struct dataset_block *block);
bool dataset_payload_is_whole(const struct dataset_block *block, const unsigned char *payload);
/* Unpacks a payload into content (emptied before); false when it is damaged. */
bool dataset_unpack(struct dataset_packer *packer, const struct dataset_block *block,
		    const unsigned char *payload, struct strbuf *content);

/* dataset-literals.c */
/*
 * Appends data (not empty) as a block of literals of a deflate stream that goes on
 * at a whole byte.
 */
void dataset_put_literals(struct strbuf *out, const void *data, size_t length);

/* dataset-read.c: blocks of a file in order, resynchronised after damage. */
struct dataset_reader;

/*
 * Strings and record types of the file are added to strings and types. Both
 * may be NULL: then no snapshot is to be read.
 */
struct dataset_reader *dataset_reader_open(const char *path, struct strmap *strings,
					   struct registry *types, struct error *err);
/* The same for a descriptor, which the reader takes over; -1 fails with the present errno. */
struct dataset_reader *dataset_reader_new(int fd, const char *path, struct strmap *strings,
					  struct registry *types, struct error *err);
void dataset_reader_close(struct dataset_reader *reader);
/*
 * The next whole block, whatever its type: 1 with the head and the payload
 * (valid until the next call), 0 at the end, -1 when the file cannot be read.
 */
int dataset_reader_block(struct dataset_reader *reader, struct dataset_block *block,
			 const unsigned char **payload, struct error *err);
/* The rows of the next snapshot block, into sets that are empty: 1, 0 at the end, or -1. */
int dataset_reader_snapshot(struct dataset_reader *reader, struct snapshot *snapshot,
			    struct error *err);
/*
 * Passes over the EVENT records of the file from here on, unread;
 * status.passed_events tells of them.
 */
void dataset_reader_pass_events(struct dataset_reader *reader);
/* Passes over records of modules, unread, unless wants says that they are wanted. */
void dataset_reader_want(struct dataset_reader *reader,
			 bool (*wants)(const void *argument, const struct record_type *type),
			 const void *argument);
/* What was found up to now. */
const struct dataset_status *dataset_reader_status(const struct dataset_reader *reader);

#endif
