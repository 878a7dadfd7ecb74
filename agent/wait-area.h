/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How a wait of vigil's part in a program is told from the program's own: by a
 * mark in the argument that FUTEX_WAIT does not read, which whoever looks at the
 * task finds in its registers, also when its memory is gone.
 */
#ifndef VIGIL_AGENT_WAIT_AREA_H
#define VIGIL_AGENT_WAIT_AREA_H

#include <stdint.h>

/* "VIGILW". */
#define AGENT_WAIT_MARK UINT64_C(0x574c49474956)

#endif
