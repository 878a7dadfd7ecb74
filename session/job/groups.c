/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers the generations of a job, and adds new ones to their groups at its end. */
#include "common/compat.h"
#include "session/job/groups.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "session/job/data-sets.h"

static struct job_group *find(struct runner *runner, const char *base, struct error *err)
{
	struct catalog *catalog = data_set_catalog(runner, err);
	struct job_group *group = runner->groups;

	RETURN_IF(!catalog, NULL);
	while (group && strcmp(group->group.base, base) != 0)
		group = group->next;
	if (group)
		return group;
	group = xcalloc(1, sizeof(*group));
	if (generation_group_read(&group->group, catalog, base, err) < 0) {
		free(group);
		return NULL;
	}
	group->next = runner->groups;
	runner->groups = group;
	return group;
}

const struct generation_group *group_get(struct runner *runner, const char *base,
					  struct error *err)
{
	const struct job_group *group = find(runner, base, err);

	return group ? &group->group : NULL;
}

/* Reads the group of one DD that names a generation. */
static int read_base_group(struct runner *runner, const struct plan_dd *dd, struct error *err)
{
	struct strbuf base = STRBUF_INIT;
	unsigned key;
	int result;

	if (dd->kind != DD_DATASET || !dd->generation_given || !catalog_name_valid(dd->dsn))
		return 0;
	catalog_resolve(&runner->catalog, dd->dsn, &base, &key);
	result = find(runner, base.text, err) ? 0 : -1;
	strbuf_release(&base);
	return result;
}

int groups_read(struct runner *runner, struct error *err)
{
	RETURN_IF(!runner->catalog.root, 0); /* no DD names a data set */
	for (const struct plan_step *step = runner->plan->steps; step; step = step->next)
		for (const struct plan_dd *first = step->dds; first; first = first->next)
			for (const struct plan_dd *dd = first; dd; dd = dd->next_concat)
				RETURN_IF(read_base_group(runner, dd, err) < 0, -1);
	return 0;
}

/* Returns whether a data set is a kept generation of a base. */
static bool is_kept_generation(const struct data_set *set, const char *base)
{
	size_t length;
	unsigned number;

	return set->kept && generation_parse(set->dsn, &length, &number) &&
	       strlen(base) == length && strncmp(set->dsn, base, length) == 0;
}

/*
 * Returns the kept generation with this index, counted from the oldest, of a base
 * (NULL: of any base); NULL: none.
 */
static struct data_set *nth_kept(const struct runner *runner, const char *base, size_t number)
{
	struct data_set *found = NULL;
	size_t count = 0;

	for (struct data_set *set = runner->data_sets; set; set = set->next)
		count += base ? is_kept_generation(set, base) : set->kept;
	for (struct data_set *set = runner->data_sets; set && !found; set = set->next)
		if ((base ? is_kept_generation(set, base) : set->kept) && --count == number)
			found = set;
	return found;
}

/* Reads a group again, and adds the generations that this job has kept so far. */
static void recount(struct runner *runner, struct generation_group *group)
{
	struct generation_group now;
	struct data_set *set;
	size_t length;

	if (generation_group_read(&now, &runner->catalog, group->base, NULL) < 0)
		return;
	for (size_t kept = 0; (set = nth_kept(runner, group->base, kept)); kept++) {
		GROW(now.numbers, now.count + 1, now.alloc);
		generation_parse(set->dsn, &length, &now.numbers[now.count++]);
	}
	generation_group_release(group);
	*group = now;
}

void groups_step_begins(struct runner *runner)
{
	if (!runner->plan->generations_by_step)
		return;
	for (struct job_group *group = runner->groups; group; group = group->next)
		recount(runner, &group->group);
}

void group_log_undefined(struct runner *runner, const char *base)
{
	struct job_group *group = find(runner, base, NULL);
	struct catalog_entry entry;

	if (!group || group->undefined_logged ||
	    catalog_entry_read(&runner->catalog, base, &entry, NULL) < 0)
		return;
	if (entry.type != CATALOG_GDG)
		job_log_system(&runner->log, SEVERITY_INFO, 5141,
			       "generation group %s is not defined: all its generations are kept",
			       base);
	group->undefined_logged = true;
	catalog_entry_release(&entry);
}

/* Moves one generation to its name; returns whether that succeeded. */
static bool commit_generation(struct runner *runner, const struct data_set *set)
{
	if (catalog_exists(set->final))
		errno = EEXIST;
	else if (catalog_rename(set->path, set->final) == 0)
		return true;
	job_log_system(&runner->log, SEVERITY_ERROR, 5142,
		       "generation %s could not be moved to its name: %s", set->dsn,
		       strerror(errno));
	runner->failed = true;
	runner->keep_staging = true;
	return false;
}

/* Removes a generation from its group: it is deleted, or kept as an ordinary data set. */
static void roll_off(struct runner *runner, const struct generation_group *group, const char *dsn)
{
	struct catalog_entry entry = { .type = CATALOG_NONVSAM, .rolled_off = true };
	struct error err = ERROR_INIT;
	int result;

	if (group->scratch)
		result = catalog_delete(&runner->catalog, dsn, &err);
	else
		result = catalog_entry_write(&runner->catalog, dsn, &entry, &err);
	if (result < 0)
		job_log_system(&runner->log, SEVERITY_WARNING, 5144,
			       "generation %s stays in group %s beyond its limit of %u: %s", dsn,
			       group->base, group->limit, error_text(&err));
	else
		job_log_system(&runner->log, SEVERITY_INFO, 5143,
			       "generation %s left group %s, which has a limit of %u: %s", dsn,
			       group->base, group->limit, group->scratch ? "deleted" : "kept");
	error_release(&err);
}

/* Reduces a group to its limit after added generations have entered it. */
static void reduce_to_limit(struct runner *runner, const char *base, size_t added)
{
	struct generation_group group;
	struct error err = ERROR_INIT;
	char **names;
	size_t count;

	if (generation_group_read(&group, &runner->catalog, base, &err) < 0) {
		job_log_system(&runner->log, SEVERITY_WARNING, 5144,
			       "generation group %s is not reduced to its limit: %s", base,
			       error_text(&err));
		error_release(&err);
		return;
	}
	count = generation_roll_off(&group, added, &names);
	for (size_t i = 0; i < count; i++) {
		roll_off(runner, &group, names[i]);
		free(names[i]);
	}
	free(names);
	generation_group_release(&group);
}

void groups_commit(struct runner *runner)
{
	struct data_set *set;

	while ((set = nth_kept(runner, NULL, 0))) {
		size_t added = 0, length = 0;
		unsigned number;
		char *base;

		generation_parse(set->dsn, &length, &number);
		base = xstrndup(set->dsn, length);
		for (; set; set = nth_kept(runner, base, 0)) {
			bool moved = commit_generation(runner, set);

			added += moved;
			set->kept = false;
			if (moved)
				data_set_drop(runner, set);
		}
		if (added)
			reduce_to_limit(runner, base, added);
		free(base);
	}
}

void groups_release(struct runner *runner)
{
	while (runner->groups) {
		struct job_group *group = runner->groups;

		runner->groups = group->next;
		generation_group_release(&group->group);
		free(group);
	}
}
