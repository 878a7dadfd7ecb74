/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Nights: from noon to noon in local time, named by the day on which they begin.
 * So runs at 23:50 and at 03:10 belong to the same night, even if the clock is
 * changed in it. Moments are ns since 1970 UTC.
 */
#ifndef VIGIL_SESSION_HISTORY_NIGHTS_H
#define VIGIL_SESSION_HISTORY_NIGHTS_H

#include "common/strbuf.h"

/* Return when the night of a moment begins, and when the next one does. */
uint64_t night_begin(uint64_t moment);
uint64_t night_end(uint64_t moment);
/* Appends the name of a moment's night: "2026-11-23". */
void night_format(struct strbuf *sb, uint64_t moment);
/* Parses the name of a night into a moment in it; false if it is none. */
bool night_parse(const char *name, uint64_t *moment);

#endif
