/* SPDX-License-Identifier: Apache-2.0 */
/*
 * PDPSIZE, the size of the data pool in kilobytes: in the PARM of the step, as
 * "PDPSIZE=500" between its beginning, commas and blanks; otherwise in vigil's own
 * environment.
 */
#ifndef VIGIL_SESSION_MEASURE_POOL_SIZE_H
#define VIGIL_SESSION_MEASURE_POOL_SIZE_H

#include "common/error.h"

/* parm may be NULL. *kb is 0 where nobody says it. -1 with the reason: it is no size. */
int pool_size(const char *parm, uint64_t *kb, struct error *err);
/* Whether kb is a size; -1 with the reason. */
int pool_size_check(uint64_t kb, struct error *err);

#endif
