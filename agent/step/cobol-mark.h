/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mark of an indexed file that is open for update (the layout is in
 * agent/step-area.h): set when it is open, taken away when it is closed whole.
 * A mark that no process holds says that the file's pages may not belong
 * together.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_MARK_H
#define VIGIL_AGENT_STEP_COBOL_MARK_H

#include "agent/agent-text.h"

/* Mark the file at an absolute path with a text. A file system that takes no mark is
 * left alone. */
void cobol_mark_set(const char *path, const char *who);
void cobol_mark_clear(const char *path);
/*
 * Whether a file's mark is that of a process that is over; what it says of it ("job A, step
 * S1") is appended.
 */
bool cobol_mark_left(const char *path, struct agent_text *who);

#endif
