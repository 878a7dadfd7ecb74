/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a step's programs do with their files, for vigil: a line each in the file
 * that VIGIL_STEP_FILES names, "path TAB what TAB more". A process writes no line twice.
 */
#ifndef VIGIL_AGENT_STEP_COBOL_NOTES_H
#define VIGIL_AGENT_STEP_COBOL_NOTES_H

#include "agent/agent.h"

/* Write a line; nothing when nobody wants it, or when it is too long. */
void cobol_note(const char *path, const char *what, const char *more);

#endif
