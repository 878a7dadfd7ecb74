/* SPDX-License-Identifier: Apache-2.0 */
/*
 * CPU time of tasks that ended with less than a whole sample, summed up by program.
 *
 * An ordinary user sees no sample of the kernel. What tasks with finer events used beyond their
 * samples is the kernel's; of those without any it is not known where they used it, nor whether
 * in the kernel, until others of the program have shown it.
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
	int64_t rest;		      /* ns not told yet; below 0 when more was told than used: of
					 tasks with finer events, with /proc alone of all */
	int64_t unseen;		      /* the same of tasks without finer events and samples */
	int64_t seen;		      /* the same of those without finer events, but with samples */
	int64_t solo;	   /* ns of all, used alone: what SAMPLE_SOLO is not told of yet */
	uint64_t ended;	   /* how many of its tasks have */
	struct task *last; /* the last of its tasks that ended; it is kept for what is told at the end */
	/* Of short tasks with finer events: ns they used, and ns of samples outside the kernel. */
	uint64_t short_cpu, short_user;
	int64_t kernel_due;	      /* ns of unseen told that is the kernel's, not told as such yet */
	uint32_t stacks[RESIDUE_STACKS]; /* of the program's last samples, by turns; 0 none */
	unsigned next_put, next_get;
	/* Of samples at the begin of a task, each of them with the same likelihood. */
	uint32_t short_stacks[RESIDUE_SHORT_STACKS];
	uint64_t short_seen, lot;
};

struct residues {
	struct residue *first;
};

/* The residue of a program; made when it is new. */
struct residue *residues_get(struct residues *residues, const char *path);
/* Remember the stack of a sample; at_begin: its task has not used much yet. */
void residue_put(struct residue *residue, uint32_t stack, bool at_begin);
/* One of the stacks remembered, each in its turn, those of the begin of tasks first; 0: none. */
uint32_t residue_get(struct residue *residue);
void residues_release(struct residues *residues);

#endif
