/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Gives a program one input for a concatenation: a list of folders, or a copy of
 * the members one after the other. The records of the members must fit together:
 *	lines		with lines; each member ends with a whole one
 *	fixed		with fixed ones of the same length; lines become records of that length
 *	variable	with variable ones
 *
 * Data sets of unknown record format are lines if they contain a line end, else
 * bytes that are joined unchanged. An empty member fits anything.
 */
#ifndef VIGIL_SESSION_JOB_CONCATENATE_H
#define VIGIL_SESSION_JOB_CONCATENATE_H

#include "session/job/allocate.h"

/*
 * Sets first->joined, and first->attributes to those of the whole. Returns the
 * member that does not fit or cannot be read, with the reason; NULL: success.
 */
const struct allocation *concatenate(struct runner *runner, struct allocation *first,
				     struct error *err);

/*
 * Appends the records of a list of data sets (path, attributes, and names for
 * messages) to an existing file. Returns as concatenate does; attributes are not
 * changed.
 */
const struct allocation *concatenate_join(const struct allocation *first, const char *joined,
				      struct error *err);

#endif
