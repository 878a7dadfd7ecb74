/* SPDX-License-Identifier: Apache-2.0 */
/* The levels of privilege (sampler.h) as users name them. */
#ifndef VIGIL_SESSION_MEASURE_PRIVILEGE_H
#define VIGIL_SESSION_MEASURE_PRIVILEGE_H

#include "sampler/sampler-config.h"

/* The level of a name, in capitals or small letters; PRIVILEGE_AUTO is named, too. False: there is
 * none. */
bool privilege_find(const char *name, enum privilege *privilege);
/*
 * The highest level that may be used, whatever is asked for: what VIGIL_PRIVILEGE says,
 * PRIVILEGE_AUTO without. -1 with the reason when it says something else.
 */
int privilege_limit(enum privilege *limit, struct error *err);

#endif
