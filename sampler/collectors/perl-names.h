/* SPDX-License-Identifier: Apache-2.0 */
/* Names of a Perl program: packages, subs, statements. Texts live until perl_names_begin. */
#ifndef VIGIL_COLLECTORS_PERL_NAMES_H
#define VIGIL_COLLECTORS_PERL_NAMES_H

#include "sampler/collectors/pages.h"
#include "sampler/collectors/perl-layout.h"

struct perl_memory {
	struct pages pages;
	const struct perl_layout *layout; /* of the process at hand */
	uint64_t interpreter;		  /* of the thread at hand */
	char texts[65536];
	size_t used;
};

struct perl_statement {
	const char *package, *file; /* "" when they are not known */
	uint32_t line;
};

struct perl_sub {
	const char *package, *name;
};

void perl_names_begin(struct perl_memory *memory);
/* The statement (COP) at address; false when there is none. */
bool perl_statement(struct perl_memory *memory, uint64_t address, struct perl_statement *statement);
/* The sub (CV) at address; false when that is none. One whose name has gone is "(unknown)". */
bool perl_sub(struct perl_memory *memory, uint64_t address, struct perl_sub *sub);

#endif
