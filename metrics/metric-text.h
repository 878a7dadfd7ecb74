/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Parses texts of the kernel by tables that map the values of a text to the items
 * of a record. Once a text has been seen, nothing is allocated: the plan of a text
 * caches the positions of its keys. A text in another order, from another kernel
 * or with more lines only causes a new search.
 *
 * A value that is not in a text keeps its initial state, missing.
 */
#ifndef VIGIL_METRICS_METRIC_TEXT_H
#define VIGIL_METRICS_METRIC_TEXT_H

#include "common/strmap.h"
#include "engine/record.h"

/* The formats of the kernel's texts. */
enum metric_form {
	/* Lines "KEY: 12 34", "KEY 12": a key, followed by columns numbered from 1. */
	METRIC_KEYS,
	/* Lines "TCP: inuse 3 orphan 0", "some avg10=0.00": the key is "TCP inuse". */
	METRIC_LABELS,
	/* Pairs of lines "Tcp: A B", "Tcp: 1 2": the key is "Tcp A". */
	METRIC_HEADS,
	/* Words: columns from 1. */
	METRIC_WORDS,
	/* The whole first line: column 1. */
	METRIC_LINE,
	/* A record a line: columns from 1. */
	METRIC_ROWS,
	/* Parsed by the producer itself. */
	METRIC_OTHER,
};

/* Scales that depend on the system: clock ticks in ns, pages in bytes. */
#define METRIC_TICKS UINT64_MAX
#define METRIC_PAGES (UINT64_MAX - 1)
/* The text is hexadecimal. */
#define METRIC_HEX (UINT64_MAX - 2)

/* One value of a record: its description and its source. */
struct metric_item {
	const char *name;
	const char *unit;
	enum field_sense sense;
	const char *meaning; /* a sentence */
	struct {
		unsigned file; /* number of the producer's file, from 1; 0: computed */
		/* METRIC_KEYS, _LABELS, _HEADS; after '|' the names in other kernels. */
		const char *key;
		unsigned column; /* from 1, where there are columns */
		uint64_t scale;	 /* factor of the value; 0: none */
	} from;
	enum field_type type; /* FIELD_UNSIGNED, FIELD_SIGNED, FIELD_STRING or FIELD_DOUBLE */
};

/* Rows of tables of items. */
#define LEVEL(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_LEVEL, meaning, from, FIELD_UNSIGNED \
	}
#define COUNTER(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_COUNTER, meaning, from, FIELD_UNSIGNED \
	}
#define IDENTITY(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_NONE, meaning, from, FIELD_UNSIGNED \
	}
#define TEXT_IDENTITY(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_NONE, meaning, from, FIELD_STRING \
	}
#define TEXT_LEVEL(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_LEVEL, meaning, from, FIELD_STRING \
	}
#define REAL_LEVEL(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_LEVEL, meaning, from, FIELD_DOUBLE \
	}
#define SIGNED_LEVEL(name, unit, from, meaning) \
	{ \
		name, unit, SENSE_LEVEL, meaning, from, FIELD_SIGNED \
	}
/* Sources of an item. */
#define KEY(file, key) KEY_COLUMN(file, key, 0, 0)
#define KEY_SCALED(file, key, scale) KEY_COLUMN(file, key, 0, scale)
#define KEY_COLUMN(file, key, column, scale) \
	{ \
		file, key, column, scale \
	}
#define COLUMN(file, column) COLUMN_SCALED(file, column, 0)
#define COLUMN_SCALED(file, column, scale) \
	{ \
		file, NULL, column, scale \
	}
#define MADE MADE_SCALED(0)
#define MADE_SCALED(scale) \
	{ \
		0, NULL, 0, scale \
	}

#define METRIC_COLUMNS 64

/* Bytes of a key that are cached, including the byte that ends it. */
#define METRIC_KEY_KEPT 44

/* Positions of the items of one file. */
struct metric_plan {
	const struct metric_item *items;
	size_t item_count;
	unsigned file;
	short columns[METRIC_COLUMNS]; /* the item of a column, -1: none; for forms without keys */
	struct metric_key_position {
		uint64_t hash;		   /* hash of the key found there */
		int item;		   /* -1: none */
		size_t end;		   /* its columns are the items from item to before end */
		unsigned last;		   /* the last of these columns */
		unsigned char length;	   /* cached bytes of its line, 0: none: */
		char key[METRIC_KEY_KEPT]; /* the key and the byte that ended it */
	} * key_positions;			   /* by the number of the key in the text; owned */
	size_t count, alloc;
};

void metric_plan_init(struct metric_plan *plan, const struct metric_item *items, size_t count,
		      unsigned file);
void metric_plan_release(struct metric_plan *plan);

/* Sets all values of a record to missing. */
void metric_clear(const struct metric_item *items, size_t count, uint64_t *values);
/* Returns whether any item of a file has a value. */
bool metric_any(const struct metric_plan *plan, const uint64_t *values);

/* Takes the values of a whole text of a form with keys, or of words. */
void metric_parse(struct metric_plan *plan, enum metric_form form, const char *text,
		 uint64_t *values, struct strmap *strings);
/* Takes the columns of one line. Returns the start of the next line, NULL after the last. */
const char *metric_parse_line(const struct metric_plan *plan, const char *line, uint64_t *values,
			     struct strmap *strings);
/*
 * Sets one item from a text of length bytes, according to its type and scale.
 * Returns false when there is no value.
 */
bool metric_set(const struct metric_item *item, const char *text, size_t length, uint64_t *value,
		struct strmap *strings);

#endif
