/* SPDX-License-Identifier: Apache-2.0 */
/* Lists, deletes, reads and consolidates the resources of a library. */
#include "common/compat.h"
#include "session/library/resources.h"
#include "common/clock.h"
#include "events/event-data-set.h"

#define DAY (UINT64_C(86400) * NSEC_PER_SEC)

/* Lists the resources of a selection; false, with a message, on an error. */
static bool read_library(const struct resource_selection *selection, const char *folder,
			 struct resources *resources, struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	bool read = resources_list(resources, folder, selection->pattern, &err) == 0;

	if (!read)
		diag_add(diags, SEVERITY_ERROR, 45, selection->location, "%s", error_text(&err));
	error_release(&err);
	for (size_t i = 0; i < resources->unread_count; i++)
		diag_add(diags, SEVERITY_WARNING, 58, selection->location,
			 "%s cannot be read and is skipped: %s", resources->unread[i].path,
			 resources->unread[i].reason);
	return read;
}

void library_list(const struct resource_selection *selection, FILE *listing,
			    struct diag_list *diags)
{
	char *folder = resource_folder(selection->library, &selection->where);
	struct strbuf text = STRBUF_INIT;
	struct resources resources;

	if (read_library(selection, folder, &resources, diags)) {
		resources_print(&resources, &text);
		if (!resources.count && !resources.unread_count)
			diag_add(diags, SEVERITY_WARNING, 46, selection->location,
				 "there is no such resource in %s", folder);
		if (resources.count && (fwrite(text.text, 1, text.length, listing) != text.length ||
					fflush(listing) != 0))
			diag_add(diags, SEVERITY_ERROR, 31, selection->location,
				 "cannot write the list: %s", strerror(errno));
		resources_release(&resources);
	}
	strbuf_release(&text);
	free(folder);
}

/* Deletes one resource, with a message. */
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

void library_delete(const struct resource_selection *selection, struct diag_list *diags)
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

const char *const resource_usual_reports[] = { "EPS", "ELS", "ESS", "ETS", "PRO",
					       "CPS", "CST" };
const size_t resource_usual_report_count = ARRAY_SIZE(resource_usual_reports);

/* Finds the resource that a selection names; false, with a message, if there is none. */
static bool find_one(const struct resource_selection *selection, struct strbuf *path,
		     struct diag_list *diags)
{
	char *folder = resource_folder(selection->library, &selection->where);
	bool found = resource_find(folder, selection->pattern, path);

	if (!found)
		diag_add(diags, SEVERITY_ERROR, 51, selection->location,
			 "there is no resource %s in %s", selection->pattern, folder);
	free(folder);
	return found;
}

/* Returns the first unknown report code; NULL: all are known. */
static const char *unknown_code(const struct report_options *options)
{
	for (size_t i = 0; i < options->code_count; i++)
		if (!report_known(options->codes[i]))
			return options->codes[i];
	return NULL;
}

void library_print(const struct resource_selection *selection, struct report_options *options,
		   const struct output_target *target, struct diag_list *diags)
{
	const char *unknown = unknown_code(options);
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (unknown) {
		diag_add(diags, SEVERITY_ERROR, 10, selection->location,
			 "%s is not a report; vigil read --report list lists the reports",
			 unknown);
	} else if (find_one(selection, &path, diags)) {
		profile = report_load(path.text, options, &err);
		if (!profile || listing_print(profile, options, target, &err) < 0)
			diag_add(diags, SEVERITY_ERROR, 13, selection->location,
				 "cannot print the reports of %s: %s", path.text, error_text(&err));
		else if (profile_damage(profile)[0])
			diag_add(diags, SEVERITY_WARNING, 14, selection->location,
				 "%s is damaged: %s", path.text, profile_damage(profile));
		profile_free(profile);
	}
	strbuf_release(&path);
	error_release(&err);
}

/* Consolidates the data set at a path into one next to it. */
static void consolidate(const struct resource_selection *selection, const char *path, bool replace,
			struct diag_list *diags)
{
	struct consolidation_result result;
	struct strbuf to = STRBUF_INIT;
	struct error err = ERROR_INIT;

	event_data_set_name(&to, path);
	if (event_data_set_consolidate(path, to.text, replace, &result, &err) < 0) {
		diag_add(diags, SEVERITY_ERROR, 6511, selection->location,
			 "cannot consolidate %s: %s", path, error_text(&err));
	} else {
		diag_add(diags, SEVERITY_INFO, 6510, selection->location,
			 "%s: %" PRIu64 " events in %" PRIu64 " records", to.text, result.events,
			 result.sums);
		if (result.damage.length)
			diag_add(diags, SEVERITY_WARNING, 14, selection->location,
				 "%s is damaged: %s", path, result.damage.text);
		strbuf_release(&result.damage);
		resource_written(to.text);
	}
	strbuf_release(&to);
	error_release(&err);
}

void library_consolidate(const struct resource_selection *selection, bool replace,
				  struct diag_list *diags)
{
	struct strbuf path = STRBUF_INIT;

	if (find_one(selection, &path, diags))
		consolidate(selection, path.text, replace, diags);
	strbuf_release(&path);
}
