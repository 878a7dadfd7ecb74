/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates the DDs of a step: each becomes a path that the program can open. */
#include "common/compat.h"
#include "session/job/allocate.h"
#include "common/xalloc.h"
#include "datasets/entries.h"
#include "datasets/records.h"
#include "datasets/replacing.h"
#include "datasets/update-mark.h"
#include "session/job/concatenate.h"
#include "session/job/data-sets.h"
#include "session/job/groups.h"
#include "session/job/jes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CARD_LENGTH 80
#define MAXIMUM_RELATIVE 255 /* maximum of a generation's relative number */

/* State of the allocation of one step. */
struct context {
	struct runner *runner;
	const char *step_name;
	struct diag_list diags;
	unsigned cards; /* number of DDs with cards so far; two may have the same name */
};

/* Queues an error about a DD; the value is -1. */
#define DD_ERROR(context, dd, number, ...) \
	dd_error(context, dd, \
		 (diag_add(&(context)->diags, SEVERITY_ERROR, number, &(dd)->location, \
			   __VA_ARGS__)))

/* Adds the step and DD to the text of the last diagnostic; every error about a DD passes here. */
static int dd_error(struct context *context, const struct plan_dd *dd, int result)
{
	struct diag *diag = &context->diags.items[context->diags.count - 1];
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "step %s, DD %s: %s", context->step_name, dd->name, diag->text);
	free(diag->text);
	diag->text = strbuf_detach(&text, NULL);
	return result;
}

static char *join_path(const char *folder, const char *name)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s", folder, name);
	return strbuf_detach(&path, NULL);
}

/* Creates an empty file; the umask decides who may read it. */
static int make_empty(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	RETURN_IF(fd < 0, -1);
	close(fd);
	return 0;
}

/*
 * Sets the attributes that the cards of a DD get if its program reads records;
 * false: the cards are lines.
 */
static bool wants_records(const struct plan_dd *dd, struct attributes *attributes)
{
	const char *recfm = dd->recfm ? dd->recfm : "";
	bool records = *recfm == 'F' || *recfm == 'V';

	if (dd->filedata_given ? dd->filedata_text : !records)
		return false;
	snprintf(attributes->recfm, sizeof(attributes->recfm), "%s", records ? recfm : "FB");
	attributes->lrecl = dd->lrecl ? dd->lrecl : CARD_LENGTH + (*recfm == 'V' ? 4 : 0);
	return true;
}

/* Writes in-stream cards as records. */
static int write_records(const char *path, const struct plan_dd *dd,
			 const struct attributes *attributes, struct error *err)
{
	struct record_writer *writer;
	int result = 0;

	RETURN_IF(record_writer_open(&writer, path, attributes, 0, err) < 0, -1);
	for (size_t at = 0; at < dd->data_length && result == 0;) {
		const char *line = dd->data + at;
		const char *end = memchr(line, '\n', dd->data_length - at);
		struct record record = { .data = line };

		record.length = end ? (size_t)(end - line) : dd->data_length - at;
		at += record.length + 1;
		result = record_write(writer, &record, err);
	}
	if (record_writer_close(writer, result ? NULL : err) < 0)
		result = -1;
	return result ? -1 : 0;
}

static int write_whole(const char *path, const char *data, size_t length)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	size_t done = 0;

	RETURN_IF(fd < 0, -1);
	while (done < length) {
		ssize_t now = write(fd, data + done, length - done);

		if (now <= 0) {
			close(fd);
			return -1;
		}
		done += (size_t)now;
	}
	close(fd);
	return 0;
}

static int allocate_instream(struct context *context, const struct plan_dd *dd,
			     struct allocation *allocation)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int result;

	strbuf_addf(&path, "%s/dd.%s.%u", context->runner->spool.work, dd->name, ++context->cards);
	allocation->path = strbuf_detach(&path, NULL);
	allocation->created = true;
	if (wants_records(dd, &allocation->attributes))
		result = write_records(allocation->path, dd, &allocation->attributes, &err);
	else if (write_whole(allocation->path, dd->data ? dd->data : "", dd->data_length) < 0)
		result = error_set(&err, "%s", strerror(errno));
	else
		result = 0;
	if (result < 0)
		DD_ERROR(context, dd, 5105, "the cards cannot be written to %s: %s",
			 allocation->path, error_text(&err));
	error_release(&err);
	return result;
}

