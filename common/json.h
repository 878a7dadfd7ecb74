/* SPDX-License-Identifier: Apache-2.0 */
/* JSON as text: the only place that knows how strings and numbers stand in it. */
#ifndef VIGIL_COMMON_JSON_H
#define VIGIL_COMMON_JSON_H

#include "common/strbuf.h"

/* Append a string with its quotes: valid UTF-8, in which bytes that are none are U+FFFD. */
void json_string(struct strbuf *sb, const char *text);
/* Append "key": with a comma before it unless it is the first. */
void json_key(struct strbuf *sb, const char *key, bool first);
/* Append ns as a number of units of so many ns each (1000 or 1000000), exactly. */
void json_time(struct strbuf *sb, uint64_t ns, uint64_t unit);

#endif
