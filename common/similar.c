/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the name most similar to another one. */
#include "common/compat.h"
#include "common/similar.h"

#include <ctype.h>

enum { LETTERS_MAX = 64 };

/* Returns the edit distance of two names: letters changed, added or dropped; case is ignored. */
static unsigned distance_of(const char *a, size_t a_length, const char *b, size_t b_length)
{
	unsigned row[LETTERS_MAX + 1];

	for (size_t j = 0; j <= b_length; j++)
		row[j] = (unsigned)j;
	for (size_t i = 1; i <= a_length; i++) {
		unsigned corner = row[0];

		row[0] = (unsigned)i;
		for (size_t j = 1; j <= b_length; j++) {
			bool same = tolower((unsigned char)a[i - 1]) ==
				    tolower((unsigned char)b[j - 1]);
			unsigned edits = corner + !same;

			corner = row[j];
			if (row[j] + 1 < edits)
				edits = row[j] + 1;
			if (row[j - 1] + 1 < edits)
				edits = row[j - 1] + 1;
			row[j] = edits;
		}
	}
	return row[b_length];
}

void similar_compare(struct similar *similar, const char *name)
{
	size_t length = strlen(similar->wanted), other = strlen(name);
	unsigned distance;

	if (length > LETTERS_MAX || other > LETTERS_MAX)
		return;
	distance = distance_of(similar->wanted, length, name, other);
	if (length > 2 && distance > 1 && strncasecmp(similar->wanted, name, length) == 0)
		distance = 1;
	if (distance > (length + 1) / 3 || (similar->name && distance >= similar->distance))
		return;
	similar->name = name;
	similar->distance = distance;
}
