/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What is known already of the names of one object: stretches of its
 * instructions, and the levels that each has, as bytes that can be kept in a
 * file (names-cache.h) and are searched as they were read.
 *
 * Bytes may be damaged: a file whose head or sizes are wrong is not taken at
 * all. Of the others what is needed is read and checked when it is (names-sums.h);
 * once something in them is found to be wrong, nothing is known of all that they
 * hold. Every number is checked where it is used.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_KNOWN_H
#define VIGIL_PROGRAM_NAMES_NAMES_KNOWN_H

#include "common/idmap.h"
#include "common/strbuf.h"
#include "program/names/names.h"

struct names_sums;

struct known_stretch {
	uint64_t start;
	uint32_t size;
	uint32_t level; /* number + 1 of the innermost; KNOWN_PLAIN and where the texts begin: a
			   procedure that is the stretch, and its section behind its name */
};

#define KNOWN_PLAIN (UINT32_C(1) << 31)

struct known_level {
	uint64_t start, size;
	uint32_t procedure, section, file, language; /* where the texts begin */
	uint32_t line;
	uint32_t outer; /* number + 1 of the level that it is inlined in; 0 none */
};

struct names_known {
	uint64_t signature; /* of all that the names depend on */
	uint64_t swept;	    /* code below this address was gone through whole: what has no name there has none; kept in
			       the file */
	bool before;	    /* an earlier session kept something */
	/* As they were read: what is below is in one of them until something is added. */
	struct names_sums *sums; /* of these; NULL: they are not what is used */
	struct strbuf bytes;
	char *map; /* of a file */
	size_t map_size;
	struct known_stretch *stretches; /* by address, without overlap */
	size_t stretch_count, stretch_alloc;
	struct known_stretch *run; /* added behind each other, and not among the others yet */
	size_t run_count, run_alloc;
	struct known_level *levels;
	size_t level_count, level_alloc;
	char *texts; /* each with its NUL; the first is "" */
	size_t text_length, text_alloc;
	uint32_t note;		 /* why the object has no names: a text */
	struct idmap put_texts;	 /* hash -> where the text begins; of those put since */
	struct idmap put_levels; /* hash -> number */
	bool changed;
};

void names_known_init(struct names_known *known, uint64_t signature);
void names_known_release(struct names_known *known);
/* Take over the bytes of a file; false when their head is damaged or they are not of this signature:
   nothing is known then. */
bool names_known_read(struct names_known *known, struct strbuf *bytes);
/* The same of a file of so many bytes, which nobody makes shorter while it is used. */
bool names_known_map(struct names_known *known, int fd, size_t size);
/* Whether all that was read is as it was written: where it is, what is not known of there is not there. */
bool names_known_holds(const struct names_known *known);
/* What is known, of which something was added, for a file. */
void names_known_write(const struct names_known *known, struct strbuf *bytes);

/* Fill levels for an address as names_resolve does, but for the text of the lines; 0 not known. The
   texts are valid until something is added. */
size_t names_known_find(const struct names_known *known, uint64_t address,
			struct name levels[NAMES_MAX_INLINE]);
/* The end of the known stretch that holds address; 0 none does. */
uint64_t names_known_end(const struct names_known *known, uint64_t address);
/* Where the first known stretch behind address begins; UINT64_MAX nowhere. */
uint64_t names_known_next(const struct names_known *known, uint64_t address);
/* Add a stretch that touches none that is known, behind those added since names_known_settle; it is
   found after that. False when there is no room. */
bool names_known_add(struct names_known *known, uint64_t start, uint64_t end,
		     const struct name *levels, size_t count);
/* Put what was added in its place: from now on it is found. */
void names_known_settle(struct names_known *known);
void names_known_set_note(struct names_known *known, const char *note);
const char *names_known_note(const struct names_known *known);

#endif
