/* SPDX-License-Identifier: Apache-2.0 */
/* Copies indexed data sets that a step may change, and replaces them with the copies. */
#include "common/compat.h"
#include "session/job/update-copies.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "datasets/folders.h"
#include "datasets/file-names.h"
#include "datasets/replacing.h"
#include "datasets/update-mark.h"
#include "session/job/data-sets.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define FILES (ATTRIBUTES_KEYS + 1)
#define ATTRIBUTE_NAMES 4096
#define MEGABYTE (1024.0 * 1024)

/* The copy of a data set on which a step works. */
struct update_copy {
	char *dsn, *ddname;
	char *path;   /* of the original file, links followed */
	char *folder; /* of the copy, containing nothing else */
	char *copy;
	struct stat original;	  /* of path, before the step */
	struct stat files[FILES]; /* of the copy at the start: itself and alternate keys */
	unsigned count;
	bool marked; /* the original's last update was incomplete before the step */
	struct update_copy *next;
};

/* Returns whether a program accesses data sets by name, or opens none: then no copies are made. */
static bool updates_in_place(const struct program *program)
{
	static const char *const names[] = { "idcams",	 "iefbr14", "iehprogm", "iebcopy",
					     "iebupdte", "vigil",   "igycrctl", "iewl" };

	for (size_t i = 0; program->kind == PROGRAM_UTILITY && i < ARRAY_SIZE(names); i++)
		if (strcmp(path_base(program->path), names[i]) == 0)
			return true;
	return false;
}

/*
 * Returns whether a DD needs a copy: it names a single indexed data set that
 * existed before, and may change it.
 */
static bool needs_copy(const struct allocation *allocation)
{
	const struct plan_dd *dd = allocation->dd;
	struct stat info;

	if (dd->kind != DD_DATASET || dd->member || allocation->next_concat ||
	    allocation->created || allocation->append ||
	    (dd->status != DISP_OLD && dd->status != DISP_MOD) ||
	    (dd->normal == DISP_DELETE && dd->abnormal == DISP_DELETE))
		return false;
	if (stat(allocation->path, &info) < 0 || !S_ISREG(info.st_mode))
		return false;
	return catalog_is_indexed(allocation->path) ||
	       (info.st_size == 0 && allocation->attributes.organization == ORGANIZATION_INDEXED);
}

/* Copies a file's content by sharing blocks, or as bytes. -1 with the reason. */
static int copy_content(const char *from, int to, bool share, struct error *err)
{
	int fd, result;

	if (!share)
		return data_set_copy_file(from, to, err);
	fd = open(from, O_RDONLY | O_CLOEXEC);
	RETURN_IF(fd < 0, error_errno(err, "cannot read %s", from));
	result = ioctl(to, FICLONE, fd);
	close(fd);
	return result < 0 ? error_errno(err, "cannot share blocks of %s", from) : 0;
}

/*
 * Gives a file the extended attributes that it lacks from another, including
 * access lists; those it may not have are skipped.
 */
static void copy_attributes(const char *from, int to)
{
	char names[ATTRIBUTE_NAMES], value[ATTRIBUTE_NAMES];
	ssize_t length = listxattr(from, names, sizeof(names));

	for (ssize_t at = 0; at < length; at += (ssize_t)strlen(names + at) + 1) {
		ssize_t size = getxattr(from, names + at, value, sizeof(value));

		if (size >= 0 && fsetxattr(to, names + at, value, (size_t)size, XATTR_CREATE) < 0)
			errno = 0; /* security.* as a user, or it has its own */
	}
}

/* Copies one file, with owner and permissions. -1 with the reason. */
static int copy_file(const char *from, const char *to, bool share, struct error *err)
{
	struct stat info;
	int fd = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600), result = 0;

	RETURN_IF(fd < 0, error_errno(err, "cannot create %s", to));
	if (stat(from, &info) < 0)
		result = error_errno(err, "%s", from);
	else if ((info.st_uid != geteuid() || info.st_gid != getegid()) &&
		 fchown(fd, info.st_uid, info.st_gid) < 0)
		result = error_set(err, "it belongs to another user or group");
	else
		result = copy_content(from, fd, share, err);
	if (result == 0) {
		copy_attributes(from, fd);
		if (fchmod(fd, info.st_mode & 07777) < 0)
			result = error_errno(err, "%s", to);
	}
	if (close(fd) < 0 && result == 0)
		result = error_errno(err, "%s", to);
	return result;
}

