/* SPDX-License-Identifier: Apache-2.0 */
/* Random numbers from a state that the caller keeps: the same state gives the same numbers. */
#ifndef VIGIL_COMMON_CHANCE_H
#define VIGIL_COMMON_CHANCE_H

#include "common/compat.h"

/* Steps of a random part of 1. */
#define CHANCE_BITS 53

/* Returns the next number of a state, which is never 0 (Marsaglia's xorshift64). */
static inline uint64_t chance_next(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

/* Returns the number, at least 0 and below 1, that a random or mixed value stands for. */
static inline double chance_part(uint64_t value)
{
	return (double)(value >> (64 - CHANCE_BITS)) / (double)(UINT64_C(1) << CHANCE_BITS);
}

/* Returns a random number below limit, which is small: its lower bits are left out. */
static inline uint64_t chance_below(uint64_t *state, uint64_t limit)
{
	return (chance_next(state) >> (64 - CHANCE_BITS)) % limit;
}

#endif
