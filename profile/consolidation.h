/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Consolidation: turns snapshots into a profile. It takes one snapshot after
 * another, from a running collection or from a sample data set, and sums up what
 * is alike.
 */
#ifndef VIGIL_PROFILE_CONSOLIDATION_H
#define VIGIL_PROFILE_CONSOLIDATION_H

#include "engine/engine.h"
#include "profile/profile.h"

struct consolidation;

struct consolidation *consolidation_new(void);
/* Also keeps the course of the rows; call it before the first snapshot. */
void consolidation_keep_course(struct consolidation *made, enum course_parts parts);
/* Frees an abandoned consolidation with all it has taken; NULL is allowed. */
void consolidation_free(struct consolidation *made);
/*
 * Adds one snapshot; its records refer to strings, which may be the same map in
 * every call or another each time.
 */
void consolidation_take(struct consolidation *made, const struct snapshot *snapshot,
			const struct strmap *strings);
/*
 * Resolves what addresses mean (attribution.h) and where time is charged. Frees
 * the consolidation; the caller owns the profile.
 */
struct profile *consolidation_end(struct consolidation *made);

/*
 * Consolidation as a consumer module. Its context is a struct profile_consumer,
 * all zero at first.
 */
struct profile_consumer {
	struct consolidation *consolidation; /* private to the module */
	struct profile *profile;	     /* set with the last snapshot; owned by the caller */
	enum course_parts keeps_course;	     /* which courses of rows to keep */
};
extern const struct module_class profile_consumer_class;

#endif
