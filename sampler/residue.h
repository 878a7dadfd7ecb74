/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time of tasks that ended with less than a whole sample, summed up by
 * program.
 *
 * Samples of the kernel need privilege. Without it, the CPU time of tasks with
 * finer events beyond their samples is the kernel's; for tasks without any samples
 * it is not known where they used it, or whether in the kernel, until other tasks
 * of the program have shown that.
 */
#ifndef VIGIL_SAMPLER_RESIDUE_H
#define VIGIL_SAMPLER_RESIDUE_H

#include "common/compat.h"

#define RESIDUE_STACKS 16
#define RESIDUE_SHORT_STACKS 64

struct task;

struct residue {
	struct residue *next;
	char *path;		      /* of the program */
	int64_t rest;		      /* ns without samples yet; below 0: too many samples. Of
				       * tasks with finer events; with /proc alone of all */
	int64_t unseen;		      /* the same of tasks without finer events and without
				       * samples */
	int64_t seen;		      /* the same of tasks without finer events, but with samples */
	int64_t solo;	   /* ns of all tasks, used alone, that samples with SAMPLE_SOLO do not
			    * cover yet */
	uint64_t ended;	   /* number of its tasks that have ended */
	struct task *last; /* the last of its tasks that ended; kept for samples that are added
			    * at the end */
	/* Of short tasks with finer events: ns used, and ns of samples outside the kernel. */
	uint64_t short_cpu, short_user;
	int64_t kernel_due;	      /* ns of unseen with samples that belong to the kernel, but
				       * were not marked so yet */
	uint32_t stacks[RESIDUE_STACKS]; /* of the program's last samples, in a ring; 0: none */
	unsigned next_put, next_get;
	/*
	 * Random selection from the samples at the beginning of tasks, all with the same
	 * probability.
	 */
	uint32_t short_stacks[RESIDUE_SHORT_STACKS];
	uint64_t short_seen, lot;
};

struct residues {
	struct residue *first;
};

/* Returns the residue of a program; makes it if it is new. */
struct residue *residues_get(struct residues *residues, const char *path);
/* Remembers the stack of a sample; at_begin: its task has not used much yet. */
void residue_put(struct residue *residue, uint32_t stack, bool at_begin);
/*
 * Returns one of the remembered stacks, in turn; only those at the beginning of
 * tasks if there are any; 0: none.
 */
uint32_t residue_get(struct residue *residue);
void residues_release(struct residues *residues);

#endif