static int allocate_sysout(struct context *context, const struct plan_dd *dd,
			   struct allocation *allocation)
{
	char *name = NULL;
	struct strbuf sb = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int result = 0;

	strbuf_addf(&sb, "%s.%s", context->step_name, dd->name);
	name = strbuf_detach(&sb, NULL);
	allocation->path = spool_make_file(&context->runner->spool, name, &err);
	if (!allocation->path)
		result = DD_ERROR(context, dd, 5105, "%s", error_text(&err));
	free(name);
	error_release(&err);
	return result;
}

/*
 * Returns the absolute form of a path of the deck, because the step has a
 * different current folder.
 */
static char *absolute_path(const char *path)
{
	char *here, *result;

	if (*path == '/')
		return xstrdup(path);
	here = getcwd(NULL, 0);
	result = join_path(here ? here : "", path);
	free(here);
	return result;
}

static int allocate_path(struct context *context, const struct plan_dd *dd,
			 struct allocation *allocation)
{
	unsigned options = dd->path_options_given ? dd->path_options : 0;
	mode_t mode = dd->path_mode ? dd->path_mode : 0666;
	int fd;

	allocation->path = absolute_path(dd->path);
	if (!(options & (O_CREAT | O_TRUNC))) {
		if (access(allocation->path, F_OK) < 0)
			return DD_ERROR(context, dd, 5106, "%s cannot be used: %s",
					allocation->path, strerror(errno));
		return 0;
	}
	if ((options & O_ACCMODE) == O_RDONLY)
		options = (options & ~(unsigned)O_ACCMODE) | O_RDWR;
	allocation->created = access(allocation->path, F_OK) < 0;
	fd = open(allocation->path, (int)options | O_CLOEXEC | O_NOCTTY, mode);
	if (fd < 0) {
		allocation->created = false;
		return DD_ERROR(context, dd, 5106, "%s cannot be opened as PATHOPTS asks: %s",
				allocation->path, strerror(errno));
	}
	close(fd);
	return 0;
}

/* Sets allocation->dsn to the name of a relative generation. */
static int resolve_generation(struct context *context, const struct plan_dd *dd, const char *base,
			      struct allocation *allocation)
{
	struct error err = ERROR_INIT;
	const struct generation_group *group = group_get(context->runner, base, &err);
	struct strbuf name = STRBUF_INIT;

	if (!group) {
		DD_ERROR(context, dd, 5105, "%s", error_text(&err));
		error_release(&err);
		return -1;
	}
	if (generation_name(group, dd->generation, &name) < 0)
		return DD_ERROR(context, dd, 5108,
				dd->generation ? "generation %+d of %s does not exist"
					       : "generation %d of %s does not exist",
				dd->generation, base);
	allocation->dsn = strbuf_detach(&name, NULL);
	if (!catalog_name_valid(allocation->dsn))
		return DD_ERROR(context, dd, 5103,
				"%s is not a data set name: the base of a generation group has at "
				"most 35 characters",
				allocation->dsn);
	return 0;
}

/* Sets allocation->dsn to the full name of the data set; invalid names are refused. */
static int resolve_name(struct context *context, const struct plan_dd *dd,
			struct allocation *allocation)
{
	struct runner *runner = context->runner;
	struct strbuf name = STRBUF_INIT;
	const char *dsn = dd->dsn ? dd->dsn : "";
	const char *qualifiers = strncmp(dsn, "&&", 2) == 0 ? dsn + 2 : dsn;
	int result = 0;

	if (!*dsn) {
		strbuf_addf(&name, "&&.%u", ++runner->anonymous);
		allocation->dsn = strbuf_detach(&name, NULL);
		return 0;
	}
	if (strncmp(dsn, "&&.", 3) == 0) {
		allocation->dsn = xstrdup(dsn);
		return 0;
	}
	if (!catalog_name_valid(qualifiers))
		return DD_ERROR(context, dd, 5103, "%s is not a data set name", dsn);
	if (dd->member && !catalog_member_valid(dd->member))
		return DD_ERROR(context, dd, 5103, "%s is not a member name", dd->member);
	if (*dsn == '&')
		strbuf_addstr(&name, dsn);
	else
		catalog_resolve(&runner->catalog, dsn, &name, &allocation->key);
	if (dd->generation_given)
		result = resolve_generation(context, dd, name.text, allocation);
	else
		allocation->dsn = xstrdup(name.text);
	strbuf_release(&name);
	return result;
}

