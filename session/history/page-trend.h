/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the script of a page draws of a trend: one JSON object, compact, with no
 * '<' in it. Its members:
 *
 *   nights    an object each, oldest first: night (its name), runs, code, differs
 *             (-1, 0, 1), difference (a sentence, ""), link (to the profile of its last run, "" where
 *             there is none any more)
 *   figures   an object each that is known of any night: id, name, unit ("s", "B",
 *             ""), median (over all nights), values (a number or null a night; seconds, bytes, counts)
 */
#ifndef VIGIL_SESSION_HISTORY_PAGE_TREND_H
#define VIGIL_SESSION_HISTORY_PAGE_TREND_H

#include "session/history/step-trend.h"

/* Append it. */
void page_trend_json(const struct step_trend *trend, struct strbuf *out);

#endif
