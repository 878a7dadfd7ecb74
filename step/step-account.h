/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The account of a step that all parts of a session share: its processes and tasks
 * with their ids (step-tasks.h), its transactions (transactions.h), and the area
 * in which it reports both to vigil (changes.h). There is one per session. The
 * code that begins the session owns it, and frees it after the engine, the sampler
 * and the consumer of events, which all use it and assign no ids themselves.
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
