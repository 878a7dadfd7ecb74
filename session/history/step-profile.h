/* SPDX-License-Identifier: Apache-2.0 */
/* What the history keeps of a step's profile. */
#ifndef VIGIL_SESSION_HISTORY_STEP_PROFILE_H
#define VIGIL_SESSION_HISTORY_STEP_PROFILE_H

#include "profile/profile.h"
#include "session/history/step-history.h"

/*
 * Take a session's samples, margin, waits by kind, reads and writes, and
 * procedures, and its first finding (NULL: none). The second session of a step
 * (LIMIT) adds to what the first one left; finding, margin and data set are
 * the first one's.
 */
void step_profile_take(struct history_step *step, const struct profile *profile,
		       const char *finding);

#endif
