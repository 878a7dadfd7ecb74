/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Record formats as the programs of a step use them. Before the step, the step
 * library (agent/step-area.h) gets the list of DDs that are lines. Afterwards it
 * reports which files were opened and what the programs declare about their
 * records; as on a mainframe, this is stored with a data set where its DD does not
 * specify it.
 */
#ifndef VIGIL_SESSION_JOB_LEARNED_H
#define VIGIL_SESSION_JOB_LEARNED_H

#include "session/job/allocate.h"

/*
 * Appends the paths of DDs that are lines, each ended by a newline: cards, and
 * data sets recorded as such. perhaps gets the paths of those that may be lines if
 * they look so.
 */
void learned_list_lines(const struct allocation *list, struct strbuf *lines, struct strbuf *maybe_lines);
/*
 * Called before the dispositions: reads the file of notes, which may be missing.
 * Data sets get the record format and lengths that their DDs do not specify, and
 * SYSOUT data sets of records become lines, without trailing blanks.
 */
void learned_take(struct runner *runner, const char *step_name, struct allocation *list,
		  const char *notes);

#endif
