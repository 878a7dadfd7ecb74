/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The WORKING-STORAGE SECTION of a COBOL program, read from its source: its items,
 * the order in which the compiler numbers them, and the offset of each in its
 * record.
 *
 * Supported are levels 01 to 49 and 77 with PICTURE, USAGE, SIGN, OCCURS and
 * REDEFINES, and COPY of a copybook in the source's folder. A record with anything
 * else that moves its items (SYNCHRONIZED, COPY REPLACING, ...) is not calculated:
 * refused says why.
 */
#ifndef VIGIL_COLLECTORS_COBOL_STORAGE_H
#define VIGIL_COLLECTORS_COBOL_STORAGE_H

#include "common/strbuf.h"
#include "collectors/cobol-value.h"
#include "program/names/names-source.h"

#define COBOL_STORAGE_NONE UINT32_MAX

struct cobol_storage_item {
	char *name;	    /* "" for FILLER */
	unsigned level;	    /* 77 is stored as 1 */
	uint32_t number;    /* order of definition, from 0 */
	uint32_t redefines; /* index of the item, or COBOL_STORAGE_NONE */
	uint32_t root;	    /* index of its record */
	struct cobol_type type;
	bool usage_given;
	bool external, group, in_table;
	uint32_t occurs; /* 1: not a table */
	/* offset from the start of the record; size of all occurrences */
	uint64_t offset, size;
	const char *refused; /* NULL, or why the item cannot be calculated */
};

struct cobol_storage {
	struct cobol_storage_item *items;
	uint32_t count;
	size_t alloc;
	uint32_t numbers; /* number of items counted */
	uint32_t before;  /* number of items counted in the FILE SECTION */
	bool has_program, has_storage;
	const char *refused; /* why the items of the section cannot be numbered, or NULL */
};

/*
 * Reads the program (named as in the object) from a source file. one_byte: as for
 * cobol_type_size.
 */
void cobol_storage_read(struct cobol_storage *storage, struct source_cache *cache, const char *path,
			const char *program, bool one_byte);
void cobol_storage_release(struct cobol_storage *storage);
/* The reason that cobol_storage_find returns if there is no such item. */
extern const char cobol_storage_absent[];
/*
 * Returns the index of the item with a name, in the group with a name unless that
 * is ""; COBOL_STORAGE_NONE, with the reason in *why.
 */
uint32_t cobol_storage_find(const struct cobol_storage *storage, const char *group,
			    const char *name, const char **why);

#endif
