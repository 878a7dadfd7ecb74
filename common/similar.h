/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which of the existing names may have been meant by a wrong one. */
#ifndef VIGIL_COMMON_SIMILAR_H
#define VIGIL_COMMON_SIMILAR_H

/* Initialize with the wanted name; then call similar_compare for every existing name. */
struct similar {
	const char *wanted;
	const char *name;  /* the most similar one so far, NULL: none is similar; borrowed */
	unsigned distance; /* its edit distance */
};

/*
 * Compares a name: it is similar if at most a third of the wanted letters differ
 * (case is ignored), or if it begins with the whole wanted name.
 */
void similar_compare(struct similar *similar, const char *name);

#endif