/* Appends the path of the model of a new data set; nothing if there is none. */
static void find_model(struct context *context, const struct plan_dd *dd, struct strbuf *path)
{
	if (!dd->model)
		return;
	data_set_path(context->runner, dd->model, path, NULL);
	if (path->length > 0 && catalog_exists(path->text))
		return;
	strbuf_reset(path);
	job_log_system(&context->runner->log, SEVERITY_WARNING, 5146,
		       "step %s, DD %s: data set %s does not exist; no attributes are taken from it",
		       context->step_name, dd->name, dd->model);
}

/* Returns whether a new data set is a folder of members, judging by the DD and its model. */
static bool wants_folder(const struct plan_dd *dd, const char *model)
{
	return dd->member || dd->organization == DSORG_PO ||
	       (dd->organization == DSORG_UNKNOWN && catalog_is_folder(model));
}

/*
 * Returns the folder in which a data set is created or extended: the job's work
 * folder, or one next to its final path.
 */
static const char *provisional_folder(struct context *context, const char *dsn, const char *final,
				      struct error *err)
{
	return *dsn == '&' ? context->runner->spool.work :
			     data_set_staging(context->runner, final, err);
}

/*
 * Creates a NEW data set in its provisional folder. target is its final path
 * before, and its current path after.
 */
static int create(struct context *context, const struct plan_dd *dd, struct allocation *allocation)
{
	struct error err = ERROR_INIT;
	const char *dsn = allocation->dsn;
	const char *folder = provisional_folder(context, dsn, allocation->target, &err);
	struct strbuf model = STRBUF_INIT;
	bool partitioned;
	char *path;

	if (!folder) {
		DD_ERROR(context, dd, 5105, "cannot create %s: %s", dsn, error_text(&err));
		error_release(&err);
		return -1;
	}
	path = join_path(folder, *dsn == '&' ? dsn + 2 : dsn);
	find_model(context, dd, &model);
	partitioned = wants_folder(dd, model.text);
	if (model.length > 0)
		attributes_get(model.text, &allocation->attributes);
	if (allocation->attributes.organization == ORGANIZATION_PARTITIONED)
		allocation->attributes.organization = ORGANIZATION_UNKNOWN;
	strbuf_release(&model);
	if ((partitioned ? mkdir(path, 0777) : make_empty(path)) < 0) {
		DD_ERROR(context, dd, 5105, "cannot create %s: %s", path, strerror(errno));
		free(path);
		return -1;
	}
	data_set_add(context->runner, dsn, path, allocation->target);
	allocation->created = true;
	free(allocation->target);
	allocation->target = path;
	return 0;
}

/*
 * Prepares DISP=MOD on an existing data set: the program writes a separate file
 * that is appended at the end of the step, because OPEN OUTPUT would empty the
 * data set.
 */
static int prepare_append(struct context *context, const struct plan_dd *dd,
			  struct allocation *allocation)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	char *file = realpath(allocation->target, NULL); /* a symbolic link must not be replaced
							  * itself */
	const char *dsn = allocation->dsn, *folder;

	if (file) {
		free(allocation->target);
		allocation->target = file;
	}
	folder = provisional_folder(context, dsn, allocation->target, &err);
	if (!folder) {
		DD_ERROR(context, dd, 5105, "%s cannot be appended to: %s", dsn, error_text(&err));
		error_release(&err);
		return -1;
	}
	strbuf_addf(&path, "%s/%s+%u", folder, dsn + (*dsn == '&' ? 2 : 0),
		    ++context->runner->anonymous);
	allocation->path = strbuf_detach(&path, NULL);
	allocation->append = true;
	if (make_empty(allocation->path) < 0)
		return DD_ERROR(context, dd, 5105, "cannot create %s: %s", allocation->path,
				strerror(errno));
	return 0;
}

/*
 * Returns whether a data set is a sequence of records; indexed and relative ones
 * are updated in place.
 */
static bool is_sequence(const char *path)
{
	struct attributes attributes;

	attributes_get(path, &attributes);
	return attributes.organization < ORGANIZATION_INDEXED && !catalog_is_indexed(path);
}

/* Sets the path that the program gets, once the data set itself exists. */
static int choose_path(struct context *context, const struct plan_dd *dd,
		       struct allocation *allocation)
{
	bool folder = catalog_is_folder(allocation->target);

