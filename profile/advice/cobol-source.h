/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data items of a COBOL source, and which of them a statement uses: for advice
 * on how items are stored. The parser is tolerant: fixed and free format, levels,
 * PICTURE, USAGE (also of groups), copybooks in the same folder as the source,
 * qualified names. What it does not understand is not an item. Names made by COPY
 * REPLACING are not known.
 */
#ifndef VIGIL_PROFILE_ADVICE_COBOL_SOURCE_H
#define VIGIL_PROFILE_ADVICE_COBOL_SOURCE_H

#include "common/strmap.h"
#include "profile/source-text.h"

#define COBOL_NO_ITEM UINT32_MAX

enum cobol_keeping {
	COBOL_KEPT_DISPLAY, /* digits as characters */
	COBOL_KEPT_PACKED,
	COBOL_KEPT_BINARY,
	COBOL_KEPT_ELSE /* floating point, pointers */
};

struct cobol_item {
	uint32_t name;	  /* string of names, in upper case; "": FILLER */
	uint32_t parent;  /* the group, or the item of a condition name; COBOL_NO_ITEM: none */
	uint32_t earlier; /* the previous item of the same name */
	uint64_t line;	  /* of the source: where it is, or where its copybook is named */
	unsigned level;
	uint32_t occurs; /* maximum number of entries; 0: not a table */
	char *picture; /* as written, in upper case; NULL: none */
	enum cobol_keeping keeping;
	const char *usage; /* static: the usual spelling, "DISPLAY", "COMP-3" */
	bool numeric;	   /* digits only: not edited, not a group */
	bool fraction;	   /* has an assumed decimal point, or scaling */
};

struct cobol_source {
	struct source_texts *texts;
	const char *path;
	bool fixed; /* reference format in effect at its end */
	struct strmap names;
	struct cobol_item *items;
	uint32_t *last; /* by name: the last item with it */
	size_t count, alloc, last_count, last_alloc;
};

/* Reads a source; returns NULL if it cannot be read. texts and path are borrowed. */
struct cobol_source *cobol_source_new(struct source_texts *texts, const char *path);
void cobol_source_free(struct cobol_source *source);
/* Returns the item that a name (case-insensitive) means in a line of file; NULL: none. */
const struct cobol_item *cobol_source_item(const struct cobol_source *source, const char *name,
					   const char *file, uint64_t line);
/* Returns the name of an item. */
const char *cobol_source_name(const struct cobol_source *source, const struct cobol_item *item);
/*
 * Finds the numeric items used in the statement that begins in a line of file (the
 * source itself or a copybook), each once, as many as the array holds; returns how
 * many there are.
 */
size_t cobol_source_statement(const struct cobol_source *source, const char *file, uint64_t line,
			      const struct cobol_item **items, size_t room);

#endif
