/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What vigil-step.so tells vigil-files.so, where that is in the program: only
 * where the step is measured.
 */
#ifndef VIGIL_AGENT_FILE_OWN_H
#define VIGIL_AGENT_FILE_OWN_H

#include "agent/agent.h"

/* A descriptor is the agent's own: what it moves is nothing of the program's. */
AGENT_VISIBLE void vigil_file_own(int fd) __attribute__((weak));
/* The process ends, and what streams still hold is lost. */
AGENT_VISIBLE void vigil_file_end(void) __attribute__((weak));

static inline void file_own(int fd)
{
	if (vigil_file_own)
		vigil_file_own(fd);
}

static inline void file_end(void)
{
	if (vigil_file_end)
		vigil_file_end();
}

#endif
