/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU samples by the COBOL statement that is charged with them; which functions of
 * the run time it called; and the sources of these statements. The compiler adds
 * functions without lines to a program that do part of the run time's work, for
 * example "cob_cmp_packed_int"; they count for the statement that calls them.
 */
#ifndef VIGIL_PROFILE_ADVICE_COBOL_STATEMENTS_H
#define VIGIL_PROFILE_ADVICE_COBOL_STATEMENTS_H

#include "profile/advice/cobol-source.h"
#include "profile/advice/advice-search.h"

struct cobol_statement {
	const struct place *place; /* of a frame in the statement */
	uint64_t samples;	   /* all that are charged to it */
};

struct cobol_statements {
	const struct profile *profile;
	struct keymap keys;
	struct cobol_statement *items;
	size_t count, alloc;
	size_t *of; /* by CPU row of the profile: its statement, ATTRIBUTION_NONE: none */
	struct source_texts texts;
	struct keymap programs; /* object, section */
	struct cobol_program_source {
		bool read;
		struct cobol_source *source; /* NULL: not readable */
	} *sources;			     /* by number of programs */
	size_t source_count, source_alloc;
};

void cobol_statements_init(struct cobol_statements *statements, const struct profile *profile);
void cobol_statements_release(struct cobol_statements *statements);
/*
 * Returns the data descriptions of a statement's program, and in *file the path
 * under which the statement's line can be read. Returns NULL with the reason in
 * why if that fails: "pay.cob cannot be read".
 */
const struct cobol_source *cobol_statements_source(struct cobol_statements *statements,
						   const struct cobol_statement *statement,
						   const char **file, struct strbuf *why);
/*
 * Returns the compiler's function that a stack is charged to; NULL if it is
 * charged to the program's code.
 */
const struct place *cobol_helper(const struct profile *profile, size_t stack);
/*
 * Returns the function of the run time or the C library that a stack's caller
 * called, without linkage decorations; "" if it has no name or there is none.
 * Valid until sb changes.
 */
const char *cobol_called(const struct profile *profile, size_t stack, struct strbuf *sb);
/* Returns whether a name is in a NULL-terminated list; entries that end with * are prefixes. */
bool cobol_is_one_of(const char *name, const char *const *list);
/* Appends "ADD-IT line 32", plus the file if the line is not in the program's main source. */
void cobol_statement_label(const struct profile *profile, const struct place *place,
			   struct strbuf *sb);

#endif
