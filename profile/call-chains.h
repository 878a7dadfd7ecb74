/* SPDX-License-Identifier: Apache-2.0 */
/*
 * By which procedures of the program a caller (attribution.h) was called, whichever lines they were
 * at: so that two that use one helper can be told apart. A chain is the nearest CALL_CHAINS_LENGTH
 * of them, from the inside outward; system places are left out, inlined procedures are there, and
 * what calls itself is there once, as in a call tree (call-tree.h).
 */
#ifndef VIGIL_PROFILE_CALL_CHAINS_H
#define VIGIL_PROFILE_CALL_CHAINS_H

#include "profile/call-places.h"

#define CALL_CHAINS_LENGTH 8

struct call_chains {
	struct call_places places;
	struct keymap paths; /* parent path, and place; number + 1 is the path, 0 the empty one */
	size_t *targets;     /* of each of these, the path it leads to: folded */
	size_t target_alloc;
	struct keymap chains; /* CALL_CHAINS_LENGTH places + 1, 0 where it ends */
	size_t *of_stacks;    /* of each stack, the path of the program's places on it */
};

void call_chains_init(struct call_chains *chains, const struct profile *profile);
void call_chains_release(struct call_chains *chains);
/* The number of the chain that called the caller of a stack; that of the empty one where it has no
   caller. Stacks with the same chain have the same number. */
size_t call_chains_of(struct call_chains *chains, size_t stack);

#endif
