/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time options of a step (parser/run-time-options.h), and the event
 * handler that PROFILE asks for.
 *
 * They come from the variable _CEE_RUNOPTS of vigil's environment, the DD
 * CEEOPTS of the step, the cards RUNOPTS for all jobs and those of the step, and the
 * PARM; what comes later counts.
 */
#ifndef VIGIL_SESSION_JOB_RUN_OPTIONS_H
#define VIGIL_SESSION_JOB_RUN_OPTIONS_H

#include "parser/control.h"
#include "parser/run-time-options.h"
#include "session/job/program.h"

/*
 * Returns the first CEEEVPRF.so in folders, which a colon divides, with what makes
 * links and relative names plain; NULL: none. *refused: why it may not be loaded,
 * NULL when it may. The caller frees both.
 */
char *run_options_find(const char *folders, char **refused);

/*
 * Returns the path of the event handler CEEEVPRF.so that a step is to have, the
 * caller frees it: NULL when PROFILE is not in effect, TEST is, or it is not to be
 * had, with a message in the job log. parm loses the options that stand in it.
 * own: the step's cards, NULL none.
 */
char *run_options_handler(struct runner *runner, const struct allocation *allocations,
			  const char *step_name, const struct control_deck *own, char *parm,
			  struct run_options *options);

#endif
