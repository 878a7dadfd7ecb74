/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a concatenation is read through: a list of folders, or a copy of its
 * members one after the other. The records of the members must fit:
 *
 *	lines		with lines; each member ends with a whole one
 *	fixed		with fixed ones of the same length; lines become records of that length
 *	variable	with variable ones
 *
 * Data sets without known records are lines when there is a line end in them,
 * else bytes that are joined as they are. An empty member fits everywhere.
 */
#ifndef VIGIL_SESSION_JOB_CONCATENATE_H
#define VIGIL_SESSION_JOB_CONCATENATE_H

#include "session/job/allocate.h"

/*
 * Sets first->joined, and first->attributes to those of the whole. A member that
 * does not fit or cannot be read is returned, with the reason; NULL: all is well.
 */
const struct allocation *concatenate(struct runner *runner, struct allocation *first,
				     struct error *err);

/*
 * Appends the records of a list of data sets (path, attributes, and the names for
 * a message) to a file that is there. As above; attributes are not changed.
 */
const struct allocation *concatenate_join(const struct allocation *first, const char *joined,
				      struct error *err);

#endif
