/* SPDX-License-Identifier: Apache-2.0 */
/* Joins the members of a concatenation. */
#include "common/compat.h"
#include "session/job/concatenate.h"
#include "datasets/records.h"
#include "session/job/data-sets.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define SAMPLE_SIZE 32768

/* Returns "path:path" for a concatenation of folders. */
static char *join_folders(const struct allocation *first)
{
	struct strbuf value = STRBUF_INIT;

	for (const struct allocation *one = first; one; one = one->next_concat)
		strbuf_addf(&value, "%s%s", one == first ? "" : ":", one->path);
	return strbuf_detach(&value, NULL);
}

/* Returns whether a file is /dev/null or an empty regular file. */
static bool is_empty(const char *path)
{
	struct stat info;

	return strcmp(path, "/dev/null") == 0 ||
	       (stat(path, &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 0);
}

/* Returns the record form of a member. */
static enum record_form form_of(const struct allocation *one)
{
	return record_form(one->path, &one->attributes);
}

/* Returns the lead: the first member that has records rather than lines; NULL if all are lines. */
static const struct allocation *find_lead(const struct allocation *first)
{
	for (const struct allocation *one = first; one; one = one->next_concat)
		if (form_of(one) != RECORD_TEXT)
			return one;
	return NULL;
}

/* Returns the name of a member for messages. */
static const char *name_of(const struct allocation *one)
{
	if (*one->dsn)
		return one->dsn;
	return one->dd->kind == DD_INSTREAM ? "in-stream data" : one->path;
}

/*
 * Checks that a member of fixed records is a whole number of them; else the
 * records after it would be shifted.
 */
static int check_whole(const struct allocation *one, struct error *err)
{
	unsigned length = one->attributes.lrecl;
	struct stat info;

	if (stat(one->path, &info) < 0 || !S_ISREG(info.st_mode) || info.st_size % length == 0)
		return 0;
	return error_set(err, "%s has %jd bytes, which is not a multiple of its record length %u", name_of(one),
			 (intmax_t)info.st_size, length);
}

/* Checks that a member's records fit the lead's; -1 with the reason if not. */
static int check_fit(const struct allocation *one, const struct allocation *lead,
		     struct error *err)
{
	enum record_form form = form_of(one), wanted = form_of(lead);
	const struct attributes *has = &one->attributes, *leads = &lead->attributes;

	if (form == RECORD_FIXED && check_whole(one, err) < 0)
		return -1;
	if (one == lead || is_empty(one->path))
		return 0;
	if (form == RECORD_INDEXED || form == RECORD_RELATIVE)
		return error_set(err, "%s has no sequential records", name_of(one));
	if (form == RECORD_FIXED && wanted == form && has->lrecl != leads->lrecl)
		return error_set(err, "%s has records of %u bytes, %s of %u",
				 name_of(one), has->lrecl, name_of(lead), leads->lrecl);
	if (form == wanted || (form == RECORD_TEXT && wanted == RECORD_FIXED))
		return 0;
	return error_set(err, "%s has %s, %s has records of RECFM=%s", name_of(one),
			 form == RECORD_TEXT	? "lines" :
			 form == RECORD_FIXED	? "fixed records" :
						  "variable records",
			 name_of(lead), leads->recfm);
}

/* Returns the first member that does not fit, with the reason. */
static const struct allocation *find_misfit(const struct allocation *first,
					    const struct allocation *lead, struct error *err)
{
	enum record_form form = lead ? form_of(lead) : RECORD_TEXT;

	if (form == RECORD_INDEXED || form == RECORD_RELATIVE) {
		error_set(err, "%s has no sequential records", name_of(lead));
		return lead;
	}
	for (const struct allocation *one = first; one && lead; one = one->next_concat)
		if (check_fit(one, lead, err) < 0)
			return one;
	return NULL;
}

/* Returns whether a file has lines and the last one has no line end. */
static bool lacks_line_end(const char *path)
{
	char sample[SAMPLE_SIZE], last = '\n';
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	ssize_t got = fd < 0 ? -1 : pread(fd, sample, sizeof(sample), 0);
	bool lines = got > 0 && memchr(sample, '\n', (size_t)got) &&
		     !memchr(sample, '\0', (size_t)got);

	if (lines && fstat(fd, &info) == 0 && pread(fd, &last, 1, info.st_size - 1) != 1)
		last = '\n';
	if (fd >= 0)
		close(fd);
	return last != '\n';
}

/* Copies lines as fixed records; a longer line is an error. */
static int copy_lines(struct record_reader *reader, struct record_writer *writer, unsigned length,
		      struct error *err)
{
	struct record record;
	uint64_t number = 0;
	int got;

	while ((got = record_read(reader, &record, err)) > 0) {
		number++;
		if (record.length > length)
			return error_set(err,
					 "line %" PRIu64 " has %zu characters, the records of the "
					 "concatenation have %u",
					 number, record.length, length);
		RETURN_IF(record_write(writer, &record, err) != 0, -1);
	}
	return got;
}

/* Appends the lines of a member to the copy as fixed records. */
static int append_lines(const char *path, const char *joined, const struct attributes *fixed,
			struct error *err)
{
	const struct attributes text = { .recfm = "TEXT" };
	struct record_reader *reader;
	struct record_writer *writer;
	int result;

	RETURN_IF(record_reader_open(&reader, path, &text, err) < 0, -1);
	if (record_writer_open(&writer, joined, fixed, RECORD_APPEND, err) < 0) {
		record_reader_close(reader);
		return -1;
	}
	result = copy_lines(reader, writer, fixed->lrecl, err);
	record_reader_close(reader);
	if (record_writer_close(writer, result < 0 ? NULL : err) < 0)
		result = -1;
	return result;
}

/*
 * Returns whether a member of unknown record format can be joined as fixed
 * records: whole records, no line ends.
 */
static bool is_bare_records(const struct allocation *one, unsigned length)
{
	char sample[SAMPLE_SIZE];
	int fd = open(one->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat info;
	ssize_t got = fd < 0 ? -1 : pread(fd, sample, sizeof(sample), 0);
	bool bare = got > 0 && !memchr(sample, '\n', (size_t)got) && fstat(fd, &info) == 0 &&
		    info.st_size % length == 0;

	if (fd >= 0)
		close(fd);
	return bare && !*one->attributes.recfm;
}

/* Appends one member to the copy. */
static int append_member(const struct allocation *one, const struct allocation *lead,
			 const char *joined, struct error *err)
{
	bool convert = lead && form_of(lead) == RECORD_FIXED && form_of(one) == RECORD_TEXT &&
		       !is_bare_records(one, lead->attributes.lrecl);
	int fd, result;

	if (is_empty(one->path))
		return access(one->path, R_OK) < 0 ? error_errno(err, "%s", one->path) : 0;
	if (convert)
		return append_lines(one->path, joined, &lead->attributes, err);
	fd = open(joined, O_WRONLY | O_APPEND | O_CLOEXEC);
	RETURN_IF(fd < 0, error_errno(err, "%s", joined));
	lseek(fd, 0, SEEK_END);
	result = data_set_copy_file(one->path, fd, err);
	if (result == 0 && !lead && one->next_concat && lacks_line_end(one->path) &&
	    write(fd, "\n", 1) != 1)
		result = error_errno(err, "%s", joined);
	close(fd);
	return result;
}

const struct allocation *concatenate_join(const struct allocation *first, const char *joined,
				      struct error *err)
{
	const struct allocation *lead = find_lead(first), *faulty = find_misfit(first, lead, err);

	RETURN_IF(faulty, faulty);
	for (const struct allocation *one = first; one; one = one->next_concat)
		RETURN_IF(append_member(one, lead, joined, err) < 0, one);
	return NULL;
}

/* Copies all members to a file of the job; returns the one that does not fit. */
static const struct allocation *copy_members(struct runner *runner, struct allocation *first,
					     struct error *err)
{
	const struct allocation *faulty;
	struct strbuf path = STRBUF_INIT;
	int fd;

	strbuf_addf(&path, "%s/cat.%s", runner->spool.work, first->dd->name);
	first->joined = strbuf_detach(&path, NULL);
	fd = open(first->joined, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0) {
		error_errno(err, "cannot create %s", first->joined);
		return first;
	}
	close(fd);
	first->copied = true;
	faulty = concatenate_join(first, first->joined, err);
	/* Read-only: what is written to a concatenation would be lost. */
	chmod(first->joined, 0444);
	return faulty;
}

/*
 * Sets the attributes of the whole to the lead's; with variable records the length
 * is the longest of all.
 */
static void take_attributes(struct allocation *first, const struct allocation *lead)
{
	unsigned longest = lead->attributes.lrecl;

	for (const struct allocation *one = first; one; one = one->next_concat)
		if (form_of(one) == RECORD_VARIABLE && one->attributes.lrecl > longest)
			longest = one->attributes.lrecl;
	first->attributes = lead->attributes;
	if (lead->attributes.recfm[0] == 'V')
		first->attributes.lrecl = longest;
}

const struct allocation *concatenate(struct runner *runner, struct allocation *first,
				     struct error *err)
{
	const struct allocation *lead, *faulty;
	size_t folders = 0, count = 0;

	for (const struct allocation *one = first; one; one = one->next_concat, count++)
		folders += catalog_is_folder(one->path);
	RETURN_IF(count < 2, NULL);
	if (folders == count) {
		first->joined = join_folders(first);
		return NULL;
	}
	if (folders > 0) {
		error_set(err, "a concatenation consists of either libraries or sequential data "
			       "sets and members");
		return first;
	}
	lead = find_lead(first);
	faulty = copy_members(runner, first, err);
	if (!faulty && lead)
		take_attributes(first, lead);
	return faulty;
}
