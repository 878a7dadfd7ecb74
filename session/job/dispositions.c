/* SPDX-License-Identifier: Apache-2.0 */
/* After a step: keeps, deletes, passes on or appends the data sets of its DDs. */
#include "common/compat.h"
#include "session/job/allocate.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "session/job/concatenate.h"
#include "session/job/data-sets.h"
#include "session/job/groups.h"
#include "session/job/jes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* One disposition. */
struct disposing {
	struct runner *runner;
	const struct allocation *allocation;
	enum disp_action action;
};

/* Logs that a disposition failed; the job ends, and no data set that it created is removed. */
static void failed(const struct disposing *now, const char *what, const char *why)
{
	job_log_system(&now->runner->log, SEVERITY_ERROR, 5130,
		       "DD %s: data set %s could not be %s: %s", now->allocation->dd->name,
		       now->allocation->dsn, what, why);
	now->runner->failed = true;
	now->runner->keep_staging = true;
}

static void log_done(const struct disposing *now, const char *what)
{
	jes_disposed(now->runner, now->allocation->dsn, now->action, what);
	job_log_system(&now->runner->log, SEVERITY_INFO, 5131, "DD %s: data set %s %s",
		       now->allocation->dd->name, now->allocation->dsn, what);
}

/*
 * Checks that appended records have the format of those in the data set; -1 if the
 * DD said otherwise.
 */
static int check_records(const struct allocation *allocation, const struct attributes *own,
			 struct error *err)
{
	const struct attributes *said = &allocation->attributes;

	if (!*own->recfm || !*said->recfm)
		return 0;
	if (said->recfm[0] == own->recfm[0] && (own->recfm[0] != 'F' || said->lrecl == own->lrecl))
		return 0;
	return error_set(err, "it has RECFM=%s,LRECL=%u, and RECFM=%s,LRECL=%u was to be appended",
			 own->recfm, own->lrecl, said->recfm, said->lrecl);
}

/*
 * Writes the data set and what the step wrote to a new, empty file, which then
 * replaces the data set.
 */
static int replace(const struct allocation *allocation, const char *next, struct error *err)
{
	struct allocation added = *allocation, whole = *allocation;
	struct stat info;

	attributes_get(allocation->target, &whole.attributes);
	RETURN_IF(check_records(allocation, &whole.attributes, err) < 0, -1);
	attributes_merge(&whole.attributes, &allocation->attributes);
	added.next_concat = NULL;
	whole.path = allocation->target;
	whole.next_concat = &added;
	RETURN_IF(concatenate_join(&whole, next, err), -1);
	RETURN_IF(attributes_set(next, &whole.attributes, err) < 0, -1);
	if (stat(allocation->target, &info) < 0 || chmod(next, info.st_mode & 07777) < 0 ||
	    catalog_rename(next, allocation->target) < 0)
		return error_errno(err, "cannot replace %s", allocation->target);
	return 0;
}

/* Appends what the step wrote to the data set, whole or not at all. */
static int append_whole(const struct allocation *allocation, struct error *err)
{
	struct strbuf next = STRBUF_INIT;
	int fd, result;

	strbuf_addf(&next, "%s+", allocation->path);
	fd = open(next.text, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		result = error_errno(err, "cannot create %s", next.text);
	} else {
		close(fd);
		result = replace(allocation, next.text, err);
		if (result < 0)
			catalog_remove(next.text);
	}
	strbuf_release(&next);
	return result;
}

/* DISP=MOD: appends what the step wrote to the data set. */
static void append(const struct disposing *now)
{
	const struct allocation *allocation = now->allocation;
	struct error err = ERROR_INIT;
	struct stat written;

	if (now->action == DISP_DELETE || stat(allocation->path, &written) < 0 ||
	    written.st_size == 0) {
		unlink(allocation->path);
		return;
	}
	if (append_whole(allocation, &err) < 0) {
		job_log_system(&now->runner->log, SEVERITY_ERROR, 5132,
			       "DD %s: data set %s is unchanged, and the step's output remains in "
			       "%s: %s",
			       allocation->dd->name, allocation->dsn, allocation->path,
			       error_text(&err));
		error_release(&err);
		now->runner->failed = true;
		now->runner->keep_staging = true;
		return;
	}
	unlink(allocation->path);
	log_done(now, "extended");
}

