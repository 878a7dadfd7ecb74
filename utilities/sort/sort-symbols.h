/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SYMNAMES: names for fields and constants, replaced in statements before these
 * are compiled.
 *
 *	name,position,length[,format]	position: a number, * behind the last field, = at it
 *	name,constant			C'text', X'hex' or a number
 *	POSITION,n   SKIP,n		sets or advances *
 */
#ifndef VIGIL_UTILITIES_SORT_SORT_SYMBOLS_H
#define VIGIL_UTILITIES_SORT_SORT_SYMBOLS_H

#include "utilities/sort/sort-scan.h"

struct sort_symbol {
	char *name;	      /* as written; upper and lower case differ */
	struct strbuf place;  /* "position,length", or the constant */
	struct strbuf format; /* ",format", or "" */
};

struct sort_symbols {
	struct sort_symbol *symbols;
	size_t count, alloc;
	size_t next, before; /* positions for which * and = stand */
};

/* Reads the symbols of a source; lines that are not understood are diagnosed. */
void sort_symbols_read(struct sort_symbols *symbols, const struct source *source,
		       struct diag_list *diags);
/* Replaces the symbols in a list of statements. */
void sort_symbols_apply(const struct sort_symbols *symbols, struct sort_statement *statements);
void sort_symbols_release(struct sort_symbols *symbols);

#endif
