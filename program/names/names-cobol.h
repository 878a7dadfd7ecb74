/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which section and paragraph of a COBOL program a source line lies in,
 * found by reading the source: fixed and free reference format, comments,
 * continuation, nested programs, DECLARATIVES, and COPY as far as the
 * copybooks are among the files the compiler named.
 *
 * A procedure is named by its paragraph; "PARAGRAPH OF SECTION" where the
 * program has several paragraphs of that name, "... OF PROGRAM" where other
 * programs of the source have it too. Statements before the first paragraph
 * of a section belong to the section, before the first section to the program.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_COBOL_H
#define VIGIL_PROGRAM_NAMES_NAMES_COBOL_H

#include "program/names/names-source.h"

struct cobol_program;

/*
 * Read the source at path. files are the other files that went into it
 * (copybooks; full paths). NULL when the source cannot be read or holds no
 * procedure division. Sources are borrowed from cache.
 */
struct cobol_program *cobol_program_new(struct source_cache *cache, const char *path,
					const char *const *files, size_t file_count);
void cobol_program_free(struct cobol_program *program);
/* Append the name of the procedure that a line lies in; false when it is not known. */
bool cobol_program_procedure(const struct cobol_program *program, const char *path, uint64_t line,
			     struct strbuf *sb);

#endif
