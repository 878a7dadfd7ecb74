/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Names of a Perl program: packages, subs, statements. A statement or sub is
 * known by its address as long as what leads to its names is the same, and
 * nothing was compiled: code that a program makes again and again may find
 * room for all its parts where those of the last were.
 */
#ifndef VIGIL_COLLECTORS_PERL_NAMES_H
#define VIGIL_COLLECTORS_PERL_NAMES_H

#include "collectors/pages.h"
#include "collectors/perl-layout.h"
#include "collectors/remember.h"

struct perl_memory {
	struct pages *pages;		  /* of the call at hand */
	const struct perl_layout *layout; /* of the process at hand */
	uint64_t interpreter;		  /* of the thread at hand */
	struct remember *known;		  /* of the process at hand */
};

/* Room for a name as UTF-8. */
#define PERL_NAME (2 * VIGIL_NAME_MAX + 1)
#define PERL_FILE 1024

struct perl_statement {
	const char *package, *file; /* "" when they are not known */
	uint32_t line;
};

struct perl_sub {
	const char *package, *name;
};

/* The statement (COP) at address; false when there is none. Texts live as long as those of known.
 */
bool perl_statement(struct perl_memory *memory, uint64_t address, struct perl_statement *statement);
/* The sub (CV) at address; false when that is none. One whose name has gone is "(unknown)". */
bool perl_sub(struct perl_memory *memory, uint64_t address, struct perl_sub *sub);
/* Whether the statement at address may be one of the sub's own; false: it is another's, and what
   was read of the two is not of one moment. */
bool perl_sub_has(struct perl_memory *memory, uint64_t sub, uint64_t statement);

#endif
