/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step is, whoever looks at it: its processes and tasks with their ids (step-tasks.h), its
 * transactions (transactions.h), and what it says of both in the area that it shares with vigil
 * (changes.h). One for each session: whoever begins the session owns it, and frees it after the
 * engine, the sampler and what takes events, which stand on it side by side and number nothing
 * themselves.
 */
#ifndef VIGIL_STEP_STEP_ACCOUNT_H
#define VIGIL_STEP_STEP_ACCOUNT_H

#include "step/changes.h"
#include "step/step-tasks.h"
#include "step/transactions.h"

struct step {
	const struct changes *changes; /* borrowed; NULL: the step has no area */
	struct transactions *transactions;
	struct step_tasks tasks;
};

struct step *step_new(const struct changes *changes);
void step_free(struct step *step);

#endif
