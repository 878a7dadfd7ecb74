/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The data of a trend for the script of a page: one JSON object, compact, without
 * '<'. Its members:
 *
 *   nights    an object each, oldest first: night (its name), runs, code, differs
 *             (-1, 0, 1), difference (a sentence, ""), link (to the profile of its last run, "" if
 *             it no longer exists)
 *   figures   an object each, if known for any night: id, name, unit ("s", "B",
 *             ""), median (over all nights), values (a number or null per night; seconds, bytes, counts)
 */
#ifndef VIGIL_SESSION_HISTORY_PAGE_TREND_H
#define VIGIL_SESSION_HISTORY_PAGE_TREND_H

#include "session/history/step-trend.h"

/* Appends this JSON. */
void page_trend_json(const struct step_trend *trend, struct strbuf *out);

#endif
