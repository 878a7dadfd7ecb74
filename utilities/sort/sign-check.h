/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the signs of an input's zoned fields. A data set that has both
 * kinds of sign (signs.h), or the kind that programs of the site's rule misread, is
 * warned of once (sign-count.h), with counts and the first place of each kind.
 *
 * A sign counts where the rest of its field is digits: the fields of one kind
 * of records may be text in others.
 */
#ifndef VIGIL_UTILITIES_SORT_SIGN_CHECK_H
#define VIGIL_UTILITIES_SORT_SIGN_CHECK_H

#include "utilities/sign-count.h"
#include "utilities/sort/sort-request.h"

/* A field's bytes in a record, with its sign in one of them. */
struct sign_field {
	size_t start, end, at; /* from 0 */
};

/* Fields, each watched once, and what was seen in them. */
struct sign_watch {
	struct sign_field *fields;
	size_t count, alloc;
	struct sign_counts counts;
};

/* Of one input: the fields of the places where a record is looked at. */
struct sign_check {
	struct sign_watch selected; /* by INCLUDE and OMIT, before they choose */
	struct sign_watch read;	    /* by the others, as the record was read */
	struct sign_watch made;	    /* by the others, where INREC made another of it */
};

/* Begins with the fields of a request that was read whole. */
void sign_check_init(struct sign_check *check, const struct sort_request *request);
void sign_check_release(struct sign_check *check);
/* Looks at a record's signs; number is its place in the input, from 1. */
void sign_watch_fields(struct sign_watch *watch, const struct sort_record *record, uint64_t number);
static inline void sign_watch_record(struct sign_watch *watch, const struct sort_record *record,
				     uint64_t number)
{
	if (watch->count > 0)
		sign_watch_fields(watch, record, number);
}

/* Warn of the input called name (a DD) where its signs need it; at most once. */
void sign_check_warn(const struct sign_check *check, struct utility *utility, const char *name,
		     enum sign_kind rule);

#endif
