/* SPDX-License-Identifier: Apache-2.0 */
/* Shares. */
#ifndef VIGIL_PROFILE_SHARE_H
#define VIGIL_PROFILE_SHARE_H

#include "common/compat.h"

/* Returns 100 * part / whole, 0 if whole is 0. */
double share_percent(double part, double whole);

#endif
