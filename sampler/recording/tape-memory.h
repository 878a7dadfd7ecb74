/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * Takes the data of a program out of what is recorded of its memory: of copies of
 * stacks only words stay that can be addresses of the stack itself, or of code, or
 * are in an area of the process into which code is loaded. That is what unwinding
 * needs; all other words become 0.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_MEMORY_H
#define VIGIL_SAMPLER_RECORDING_TAPE_MEMORY_H

#include "common/idmap.h"

/* Where code is, in any process of the step. All zero: nowhere. */
struct tape_code {
	struct tape_code_range {
		uint64_t start, end;
	} *ranges; /* sorted, not overlapping; owned */
	size_t count, alloc;
};

void tape_code_release(struct tape_code *code);
void tape_code_add(struct tape_code *code, uint64_t start, uint64_t end);
/* Adds the executable mappings of a text as /proc/PID/maps has it. */
void tape_code_add_maps(struct tape_code *code, const char *text, size_t size);
/* Takes data out of a copy of a stack that begins at an address of the program. */
void tape_memory_clear_stack(const struct tape_code *code, uint64_t address, unsigned char *copy, size_t size);
/*
 * Takes the data out of the captured stacks of whole records of the kernel, and
 * learns from them where code is. chains: samples have the kernel's call chain,
 * except for those of events whose id is in leavings.
 */
void tape_memory_clear_records(struct tape_code *code, bool chains, const struct idmap *leavings,
			       unsigned char *records, size_t size);

#endif
