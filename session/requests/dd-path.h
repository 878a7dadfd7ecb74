/* SPDX-License-Identifier: Apache-2.0 */
/* Files as statements that stand alone name them: a path in apostrophes, or a DD of the step. */
#ifndef VIGIL_SESSION_REQUESTS_DD_PATH_H
#define VIGIL_SESSION_REQUESTS_DD_PATH_H

#include "common/diag.h"
#include "session/output.h"

/*
 * Returns the path a value names: itself in apostrophes, otherwise that of a DD;
 * NULL after a message.
 */
const char *request_dd_path(const char *value, bool quoted, const struct location *place,
			    struct diag_list *diags);
/*
 * Where text goes that DSNAME or EXPORT asks for: a file whole, or a DD. -1 when that is input, the
 * sample data set that it is about; NULL: there are others to look at.
 */
int request_dd_target(struct output_target *target, const char *path, bool quoted,
		      const char *input, struct error *err);

#endif
