/* SPDX-License-Identifier: Apache-2.0 */
/*
 * All statements of a program: for one object, every source line that its
 * debug information tells of, with the procedure it stands in and all
 * instructions that belong to it. What coverage counts against, and the way
 * back from a name to addresses.
 *
 *   A statement is a line in a procedure: COBOL's by paragraph (or section, or
 *   program) and COBOL line, as gnucobol.h finds them; others by function and
 *   line. A line that a function inlines elsewhere is the same statement with
 *   further places; a function that has no code of its own but is inlined has
 *   its statements all the same, and the line of a call that was inlined is a
 *   statement of the caller at those addresses (level 1 and up).
 *   A place is a stretch of instructions of one statement.
 *
 * The list agrees with names_resolve: any line that it gives for an address,
 * at any level, is a statement with a place there, and the other way round.
 * Lines that have no instructions of their own are not in it: declarations,
 * and what an optimizer has merged with another line or left out.
 *
 * Memory: 80 bytes a statement, 32 a place, at most STATEMENT_PLACES_MOST of
 * them; an object with more gives a list that is not whole. Texts are those of
 * struct names, which must outlive the list.
 */
#ifndef VIGIL_PROGRAM_NAMES_STATEMENTS_H
#define VIGIL_PROGRAM_NAMES_STATEMENTS_H

#include "program/names/names.h"

#define STATEMENT_PLACES_MOST (UINT32_C(1) << 23)

struct statement {
	const char *section;   /* source of the unit, without folders */
	const char *procedure; /* "" unknown */
	const char *source;    /* path of the source of the unit */
	const char *program;   /* of COBOL: its PROGRAM-ID; "" others */
	const char *file;      /* in which the line stands: the unit's source or what it includes */
	const char *language;
	uint64_t line;		     /* never 0 */
	bool optimised;		     /* of a unit compiled with optimisation */
	uint32_t first, place_count; /* its places in the list, by address */
};

struct statement_place {
	uint64_t start, end; /* in the object's terms */
	uint32_t statement;  /* number in the list */
	uint8_t level;	     /* 0: the instructions are its own; more: it inlined them, so deep */
	bool begins;	     /* the compiler says that the statement begins at start */
	bool doubtful;	     /* code that the linker left out may have the same addresses */
	bool mixed;	     /* as in struct name_stretch; of level 0 */
	uint32_t block;	     /* the compiler's number of a block of the line (DWARF discriminator), 0 none */
	uint32_t other_line; /* as in struct name_stretch */
};

struct statement_list {
	struct statement *items; /* by section, procedure, line and file */
	size_t count, alloc;
	struct statement_place *places; /* by statement, then by address */
	size_t place_count, place_alloc;
	uint32_t *by_address; /* numbers of places, by start and level */
	bool whole;	      /* nothing was left out */
};

/* Read the statements of an object; an empty list when it has no debug information. */
void statement_list_read(struct statement_list *list, struct names *names, struct object *object);
void statement_list_release(struct statement_list *list);
/*
 * The places at an address, innermost level first: list->by_address[*first]
 * and those behind it are their numbers. Returns how many, 0 when no statement
 * is there.
 */
size_t statement_list_at(const struct statement_list *list, uint64_t address, size_t *first);
/*
 * The statements of a section (NULL: of all), of one procedure of it (NULL:
 * of all), at one line of that (0: at all): list->items[*first] and those
 * behind it. A procedure needs a section, a line a procedure. Returns how many.
 */
size_t statement_list_find(const struct statement_list *list, const char *section,
			   const char *procedure, uint64_t line, size_t *first);

#endif
