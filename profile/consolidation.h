/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consolidation: snapshots in, a profile out. It takes one snapshot after
 * another, whether they come from a collection that runs or from a sample
 * data set, and keeps sums of what is alike.
 */
#ifndef VIGIL_PROFILE_CONSOLIDATION_H
#define VIGIL_PROFILE_CONSOLIDATION_H

#include "engine/engine.h"
#include "profile/profile.h"

struct consolidation;

struct consolidation *consolidation_new(void);
/* Keep the course of the rows, too; said before the first snapshot. */
void consolidation_keep_course(struct consolidation *made, enum course_parts parts);
/* Free one that is given up, with all it has taken; NULL is allowed. */
void consolidation_free(struct consolidation *made);
/*
 * Take one snapshot in; strings are those its records refer to, the same
 * in every call or another map each time.
 */
void consolidation_take(struct consolidation *made, const struct snapshot *snapshot,
			const struct strmap *strings);
/*
 * Work out what addresses mean (attribution.h) and to whom time is charged.
 * The consolidation is freed; the profile is the caller's.
 */
struct profile *consolidation_end(struct consolidation *made);

/* The same as a consumer module. Context: struct profile_consumer, all zero at first. */
struct profile_consumer {
	struct consolidation *consolidation; /* the module's own */
	struct profile *profile;	     /* made with the last snapshot; the caller's */
	enum course_parts keeps_course;	     /* wanted: the course of the rows */
};
extern const struct module_class profile_consumer_class;

#endif
