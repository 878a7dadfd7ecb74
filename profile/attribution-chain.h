/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the callers of a caller as text. */
#ifndef VIGIL_PROFILE_ATTRIBUTION_CHAIN_H
#define VIGIL_PROFILE_ATTRIBUTION_CHAIN_H

#include "common/strbuf.h"

struct profile;

/*
 * Appends the callers of the caller, innermost first: "MAIN-LINE 92 < main 12", or
 * "mix util.hpp:12" for a line that is not in the section's main source. System
 * places are omitted; recursion is shown once.
 */
void attribution_chain(const struct profile *profile, size_t stack, struct strbuf *sb);

#endif
