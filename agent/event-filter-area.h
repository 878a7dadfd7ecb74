/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Program filters as shared with the agent, and the matching of names: both sides
 * of the data pool decide alike.
 */
#ifndef VIGIL_AGENT_EVENT_FILTER_AREA_H
#define VIGIL_AGENT_EVENT_FILTER_AREA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Limits of the agent: further filters, or longer patterns, are left to the monitor. */
#define EVENT_FILTERS 16
#define EVENT_PATTERN 128

/* Objects that belong to run times rather than to the application. */
#define EVENT_RUN_TIME \
	{ \
		"libc.so*", "ld-linux*", "libcob.so*", "libpthread*", "libm.so*", "libpython*", \
			"libperl.so*", "libgcc_s.so*", "libstdc++.so*", "libgmp.so*", \
			"libdb-*.so*", "vigil-*.so", "libvigil.so*", "libncurses*", "libtinfo*", \
			"libdl.so*", "librt.so*", "linux-vdso*" \
	}

/* A pattern "" matches any name. Bounds of statement lines; 0: no bound. */
struct event_filter_area {
	char library[EVENT_PATTERN], program[EVENT_PATTERN];
	uint64_t line_from, line_to;
};

static inline char event_pattern_fold(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

/*
 * Returns whether text matches pattern, in which * is any text and ? any
 * character; case is ignored.
 */
static inline bool event_pattern_matches(const char *pattern, const char *text)
{
	const char *star = NULL, *again = NULL;

	for (;;) {
		if (*pattern == '*') {
			star = ++pattern;
			again = text;
		} else if (*text && (*pattern == '?' ||
				     event_pattern_fold(*pattern) == event_pattern_fold(*text))) {
			pattern++;
			text++;
		} else if (!*text && !*pattern) {
			return true;
		} else if (star && *again) {
			pattern = star;
			text = ++again;
		} else {
			return false;
		}
	}
}

/*
 * Returns whether a program in a folder matches a filter: a library pattern with a
 * slash is compared with the folder's path, one without with its last part.
 */
static inline bool event_filter_matches(const char *library_pattern, const char *program_pattern,
				     const char *folder, const char *program)
{
	const char *last = folder;
	bool path = false;

	for (const char *at = library_pattern; *at; at++)
		path |= *at == '/';
	for (const char *at = folder; *at; at++)
		if (*at == '/')
			last = at + 1;
	if (*library_pattern && !event_pattern_matches(library_pattern, path ? folder : last))
		return false;
	return !*program_pattern || event_pattern_matches(program_pattern, program);
}

/*
 * Returns whether a folder belongs to Python itself, or to packages installed for
 * it: below a folder pythonVERSION of a folder lib, lib32 or lib64.
 */
static inline bool event_filter_python_folder(const char *folder)
{
	static const char lib[] = "/lib", python[] = "/python";

	for (; *folder; folder++) {
		const char *at = folder;
		size_t i;

		for (i = 0; lib[i] && at[i] == lib[i]; i++)
			;
		if (lib[i])
			continue;
		for (at += i; *at >= '0' && *at <= '9'; at++)
			;
		for (i = 0; python[i] && at[i] == python[i]; i++)
			;
		if (python[i] || at[i] < '0' || at[i] > '9')
			continue;
		for (at += i; (*at >= '0' && *at <= '9') || *at == '.'; at++)
			;
		if (*at == '/' || !*at)
			return true;
	}
	return false;
}

#endif
