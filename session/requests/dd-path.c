/* SPDX-License-Identifier: Apache-2.0 */
/* Finds files that statements name by a path or by a DD. */
#include "common/compat.h"
#include "session/requests/dd-path.h"
#include "common/destination.h"

/* Returns the path of a DD from the step's environment; NULL: none. */
static const char *dd_path(const char *name)
{
	struct strbuf variable = STRBUF_INIT;
	const char *path;

	strbuf_addf(&variable, "DD_%s", name);
	path = getenv(variable.text);
	strbuf_release(&variable);
	return path;
}

const char *request_dd_path(const char *value, bool quoted, const struct location *place,
			    struct diag_list *diags)
{
	const char *path = quoted ? value : dd_path(value);

	if (!path)
		diag_add(diags, SEVERITY_ERROR, 19, place,
			 "there is no DD %s here; expected a DD name of this step, or a path in "
			 "apostrophes",
			 value);
	return path;
}

int request_dd_target(struct output_target *target, const char *path, bool quoted,
		      const char *input, struct error *err)
{
	if (input && destination_same(path, input))
		return error_set(err, "DSNAME would overwrite the sample data set itself");
	*target = (struct output_target){ .kind = quoted ? OUTPUT_WHOLE : OUTPUT_IN_PLACE,
					  .path = path };
	return 0;
}
