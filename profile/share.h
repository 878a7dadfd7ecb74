/* SPDX-License-Identifier: Apache-2.0 */
/* Shares and their margins of error. */
#ifndef VIGIL_PROFILE_SHARE_H
#define VIGIL_PROFILE_SHARE_H

#include "common/compat.h"

/* Returns 100 * part / whole, 0 if whole is 0. */
double share_percent(double part, double whole);
/*
 * Returns the margin of error in percentage points, at 95 % confidence, of a share
 * of this many independent samples (struct profile, independent), as computed in
 * common/margin.
 */
double share_margin(double percent, uint64_t samples);

#endif
