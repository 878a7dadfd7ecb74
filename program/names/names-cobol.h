/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Finds the section and paragraph of a COBOL program that a source line is in, by
 * reading the source: fixed and free reference format, comments, continuation,
 * nested programs, DECLARATIVES, and COPY as far as the copybooks are among the
 * files the compiler named.
 *
 * A procedure is named by its paragraph; "PARAGRAPH OF SECTION" if the program has
 * several paragraphs with that name, "... OF PROGRAM" if other programs of the
 * source have it too. Statements before the first paragraph of a section belong to
 * the section, those before the first section to the program.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_COBOL_H
#define VIGIL_PROGRAM_NAMES_NAMES_COBOL_H

#include "program/names/names-source.h"

struct cobol_program;

/*
 * Reads the source at path. files are the other source files (copybooks; full
 * paths). Returns NULL if the source is not readable or has no procedure division.
 * Sources are borrowed from cache.
 */
struct cobol_program *cobol_program_new(struct source_cache *cache, const char *path,
					const char *const *files, size_t file_count);
void cobol_program_free(struct cobol_program *program);
/* Appends the name of the procedure that a line is in; returns false if it is unknown. */
bool cobol_program_procedure(const struct cobol_program *program, const char *path, uint64_t line,
			     struct strbuf *sb);

#endif
