/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the number of samples between the target and twice it: the one place
 * that decides the period. When there are more, every second sample goes,
 * those that snapshots have stored and those of the ledger, and the period
 * doubles.
 *
 * Of each task's samples every second stays, in order. Whether a task keeps or
 * drops its first alternates from task to task, so that many tasks with one
 * sample each keep half of them too. What a task gains or loses because an odd
 * number cannot be halved goes to its credit; what is left of tasks that are
 * gone goes to a residue. So CPU time and what samples stand for stay equal.
 */
#ifndef VIGIL_SAMPLER_THIN_H
#define VIGIL_SAMPLER_THIN_H

#include "common/idmap.h"
#include "records/record-types.h"

struct perf;
struct residues;
struct sample_ledger;
struct sampler_config;
struct tasks;

/* Which samples stay when their number is halved once. */
struct thinning {
	struct idmap tasks; /* task id to: seen << 33 | kept << 1 | whether its next one stays */
	bool next_first;    /* whether the next new task keeps its first sample */
	uint64_t seen, kept;
	/* Of those that do not stay, how many have such a stack. */
	uint64_t dropped_broken, dropped_cut;
};

void thinning_init(struct thinning *thinning);
void thinning_release(struct thinning *thinning);
/* Whether a sample stays; called for each, in order. argument: struct thinning. */
bool thinning_keep(void *argument, const void *row);
/* How many samples of a task were seen and kept; false when it had none. */
bool thinning_of(const struct thinning *thinning, uint64_t task, uint64_t *seen, uint64_t *kept);

/* What it works on; all borrowed. */
struct thin_parts {
	const struct sampler_config *config; /* the target, and who thins what is stored */
	struct sample_ledger *ledger;
	struct tasks *tasks;
	struct residues *residues;
	struct perf *perf; /* told of the period while it is open */
};

struct thin {
	struct thin_parts parts;
	bool failed; /* what is stored could not be thinned, so nothing is from then on */
};

void thin_init(struct thin *thin, const struct thin_parts *parts);
/* Halve the rate while there are more samples than wanted. */
void thin_when_due(struct thin *thin);
/* Halve it once, as the session cannot take the samples as fast as they come; not beyond a quarter.
   Where the rate was asked for nothing is done. */
void thin_relieve(struct thin *thin);

#endif
