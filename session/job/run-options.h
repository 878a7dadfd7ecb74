/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The run-time options of a step (parser/run-time-options.h), and the event
 * handler that PROFILE asks for.
 *
 * Options come from the variable _CEE_RUNOPTS of vigil's environment, the step's
 * DD CEEOPTS, the cards RUNOPTS for all jobs and those of the step, and the PARM;
 * later ones override earlier ones.
 */
#ifndef VIGIL_SESSION_JOB_RUN_OPTIONS_H
#define VIGIL_SESSION_JOB_RUN_OPTIONS_H

#include "parser/control.h"
#include "parser/run-time-options.h"
#include "session/job/program.h"

/*
 * Returns the real path of the first CEEEVPRF.so in folders (separated by colons);
 * NULL: none. *refused: why it may not be loaded, NULL if it may. The caller frees
 * both.
 */
char *run_options_find(const char *folders, char **refused);

/*
 * Returns the path of the event handler CEEEVPRF.so for a step; the caller frees
 * it. NULL if PROFILE is not in effect, TEST is, or the handler is unavailable,
 * with a message in the job log. Options are removed from parm. own: the step's
 * cards; NULL: none.
 */
char *run_options_handler(struct runner *runner, const struct allocation *allocations,
			  const char *step_name, const struct control_deck *own, char *parm,
			  struct run_options *options);

#endif
