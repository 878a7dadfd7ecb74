/* SPDX-License-Identifier: Apache-2.0 */
/* User-visible names of the levels of privilege (sampler.h). */
#ifndef VIGIL_SESSION_MEASURE_PRIVILEGE_H
#define VIGIL_SESSION_MEASURE_PRIVILEGE_H

#include "sampler/sampler-config.h"

/*
 * Finds the level of a name, in upper or lower case; PRIVILEGE_AUTO has a name,
 * too. False: unknown.
 */
bool privilege_find(const char *name, enum privilege *privilege);
/*
 * Reads the highest level that may be used, whatever is requested, from
 * VIGIL_PRIVILEGE; PRIVILEGE_AUTO if it is not set. -1 with the reason if its
 * value is invalid.
 */
int privilege_limit(enum privilege *limit, struct error *err);

#endif