/* Copies all files. -1 with the reason: none of the copies is kept. */
static int copy_files(const struct update_copy *copy, bool share, struct error *err)
{
	struct strbuf from = STRBUF_INIT, to = STRBUF_INIT;
	int result = 0;

	for (unsigned number = 0; number < copy->count && result == 0; number++)
		result = copy_file(file_names_of(copy->path, number, &from),
				   file_names_of(copy->copy, number, &to), share, err);
	for (unsigned number = 0; number < copy->count && result < 0; number++)
		unlink(file_names_of(copy->copy, number, &to));
	strbuf_release(&from);
	strbuf_release(&to);
	return result;
}

/* Checks that a new file could replace this one, and adds its size. -1 with the reason. */
static int check_file(const struct update_copy *copy, const char *given, unsigned number,
		      uint64_t *size, struct error *err)
{
	struct strbuf name = STRBUF_INIT;
	struct stat info, seen;
	int result = 0;

	if (stat(file_names_of(copy->path, number, &name), &info) < 0)
		result = error_errno(err, "%s", name.text);
	else if (info.st_nlink > 1)
		result =
			error_set(err, "%s has %lu names", name.text, (unsigned long)info.st_nlink);
	else if (stat(file_names_of(given, number, &name), &seen) < 0 || seen.st_ino != info.st_ino ||
		 seen.st_dev != info.st_dev)
		result = error_set(err, "%s is not next to the file that its link points to",
				   name.text);
	else
		*size += (uint64_t)info.st_size;
	strbuf_release(&name);
	return result;
}

/* Checks that there is space for a copy and its changes. -1 with the reason. */
static int check_space(const char *folder, uint64_t size, bool share, struct error *err)
{
	struct statvfs space;

	if (statvfs(folder, &space) < 0 || space.f_blocks == 0)
		return 0;
	RETURN_IF(
		(uint64_t)space.f_bavail * space.f_frsize < (share ? size : 2 * size),
		error_set(err, "there is no space for a copy of %.1f MB", (double)size / MEGABYTE));
	return 0;
}

/*
 * Copies the files by sharing blocks, else as bytes if they are not too large. -1
 * with the reason.
 */
static int fill(const struct runner *runner, struct update_copy *copy, uint64_t size,
		struct error *err)
{
	uint64_t limit = runner->options->copy_limit;

	RETURN_IF(check_space(copy->folder, size, true, err) < 0, -1);
	RETURN_IF(copy_files(copy, true, err) == 0, 0);
	RETURN_IF(
		size > limit,
		error_set(err,
			  "it has %.1f MB, %.1f MB may be copied, and its file system cannot share "
			  "blocks",
			  (double)size / MEGABYTE, (double)limit / MEGABYTE));
	RETURN_IF(check_space(copy->folder, size, false, err) < 0, -1);
	return copy_files(copy, false, err);
}

/*
 * Creates the folder of a copy in the staging folder next to the data set, and
 * fills it. -1 with the reason.
 */
static int make(struct runner *runner, struct update_copy *copy, const char *given,
		struct error *err)
{
	const char *staging;
	struct strbuf path = STRBUF_INIT;
	uint64_t size = 0;

	copy->count = 1 + catalog_alternates(copy->path);
	RETURN_IF(copy->count > FILES, error_set(err, "it has %u files", copy->count));
	RETURN_IF(catalog_alternates(given) + 1 != copy->count,
		  error_set(err, "its alternate keys are not next to the file that its link points "
				 "to"));
	for (unsigned number = 0; number < copy->count; number++)
		RETURN_IF(check_file(copy, given, number, &size, err) < 0, -1);
	staging = data_set_staging(runner, copy->path, err);
	RETURN_IF(!staging, -1);
	strbuf_addf(&path, "%s/update.%u", staging, ++runner->anonymous);
	copy->folder = strbuf_detach(&path, NULL);
	RETURN_IF(mkdir(copy->folder, 0777) < 0,
		  error_errno(err, "cannot create %s", copy->folder));
	strbuf_addf(&path, "%s/%s", copy->folder, path_base(copy->path));
	copy->copy = strbuf_detach(&path, NULL);
	return fill(runner, copy, size, err);
}

static void free_copy(struct update_copy *copy)
{
	if (copy->folder)
		folders_remove(copy->folder);
	free(copy->dsn);
	free(copy->ddname);
	free(copy->path);
	free(copy->folder);
	free(copy->copy);
	free(copy);
}

/*
 * Records the state of the files before the step; record attributes that are
 * stored next to the file are copied too.
 */