	if (dd->member) {
		if (!folder)
			return DD_ERROR(context, dd, 5104,
					"%s is not a partitioned data set: it has no members",
					allocation->dsn);
		allocation->path = join_path(allocation->target, dd->member);
		return 0;
	}
	if (dd->normal != DISP_DELETE && access(allocation->target, F_OK) < 0)
		return DD_ERROR(context, dd, 5106, "%s cannot be used: %s", allocation->target,
				strerror(errno)); /* a dangling link */
	if (dd->status == DISP_MOD && !allocation->created && !folder &&
	    is_sequence(allocation->target))
		return prepare_append(context, dd, allocation);
	allocation->path = xstrdup(allocation->target);
	return 0;
}

/* Appends the current or future path of a data set; returns whether it exists. */
static bool locate(struct runner *runner, const char *dsn, struct strbuf *path)
{
	const struct data_set *set = data_set_find(runner, dsn);

	if (set)
		strbuf_addstr(path, set->path);
	else if (*dsn != '&')
		catalog_file(&runner->catalog, dsn, path);
	return set || (path->length > 0 && catalog_exists(path->text));
}

/* Checks that a name without a file does not have another meaning in the catalogue. */
static int check_untaken(struct context *context, const struct plan_dd *dd)
{
	struct catalog_entry entry;
	enum catalog_type type;

	if (dd->generation_given || !dd->dsn || *dd->dsn == '\0' || *dd->dsn == '&' ||
	    catalog_entry_read(&context->runner->catalog, dd->dsn, &entry, NULL) < 0)
		return 0;
	type = entry.type;
	catalog_entry_release(&entry);
	if (type == CATALOG_GDG)
		return DD_ERROR(context, dd, 5102,
				"%s is the base of a generation group; %s(+1) makes a generation",
				dd->dsn, dd->dsn);
	if (type > CATALOG_NONVSAM)
		return DD_ERROR(context, dd, 5102, "%s is in the catalog already", dd->dsn);
	return 0;
}

/* Reports that a data set does not exist. */
static int report_missing(struct context *context, const struct plan_dd *dd, const char *dsn)
{
	struct catalog_entry entry = { .type = CATALOG_NONE };
	bool group = *dsn != '&' &&
		     catalog_entry_read(&context->runner->catalog, dsn, &entry, NULL) == 0 &&
		     entry.type == CATALOG_GDG;

	catalog_entry_release(&entry);
	return DD_ERROR(context, dd, 5101, "data set %s does not exist%s", dsn,
			group ? ": the generation group has no generations" : "");
}

static int allocate_data_set(struct context *context, const struct plan_dd *dd,
			     struct allocation *allocation)
{
	struct strbuf path = STRBUF_INIT;
	bool exists = locate(context->runner, allocation->dsn, &path);

	if (exists)
		replacing_finish(path.text);
	allocation->target = path.length > 0 ? strbuf_detach(&path, NULL) : NULL;
	if (dd->status == DISP_NEW && exists)
		return DD_ERROR(context, dd, 5102, "data set %s exists already", allocation->dsn);
	if (!exists && (dd->status == DISP_OLD || dd->status == DISP_SHR))
		return report_missing(context, dd, allocation->dsn);
	if (!exists) {
		RETURN_IF(check_untaken(context, dd) < 0, -1);
		RETURN_IF(create(context, dd, allocation) < 0, -1);
	}
	return choose_path(context, dd, allocation);
}

/* Fills in RECORG, KEYLEN and KEYOFF: the new data set is to be a cluster. */
static void fill_cluster(const struct plan_dd *dd, struct attributes *attributes)
{
	static const enum dataset_organization organizations[] = {
		[RECORG_KS] = ORGANIZATION_INDEXED,
		[RECORG_ES] = ORGANIZATION_SEQUENTIAL,
		[RECORG_RR] = ORGANIZATION_RELATIVE,
		[RECORG_LS] = ORGANIZATION_SEQUENTIAL,
	};

	attributes->organization = organizations[dd->record_organization];
	if (dd->record_organization != RECORG_KS || !dd->key_length)
		return;
	attributes->keys[0] =
		(struct record_key){ .offset = dd->key_offset, .length = dd->key_length };
	attributes->key_count = 1;
}

/*
 * Determines the record attributes: what the DD says, else what is stored with the
 * data set, or with the model of a new one.
 */
