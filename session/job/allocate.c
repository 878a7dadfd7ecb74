/* SPDX-License-Identifier: Apache-2.0 */
/* Allocates the DDs of a step: each becomes a path that the program can open. */
#include "common/compat.h"
#include "session/job/allocate.h"
#include "common/xalloc.h"
#include "session/job/catalog.h"
#include "session/job/jes.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define CARD_LENGTH 80

/* What the allocation of one step needs. */
struct context {
	struct runner *runner;
	const char *step_name;
	struct diag_list diags;
};

/* Queue an error about a DD. */
#define DD_ERROR(context, dd, number, ...) \
	dd_error(context, dd, \
		 (diag_add(&(context)->diags, SEVERITY_ERROR, number, &(dd)->location, \
			   __VA_ARGS__)))

/* Every error about a DD passes here, so that it can be said whose DD it was. */
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

/* Make an empty file; the umask decides who may read it. */
static int make_empty(const char *path)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

	RETURN_IF(fd < 0, -1);
	close(fd);
	return 0;
}

/* In-stream cards as fixed records without line ends, for programs that read records. */
static void fixed_records(struct strbuf *records, const struct plan_dd *dd)
{
	size_t length = dd->lrecl ? dd->lrecl : CARD_LENGTH;

	for (size_t at = 0; at < dd->data_length;) {
		const char *line = dd->data + at;
		const char *end = memchr(line, '\n', dd->data_length - at);
		size_t size = end ? (size_t)(end - line) : dd->data_length - at;

		strbuf_add(records, line, size < length ? size : length);
		strbuf_addchars(records, ' ', size < length ? length - size : 0);
		at += size + 1;
	}
}

/* Whether the cards of a DD are to be fixed records: its RECFM or FILEDATA says so. */
static bool wants_records(const struct plan_dd *dd)
{
	if (dd->filedata_given)
		return !dd->filedata_text;
	return dd->recfm && dd->recfm[0] == 'F';
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
			     struct allocation *allocation, unsigned position)
{
	struct strbuf path = STRBUF_INIT, records = STRBUF_INIT;
	int result;

	strbuf_addf(&path, "%s/dd.%s.%u", context->runner->spool.work, dd->name, position);
	allocation->path = strbuf_detach(&path, NULL);
	if (wants_records(dd)) {
		fixed_records(&records, dd);
		result = write_whole(allocation->path, records.text, records.length);
		strbuf_release(&records);
	} else {
		result = write_whole(allocation->path, dd->data ? dd->data : "", dd->data_length);
	}
	allocation->created = true;
	if (result < 0)
		return DD_ERROR(context, dd, 5105, "the cards cannot be written to %s: %s",
				allocation->path, strerror(errno));
	return 0;
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

/* The absolute form of a path of the deck: the step has another current folder. */
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

/* Fix the number of a relative generation for the whole job. */
static unsigned generation_base(struct runner *runner, const char *base)
{
	struct generation_base *known;

	for (known = runner->generations; known; known = known->next)
		if (strcmp(known->base, base) == 0)
			return known->highest;
	known = xcalloc(1, sizeof(*known));
	known->base = xstrdup(base);
	known->highest = catalog_highest_generation(runner->root, base);
	known->next = runner->generations;
	runner->generations = known;
	return known->highest;
}

/* The data set's whole name into allocation->dsn; what is not a name is refused. */
static int resolve_name(struct context *context, const struct plan_dd *dd,
			struct allocation *allocation)
{
	struct runner *runner = context->runner;
	struct strbuf name = STRBUF_INIT;
	const char *dsn = dd->dsn ? dd->dsn : "";
	const char *qualifiers = strncmp(dsn, "&&", 2) == 0 ? dsn + 2 : dsn;

