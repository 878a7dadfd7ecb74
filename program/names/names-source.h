/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Source files as lines, each read once. Paths come out of debug information
 * that anybody may have written: only regular files of a sane size are read.
 */
#ifndef VIGIL_PROGRAM_NAMES_NAMES_SOURCE_H
#define VIGIL_PROGRAM_NAMES_NAMES_SOURCE_H

#include "common/strbuf.h"
#include "common/strmap.h"

#define SOURCE_MAX_SIZE (32U << 20)
#define SOURCE_MAX_TEXT 240 /* bytes kept of a line shown */

struct source_file {
	const char *path;
	struct strbuf text; /* each line ended by NUL */
	char **lines;	    /* lines[0] is line 1 */
	size_t line_count;  /* 0: not readable */
	int64_t modified;   /* seconds since 1970 */
	bool fixed;	    /* COBOL reference format: sequence area, column 73 ends a line;
			       set by the COBOL scanner */
	bool form_known;    /* fixed says what it is; for who shows lines alone */
};

struct source_cache {
	struct strmap paths;
	struct source_file **files; /* by number of the path */
	size_t count, alloc;
};

void source_cache_init(struct source_cache *cache);
void source_cache_release(struct source_cache *cache);
/* The file of a path; line_count is 0 when it cannot be read. Never NULL. */
struct source_file *source_file_get(struct source_cache *cache, const char *path);
/* Append a line as it is shown: UTF-8, no control characters, no blanks at either end. */
void source_file_show(const struct source_file *file, uint64_t line, struct strbuf *sb);

#endif
