/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a wait of the agent is distinguished from the program's own waits: by a mark
 * in an argument that FUTEX_WAIT does not read. A look at the task finds it in the
 * registers, even if the task's memory is gone.
 */
#ifndef VIGIL_AGENT_WAIT_AREA_H
#define VIGIL_AGENT_WAIT_AREA_H

#include <stdint.h>

/* "VIGILW". */
#define AGENT_WAIT_MARK UINT64_C(0x574c49474956)

#endif
