/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data items of a COBOL source, and which of them stand in a statement:
 * for those who advise on how items are kept. The reader is tolerant: fixed
 * and free format, levels, PICTURE, USAGE (also a group's), copybooks that
 * stand beside the source, qualified names. What it does not understand is no
 * item. Names that COPY REPLACING made are not known.
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
	uint32_t name;	  /* string of names, in upper case; "" FILLER */
	uint32_t parent;  /* the group, or the item of a condition name; COBOL_NO_ITEM none */
	uint32_t earlier; /* the item of the same name before it */
	uint64_t line;	  /* of the source, in which it stands or its copybook is named */
	unsigned level;
	uint32_t occurs; /* at most so many times; 0: it is no table */
	char *picture; /* as it is written, in upper case; NULL none */
	enum cobol_keeping keeping;
	const char *usage; /* static: as one writes it, "DISPLAY", "COMP-3" */
	bool numeric;	   /* digits only: not edited, no group */
	bool fraction;	   /* has an assumed decimal point, or scaling */
};

struct cobol_source {
	struct source_texts *texts;
	const char *path;
	bool fixed; /* reference format at its end */
	struct strmap names;
	struct cobol_item *items;
	uint32_t *last; /* by name: the last item called so */
	size_t count, alloc, last_count, last_alloc;
};

/* Read a source; NULL when it cannot be read. Texts and path are borrowed. */
struct cobol_source *cobol_source_new(struct source_texts *texts, const char *path);
void cobol_source_free(struct cobol_source *source);
/* The item that a name, in any case, stands for in a line of file; NULL none. */
const struct cobol_item *cobol_source_item(const struct cobol_source *source, const char *name,
					   const char *file, uint64_t line);
/* The name of an item. */
const char *cobol_source_name(const struct cobol_source *source, const struct cobol_item *item);
/*
 * The numeric items that stand in the statement that begins in a line of file (the source itself or
 * a copybook), each once, as far as there is room; returns how many there are.
 */
size_t cobol_source_statement(const struct cobol_source *source, const char *file, uint64_t line,
			      const struct cobol_item **items, size_t room);

#endif
