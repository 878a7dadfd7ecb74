/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of a Perl program: packages, subs, statements. A statement or sub is
 * identified by its address while the data that leads to its names is unchanged
 * and nothing was compiled: code that a program generates repeatedly may be
 * allocated at the addresses of its predecessor.
 */
#ifndef VIGIL_COLLECTORS_PERL_NAMES_H
#define VIGIL_COLLECTORS_PERL_NAMES_H

#include "collectors/pages.h"
#include "collectors/perl-layout.h"
#include "collectors/remember.h"

struct perl_memory {
	struct pages *pages;		  /* of the current call */
	const struct perl_layout *layout; /* of the current process */
	uint64_t interpreter;		  /* of the current thread */
	struct remember *known;		  /* of the current process */
};

/* Size of a buffer for a name as UTF-8. */
#define PERL_NAME (2 * VIGIL_NAME_MAX + 1)
#define PERL_FILE 1024

struct perl_statement {
	const char *package, *file; /* "" if unknown */
	uint32_t line;
};

struct perl_sub {
	const char *package, *name;
};

/*
 * Reads the statement (COP) at address; returns false if there is none. Texts live
 * as long as those of known.
 */
bool perl_statement(struct perl_memory *memory, uint64_t address, struct perl_statement *statement);
/*
 * Reads the sub (CV) at address; returns false if there is none. A sub whose name
 * has been freed is "(unknown)".
 */
bool perl_sub(struct perl_memory *memory, uint64_t address, struct perl_sub *sub);
/*
 * Returns whether the statement at address can belong to the sub; false: it
 * belongs to another one, so the two were not read at the same moment.
 */
bool perl_sub_contains(struct perl_memory *memory, uint64_t sub, uint64_t statement);

#endif
