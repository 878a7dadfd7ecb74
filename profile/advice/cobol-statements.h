/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU samples by the COBOL statement that is charged with them; what of the
 * run time it called; and the sources of these statements. The compiler adds
 * functions to a program that do a part of the run time's work, without
 * lines: "cob_cmp_packed_int". They serve the statement that calls them.
 */
#ifndef VIGIL_PROFILE_ADVICE_COBOL_STATEMENTS_H
#define VIGIL_PROFILE_ADVICE_COBOL_STATEMENTS_H

#include "profile/advice/cobol-source.h"
#include "profile/advice/advice-search.h"

struct cobol_statement {
	const struct place *place; /* of a frame that lies in it */
	uint64_t samples;	   /* all that it is charged with */
};

struct cobol_statements {
	const struct profile *profile;
	struct keymap keys;
	struct cobol_statement *items;
	size_t count, alloc;
	size_t *of; /* by CPU row of the profile: its statement, ATTRIBUTION_NONE none */
	struct source_texts texts;
	struct keymap programs; /* object, section */
	struct cobol_program_source {
		bool read;
		struct cobol_source *source; /* NULL: it cannot be read */
	} *sources;			     /* by number of programs */
	size_t source_count, source_alloc;
};

void cobol_statements_init(struct cobol_statements *statements, const struct profile *profile);
void cobol_statements_release(struct cobol_statements *statements);
/*
 * The data descriptions of the program that a statement is of, and the path under which the
 * statement's line can be read in *file. NULL when that cannot be; then why says so: "pay.cob cannot
 * be read".
 */
const struct cobol_source *cobol_statements_source(struct cobol_statements *statements,
						   const struct cobol_statement *statement,
						   const char **file, struct strbuf *why);
/* The compiler's function that a stack is charged to; NULL where that is the program's own code. */
const struct place *cobol_helper(const struct profile *profile, size_t stack);
/* The function of the run time or the C library that a stack's caller called, without what linkage
 * adds; "" where it has no name or there is none. Valid while sb is not changed. */
const char *cobol_called(const struct profile *profile, size_t stack, struct strbuf *sb);
/* Whether a name is one of a list that ends with NULL; entries that end with * are prefixes. */
bool cobol_is_one_of(const char *name, const char *const *list);
/* Append "ADD-IT line 32", with the file of a line that is not of the program's own source. */
void cobol_statement_label(const struct profile *profile, const struct place *place,
			   struct strbuf *sb);

#endif
