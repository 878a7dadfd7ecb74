/* SPDX-License-Identifier: Apache-2.0 */
/* Creates and frees the account of a session's step. */
#include "common/compat.h"
#include "step/step-account.h"
#include "common/xalloc.h"

struct step *step_new(const struct changes *changes)
{
	struct step *step = xcalloc(1, sizeof(*step));

	step->changes = changes;
	step->transactions = transactions_new(changes);
	step_tasks_init(&step->tasks);
	return step;
}

void step_free(struct step *step)
{
	if (!step)
		return;
	transactions_free(step->transactions);
	step_tasks_release(&step->tasks);
	free(step);
}
