/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The cached names of one object: ranges of its instructions (stretches), and the
 * levels of each, as bytes that can be stored in a file (names-cache.h) and are
 * searched in place.
 *
 * Bytes may be damaged: a file whose head or sizes are wrong is rejected. Of other
 * files only the parts that are needed are read and checked, when they are needed
 * (names-sums.h); once damage is found, none of the file's data is used. Every
 * number is checked where it is used.
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
	uint32_t level; /* number + 1 of the innermost level; or KNOWN_PLAIN and the offset of
			 * texts: a procedure that equals the stretch, followed by its section */
};

#define KNOWN_PLAIN (UINT32_C(1) << 31)

struct known_level {
	uint64_t start, size;
	uint32_t procedure, section, file, language; /* offsets of texts */
	uint32_t line;
	uint32_t outer; /* number + 1 of the level that it is inlined in; 0: none */
};

struct names_known {
	uint64_t signature; /* of everything that the names depend on */
	uint64_t complete_below;	    /* all code below this address was read: what has no name here has
			     * none; stored in the file */
	bool before;	    /* an earlier session stored something */
	/* The data as it was read: the members below point into it until something is added. */
	struct names_sums *sums; /* checksums; NULL: the bytes read are not in use */
	struct strbuf bytes;
	char *map; /* a mapped file */
	size_t map_size;
	struct known_stretch *stretches; /* by address, without overlap */
	size_t stretch_count, stretch_alloc;
	struct known_stretch *run; /* appended since the last names_known_merge, not searchable
				    * yet */
	size_t run_count, run_alloc;
	struct known_level *levels;
	size_t level_count, level_alloc;
	char *texts; /* each with its NUL; the first is "" */
	size_t text_length, text_alloc;
	uint32_t note;		 /* offset of the text that says why the object has no names */
	struct idmap put_texts;	 /* hash -> offset of the text; only texts added since */
	struct idmap put_levels; /* hash -> number */
	bool changed;
};

void names_known_init(struct names_known *known, uint64_t signature);
void names_known_release(struct names_known *known);
/*
 * Takes the bytes of a file; returns false if their head is damaged or has another
 * signature: then nothing is known.
 */
bool names_known_read(struct names_known *known, struct strbuf *bytes);
/* As names_known_read, for a file of this size, which no process may truncate while it is used. */
bool names_known_map(struct names_known *known, int fd, size_t size);
/* Returns whether all that was read is intact: then what is not found in it does not exist. */
bool names_known_is_intact(const struct names_known *known);
/* Writes the names, to which something was added, in the file format. */
void names_known_write(const struct names_known *known, struct strbuf *bytes);

/*
 * Fills levels for an address as names_resolve does, except for the text of the
 * lines; returns 0 if unknown. The texts are valid until something is added.
 */
size_t names_known_find(const struct names_known *known, uint64_t address,
			struct name levels[NAMES_MAX_INLINE]);
/* Returns the end of the known stretch that contains address; 0: none. */
uint64_t names_known_end(const struct names_known *known, uint64_t address);
/* Returns the start of the first known stretch after address; UINT64_MAX: none. */
uint64_t names_known_next(const struct names_known *known, uint64_t address);
/*
 * Adds a stretch that overlaps no known one, after those added since
 * names_known_merge; it is searchable only after that. Returns false if there is
 * no space.
 */
bool names_known_add(struct names_known *known, uint64_t start, uint64_t end,
		     const struct name *levels, size_t count);
/* Sorts in what was added, so that it is searchable. */
void names_known_merge(struct names_known *known);
void names_known_set_note(struct names_known *known, const char *note);
const char *names_known_note(const struct names_known *known);

#endif