/*
 * Marks a generation as kept. It is moved to its name at the end of the job; until
 * then its group is unchanged.
 */
static void keep_generation(const struct disposing *now, struct data_set *set, size_t base_length)
{
	char *base = xstrndup(set->dsn, base_length);

	if (!set->kept)
		group_log_undefined(now->runner, base);
	set->kept = true;
	free(base);
	log_done(now, "kept");
}

/* Moves a data set that the job created to its final path. */
static void keep_new(const struct disposing *now, struct data_set *set)
{
	size_t base_length;
	unsigned number;

	if (!set->final) {
		log_done(now, "kept"); /* temporary: lives as long as the job */
	} else if (generation_parse(set->dsn, &base_length, &number)) {
		keep_generation(now, set, base_length);
	} else if (catalog_exists(set->final)) {
		failed(now, "moved to its name", strerror(EEXIST));
	} else if (catalog_rename(set->path, set->final) < 0) {
		failed(now, "moved to its name", strerror(errno));
	} else {
		log_done(now, "kept");
		data_set_drop(now->runner, set);
	}
}

/* Deletes a data set from before the job, and the alias by which it was named. */
static int delete_catalogued(const struct disposing *now, struct error *err)
{
	const struct catalog *catalog = &now->runner->catalog;
	const char *name = now->allocation->dd->dsn;
	struct catalog_entry entry;
	bool alias;

	RETURN_IF(catalog_delete(catalog, now->allocation->dsn, err) < 0, -1);
	RETURN_IF(catalog_entry_read(catalog, name, &entry, err) < 0, -1);
	alias = entry.type == CATALOG_ALIAS;
	catalog_entry_release(&entry);
	return alias ? catalog_entry_remove(catalog, name, err) : 0;
}

static void delete_one(const struct disposing *now, struct data_set *set)
{
	struct error err = ERROR_INIT;
	int result;

	if (set)
		result = catalog_remove(set->path) < 0 ? error_errno(&err, "%s", set->path) : 0;
	else
		result = delete_catalogued(now, &err);
	if (result < 0) {
		failed(now, "deleted", error_text(&err));
		error_release(&err);
		return;
	}
	log_done(now, "deleted");
	if (set)
		data_set_drop(now->runner, set);
}

/*
 * UNCATLG: removes a generation from its group; a data set that is catalogued only
 * by its path stays as it is.
 */
static void uncatalog(const struct disposing *now, const struct data_set *set)
{
	const struct allocation *allocation = now->allocation;
	struct catalog_entry entry = { .type = CATALOG_NONVSAM, .rolled_off = true };
	struct error err = ERROR_INIT;
	size_t base_length;
	unsigned number;

	if (set || !generation_parse(allocation->dsn, &base_length, &number)) {
		job_log_system(&now->runner->log, SEVERITY_WARNING, 5133,
			       "DD %s: data set %s is kept under its name: UNCATLG has no other "
			       "meaning here",
			       allocation->dd->name, allocation->dsn);
	} else if (catalog_entry_write(&now->runner->catalog, allocation->dsn, &entry, &err) < 0) {
		failed(now, "uncataloged", error_text(&err));
		error_release(&err);
	} else {
		log_done(now, "uncataloged");
	}
}

/* Handles a data set that the job was creating and that a program removed. */
static void removed(const struct disposing *now, struct data_set *set)
{
	if (now->action != DISP_DELETE && set->final)
		job_log_message(&now->runner->log, SEVERITY_WARNING, 5136,
				"DD %s: data set %s was removed by the step's program; there is "
				"nothing to keep",
				now->allocation->dd->name, now->allocation->dsn);
	data_set_drop(now->runner, set);
}

/*
 * Stores the record attributes with a new data set: what the DD says, else what
 * its writer declared.
 */
