/* SPDX-License-Identifier: Apache-2.0 */
/* CPU time of tasks that ended with less than a whole sample, summed up by program. */
#ifndef VIGIL_SAMPLER_RESIDUE_H
#define VIGIL_SAMPLER_RESIDUE_H

#include "common/compat.h"

#define RESIDUE_STACKS 16

struct residue {
	struct residue *next;
	char *path;		      /* of the program */
	int64_t rest;		      /* ns not told yet; below 0 when more was told than used */
	uint32_t stacks[RESIDUE_STACKS]; /* of the program's last samples, by turns; 0 none */
	unsigned next_put, next_get;
};

struct residues {
	struct residue *first;
};

/* The residue of a program; made when it is new. */
struct residue *residues_get(struct residues *residues, const char *path);
/* Remember the stack of a sample. */
void residue_put(struct residue *residue, uint32_t stack);
/* One of the stacks remembered, each in its turn; 0 when there is none. */
uint32_t residue_get(struct residue *residue);
void residues_release(struct residues *residues);

#endif
