/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributes of a session: texts by key (ATTR_... of
 * records/record-types.h), the last value of each that the data hold. They
 * are a part of a profile, and can be read alone where nothing else is
 * wanted: that goes through the file once and keeps nothing but them.
 */
#ifndef VIGIL_PROFILE_SESSION_ATTRIBUTES_H
#define VIGIL_PROFILE_SESSION_ATTRIBUTES_H

#include "engine/engine.h"

struct session_attribute {
	char *key, *value;
};

/* In order of first appearance; a key stands here once. Owned. */
struct session_attributes {
	struct session_attribute *items;
	size_t count, alloc;
	/* What a file that was read holds besides: events, sums of events, coverage. */
	bool events, sums, coverage;
};

void session_attributes_init(struct session_attributes *attributes);
void session_attributes_release(struct session_attributes *attributes);
/* Put the ATTRIBUTE rows of one snapshot; strings are those they refer to. */
void session_attributes_take(struct session_attributes *attributes, const struct snapshot *snapshot,
			     const struct strmap *strings);
/*
 * Read those of a sample data set into attributes, which are initialized
 * here and are the caller's to release. A damaged file gives what is whole.
 * -1 when the file cannot be read or is no sample data set; then there is
 * nothing to release.
 */
int session_attributes_read(const char *path, struct session_attributes *attributes,
			    struct error *err);
/* The value of a key, "" when it is not there; valid until it is set again. */
const char *session_attributes_text(const struct session_attributes *attributes, const char *key);
/* The same as a decimal number, 0 when it is not there or none. */
uint64_t session_attributes_number(const struct session_attributes *attributes, const char *key);

#endif
