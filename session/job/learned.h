/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Files as the programs of a step see them. The step library
 * (agent/step-area.h) is told before the step which DDs are lines, and
 * tells afterwards which files were opened and what the programs say of their
 * records; as on a mainframe that is kept with a data set where its DD does
 * not say it.
 */
#ifndef VIGIL_SESSION_JOB_LEARNED_H
#define VIGIL_SESSION_JOB_LEARNED_H

#include "session/job/allocate.h"

/*
 * Appends the paths of DDs that are lines, each ended by a newline: cards, and
 * data sets of which that is known; and of those that may be lines if they look
 * so.
 */
void learned_lines(const struct allocation *list, struct strbuf *lines, struct strbuf *perhaps);
/*
 * Before the dispositions: take what is in the file of notes, which may be
 * missing. Data sets get the record format and lengths that their DDs do not say,
 * and SYSOUT data sets of records become lines, without the blanks at their ends.
 */
void learned_take(struct runner *runner, const char *step_name, struct allocation *list,
		  const char *notes);

#endif
