/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of collector-host.
 *
 * Reads what pointers of a collector refer to: memory of this process that may not
 * be mapped. Needs no system call; a fault inside these functions makes them fail,
 * a fault anywhere else ends the process as usual.
 */
#ifndef VIGIL_SAMPLER_HOST_GUARDED_READ_H
#define VIGIL_SAMPLER_HOST_GUARDED_READ_H

#include "common/compat.h"

/*
 * Call before the other functions; a collector that handles these signals itself
 * loses the guard.
 */
void guard_start(void);
/* Copies size bytes; returns false if they are not all readable. */
bool guard_copy(void *to, const void *from, size_t size);
/*
 * Copies a text, truncated to size - 1 bytes, and terminates it; returns its
 * length, or -1 if it cannot be read.
 */
int guard_text(char *to, size_t size, const char *from);

#endif
