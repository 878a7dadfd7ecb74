/* SPDX-License-Identifier: Apache-2.0 */
/* Files as statements that stand alone name them: a path in apostrophes, or a DD of the step. */
#ifndef VIGIL_SESSION_REQUESTS_DD_PATH_H
#define VIGIL_SESSION_REQUESTS_DD_PATH_H

#include "common/diag.h"
#include "session/output.h"

/* The path a value names: itself in apostrophes, otherwise that of a DD; NULL after a message. */
const char *request_dd_path(const char *value, bool quoted, const struct location *place,
			    struct diag_list *diags);
/* Open where text goes that DSNAME asks for; input is the file that it is about. */
int request_dd_open(struct output *output, const char *path, bool quoted, const char *input,
		    struct error *err);

#endif
