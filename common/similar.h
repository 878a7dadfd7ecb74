/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the names there are may have been meant by one that is wrong. */
#ifndef VIGIL_COMMON_SIMILAR_H
#define VIGIL_COMMON_SIMILAR_H

/* Begin with the name that is wanted; then let it look at all there are. */
struct similar {
	const char *wanted;
	const char *name;  /* the most similar one so far, NULL: none comes near; borrowed */
	unsigned distance; /* of it */
};

/* Look at a name: as many letters as a third of the wanted ones may differ, in either case;
   one that begins with all of them differs little. */
void similar_look(struct similar *similar, const char *name);

#endif
