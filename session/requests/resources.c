/* SPDX-License-Identifier: Apache-2.0 */
/* Lists and deletes the resources of a library. */
#include "common/compat.h"
#include "session/requests/resources.h"
#include "common/clock.h"

#define DAY (UINT64_C(86400) * NSEC_PER_SEC)

/* Read the resources of a selection; false with a message when that cannot be. */
static bool read_library(const struct resource_selection *selection, const char *folder,
			 struct resources *resources, struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	bool read = resources_list(resources, folder, selection->pattern, &err) == 0;

	if (!read)
		diag_add(diags, SEVERITY_ERROR, 45, selection->location, "%s", error_text(&err));
	error_release(&err);
	return read;
}

void request_list_resources(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags)
{
	char *folder = resource_folder(selection->library, &selection->where);
	struct strbuf text = STRBUF_INIT;
	struct resources resources;

	if (read_library(selection, folder, &resources, diags)) {
		resources_print(&resources, &text);
		if (!resources.count)
			diag_add(diags, SEVERITY_WARNING, 46, selection->location,
				 "there is no such resource in %s", folder);
		else if (fwrite(text.text, 1, text.length, listing) != text.length ||
			 fflush(listing) != 0)
			diag_add(diags, SEVERITY_ERROR, 31, selection->location,
				 "cannot write the list: %s", strerror(errno));
		resources_release(&resources);
	}
	strbuf_release(&text);
	free(folder);
}

/* Delete one resource, with a message. */
static void delete_one(const struct resource *resource, const struct location *place,
		       struct diag_list *diags)
{
	struct error err = ERROR_INIT;

	if (resource_delete(resource, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 48, place, "%s", error_text(&err));
	else
		diag_add(diags, SEVERITY_INFO, 47, place, "the resource %s (%s) is deleted",
			 resource->name, resource_kind_word(resource->kind));
	error_release(&err);
}

void request_delete_resources(const struct resource_selection *selection, struct diag_list *diags)
{
	uint64_t now = clock_wall_ns(), age = selection->older * DAY;
	char *folder = resource_folder(selection->library, &selection->where);
	struct resources resources;
	bool any = false;

	if (read_library(selection, folder, &resources, diags)) {
		for (size_t i = 0; i < resources.count; i++) {
			const struct resource *one = &resources.items[i];

			if (now < age || one->start > now - age)
				continue;
			delete_one(one, selection->location, diags);
			any = true;
		}
		if (!any)
			diag_add(diags, SEVERITY_WARNING, 46, selection->location,
				 "there is no such resource in %s", folder);
		resources_release(&resources);
	}
	free(folder);
}
