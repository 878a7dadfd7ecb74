/* SPDX-License-Identifier: Apache-2.0 */
/* JSON output: the only place that knows how strings and numbers are written. */
#ifndef VIGIL_COMMON_JSON_H
#define VIGIL_COMMON_JSON_H

#include "common/strbuf.h"

/* Appends a string with its quotes, as valid UTF-8: invalid bytes become U+FFFD. */
void json_string(struct strbuf *sb, const char *text);
/* Appends "key": with a comma before it unless it is the first. */
void json_key(struct strbuf *sb, const char *key, bool first);
/* Appends ns as an exact decimal number in units of unit ns (1000 or 1000000). */
void json_time(struct strbuf *sb, uint64_t ns, uint64_t unit);

#endif