	if (!*dsn) {
		strbuf_addf(&name, "&&.%u", ++runner->anonymous);
		allocation->dsn = strbuf_detach(&name, NULL);
		return 0;
	}
	if (!catalog_name_valid(qualifiers))
		return DD_ERROR(context, dd, 5103, "%s is not a data set name", dsn);
	if (dd->member && !catalog_member_valid(dd->member))
		return DD_ERROR(context, dd, 5103, "%s is not a member name", dd->member);
	if (!dd->generation_given) {
		allocation->dsn = xstrdup(dsn);
		return 0;
	}
	if (catalog_generation(&name, runner->root, dsn, generation_base(runner, dsn),
			       dd->generation) < 0)
		return DD_ERROR(context, dd, 5108,
				dd->generation ? "generation %+d of %s does not exist"
					       : "generation %d of %s does not exist",
				dd->generation, dsn);
	allocation->dsn = strbuf_detach(&name, NULL);
	return 0;
}

/* Whether a data set is a folder of members, as far as the DD tells. */
static bool wants_folder(const struct plan_dd *dd)
{
	return dd->member || dd->organization == DSORG_PO;
}

/* Make a NEW data set in its provisional place. */
static int create(struct context *context, const struct plan_dd *dd, struct allocation *allocation)
{
	struct runner *runner = context->runner;
	struct error err = ERROR_INIT;
	bool temporary = allocation->dsn[0] == '&';
	const char *folder = temporary ? runner->spool.work : data_set_staging(runner, &err);
	char *path, *final;

	if (!folder) {
		DD_ERROR(context, dd, 5105, "%s cannot be made: %s", allocation->dsn,
			 error_text(&err));
		error_release(&err);
		return -1;
	}
	path = join_path(folder, temporary ? allocation->dsn + 2 : allocation->dsn);
	if ((wants_folder(dd) ? mkdir(path, 0777) : make_empty(path)) < 0) {
		DD_ERROR(context, dd, 5105, "%s cannot be made: %s", path, strerror(errno));
		free(path);
		return -1;
	}
	final = temporary ? NULL : join_path(runner->root, allocation->dsn);
	data_set_add(runner, allocation->dsn, path, final);
	allocation->created = true;
	allocation->target = path;
	free(final);
	return 0;
}

/* Whether a file is one of Berkeley DB, in which GnuCOBOL keeps indexed files. */
static bool is_indexed(const char *path)
{
	static const uint32_t magics[] = { 0x00053162, 0x62310500 };
	uint32_t magic = 0;
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : pread(fd, &magic, sizeof(magic), 12);

	if (fd >= 0)
		close(fd);
	return got == (ssize_t)sizeof(magic) && (magic == magics[0] || magic == magics[1]);
}

/*
 * DISP=MOD on what exists: the program writes a file of its own that is
 * appended at the step's end, because OPEN OUTPUT would empty the data set.
 * An indexed file is not a sequence and is updated in place.
 */
static int prepare_append(struct context *context, const struct plan_dd *dd,
			  struct allocation *allocation)
{
	struct runner *runner = context->runner;
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	const char *folder =
		allocation->dsn[0] == '&' ? runner->spool.work : data_set_staging(runner, &err);

	if (!folder) {
		DD_ERROR(context, dd, 5105, "%s cannot be appended to: %s", allocation->dsn,
			 error_text(&err));
		error_release(&err);
		return -1;
	}
	strbuf_addf(&path, "%s/%s+%u", folder,
		    allocation->dsn + (allocation->dsn[0] == '&' ? 2 : 0), ++runner->anonymous);
	allocation->path = strbuf_detach(&path, NULL);
	allocation->append = true;
	if (make_empty(allocation->path) < 0)
		return DD_ERROR(context, dd, 5105, "%s cannot be made: %s", allocation->path,
				strerror(errno));
	return 0;
}

/* The path the program gets, once the data set itself is there. */
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
	if (dd->status == DISP_MOD && !allocation->created && !folder &&
	    !is_indexed(allocation->target))
		return prepare_append(context, dd, allocation);
	allocation->path = xstrdup(allocation->target);
	return 0;
}

/* A data set that should exist; the base of generations stands for none of them. */
static int missing(struct context *context, const struct plan_dd *dd, const char *dsn)
{
	const char *root = context->runner->root;

	if (dsn[0] != '&' && catalog_highest_generation(root, dsn) > 0)
		return DD_ERROR(context, dd, 5101,
				"data set %s is not there; it has generations, of which %s(0) is "
				"the newest, and all of them together cannot be read yet",
				dsn, dsn);
	return DD_ERROR(context, dd, 5101, "data set %s is not there", dsn);
}

static int allocate_data_set(struct context *context, const struct plan_dd *dd,
			     struct allocation *allocation)
{
	struct runner *runner = context->runner;
	struct error err = ERROR_INIT;
	const struct data_set *set;
	bool exists;

	if (!data_set_root(runner, &err)) {
		DD_ERROR(context, dd, 5105, "%s", error_text(&err));
		error_release(&err);
		return -1;
	}
	RETURN_IF(resolve_name(context, dd, allocation) < 0, -1);
	set = data_set_find(runner, allocation->dsn);
	if (set)
		allocation->target = xstrdup(set->path);
	else if (allocation->dsn[0] != '&')
		allocation->target = join_path(runner->root, allocation->dsn);
	exists = set || (allocation->target && catalog_exists(allocation->target));
	if (dd->status == DISP_NEW && exists)
		return DD_ERROR(context, dd, 5102, "data set %s exists already", allocation->dsn);
	if (!exists && (dd->status == DISP_OLD || dd->status == DISP_SHR))
		return missing(context, dd, allocation->dsn);
	if (!exists) {
		free(allocation->target);
		allocation->target = NULL;
		RETURN_IF(create(context, dd, allocation) < 0, -1);
	}
	return choose_path(context, dd, allocation);
}

/* RECFM and LRECL: what the DD says, else what was said when the data set was made. */
static void fill_dcb(const struct plan_dd *dd, struct allocation *allocation)
{
	char recfm[8];
	unsigned lrecl;

	if (allocation->target && !allocation->created) {
		catalog_get_dcb(allocation->target, recfm, &lrecl);
		memcpy(allocation->recfm, recfm, sizeof(recfm));
		allocation->lrecl = lrecl;
	}
	if (dd->recfm)
		snprintf(allocation->recfm, sizeof(allocation->recfm), "%s", dd->recfm);
	if (dd->lrecl)
		allocation->lrecl = dd->lrecl;
}

