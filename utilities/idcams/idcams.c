/* SPDX-License-Identifier: Apache-2.0 */
/* IDCAMS: defines, deletes, copies, prints and lists data sets. */
#include "common/compat.h"
#include "common/xalloc.h"
#include "datasets/leftovers.h"
#include "utilities/dd.h"
#include "utilities/idcams/idcams.h"

#define LEFT_MARGIN 1
#define RIGHT_MARGIN 72

/* Parses MARGINS(left right) of PARM (NULL: none); rejects other words. */
static int take_parm(struct utility *utility, const char *parm, unsigned *left, unsigned *right)
{
	char rest;

	*left = LEFT_MARGIN;
	*right = RIGHT_MARGIN;
	RETURN_IF(!parm || !*parm, 0);
	if (sscanf(parm, "MARGINS(%u%*1[ ,]%u)%c", left, right, &rest) != 2 || *left == 0 ||
	    *right <= *left)
		return utility_message(utility, SEVERITY_SEVERE, 5611,
				       "PARM is not supported: '%s'; expected MARGINS(left right)",
				       parm);
	return 0;
}

/* Opens the catalogue and joins the locks of the job. */
static int open_catalog(struct idcams *idcams)
{
	const char *root = getenv("VIGIL_ROOT");
	struct error err = ERROR_INIT;
	int result = 0;

	lock_list_init(&idcams->locks);
	if (root)
		result = catalog_open(&idcams->catalog, root, getenv("VIGIL_MAP"), &err);
	if (result < 0)
		utility_message(idcams->utility, SEVERITY_SEVERE, 5612,
				"cannot use the catalogue: %s", error_text(&err));
	else if (root)
		leftovers_clear(&idcams->catalog);
	error_release(&err);
	return result;
}

/* Reads SYSIN; NULL after a message. Without a DD SYSIN, a step reads an empty standard input. */
static struct source *read_commands(struct utility *utility)
{
	struct source *source = dd_source(utility, "SYSIN");

	if (source && (source->line_count > 0 || utility_dd("SYSIN")))
		return source;
	if (utility->worst == 0)
		utility_foreign_message(utility, "IDC3300I", SEVERITY_SEVERE, 5502,
			      "ERROR OPENING SYSIN: DD SYSIN is missing");
	source_free(source);
	return NULL;
}

int main(int argc, char **argv)
{
	struct utility utility;
	struct idcams idcams = { .utility = &utility };
	struct source *source = NULL;
	unsigned left, right;
	const char *parm;
	int more = utility_arguments(&utility, argc, argv, &parm);

	if (more != 0)
		return more > 0 ? 0 : SEVERITY_SEVERE;
	utility_init(&utility, "IDCAMS");
	if (take_parm(&utility, parm, &left, &right) == 0 && open_catalog(&idcams) == 0)
		source = read_commands(&utility);
	if (source) {
		idcams_execute(&idcams, source, left, right);
		/* the return code is MAXCC, which SET may have lowered */
		utility.worst = idcams.highest;
	}
	source_free(source);
	lock_list_release(&idcams.locks);
	catalog_release(&idcams.catalog);
	return utility_end(&utility);
}
