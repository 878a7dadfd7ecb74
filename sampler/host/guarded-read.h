/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Reading what pointers of a collector lead to: memory of this process that
 * may not be there. Costs no system call; a fault inside these functions is
 * their return value, a fault anywhere else ends the process as ever.
 */
#ifndef VIGIL_SAMPLER_HOST_GUARDED_READ_H
#define VIGIL_SAMPLER_HOST_GUARDED_READ_H

#include "common/compat.h"

/* Before anything else here; a collector that takes the signals for itself loses the guard. */
void guard_start(void);
/* Copy size bytes; false when they are not all there. */
bool guard_copy(void *to, const void *from, size_t size);
/* Copy a text, cut to size - 1 bytes, and end it; its length, or -1 when it cannot be read. */
int guard_text(char *to, size_t size, const char *from);

#endif
