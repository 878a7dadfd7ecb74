/* SPDX-License-Identifier: Apache-2.0 */
/* What the verbs of IDCAMS share: names and locks of the catalogue, and messages. */
#include "common/compat.h"
#include "utilities/idcams/verb.h"
#include "datasets/entries.h"

bool idcams_has_root(struct idcams *idcams)
{
	if (idcams->catalog.root)
		return true;
	utility_message(idcams->utility, SEVERITY_SEVERE, 5615,
			"no data set root is given: data sets cannot be found by name");
	return false;
}

int idcams_lock(struct idcams *idcams, const char *dsn, bool exclusive)
{
	struct strbuf shared = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int got = 1;

	if (idcams->locks.fd < 0)
		got = lock_list_join(&idcams->locks, idcams->catalog.root, &err) < 0 ? -1 : 1;
	if (got > 0)
		got = lock_list_try(&idcams->locks, dsn, exclusive, &err);
	if (got > 0 && catalog_shared_name(&idcams->catalog, dsn, &shared))
		got = lock_list_try(&idcams->locks, shared.text, exclusive, &err);
	strbuf_release(&shared);
	if (got == 0)
		utility_message(idcams->utility, SEVERITY_ERROR, 5616,
				"data set %s is in use by another job", dsn);
	else if (got < 0)
		utility_message(idcams->utility, SEVERITY_ERROR, 5617, "%s", error_text(&err));
	error_release(&err);
	return got > 0 ? 0 : -1;
}

bool idcams_name_is_free(const struct idcams *idcams, const char *name)
{
	struct catalog_entry entry;
	bool is_free = catalog_entry_read(&idcams->catalog, name, &entry, NULL) == 0 &&
		       entry.type == CATALOG_NONE;

	catalog_entry_release(&entry);
	return is_free;
}

int idcams_terminated(struct idcams *idcams)
{
	return utility_foreign_message(idcams->utility, "IDC3003I", SEVERITY_SEVERE, 0,
			     "FUNCTION TERMINATED. CONDITION CODE IS %d", SEVERITY_SEVERE);
}

int idcams_not_found(struct idcams *idcams, enum severity severity, const char *name)
{
	if (severity == SEVERITY_SEVERE)
		utility_foreign_message(idcams->utility, "IDC3012I", SEVERITY_SEVERE, 5613,
			      "ENTRY %s NOT FOUND", name);
	else
		utility_foreign_message(idcams->utility, "IDC3012I", SEVERITY_ERROR, 5551,
			      "ENTRY %s NOT FOUND", name);
	return utility_foreign_message(idcams->utility, "IDC3009I", severity, 0,
			     "** VSAM CATALOG RETURN CODE IS 8 - REASON CODE IS IGG0CLEG-42");
}

void idcams_processed(struct idcams *idcams, uint64_t records)
{
	utility_foreign_message(idcams->utility, "IDC0005I", SEVERITY_INFO, 5556,
		      "NUMBER OF RECORDS PROCESSED WAS %" PRIu64, records);
}
