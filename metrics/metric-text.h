/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Texts of the kernel taken apart by tables: which value of a text goes into
 * which item of a record. Nothing is allocated once a text has been seen: the
 * plan of a text remembers where its keys stood, and a text of another order,
 * of another kernel or with more lines only makes it look again.
 *
 * A value that a text does not have stays as it was, missing.
 */
#ifndef VIGIL_METRICS_METRIC_TEXT_H
#define VIGIL_METRICS_METRIC_TEXT_H

#include "common/strmap.h"
#include "engine/record.h"

/* The forms that texts of the kernel have. */
enum metric_form {
	/* Lines "KEY: 12 34", "KEY 12": a key, and columns behind it from 1. */
	METRIC_KEYS,
	/* Lines "TCP: inuse 3 orphan 0", "some avg10=0.00": the key is "TCP inuse". */
	METRIC_LABELS,
	/* Pairs of lines "Tcp: A B", "Tcp: 1 2": the key is "Tcp A". */
	METRIC_HEADS,
	/* Words: columns from 1. */
	METRIC_WORDS,
	/* The first line, whole: column 1. */
	METRIC_LINE,
	/* A record a line: columns from 1. */
	METRIC_ROWS,
	/* What the producer takes apart itself. */
	METRIC_OTHER,
};

/* A scale that depends on the system: clock ticks in ns, pages in bytes. */
#define METRIC_TICKS UINT64_MAX
#define METRIC_PAGES (UINT64_MAX - 1)
/* The text is hexadecimal. */
#define METRIC_HEX (UINT64_MAX - 2)

/* One value of a record: what it is, and where it comes from. */
struct metric_item {
	const char *name;
	const char *unit;
	enum field_sense sense;
	const char *meaning; /* a sentence */
	struct {
		unsigned file; /* which of the producer's files, from 1; 0: it is made otherwise */
		/* METRIC_KEYS, _LABELS, _HEADS; behind '|' what other kernels call the same. */
		const char *key;
		unsigned column; /* from 1, where there are columns */
		uint64_t scale;	 /* the value is multiplied by it; 0: as it stands */
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
/* Where an item comes from. */
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

/* Bytes of a key that are kept, with what ends it. */
#define METRIC_KEY_KEPT 44

/* Where the items of one file stand in it. */
struct metric_plan {
	const struct metric_item *items;
	size_t item_count;
	unsigned file;
	short columns[METRIC_COLUMNS]; /* the item of a column, -1 none; without keys */
	struct metric_place {
		uint64_t hash;		   /* of the key met there */
		int item;		   /* -1: no item */
		size_t end;		   /* its columns are items from item to before end */
		unsigned last;		   /* the last of these columns */
		unsigned char length;	   /* of what is kept of its line, 0 nothing: */
		char key[METRIC_KEY_KEPT]; /* the key and the byte that ended it */
	} * places;			   /* by the number of the key in the text; owned */
	size_t count, alloc;
};

void metric_plan_init(struct metric_plan *plan, const struct metric_item *items, size_t count,
		      unsigned file);
void metric_plan_release(struct metric_plan *plan);

/* All values of a record that are there so far, by item; each is missing at first. */
void metric_clear(const struct metric_item *items, size_t count, uint64_t *values);
/* Returns whether any item of a file has a value. */
bool metric_any(const struct metric_plan *plan, const uint64_t *values);

/* Takes the values of a whole text of a form with keys, or of words. */
void metric_take(struct metric_plan *plan, enum metric_form form, const char *text,
		 uint64_t *values, struct strmap *strings);
/* Takes the columns of one line; where the next line begins, NULL: that was the last. */
const char *metric_take_line(const struct metric_plan *plan, const char *line, uint64_t *values,
			     struct strmap *strings);
/*
 * Sets one item from a text of length bytes, as its type and scale say; false:
 * there is no value.
 */
bool metric_set(const struct metric_item *item, const char *text, size_t length, uint64_t *value,
		struct strmap *strings);

#endif
