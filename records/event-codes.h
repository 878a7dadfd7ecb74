/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codes of event types, as users write and read them: "PS", "NS". A group is
 * one letter and stands for several types: S session, P programs, N
 * statements, D databases, I terminal, C calls, K the system; E, U and PP are in none: a
 * program of a thousand paragraphs has one start, and hot spots of programs need no more.
 */
#ifndef VIGIL_RECORDS_EVENT_CODES_H
#define VIGIL_RECORDS_EVENT_CODES_H

#include "records/record-types.h"

/* The bit of a type in a set of types, and the set of all. */
#define EVENT_TYPE_BIT(type) (UINT64_C(1) << (type))
#define EVENT_TYPES_ALL (EVENT_TYPE_BIT(EVENT_TYPE_COUNT) - 2)

/* "PS", "NS", ...; "?" for a type of a later version. */
const char *event_code(uint64_t type);
/* The types that a code, a group or ALL names, in either case, as a set; 0 when it is none of them.
 */
uint64_t event_code_types(const char *word, size_t length);
/* Append a set: "ALL", or the codes, a group where all of its types are there: "P,NS". "" for none.
 */
void event_codes_format(struct strbuf *sb, uint64_t types);

#endif
