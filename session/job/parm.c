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

/*
 * Returns whether a file holds lines although its attributes say that its records
 * have descriptors, which have zeros in their second half.
 */
static bool holds_lines(const char *path)
{
	char head[4] = { 1, 1, 1, 1 };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t length = fd < 0 ? 0 : read(fd, head, sizeof(head));

	if (fd >= 0)
		close(fd);
	return length > 0 && (head[2] || head[3]);
}

/*
 * Appends the records of a data set to parm, in its form; what is longer than a
 * PARM may be is counted only. Returns -1 with the reason.
 */
static int join_records(struct strbuf *parm, size_t *length, const struct allocation *from, struct error *err)
{
	struct attributes attributes = from->attributes;
	struct record_reader *reader;
	struct record record;
	int result;

	if (attributes.recfm[0] == 'V' && holds_lines(allocation_value(from)))
		attributes.recfm[0] = '\0';
	RETURN_IF(record_reader_open(&reader, allocation_value(from), &attributes, err) < 0, -1);
	while ((result = record_read(reader, &record, err)) > 0) {
		size_t more = record_length(record.data, record.length);

		*length += more;
		if (*length <= PARM_MAXIMUM)
			strbuf_add(parm, record.data, more);
	}
	record_reader_close(reader);
	return result;
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
