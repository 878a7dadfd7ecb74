/* SPDX-License-Identifier: Apache-2.0 */
/* Shares, and how sure they are. */
#ifndef VIGIL_PROFILE_SHARE_H
#define VIGIL_PROFILE_SHARE_H

#include "common/compat.h"

/* 100 * part / whole, 0 when whole is 0. */
double share_percent(double part, double whole);
/* Margin of error in percentage points, at 95 % confidence, of a share of so many samples that tell each
   something of its own (struct profile, independent), as common/margin has it. */
double share_margin(double percent, uint64_t samples);

#endif
