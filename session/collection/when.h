/* SPDX-License-Identifier: Apache-2.0 */
/* Points in time as written by users. */
#ifndef VIGIL_SESSION_COLLECTION_WHEN_H
#define VIGIL_SESSION_COLLECTION_WHEN_H

#include "common/compat.h"

#define WHEN_WRONG "'%s' is not a time: HH:MM[:SS], YYYY-MM-DD HH:MM[:SS] or +SECONDS"

/*
 * Parses a time. "+90": seconds after base. "22:30", "22:30:15": the next such
 * time at or after base. "2026-11-23 22:30", also with T instead of the blank:
 * this time. Local time; the result is ns since 1970 UTC. False: invalid.
 */
bool when_parse(const char *text, uint64_t base, uint64_t *wall);

#endif
