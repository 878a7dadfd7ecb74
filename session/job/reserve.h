/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Before the first step: takes the locks on all data sets of a job, and reads its
 * generation groups.
 */
#ifndef VIGIL_SESSION_JOB_RESERVE_H
#define VIGIL_SESSION_JOB_RESERVE_H

#include "session/job/own-cards.h"

/*
 * Waits until no other job uses a data set that the job's DDs, or the REPORT
 * statements of its measured steps, name. -1, after a message: cancelled, or not
 * possible.
 */
int reserve_data_sets(struct runner *runner, const struct own_cards *cards);

#endif
