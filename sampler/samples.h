/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Turns the kernel's samples into stacks and rows: decides which of them count,
 * where the task was, and what was missed before.
 */
#ifndef VIGIL_SAMPLER_SAMPLES_H
#define VIGIL_SAMPLER_SAMPLES_H

#include "sampler/perf.h"

struct estimate;
struct prompt;
struct sample_ledger;
struct short_tasks;
struct stack_resolver;
struct step_clock;
struct task;
struct transactions;

/* The parts it uses; all borrowed. */
struct samples_parts {
	const struct step_clock *clock;
	struct sample_ledger *ledger;
	struct estimate *estimate;
	const struct short_tasks *short_tasks;
	struct stack_resolver *resolver;
	const struct transactions *transactions;
	struct prompt *prompt; /* NULL: samples are not shown to data collectors early; may be
			        * set later */
};

struct samples {
	struct samples_parts parts;
};

void samples_init(struct samples *samples, const struct samples_parts *parts);
/* Processes a sample of a task. */
void samples_take(struct samples *samples, struct task *task, const struct observation *seen);
/* Returns the user stack of a sample, without asking data collectors. */
uint32_t samples_stack(struct samples *samples, struct task *task, const struct observation *seen);

#endif