static void fill_attributes(const struct plan_dd *dd, struct allocation *allocation)
{
	struct attributes said = { .lrecl = dd->lrecl,
				   .block_size = dd->block_size,
				   .order = allocation->key };

	if (dd->recfm)
		snprintf(said.recfm, sizeof(said.recfm), "%s", dd->recfm);
	if (allocation->created && dd->kind == DD_DATASET)
		fill_cluster(dd, &said);
	else if (allocation->path && allocation->target)
		attributes_get(allocation->append ? allocation->target : allocation->path,
			       &allocation->attributes);
	attributes_merge(&said, &allocation->attributes);
	allocation->attributes = said;
}

/* Allocates one member of a DD, whose data set name is resolved already. */
static int allocate_one(struct context *context, const struct plan_dd *dd,
			struct allocation *allocation)
{
	switch (dd->kind) {
	case DD_DUMMY:
		allocation->path = xstrdup("/dev/null");
		return 0;
	case DD_INSTREAM:
		return allocate_instream(context, dd, allocation);
	case DD_SYSOUT:
		return allocate_sysout(context, dd, allocation);
	case DD_PATH:
		return allocate_path(context, dd, allocation);
	case DD_DATASET:
		return allocate_data_set(context, dd, allocation);
	}
	return -1;
}

/* The members of a DD allocated so far. */
struct members {
	struct allocation *head, **end;
	unsigned count;
	bool whole; /* no error so far */
};

/* Allocates one more member, the data set dsn (taken over), read in the order of key. */
static void add_member(struct context *context, const struct plan_dd *dd, char *dsn,
		       unsigned key, struct members *members)
{
	struct allocation *allocation = xcalloc(1, sizeof(*allocation));

	allocation->dd = dd;
	allocation->dsn = dsn;
	allocation->key = key;
	members->count++;
	if (allocate_one(context, dd, allocation) < 0)
		members->whole = false;
	fill_attributes(dd, allocation);
	if (!allocation->path)
		allocation->path = xstrdup("");
	*members->end = allocation;
	members->end = &allocation->next_concat;
}

/* Returns whether a data set exists, created by this job or under its name. */
static bool data_set_exists(struct runner *runner, const char *dsn)
{
	struct strbuf path = STRBUF_INIT;
	bool there = locate(runner, dsn, &path);

	strbuf_release(&path);
	return there;
}

/*
 * Returns whether a generation exists that belongs to its base: one that a step of
 * this job created only counts if it was kept.
 */
static bool is_current_generation(struct runner *runner, const char *dsn, int relative)
{
	const struct data_set *set = data_set_find(runner, dsn);

	return relative > 0 ? set && set->kept : data_set_exists(runner, dsn);
}

/*
 * Adds all existing generations of a base named without a number, the newest
 * first. Returns whether the DD names such a base.
 */
static bool add_generations(struct context *context, const struct plan_dd *dd, const char *base,
			    struct members *members)
{
	const struct generation_group *group;
	unsigned before = members->count;

	if (*base == '&' || dd->generation_given || dd->member ||
	    (dd->status != DISP_SHR && dd->status != DISP_OLD) ||
	    data_set_exists(context->runner, base))
		return false;
	group = group_get(context->runner, base, NULL);
	for (int relative = MAXIMUM_RELATIVE; group && relative > -(int)group->count; relative--) {
		struct strbuf name = STRBUF_INIT;

		generation_name(group, relative, &name);
		if (is_current_generation(context->runner, name.text, relative))
			add_member(context, dd, strbuf_detach(&name, NULL), 0, members);
		strbuf_release(&name);
	}
	return members->count > before;
}

/* Allocates the data set or data sets of a DD's member. */
static void add_data_sets(struct context *context, const struct plan_dd *dd,
			  struct members *members)
{
	struct error err = ERROR_INIT;
	struct allocation named = { 0 };

	if (!data_set_catalog(context->runner, &err)) {
		DD_ERROR(context, dd, 5105, "%s", error_text(&err));
		error_release(&err);
		members->whole = false;
	} else if (resolve_name(context, dd, &named) < 0) {
		members->whole = false;
	} else if (!add_generations(context, dd, named.dsn, members)) {
		add_member(context, dd, named.dsn, named.key, members);
		return;
	}
	free(named.dsn);
}

