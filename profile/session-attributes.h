/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The attributes of a session: texts by key (ATTR_... of records/record-types.h),
 * the last value of each that the data hold. They are part of a profile, and can
 * be read alone when nothing else is needed: that scans the file once and keeps
 * only them.
 */
#ifndef VIGIL_PROFILE_SESSION_ATTRIBUTES_H
#define VIGIL_PROFILE_SESSION_ATTRIBUTES_H

#include "engine/engine.h"

struct session_attribute {
	char *key, *value;
};

/* In order of first appearance, each key once. Owned. */
struct session_attributes {
	struct session_attribute *items;
	size_t count, alloc;
	/* Whether the file that was read also has events, sums of events, coverage. */
	bool events, sums, coverage;
};

void session_attributes_init(struct session_attributes *attributes);
void session_attributes_release(struct session_attributes *attributes);
/* Stores the ATTRIBUTE rows of one snapshot; they refer to strings. */
void session_attributes_take(struct session_attributes *attributes, const struct snapshot *snapshot,
			     const struct strmap *strings);
/*
 * Reads the attributes of a sample data set; initializes attributes, which the
 * caller releases. A damaged file gives those of its intact part. Returns -1 if
 * the file cannot be read or is no sample data set; then there is nothing to
 * release.
 */
int session_attributes_read(const char *path, struct session_attributes *attributes,
			    struct error *err);
/* Returns the value of a key, "" if it is not there; valid until it is set again. */
const char *session_attributes_text(const struct session_attributes *attributes, const char *key);
/* Returns the value of a key as a decimal number, 0 if it is missing or not a number. */
uint64_t session_attributes_number(const struct session_attributes *attributes, const char *key);

#endif
