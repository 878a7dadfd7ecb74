/* SPDX-License-Identifier: Apache-2.0 */
/* Works out the attribution of a profile (attribution.h) from its records; who asks has no need of this. */
#ifndef VIGIL_PROFILE_ATTRIBUTION_BUILD_H
#define VIGIL_PROFILE_ATTRIBUTION_BUILD_H

#include <stdbool.h>

struct profile;

/* Work the attribution of a profile out from its records. native: with the stacks that were walked
   in place of those with what data collectors named. */
void attribution_build(struct profile *profile, bool native);

#endif