static void note_state(struct update_copy *copy)
{
	struct strbuf name = STRBUF_INIT, who = STRBUF_INIT;
	struct attributes attributes;

	attributes_get(copy->path, &attributes);
	if (!attributes_empty(&attributes))
		attributes_set(copy->copy, &attributes, NULL);
	for (unsigned number = 0; number < copy->count; number++)
		stat(file_names_of(copy->copy, number, &name), &copy->files[number]);
	copy->marked = update_mark_stale(copy->path, &who);
	if (copy->marked)
		update_mark_copy(copy->path, copy->copy);
	strbuf_release(&name);
	strbuf_release(&who);
}

/* Copies the data set of a DD; NULL, after a message: it is updated in place. */
static struct update_copy *make_copy(struct runner *runner, const char *step_name,
				     const struct allocation *allocation)
{
	struct update_copy *copy = xcalloc(1, sizeof(*copy));
	struct error err = ERROR_INIT;

	copy->dsn = xstrdup(allocation->dsn);
	copy->ddname = xstrdup(allocation->dd->name);
	copy->path = realpath(allocation->path, NULL);
	if (copy->path && stat(copy->path, &copy->original) == 0 &&
	    make(runner, copy, allocation->path, &err) == 0) {
		note_state(copy);
		job_log_system(&runner->log, SEVERITY_INFO, 5113,
			       "step %s: data set %s is updated in a copy, %s", step_name,
			       copy->dsn, copy->copy);
	} else {
		job_log_system(&runner->log, SEVERITY_INFO, 5112,
			       "step %s, DD %s: data set %s is updated in place: %s", step_name,
			       copy->ddname, copy->dsn, error_text(&err));
		free_copy(copy);
		copy = NULL;
	}
	error_release(&err);
	return copy;
}

/* Returns the copy of the file at a path; NULL: none. */
static struct update_copy *find_copy(struct update_copy *copies, const char *path)
{
	struct stat info;

	if (!copies || stat(path, &info) < 0)
		return NULL;
	while (copies &&
	       (copies->original.st_ino != info.st_ino || copies->original.st_dev != info.st_dev))
		copies = copies->next;
	return copies;
}

/* Redirects all DDs of a copied file to the copy. */
static void redirect(struct update_copy *copies, struct allocation *list)
{
	for (struct allocation *first = list; first; first = first->next)
		for (struct allocation *one = first; one; one = one->next_concat) {
			const struct update_copy *copy = find_copy(copies, one->path);

			if (!copy)
				continue;
			one->in_place = one->path;
			one->path = xstrdup(copy->copy);
		}
}

struct update_copy *update_copies_make(struct runner *runner, const char *step_name,
				       struct allocation *list, const struct program *program)
{
	struct update_copy *copies = NULL, *made;

	if (updates_in_place(program))
		return NULL;
	for (const struct allocation *one = list; one; one = one->next) {
		if (!needs_copy(one) || find_copy(copies, one->path))
			continue;
		made = make_copy(runner, step_name, one);
		if (made) {
			made->next = copies;
			copies = made;
		}
	}
	redirect(copies, list);
	return copies;
}

/* Returns whether the step changed, created or removed one of the files. */
static bool changed(const struct update_copy *copy)
{
	struct strbuf name = STRBUF_INIT;
	bool same = catalog_alternates(copy->copy) + 1 == copy->count;

	for (unsigned number = 0; number < copy->count && same; number++) {
		const struct stat *before = &copy->files[number];
		struct stat now;

		same = stat(file_names_of(copy->copy, number, &name), &now) == 0 &&
		       now.st_ino == before->st_ino && now.st_size == before->st_size &&
		       now.st_mtim.tv_sec == before->st_mtim.tv_sec &&
		       now.st_mtim.tv_nsec == before->st_mtim.tv_nsec;
	}
	strbuf_release(&name);
	return !same;
}

/* How the programs closed a file, according to the notes. */
struct closed {
	bool by_program; /* with CLOSE */
	bool at_end;	 /* by the run time */
	bool at_abend;	 /* by the run time, because the program abended */
};

static struct closed read_closed(const char *notes, const char *path)
{
	struct strbuf text = STRBUF_INIT;
	struct closed closed = { false, false, false };
	char *rest, *line;

	if (notes && strbuf_read_file(&text, notes) == 0) {
		for (rest = text.text; (line = strsep(&rest, "\n"));) {
			const char *name = strsep(&line, "\t"), *what = strsep(&line, "\t");

			if (!what || strcmp(name, path) != 0)
				continue;
			closed.by_program |= strcmp(what, "CLOSED") == 0;
			closed.at_end |= strcmp(what, "ENDED") == 0;
			closed.at_abend |= strcmp(what, "ABENDED") == 0;
		}
	}
	strbuf_release(&text);
	return closed;
}