/* Allocate one member of a DD. */
static int allocate_one(struct context *context, const struct plan_dd *dd,
			struct allocation *allocation, unsigned position)
{
	switch (dd->kind) {
	case DD_DUMMY:
		allocation->path = xstrdup("/dev/null");
		return 0;
	case DD_INSTREAM:
		return allocate_instream(context, dd, allocation, position);
	case DD_SYSOUT:
		return allocate_sysout(context, dd, allocation);
	case DD_PATH:
		return allocate_path(context, dd, allocation);
	case DD_DATASET:
		return allocate_data_set(context, dd, allocation);
	}
	return -1;
}

/* "path:path" for a concatenation of folders. */
static char *join_folders(const struct allocation *first)
{
	struct strbuf value = STRBUF_INIT;

	for (const struct allocation *one = first; one; one = one->next_concat)
		strbuf_addf(&value, "%s%s", one == first ? "" : ":", one->path);
	return strbuf_detach(&value, NULL);
}

/* Copy the members of a concatenation one after the other. */
static int copy_members(struct context *context, struct allocation *first)
{
	struct strbuf path = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int fd, result = 0;

	strbuf_addf(&path, "%s/cat.%s", context->runner->spool.work, first->dd->name);
	first->joined = strbuf_detach(&path, NULL);
	/* For reading only: what is written to a concatenation has no place to stay. */
	fd = open(first->joined, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (fd < 0)
		return DD_ERROR(context, first->dd, 5105, "%s cannot be made: %s", first->joined,
				strerror(errno));
	first->copied = true;
	for (const struct allocation *one = first; one && result == 0; one = one->next_concat) {
		result = copy_file(one->path, fd, &err);
		if (result < 0)
			DD_ERROR(context, one->dd, 5107,
				 "the concatenation cannot be put together: %s", error_text(&err));
	}
	close(fd);
	error_release(&err);
	return result;
}

/* What a concatenation is read through: one list of folders, or one file. */
static int join_concatenation(struct context *context, struct allocation *first)
{
	size_t folders = 0, count = 0;

	for (const struct allocation *one = first; one; one = one->next_concat, count++)
		folders += catalog_is_folder(one->path);
	if (count < 2)
		return 0;
	if (folders == count) {
		first->joined = join_folders(first);
		return 0;
	}
	if (folders > 0)
		return DD_ERROR(context, first->dd, 5107,
				"a concatenation is either of libraries or of sequential data "
				"sets and members");
	return copy_members(context, first);
}

/* Allocate a DD with all its members; what follows a DUMMY is not read. */
static struct allocation *allocate_dd(struct context *context, const struct plan_dd *first)
{
	struct allocation *head = NULL, **end = &head;
	unsigned position = 0;
	bool whole = true;

	for (const struct plan_dd *dd = first; dd; dd = dd->next_concat) {
		struct allocation *allocation = xcalloc(1, sizeof(*allocation));

		allocation->dd = dd;
		if (allocate_one(context, dd, allocation, ++position) < 0)
			whole = false;
		fill_dcb(dd, allocation);
		if (!allocation->path)
			allocation->path = xstrdup("");
		if (!allocation->dsn)
			allocation->dsn = xstrdup("");
		*end = allocation;
		end = &allocation->next_concat;
		if (dd->kind == DD_DUMMY)
			break;
	}
	if (whole)
		join_concatenation(context, head);
	return head;
}

/* What became of each DD, for JESYSMSG. */
static void log_allocations(struct runner *runner, const char *step_name,
			    const struct allocation *list)
{
	for (; list; list = list->next) {
		for (const struct allocation *one = list; one; one = one->next_concat)
			job_log_system(
				&runner->log, SEVERITY_INFO, 5110,
				"step %s: %s allocated to %s%s%s%s%s", step_name, one->dd->name,
				one->dsn[0] == '&' && one->dsn[2] == '.' ? "" : one->dsn,
				one->dd->kind == DD_DATASET ? " " : "",
				one->dd->kind == DD_DATASET ? disp_status_name(one->dd->status)
							    : "",
				one->dd->kind == DD_DATASET ? " " : "", one->path);
		if (list->joined)
			job_log_system(&runner->log, SEVERITY_INFO, 5111,
				       "step %s: %s is read through %s", step_name, list->dd->name,
				       list->joined);
	}
}

int allocate_step(struct runner *runner, const struct plan_step *step, const char *step_name,
		  struct allocation **list)
{
	struct context context = { runner, step_name, DIAG_LIST_INIT };
	struct allocation **end = list;
	bool steplib = false;
	int result = 0;

	*list = NULL;
	for (const struct plan_dd *dd = step->dds; dd; dd = dd->next) {
		steplib |= strcmp(dd->name, "STEPLIB") == 0;
		*end = allocate_dd(&context, dd);
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
			free(list->target);
			free(list->joined);
			free(list);
			list = member;
		}
		list = next;
	}
}
