/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The control statements in DD VIGIL of a job's steps. They are read and checked
 * before the first step, so that nothing runs if they have errors.
 */
#ifndef VIGIL_SESSION_JOB_OWN_CARDS_H
#define VIGIL_SESSION_JOB_OWN_CARDS_H

#include "session/job/runner.h"
#include "session/requests/checked-statements.h"

/* The cards of one step's DD VIGIL. */
struct own_cards {
	const struct plan_step *step;
	const struct control_deck *deck; /* in statements, or checked with the job's deck */
	struct statements statements;	 /* empty if they were checked with the job's deck */
	struct own_cards *next;
};

/*
 * Collects the cards of all DDs named VIGIL: those that were checked with the deck, and the others,
 * which are parsed and checked now. -1: errors, which are in the log.
 */
int own_cards_check(struct runner *runner, struct own_cards **list);
void own_cards_free(struct own_cards *list);
/* Returns the deck of a step's DD VIGIL; NULL: none. */
const struct control_deck *own_cards_of(const struct own_cards *list, const struct plan_step *step);

#endif
