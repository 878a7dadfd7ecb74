/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units that GnuCOBOL made. cobc -g turns a program into C and marks with
 * #line where each COBOL statement begins, but the code of the statement
 * itself goes by lines of the C file. What such a unit tells, and how it is
 * used:
 *
 *   rows of the line table in a COBOL file, followed by one in the C file:
 *     at which C line a COBOL statement begins. Sorted by C line the COBOL
 *     lines must rise; what an optimizer has moved is left out as noise.
 *     3.1 has a row ahead of them that tells the line before #line. 3.2 has
 *     not: in optimized units what is missing is put where cobc leaves lines
 *     free for its comment and #line.
 *   labels P_ret_initialize and P_cgerror (l_1, the default error handler,
 *     where there is one): the C lines between which the procedure division
 *     stands; all else is the program's own housekeeping.
 *   labels SECTION_name, and since 3.2 PARAGRAPH_name_l_n, with COBOL lines:
 *     names when the source cannot be read. The label l_n, with a C line, is
 *     where that paragraph begins.
 *   functions inlined from GnuCOBOL's headers: work for the statement that
 *     calls them.
 */
#ifndef VIGIL_PROGRAM_NAMES_GNUCOBOL_H
#define VIGIL_PROGRAM_NAMES_GNUCOBOL_H

#include "program/names/names.h"
#include "common/strbuf.h"

struct unit;
struct cobol_unit;

/* Instructions of one statement. */
struct cobol_piece {
	uint64_t start, end;
	uint32_t file, line; /* number of the path in the unit's strings; line 0: housekeeping of
				the program, file is then its source */
	uint32_t procedure;  /* its name's number: paragraph, section or program */
};

/* NULL when the unit was not made by GnuCOBOL. unit outlives it. */
struct cobol_unit *cobol_unit_new(struct unit *unit);
void cobol_unit_free(struct cobol_unit *cobol);
/* Fill the one level of an address; false when it lies in no function of the unit. */
bool cobol_unit_resolve(const struct cobol_unit *cobol, uint64_t address, struct name *level);
/* The pieces of the unit, by address; they do not overlap. */
const struct cobol_piece *cobol_unit_pieces(const struct cobol_unit *cobol, size_t *count);
/* The PROGRAM-ID of an address of the unit; "" unknown. */
const char *cobol_unit_program(const struct cobol_unit *cobol, uint64_t address);
/* Whether a row of the line table says that a COBOL statement begins at an address; row is the number
   of the unit's first row that is not below it. */
bool cobol_unit_begins(const struct cobol_unit *cobol, size_t row, uint64_t address);
/* Path of the COBOL source. */
const char *cobol_unit_source(const struct cobol_unit *cobol);
/* Base name of the COBOL source. */
const char *cobol_unit_section(const struct cobol_unit *cobol);

#endif
