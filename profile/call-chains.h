/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which procedures of the program called a caller (attribution.h), regardless of
 * their lines, so that two users of one helper can be distinguished. A chain is
 * the nearest CALL_CHAINS_LENGTH of them, innermost first; system places are left
 * out, inlined procedures are included, and recursion appears once, as in a call
 * tree (call-tree.h).
 */
#ifndef VIGIL_PROFILE_CALL_CHAINS_H
#define VIGIL_PROFILE_CALL_CHAINS_H

#include "profile/call-places.h"

#define CALL_CHAINS_LENGTH 8

struct call_chains {
	struct call_places places;
	struct keymap paths; /* parent path and place; number + 1 is the path, 0 the empty path */
	size_t *targets;     /* by number of paths: the path it leads to after folding */
	size_t target_alloc;
	struct keymap chains; /* CALL_CHAINS_LENGTH values of place + 1, 0 after the chain's end */
	size_t *of_stacks;    /* by stack: the path of the program's places on it */
};

void call_chains_init(struct call_chains *chains, const struct profile *profile);
void call_chains_release(struct call_chains *chains);
/*
 * Returns the number of the chain that called the caller of a stack, the number of
 * the empty chain if there is no caller. Stacks with the same chain get the same
 * number.
 */
size_t call_chains_of(struct call_chains *chains, size_t stack);

#endif
