/* SPDX-License-Identifier: Apache-2.0 */
/* The callers of a caller as text. */
#ifndef VIGIL_PROFILE_ATTRIBUTION_CHAIN_H
#define VIGIL_PROFILE_ATTRIBUTION_CHAIN_H

#include "common/strbuf.h"

struct profile;

/*
 * Append the callers of the caller, from the inside outward: "MAIN-LINE 92 <
 * main 12", or "mix util.hpp:12" for a line that is not of the section's own
 * source. System places are omitted; recursion is shown once.
 */
void attribution_chain(const struct profile *profile, size_t stack, struct strbuf *sb);

#endif
