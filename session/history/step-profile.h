/* SPDX-License-Identifier: Apache-2.0 */
/* Extracts the data that the history keeps from a step's profile. */
#ifndef VIGIL_SESSION_HISTORY_STEP_PROFILE_H
#define VIGIL_SESSION_HISTORY_STEP_PROFILE_H

#include "profile/profile.h"
#include "session/history/step-history.h"

/*
 * Takes a session's samples, margin, waits by kind, reads and writes, procedures,
 * and its first finding (NULL: none). The second session of a step (LIMIT) is
 * added to the first; finding, margin and data set remain those of the first.
 */
void step_profile_take(struct history_step *step, const struct profile *profile,
		       const char *finding);

#endif
