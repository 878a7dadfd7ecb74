/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The codes of event types, as users write and read them: "PS", "NS". A group is
 * one letter for several types: S session, P programs, N statements, D databases,
 * I terminal, C calls, K the system. E, U and PP are in no group: a program of a
 * thousand paragraphs has one start, and hot spots of programs need no more.
 */
#ifndef VIGIL_RECORDS_EVENT_CODES_H
#define VIGIL_RECORDS_EVENT_CODES_H

#include "records/record-types.h"

/* The bit of a type in a set of types, and the set of all types. */
#define EVENT_TYPE_BIT(type) (UINT64_C(1) << (type))
#define EVENT_TYPES_ALL (EVENT_TYPE_BIT(EVENT_TYPE_COUNT) - 2)

/* Returns the code of a type: "PS", "NS", ...; "?" for a type of a later version. */
const char *event_code(uint64_t type);
/*
 * Returns the set of types that a word names: a code, a group or ALL, in either
 * case; 0 if it is none of these.
 */
uint64_t event_code_types(const char *word, size_t length);
/*
 * Appends a set: "ALL", or codes, with a group's letter where all its types are
 * present: "P,NS". Appends nothing for the empty set.
 */
void event_codes_format(struct strbuf *sb, uint64_t types);

#endif
