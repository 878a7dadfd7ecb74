/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All statements of a program: for one object, every source line in its debug
 * information, with the procedure that contains it and all instructions that
 * belong to it. Coverage counts against this list; it also maps names back to
 * addresses.
 *
 *   A statement is a line in a procedure: for COBOL by paragraph (or section,
 *   or program) and COBOL line, as gnucobol.h finds them; otherwise by
 *   function and line. A line of a function inlined elsewhere is the same
 *   statement with further places; a function that exists only inlined has
 *   its statements nevertheless, and the line of an inlined call is a
 *   statement of the caller at those addresses (level 1 and up).
 *   A place is a range of instructions of one statement.
 *
 * The list agrees with names_resolve: any line that it returns for an address, at
 * any level, is a statement with a place there, and vice versa. Lines without
 * instructions of their own are not in it: declarations, and lines that an
 * optimizer has merged with another or removed.
 *
 * Memory: 80 bytes per statement, 32 per place, at most STATEMENT_PLACES_MAX of
 * them; for an object with more the list is incomplete. Texts are those of struct
 * names, which must outlive the list.
 */
#ifndef VIGIL_PROGRAM_NAMES_STATEMENTS_H
#define VIGIL_PROGRAM_NAMES_STATEMENTS_H

#include "program/names/names.h"

#define STATEMENT_PLACES_MAX (UINT32_C(1) << 23)

struct statement {
	const char *section;   /* source of the unit, without folders */
	const char *procedure; /* "": unknown */
	const char *source;    /* path of the source of the unit */
	const char *program;   /* for COBOL the PROGRAM-ID; "": other language */
	const char *file;      /* file that contains the line: the unit's source or one it
			        * includes */
	const char *language;
	uint64_t line;		     /* never 0 */
	bool optimised;		     /* the unit was compiled with optimisation */
	uint32_t first, place_count; /* its places in the list, by address */
};

struct statement_place {
	uint64_t start, end; /* in the object's terms */
	uint32_t statement;  /* index in the list */
	uint8_t level;	     /* 0: the statement's own instructions; more: inlined into it, at
			      * this depth */
	bool begins;	     /* according to the compiler the statement begins at start */
	bool doubtful;	     /* code that the linker dropped may have the same addresses */
	bool mixed;	     /* as in struct name_stretch; for level 0 */
	uint32_t block;	     /* the compiler's number of a block of the line (DWARF
			      * discriminator), 0: none */
	uint32_t other_line; /* as in struct name_stretch */
};

struct statement_list {
	struct statement *items; /* sorted by section, procedure, line and file */
	size_t count, alloc;
	struct statement_place *places; /* sorted by statement, then by address */
	size_t place_count, place_alloc;
	uint32_t *by_address; /* numbers of places, sorted by start and level */
	bool whole;	      /* nothing was omitted */
};

/* Reads the statements of an object; the list is empty if it has no debug information. */
void statement_list_read(struct statement_list *list, struct names *names, struct object *object);
void statement_list_release(struct statement_list *list);
/*
 * Finds the places at an address, innermost level first: list->by_address[*first]
 * and those after it are their numbers. Returns their number, 0 if no statement is
 * there.
 */
size_t statement_list_at(const struct statement_list *list, uint64_t address, size_t *first);
/*
 * Finds the statements of a section (NULL: all), of one procedure of it (NULL:
 * all), at one line of that (0: all): list->items[*first] and those after it. A
 * procedure needs a section, a line a procedure. Returns their number.
 */
size_t statement_list_find(const struct statement_list *list, const char *section,
			   const char *procedure, uint64_t line, size_t *first);

#endif
