/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Computes the attribution of a profile (attribution.h) from its records. Readers
 * of a profile do not need this.
 */
#ifndef VIGIL_PROFILE_ATTRIBUTION_BUILD_H
#define VIGIL_PROFILE_ATTRIBUTION_BUILD_H

#include <stdbool.h>

struct profile;

/*
 * Computes the attribution of a profile from its records. native: use the stacks
 * as they were walked instead of those with the places that data collectors named.
 */
void attribution_build(struct profile *profile, bool native);

#endif
