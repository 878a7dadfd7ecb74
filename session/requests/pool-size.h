/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The size of the data pool: PDPSIZE. It is not a keyword of a block but an
 * option, an environment variable, a word in the PARM of the measured step, or the
 * PARM of a step with PGM=VIGIL for the steps after it. The one nearest to the
 * step applies: its own PARM, that of PGM=VIGIL, then the option, then the
 * variable.
 */
#ifndef VIGIL_SESSION_REQUESTS_POOL_SIZE_H
#define VIGIL_SESSION_REQUESTS_POOL_SIZE_H

#include "common/compat.h"

#define POOL_SIZE_VARIABLE "VIGIL_PDPSIZE"
/* A format for the name of the option or variable. */
#define POOL_SIZE_EXPECTED "%s takes 100 to 2097151, the kilobytes of the data pool"

/* Reads a number of kilobytes; false if a pool cannot have that size. */
bool pool_size_read(const char *text, uint64_t *kb);
/*
 * Sets *kb to the size from an option (NULL: not given) or the environment, 0 for
 * the default; false if it is invalid.
 */
bool pool_size_settle(const char *option, uint64_t *kb);
/*
 * Reads PDPSIZE=n from a measured step's PARM (NULL: none), where it is a word
 * between commas and blanks; the program gets the PARM unchanged. *kb is 0 if
 * there is none; false if it is not a size.
 */
bool pool_size_of_step(const char *parm, uint64_t *kb);
/* Reads the PARM of a step with PGM=VIGIL: PDPSIZE=n, or "" for 0; false if it is anything else. */
bool pool_size_parm(const char *parm, uint64_t *kb);

#endif
