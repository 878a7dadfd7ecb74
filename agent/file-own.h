/* SPDX-License-Identifier: Apache-2.0 */
/* Calls of vigil-step.so to vigil-files.so, if that is loaded: only where the step is measured. */
#ifndef VIGIL_AGENT_FILE_OWN_H
#define VIGIL_AGENT_FILE_OWN_H

#include "agent/agent.h"

/* Declares a descriptor the agent's: bytes moved through it are not the program's. */
AGENT_VISIBLE void vigil_file_own(int fd) __attribute__((weak));
/* Reports that the process ends without writing what streams still hold. */
AGENT_VISIBLE void vigil_file_end(void) __attribute__((weak));

static inline void file_mark_internal(int fd)
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