static void keep_attributes(const struct disposing *now, const char *path)
{
	struct attributes attributes = now->allocation->attributes, written;
	struct error err = ERROR_INIT;

	attributes_get(path, &written);
	attributes_merge(&attributes, &written);
	if (catalog_is_folder(path))
		attributes.organization = ORGANIZATION_PARTITIONED;
	if (attributes_set(path, &attributes, &err) < 0)
		job_log_system(&now->runner->log, SEVERITY_WARNING, 5145,
			       "DD %s: the record format of data set %s is not known to later "
			       "steps: %s",
			       now->allocation->dd->name, now->allocation->dsn, error_text(&err));
	error_release(&err);
}

/* Carries out KEEP, CATLG and UNCATLG. */
static void keep(const struct disposing *now, struct data_set *set)
{
	if (now->action == DISP_UNCATLG)
		uncatalog(now, set);
	if (set)
		keep_new(now, set);
	else if (now->action != DISP_UNCATLG)
		log_done(now, "kept");
}

static void dispose_data_set(const struct disposing *now)
{
	struct data_set *set = data_set_find(now->runner, now->allocation->dsn);

	if (now->allocation->append)
		append(now);
	if (!set && !catalog_exists(now->allocation->target))
		return; /* another DD of the step deleted it, or the program did */
	if (set && !catalog_exists(set->path)) {
		removed(now, set);
		return;
	}
	if ((now->allocation->created || now->allocation->learned) && now->action != DISP_DELETE)
		keep_attributes(now, set ? set->path : now->allocation->target);
	if (now->action == DISP_DELETE)
		delete_one(now, set);
	else if (now->action == DISP_PASS)
		log_done(now, "passed");
	else
		keep(now, set);
}

static void dispose_path(const struct disposing *now)
{
	if (now->action != DISP_DELETE)
		return;
	if (unlink(now->allocation->path) < 0 && errno != ENOENT)
		failed(now, "deleted", strerror(errno));
}

/* Disposes of one member of a DD. */
static void dispose_one(struct runner *runner, const struct allocation *allocation, bool abnormal)
{
	const struct plan_dd *dd = allocation->dd;
	struct disposing now = { runner, allocation, abnormal ? dd->abnormal : dd->normal };

	switch (dd->kind) {
	case DD_INSTREAM:
		unlink(allocation->path);
		return;
	case DD_PATH:
		now.action = abnormal ? dd->path_abnormal : dd->path_normal;
		dispose_path(&now);
		return;
	case DD_DATASET:
		dispose_data_set(&now);
		return;
	case DD_SYSOUT:
		jes_sysout(runner, allocation);
		return;
	case DD_DUMMY:
		return;
	}
}

/* Removes the copy through which a concatenation was read. */
static void remove_joined(const struct allocation *first)
{
	if (first->copied)
		unlink(first->joined);
}

void dispose_step(struct runner *runner, struct allocation *list, bool abnormal)
{
	for (; list; list = list->next) {
		remove_joined(list);
		if (strcmp(list->dd->name, "JOBLIB") == 0)
			continue;
		for (const struct allocation *one = list; one; one = one->next_concat)
			dispose_one(runner, one, abnormal);
	}
}

/* Undoes one allocation: removes what it created, keeps what existed. */
static void undo(struct runner *runner, const struct allocation *allocation)
{
	struct data_set *set = data_set_find(runner, allocation->dsn);

	if (allocation->append)
		unlink(allocation->path);
	if (!allocation->created)
		return;
	if (allocation->dd->kind == DD_DATASET && set) {
		catalog_remove(set->path);
		data_set_drop(runner, set);
	} else if (allocation->dd->kind != DD_DATASET) {
		unlink(allocation->path);
	}
}

void dispose_unused(struct runner *runner, struct allocation *list)
{
	for (; list; list = list->next) {
		remove_joined(list);
		for (const struct allocation *one = list; one; one = one->next_concat)
			undo(runner, one);
	}
}

void dispose_job(struct runner *runner)
{
	groups_commit(runner);
	while (runner->data_sets) {
		struct data_set *set = runner->data_sets;

		if (set->final && !runner->keep_staging)
			job_log_system(&runner->log, SEVERITY_INFO, 5134,
				       "data set %s was passed and never kept: deleted", set->dsn);
		if (!runner->keep_staging)
			catalog_remove(set->path);
		data_set_drop(runner, set);
	}
	groups_release(runner);
	data_set_end_stagings(runner);
}
