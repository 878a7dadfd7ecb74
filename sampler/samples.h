/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the kernel's samples into stacks and rows: which of them count, where
 * the task was, and what was missed before.
 */
#ifndef VIGIL_SAMPLER_SAMPLES_H
#define VIGIL_SAMPLER_SAMPLES_H

#include "sampler/perf.h"

struct estimate;
struct sample_ledger;
struct sampler;
struct step_clock;
struct task;
struct verdict;

/* What it works on; all borrowed. */
struct samples_parts {
	const struct step_clock *clock;
	struct sample_ledger *ledger;
	struct estimate *estimate;
	struct sampler *sampler;
};

struct samples {
	struct samples_parts parts;
	struct unwind_frame frames[UNWIND_MAX_FRAMES]; /* scratch */
};

void samples_init(struct samples *samples, const struct samples_parts *parts);
/* A task was seen executing. */
void samples_take(struct samples *samples, struct task *task, const struct observation *seen);
/* The user stack of a sample, without asking data collectors. */
uint32_t samples_stack(struct samples *samples, struct task *task, const struct observation *seen);
/* The stack of a sample that has registers, and what data collectors say of it. */
void samples_judge(struct sampler *sampler, struct task *task, const struct observation *seen,
		   struct verdict *verdict);

#endif
