/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The text by which the pool's table of names identifies a program: its parts in order, separated
 * by newlines. The agent joins them, the monitor splits them; parts at the end may be missing.
 */
#ifndef VIGIL_AGENT_EVENT_PROGRAM_AREA_H
#define VIGIL_AGENT_EVENT_PROGRAM_AREA_H

#include <stddef.h>
#include <string.h>

enum event_program_part {
	EVENT_PROGRAM_NAME,
	EVENT_PROGRAM_SOURCE, /* path of the source file; "": unknown, or the object itself */
	EVENT_PROGRAM_OBJECT, /* path of the object that contains the program */
	EVENT_PROGRAM_LINE,   /* a function: its first line in the object, which is a source file */
	EVENT_PROGRAM_PARTS
};

#define EVENT_PROGRAM_SEPARATOR '\n'

/*
 * Joins count parts (NULL: empty) into size bytes; returns the length, without a NUL. What does not
 * fit is left out at the end of a part; parts for which there is no space at all are missing.
 */
static inline size_t event_program_join(char *to, size_t size, const char *const *parts,
					size_t count)
{
	size_t length = 0;

	for (size_t i = 0; i < count && (!i || length < size); i++) {
		size_t part;

		if (i)
			to[length++] = EVENT_PROGRAM_SEPARATOR;
		part = parts[i] ? strnlen(parts[i], size - length) : 0;
		memcpy(to + length, parts[i] ? parts[i] : "", part);
		length += part;
	}
	return length;
}

/* Splits a text, in which separators become NULs, into its parts; NULL: missing. */
static inline void event_program_split(char *text, char *parts[EVENT_PROGRAM_PARTS])
{
	for (size_t i = 0; i < EVENT_PROGRAM_PARTS; i++) {
		char *end = text && i + 1 < EVENT_PROGRAM_PARTS ? strchr(text, EVENT_PROGRAM_SEPARATOR)
								: NULL;

		parts[i] = text;
		if (end)
			*end++ = '\0';
		text = end;
	}
}

#endif
