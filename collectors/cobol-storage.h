/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The WORKING-STORAGE SECTION of a COBOL program, read from its source: which
 * items there are, in which order the compiler counts them, and where each
 * lies in its record.
 *
 * Read are levels 01 to 49 and 77 with PICTURE, USAGE, SIGN, OCCURS and
 * REDEFINES, and COPY of a copybook in the source's folder. A record with
 * anything else that moves its items (SYNCHRONIZED, COPY REPLACING, ...) is
 * not calculated: refused says why.
 */
#ifndef VIGIL_COLLECTORS_COBOL_STORAGE_H
#define VIGIL_COLLECTORS_COBOL_STORAGE_H

#include "common/strbuf.h"
#include "collectors/cobol-value.h"
#include "program/names/names-source.h"

#define COBOL_STORAGE_NONE UINT32_MAX

struct cobol_storage_item {
	char *name;	    /* "" for FILLER */
	unsigned level;	    /* 77 is 1 here */
	uint32_t number;    /* order of definition, from 0 */
	uint32_t redefines; /* index of the item, or COBOL_STORAGE_NONE */
	uint32_t root;	    /* index of its record */
	struct cobol_type type;
	bool usage_given;
	bool external, group, in_table;
	uint32_t occurs; /* 1: no table */
	/* From the start of the record; size of all occurrences. */
	uint64_t offset, size;
	const char *refused; /* NULL, or what cannot be calculated in this item */
};

struct cobol_storage {
	struct cobol_storage_item *items;
	uint32_t count;
	size_t alloc;
	uint32_t numbers; /* counted in all */
	uint32_t before;  /* counted in the FILE SECTION */
	bool has_program, has_storage;
	const char *refused; /* of the section: its items cannot be counted */
};

/* Read the program (its name as the object has it) out of a source file. one_byte is that of
   cobol_type_size. */
void cobol_storage_read(struct cobol_storage *storage, struct source_cache *cache, const char *path,
			const char *program, bool one_byte);
void cobol_storage_release(struct cobol_storage *storage);
/* The reason cobol_storage_find gives for an item of which there is none. */
extern const char cobol_storage_absent[];
/* The item of a name, in the group of a name unless that is ""; COBOL_STORAGE_NONE, and why. */
uint32_t cobol_storage_find(const struct cobol_storage *storage, const char *group,
			    const char *name, const char **why);

#endif
