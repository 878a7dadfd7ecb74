/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Units compiled by GnuCOBOL. cobc -g converts a program to C and marks with #line
 * where each COBOL statement begins, but the code of the statement has lines of
 * the C file. The contents of such a unit and their use:
 *
 *   rows of the line table in a COBOL file, followed by one in the C file:
 *     the C line at which a COBOL statement begins. Sorted by C line the
 *     COBOL lines must increase; what an optimizer has moved is dropped as
 *     noise. 3.1 has a row before them with the line before #line. 3.2 has
 *     not: in optimized units, missing statements are placed where cobc
 *     leaves lines free for its comment and #line.
 *   labels P_ret_initialize and P_cgerror (l_1, the default error handler,
 *     if there is one): the C lines that enclose the procedure division;
 *     all else is internal code of the program.
 *   labels SECTION_name, and since 3.2 PARAGRAPH_name_l_n, with COBOL lines:
 *     names, if the source is not readable. The label l_n, with a C line, is
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

/* A range of instructions of one statement. */
struct cobol_piece {
	uint64_t start, end;
	uint32_t file, line; /* file: number of the path in the unit's strings; line 0: internal
			      * code of the program, file is then its source */
	uint32_t procedure;  /* number of its name: paragraph, section or program */
};

/* Returns NULL if the unit was not compiled by GnuCOBOL. unit must outlive the result. */
struct cobol_unit *cobol_unit_new(struct unit *unit);
void cobol_unit_free(struct cobol_unit *cobol);
/* Fills the only level of an address; returns false if it is in no function of the unit. */
bool cobol_unit_resolve(const struct cobol_unit *cobol, uint64_t address, struct name *level);
/* Returns the pieces of the unit, by address; they do not overlap. */
const struct cobol_piece *cobol_unit_pieces(const struct cobol_unit *cobol, size_t *count);
/* Returns the PROGRAM-ID for an address of the unit; "" unknown. */
const char *cobol_unit_program(const struct cobol_unit *cobol, uint64_t address);
/*
 * Returns whether a row of the line table marks the beginning of a COBOL statement
 * at an address; row is the number of the unit's first row at or above it.
 */
bool cobol_unit_begins(const struct cobol_unit *cobol, size_t row, uint64_t address);
/* Returns the path of the COBOL source. */
const char *cobol_unit_source(const struct cobol_unit *cobol);
/* Returns the base name of the COBOL source. */
const char *cobol_unit_section(const struct cobol_unit *cobol);

#endif
