/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Watches the signs of an input's zoned fields. A data set that has both kinds of
 * sign (signs.h), or the kind that programs under the site's rule misread, gets
 * one warning (sign-count.h) with the counts and the first position of each kind.
 *
 * A sign counts only where the rest of its field is digits: fields of one record
 * type may be text in another.
 */
#ifndef VIGIL_UTILITIES_SORT_SIGN_CHECK_H
#define VIGIL_UTILITIES_SORT_SIGN_CHECK_H

#include "utilities/sign-count.h"
#include "utilities/sort/sort-request.h"

/* A field's bytes in a record, with its sign in one of them. */
struct sign_field {
	size_t start, end, at; /* from 0 */
};

/* The watched fields, each listed once, and the signs counted in them. */
struct sign_watch {
	struct sign_field *fields;
	size_t count, alloc;
	struct sign_counts counts;
};

/* The watches of one input, by the stage at which they look at a record. */
struct sign_check {
	struct sign_watch selected; /* fields of INCLUDE and OMIT, before selection */
	struct sign_watch read;	    /* fields of other statements, in the record as read */
	struct sign_watch made;	    /* fields of other statements, in the record that INREC made */
};

/* Begins with the fields of a request that is completely read. */
void sign_check_init(struct sign_check *check, const struct sort_request *request);
void sign_check_release(struct sign_check *check);
/* Counts the signs of a record; number is its number in the input, from 1. */
void sign_watch_fields(struct sign_watch *watch, const struct sort_record *record, uint64_t number);
static inline void sign_watch_record(struct sign_watch *watch, const struct sort_record *record,
				     uint64_t number)
{
	if (watch->count > 0)
		sign_watch_fields(watch, record, number);
}

/* Warns about the input name (a DD) if its signs require it; at most once. */
void sign_check_warn(const struct sign_check *check, struct utility *utility, const char *name,
		     enum sign_kind rule);

#endif
