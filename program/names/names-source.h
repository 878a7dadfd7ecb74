/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files as lines, each read once. Paths come from untrusted debug
 * information: only regular files of plausible size are read.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SOURCE_H
#define VIGIL_PROGRAM_NAMES_NAMES_SOURCE_H

#include "common/strbuf.h"
#include "common/strmap.h"

#define SOURCE_MAX_SIZE (32U << 20)
#define SOURCE_MAX_TEXT 240 /* maximum bytes of a displayed line */

struct source_file {
	const char *path;
	struct strbuf text; /* each line ended by NUL */
	char **lines;	    /* lines[0] is line 1 */
	size_t line_count;  /* 0: not readable */
	int64_t modified;   /* seconds since 1970 */
	bool fixed;	    /* COBOL reference format: sequence area, text ends at column 72; set
			     * by the COBOL scanner */
	bool form_known;    /* fixed is valid; for code that shows single lines */
};

struct source_cache {
	struct strmap paths;
	struct source_file **files; /* indexed by the number of the path */
	size_t count, alloc;
};

void source_cache_init(struct source_cache *cache);
void source_cache_release(struct source_cache *cache);
/* Returns the file with a path, never NULL; line_count is 0 if it is not readable. */
struct source_file *source_file_get(struct source_cache *cache, const char *path);
/* Appends a line as it is shown: UTF-8, no control characters, no blanks at either end. */
void source_file_show(const struct source_file *file, uint64_t line, struct strbuf *sb);

#endif
