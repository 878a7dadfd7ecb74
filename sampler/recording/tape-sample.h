/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A sample of the kernel in the bytes of a ring, as sampler/perf.c asks for it: members
 * of eight bytes, then the kernel's call chain if the event has one, registers, stack.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_SAMPLE_H
#define VIGIL_SAMPLER_RECORDING_TAPE_SAMPLE_H

#include "common/compat.h"

/* Where its members are, and what follows them. */
#define TAPE_SAMPLE_TIME 24
#define TAPE_SAMPLE_ADDRESS 32
#define TAPE_SAMPLE_EVENT 40
#define TAPE_SAMPLE_PERIOD 48
#define TAPE_SAMPLE_HEAD 56

static inline uint64_t tape_sample_word(const unsigned char *at)
{
	uint64_t word;

	memcpy(&word, at, sizeof(word));
	return word;
}

/*
 * Returns the bytes of the call chain of a sample of size bytes, at least
 * TAPE_SAMPLE_HEAD; all that follows the members, if it is not whole.
 */
static inline size_t tape_sample_chain(const unsigned char *sample, size_t size)
{
	const size_t rest = size - TAPE_SAMPLE_HEAD;

	if (rest < 8 || tape_sample_word(sample + TAPE_SAMPLE_HEAD) > (rest - 8) / 8)
		return rest;
	return 8 + 8 * (size_t)tape_sample_word(sample + TAPE_SAMPLE_HEAD);
}

#endif