/* Returns whether the data set's disposition deletes it. */
static bool is_deleted(const struct update_copy *copy, const struct allocation *list, bool abnormal)
{
	for (; list; list = list->next)
		if (list->in_place && strcmp(list->path, copy->copy) == 0 &&
		    list->dd->kind == DD_DATASET &&
		    (abnormal ? list->dd->abnormal : list->dd->normal) == DISP_DELETE)
			return true;
	return false;
}

/* Discards what the step's programs wrote: the data set stays as it was. */
static void drop(struct runner *runner, const struct update_copy *copy, struct allocation *list,
		 const char *why)
{
	if (why)
		job_log_message(&runner->log, SEVERITY_WARNING, 5137,
				"DD %s: data set %s is unchanged by the step: %s", copy->ddname,
				copy->dsn, why);
	for (; list; list = list->next)
		if (list->in_place && strcmp(list->path, copy->copy) == 0)
			list->learned = false;
}

/*
 * Gives files that the step created anew the owner, permissions and attributes of
 * their predecessors.
 */
static void restore_identity(const struct update_copy *copy)
{
	struct strbuf name = STRBUF_INIT;

	for (unsigned number = 0; number < copy->count; number++) {
		const struct stat *before = &copy->files[number];
		int fd = open(file_names_of(copy->copy, number, &name), O_RDONLY | O_CLOEXEC);

		if (fd < 0)
			continue;
		copy_attributes(file_names_of(copy->path, number, &name), fd);
		if (fchown(fd, before->st_uid, before->st_gid) < 0 ||
		    fchmod(fd, before->st_mode & 07777) < 0)
			errno = 0; /* it stays as the step created it */
		close(fd);
	}
	strbuf_release(&name);
}

/* Replaces a data set with its copy, or logs why not. */
static void put_in_place(struct runner *runner, const struct update_copy *copy,
			 struct allocation *list)
{
	struct error err = ERROR_INIT;
	struct stat now;
	int result = 0;

	if (stat(copy->path, &now) < 0 || now.st_ino != copy->original.st_ino ||
	    now.st_dev != copy->original.st_dev) {
		drop(runner, copy, list, "it was replaced or removed while the step ran");
		return;
	}
	restore_identity(copy);
	if (!catalog_exists(copy->copy))
		result = catalog_remove(copy->path) < 0 ? error_errno(&err, "%s", copy->path) : 0;
	else
		result = replacing_commit(copy->path, copy->folder,
					  1 + catalog_alternates(copy->copy), copy->count, &err);
	if (result < 0) {
		job_log_message(&runner->log, SEVERITY_ERROR, 5138,
				"DD %s: data set %s could not be replaced with the step's output: "
				"%s",
				copy->ddname, copy->dsn, error_text(&err));
		runner->failed = true;
	}
	error_release(&err);
}

/* Decides whether a copy replaces its data set. */
static void end_copy(struct runner *runner, const struct update_copy *copy, struct allocation *list,
		     bool abnormal, const char *notes)
{
	struct strbuf who = STRBUF_INIT;
	struct closed closed = read_closed(notes, copy->copy);

	if (is_deleted(copy, list, abnormal)) {
		drop(runner, copy, list, NULL);
	} else if (update_mark_stale(copy->copy, &who)) {
		strbuf_addstr(&who, " ended while it was open for update");
		drop(runner, copy, list, copy->marked && !changed(copy) ? NULL : who.text);
	} else if (!changed(copy)) {
		drop(runner, copy, list, NULL);
	} else if (closed.at_abend) {
		drop(runner, copy, list, "a program abended before it closed it");
	} else if (abnormal && (closed.at_end || !closed.by_program)) {
		drop(runner, copy, list, "the step ended abnormally before its program closed it");
	} else {
		put_in_place(runner, copy, list);
	}
	strbuf_release(&who);
}

/* Gives the DDs the paths of their data sets back. */
static void restore_paths(struct allocation *list)
{
	for (struct allocation *first = list; first; first = first->next)
		for (struct allocation *one = first; one; one = one->next_concat) {
			if (!one->in_place)
				continue;
			free(one->path);
			one->path = one->in_place;
			one->in_place = NULL;
		}
}

void update_copies_end(struct runner *runner, struct update_copy *copies, struct allocation *list,
		       bool abnormal, const char *notes)
{
	for (const struct update_copy *one = copies; one; one = one->next)
		end_copy(runner, one, list, abnormal, notes);
	restore_paths(list);
	while (copies) {
		struct update_copy *next = copies->next;

		free_copy(copies);
		copies = next;
	}
}
