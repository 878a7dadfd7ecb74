/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the PARM of a step, from a data set if PARMDD says so. */
#include "common/compat.h"
#include "session/job/parm.h"
#include "common/xalloc.h"
#include "datasets/records.h"

#include <fcntl.h>
#include <unistd.h>

#define TEXT_COLUMNS 72 /* what follows on a card of 80 columns may be a sequence number */
#define CARD_COLUMNS 80

/* Returns the length of a record without its sequence number and trailing blanks. */
static size_t record_length(const char *record, size_t length)
{
	if (length == CARD_COLUMNS) {
		size_t digits = TEXT_COLUMNS;

		while (digits < length && record[digits] >= '0' && record[digits] <= '9')
			digits++;
		if (digits == length)
			length = TEXT_COLUMNS;
	}
	while (length > 0 && (record[length - 1] == ' ' || record[length - 1] == '\r'))
		length--;
	return length;
}

/* Appends a record to parm; what is longer than a PARM may be is counted only. */
static void add_record(struct strbuf *parm, size_t *length, const char *record, size_t size)
{
	size_t more = record_length(record, size);

	*length += more;
	if (*length <= PARM_MAXIMUM)
		strbuf_add(parm, record, more);
}

/* Joins the records of a file: lines, or records of a fixed length, of which the last may be shorter. */
static int join_file(struct strbuf *parm, size_t *length, const char *path, size_t fixed, struct error *err)
{
	struct strbuf file = STRBUF_INIT;

	RETURN_IF(strbuf_read_file(&file, path) < 0, error_errno(err, "%s", path));
	for (size_t at = 0; at < file.length;) {
		const char *record = file.text + at;
		size_t left = file.length - at, size = fixed < left ? fixed : left;
		const char *end = fixed ? NULL : memchr(record, '\n', left);

		if (!fixed)
			size = end ? (size_t)(end - record) : left;
		add_record(parm, length, record, size);
		at += size + (end != NULL);
	}
	strbuf_release(&file);
	return 0;
}

/* Joins records that have descriptors. */
static int join_variable(struct strbuf *parm, size_t *length, const struct allocation *from, struct error *err)
{
	struct record_reader *reader;
	struct record record;
	int result;

	RETURN_IF(record_reader_open(&reader, allocation_value(from), &from->attributes, err) < 0, -1);
	while ((result = record_read(reader, &record, err)) > 0)
		add_record(parm, length, record.data, record.length);
	record_reader_close(reader);
	return result;
}

/*
 * Returns whether a file begins with text, as no descriptor of a PARM's record does,
 * in whatever format: it holds a line without an end, whatever its attributes say.
 */
static bool holds_line(const char *path)
{
	unsigned char head[4];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, head, sizeof(head)), text = 0;

	if (fd >= 0)
		close(fd);
	while (text < length && head[text] >= ' ')
		text++;
	return length > 0 && text == length;
}

/* Appends the records of a data set to parm, in its form. Returns -1 with the reason. */
static int join_records(struct strbuf *parm, size_t *length, const struct allocation *from, struct error *err)
{
	const char *path = allocation_value(from);

	switch (record_form(path, &from->attributes)) {
	case RECORD_FIXED:
		return join_file(parm, length, path, from->attributes.lrecl, err);
	case RECORD_VARIABLE:
		RETURN_IF(!holds_line(path), join_variable(parm, length, from, err));
		return join_file(parm, length, path, 0, err);
	default:
		return join_file(parm, length, path, 0, err);
	}
}

/* Appends the text of the data set that PARMDD names. */
static int read_parm_dd(struct strbuf *parm, const struct plan_step *step,
			const struct allocation *allocations, struct error *err)
{
	const struct allocation *found = allocation_find(allocations, step->parm_dd);
	size_t length = 0;

	if (!found)
		return error_set(err, "PARMDD names DD %s, which is not allocated", step->parm_dd);
	if (join_records(parm, &length, found, err) < 0)
		return error_prefix(err, "cannot read the PARM from DD %s", step->parm_dd);
	if (length > PARM_MAXIMUM)
		return error_set(err, "DD %s gives a PARM of %zu bytes; %d are allowed", step->parm_dd,
				 length, PARM_MAXIMUM);
	if (strlen(parm->text) != parm->length)
		return error_set(err, "the PARM in DD %s holds a byte X'00'", step->parm_dd);
	return 0;
}

char *parm_text(const struct plan_step *step, const struct allocation *allocations,
		struct error *err)
{
	struct strbuf parm = STRBUF_INIT;

	if (!step->parm_dd)
		return xstrdup(step->parm ? step->parm : "");
	if (read_parm_dd(&parm, step, allocations, err) < 0) {
		strbuf_release(&parm);
		return NULL;
	}
	return strbuf_detach(&parm, NULL);
}