/* Joins the members of a DD. */
static void join_members(struct context *context, struct allocation *first)
{
	struct error err = ERROR_INIT;
	const struct allocation *faulty = concatenate(context->runner, first, &err);

	if (faulty)
		DD_ERROR(context, faulty->dd, 5107, "the concatenation cannot be put together: %s",
			 error_text(&err));
	error_release(&err);
}

/*
 * Allocates a DD with all its members; what follows a DUMMY is not read. NULL:
 * nothing was allocated.
 */
static struct allocation *allocate_dd(struct context *context, const struct plan_dd *first)
{
	struct members members = { .whole = true };

	members.end = &members.head;
	for (const struct plan_dd *dd = first; dd; dd = dd->next_concat) {
		if (dd->kind == DD_DATASET)
			add_data_sets(context, dd, &members);
		else
			add_member(context, dd, xstrdup(""), 0, &members);
		if (dd->kind == DD_DUMMY)
			break;
	}
	if (members.whole)
		join_members(context, members.head);
	return members.head;
}

/* Logs what each DD was allocated to, for JESYSMSG. */
static void log_allocations(struct runner *runner, const char *step_name,
			    const struct allocation *list)
{
	for (; list; list = list->next) {
		for (const struct allocation *one = list; one; one = one->next_concat)
			job_log_system(
				&runner->log, SEVERITY_INFO, 5110,
				"step %s: %s allocated to %s%s%s%s%s", step_name, one->dd->name,
				one->dsn, one->dd->kind == DD_DATASET ? " " : "",
				one->dd->kind == DD_DATASET ? plan_disp_status_name(one->dd->status)
							    : "",
				one->dd->kind == DD_DATASET ? " " : "", one->path);
		if (list->joined)
			job_log_system(&runner->log, SEVERITY_INFO, 5111,
				       "step %s: %s is read through %s", step_name, list->dd->name,
				       list->joined);
	}
}

/*
 * Logs data sets whose last update was not completed: they may lack records
 * without any other sign.
 */
static void log_damage(struct runner *runner, const char *step_name,
			const struct allocation *list)
{
	for (const struct allocation *one = list; one; one = one->next_concat) {
		struct strbuf who = STRBUF_INIT;

		if (one->dd->kind == DD_DATASET && update_mark_stale(one->path, &who))
			job_log_message(&runner->log, SEVERITY_WARNING, 5147,
					"step %s, DD %s: data set %s may be damaged: %s ended "
					"while it was open for update; VERIFY of IDCAMS examines it",
					step_name, one->dd->name, one->dsn, who.text);
		strbuf_release(&who);
	}
}

int allocate_step(struct runner *runner, const struct plan_step *step, const char *step_name,
		  struct allocation **list)
{
	struct context context = { runner, step_name, DIAG_LIST_INIT, 0 };
	struct allocation **end = list;
	bool steplib = false;
	int result = 0;

	*list = NULL;
	groups_step_begins(runner);
	for (const struct plan_dd *dd = step->dds; dd; dd = dd->next) {
		steplib |= strcmp(dd->name, "STEPLIB") == 0;
		*end = allocate_dd(&context, dd);
		if (*end)
			end = &(*end)->next;
	}
	if (runner->plan->joblib && !steplib)
		*end = allocate_dd(&context, runner->plan->joblib);
	if (context.diags.count > 0) {
		job_log_diagnostics(&runner->log, &context.diags);
		dispose_unused(runner, *list);
		allocation_free(*list);
		*list = NULL;
		result = -1;
	} else {
		jes_allocated(runner, step, *list);
		log_allocations(runner, step_name, *list);
		for (const struct allocation *one = *list; one; one = one->next)
			log_damage(runner, step_name, one);
	}
	diag_list_release(&context.diags);
	return result;
}

const char *allocation_value(const struct allocation *allocation)
{
	return allocation->joined ? allocation->joined : allocation->path;
}

const struct allocation *allocation_find(const struct allocation *list, const char *ddname)
{
	for (; list; list = list->next)
		if (strcmp(list->dd->name, ddname) == 0)
			return list;
	return NULL;
}

void allocation_free(struct allocation *list)
{
	while (list) {
		struct allocation *next = list->next;

		while (list) {
			struct allocation *member = list->next_concat;

			free(list->dsn);
			free(list->path);
			free(list->in_place);
			free(list->target);
			free(list->joined);
			free(list);
			list = member;
		}
		list = next;
	}
}
