/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mark of an indexed file that is open for update (layout: agent/step-area.h):
 * set while it is open, removed when it is closed completely. If the process of a
 * mark is gone, the file's pages may be inconsistent.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_MARK_H
#define VIGIL_AGENT_STEP_COBOL_MARK_H

#include "agent/agent-text.h"

/*
 * Mark the file at an absolute path with a text, and remove the mark. On a file
 * system that cannot store a mark nothing happens.
 */
void cobol_mark_set(const char *path, const char *who);
void cobol_mark_clear(const char *path);
/*
 * Returns whether a file has a mark of a process that has ended; appends the
 * mark's text about it ("job A, step S1").
 */
bool cobol_mark_left(const char *path, struct agent_text *who);

#endif
