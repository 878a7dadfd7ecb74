/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Keeps the number of samples between the target and twice it: only this part
 * decides the period. If there are more, every second sample is removed, from
 * those stored by snapshots and those in the ledger, and the period doubles.
 *
 * Of each task's samples every second one stays, in order. Whether a task keeps or
 * drops its first one alternates between tasks, so that many tasks with one sample
 * each keep half of them too. What a task gains or loses because its number is odd
 * goes to its credit; that of ended tasks goes to a residue. So CPU time and what
 * samples stand for remain equal.
 */
#ifndef VIGIL_SAMPLER_THIN_H
#define VIGIL_SAMPLER_THIN_H

#include "common/idmap.h"
#include "records/record-types.h"
#include "sampler/sampler-config.h"

struct perf;
struct residues;
struct sample_ledger;
struct sampler_config;
struct tasks;

/* Decides which samples stay when their number is halved once. */
struct thinning {
	struct idmap tasks; /* task id -> seen << 33 | kept << 1 | whether its next one stays */
	bool next_first;    /* whether the next new task keeps its first sample */
	uint64_t seen, kept;
	/* Number of those dropped that have such a stack. */
	uint64_t dropped_broken, dropped_truncated;
};

void thinning_init(struct thinning *thinning);
void thinning_release(struct thinning *thinning);
/* Returns whether a sample stays; called for each, in order. argument: struct thinning. */
bool thinning_keep(void *argument, const void *row);
/* Gets how many samples of a task were seen and kept; returns false if it had none. */
bool thinning_of(const struct thinning *thinning, uint64_t task, uint64_t *seen, uint64_t *kept);

/* The parts it uses; all borrowed. */
struct thin_parts {
	const struct sampler_config *config; /* for the target, and the function that thins
					      * stored samples */
	struct sample_ledger *ledger;
	struct tasks *tasks;
	struct residues *residues;
	struct perf *perf; /* gets the period while it is open */
	const enum privilege *privilege;
};

struct thin {
	struct thin_parts parts;
	bool failed; /* stored samples could not be thinned, so nothing is from then on */
};

void thin_init(struct thin *thin, const struct thin_parts *parts);
/* Halves the rate while there are more samples than wanted. */
void thin_when_due(struct thin *thin);
/*
 * Halves the rate once, because the session cannot process samples as fast as they
 * come; not below a quarter. Does nothing if a fixed rate was requested.
 */
void thin_relieve(struct thin *thin);

#endif
