/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The size of the data pool: PDPSIZE, which is no keyword of a block but an
 * option, an environment variable, a word in the PARM of the measured step, or the
 * PARM of a step with PGM=VIGIL for the steps after it. What is nearest to the
 * step holds: its own PARM, that of PGM=VIGIL, then the option, then the variable.
 */
#ifndef VIGIL_SESSION_REQUESTS_POOL_SIZE_H
#define VIGIL_SESSION_REQUESTS_POOL_SIZE_H

#include "common/compat.h"

#define POOL_SIZE_VARIABLE "VIGIL_PDPSIZE"
/* Takes the name of the option or variable. */
#define POOL_SIZE_EXPECTED "%s takes 100 to 2097151, the kilobytes of the data pool"

/* Reads a number of kilobytes; false when it is none that a pool can have. */
bool pool_size_read(const char *text, uint64_t *kb);
/* The size that an option (NULL: not given) or the environment names, 0 for the default; false when
 * it is wrong. */
bool pool_size_settle(const char *option, uint64_t *kb);
/*
 * Reads PDPSIZE=n where it is a word, between commas and blanks, of a measured
 * step's PARM (NULL: none), which the program gets all the same. 0 when there is
 * none; false when it is no size.
 */
bool pool_size_of_step(const char *parm, uint64_t *kb);
/*
 * Reads PARM of a step with PGM=VIGIL: "" is 0, otherwise PDPSIZE=n; false when it
 * is anything else.
 */
bool pool_size_parm(const char *parm, uint64_t *kb);

#endif
