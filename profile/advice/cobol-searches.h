/* SPDX-License-Identifier: Apache-2.0 */
/* The SEARCH statements of a COBOL source that look at one entry after the other. */
#ifndef VIGIL_PROFILE_ADVICE_COBOL_SEARCHES_H
#define VIGIL_PROFILE_ADVICE_COBOL_SEARCHES_H

#include "profile/advice/cobol-source.h"

struct cobol_search {
	uint64_t line, end; /* of SEARCH, and of what ends it */
	char *table;	    /* its name, as it is written */
};

struct cobol_searches {
	const char *file;
	struct cobol_search *items; /* as they begin */
	size_t count, alloc;
	struct cobol_condition {
		size_t search;
		uint64_t line; /* of a WHEN */
	} *conditions;
	size_t condition_count, condition_alloc;
};

/* Find those of a file of a source. The file's name is borrowed. */
void cobol_searches_init(struct cobol_searches *searches, const struct cobol_source *source,
			 const char *file);
void cobol_searches_release(struct cobol_searches *searches);
/* The innermost one that a line lies in, NULL none; *looking: it is the line of SEARCH or a WHEN of it. */
const struct cobol_search *cobol_searches_at(const struct cobol_searches *searches, uint64_t line,
					     bool *looking);

#endif
