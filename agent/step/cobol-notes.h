/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step's programs do with their files, for vigil: one line each, "path TAB
 * what TAB more", in the file that VIGIL_STEP_FILES names. A process writes no
 * line twice.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_NOTES_H
#define VIGIL_AGENT_STEP_COBOL_NOTES_H

#include "agent/agent.h"

/* Writes a line; does nothing if no file is named, or if the line is too long. */
void cobol_note(const char *path, const char *what, const char *more);

#endif
