/* SPDX-License-Identifier: Apache-2.0 */
/* Files as named by statements: a path in apostrophes, or a DD of the step. */
#ifndef VIGIL_SESSION_REQUESTS_DD_PATH_H
#define VIGIL_SESSION_REQUESTS_DD_PATH_H

#include "common/diag.h"
#include "session/output.h"

/*
 * Returns the path that a value names: the value itself if in apostrophes,
 * otherwise the path of a DD; NULL, after a message.
 */
const char *request_dd_path(const char *value, bool quoted, const struct location *place,
			    struct diag_list *diags);
/*
 * Sets the target of text for DSNAME or EXPORT: a file written whole, or a DD. -1
 * if that is input, the sample data set that is read; input NULL: the caller
 * checks its inputs itself.
 */
int request_dd_target(struct output_target *target, const char *path, bool quoted,
		      const char *input, struct error *err);

#endif
