/* SPDX-License-Identifier: Apache-2.0 */
/* Points in time as a user writes them. */
#ifndef VIGIL_SESSION_COLLECTION_WHEN_H
#define VIGIL_SESSION_COLLECTION_WHEN_H

#include "common/compat.h"

#define WHEN_WRONG "'%s' is no time: HH:MM[:SS], YYYY-MM-DD HH:MM[:SS] or +SECONDS"

/*
 * "+90": so many seconds after base. "22:30", "22:30:15": the next such moment
 * at or after base. "2026-11-23 22:30", with a T in the place of the blank
 * too: that moment. Local time; ns since 1970 UTC. False: it is no time.
 */
bool when_parse(const char *text, uint64_t base, uint64_t *wall);

#endif
