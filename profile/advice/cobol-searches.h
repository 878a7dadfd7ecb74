/* SPDX-License-Identifier: Apache-2.0 */
/* The SEARCH statements of a COBOL source that search serially, one entry after the other. */
#ifndef VIGIL_PROFILE_ADVICE_COBOL_SEARCHES_H
#define VIGIL_PROFILE_ADVICE_COBOL_SEARCHES_H

#include "profile/advice/cobol-source.h"

struct cobol_search {
	uint64_t line, end; /* of SEARCH, and of its end */
	char *table;	    /* table name as written */
};

struct cobol_searches {
	const char *file;
	struct cobol_search *items; /* in order of their beginning */
	size_t count, alloc;
	struct cobol_condition {
		size_t search;
		uint64_t line; /* of a WHEN */
	} *conditions;
	size_t condition_count, condition_alloc;
};

/* Finds those in one file of a source. The file's name is borrowed. */
void cobol_searches_init(struct cobol_searches *searches, const struct cobol_source *source,
			 const char *file);
void cobol_searches_release(struct cobol_searches *searches);
/*
 * Returns the innermost one that contains a line, NULL: none; *looking: whether
 * the line is that of SEARCH or of one of its WHENs.
 */
const struct cobol_search *cobol_searches_at(const struct cobol_searches *searches, uint64_t line,
					     bool *looking);

#endif
