/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the PARM of a step, from a data set if PARMDD says so. */
#include "common/compat.h"
#include "session/job/parm.h"
#include "common/xalloc.h"

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

/* Joins the records of a file: lines, or records of a fixed length without line ends. */
static void join_records(struct strbuf *parm, const struct strbuf *file, size_t fixed)
{
	for (size_t at = 0; at < file->length;) {
		const char *record = file->text + at;
		size_t left = file->length - at, length = left;
		const char *end = memchr(record, '\n', left);

		if (!end && fixed > 0 && fixed < left)
			length = fixed;
		else if (end)
			length = (size_t)(end - record);
		strbuf_add(parm, record, record_length(record, length));
		at += length + (end && length == (size_t)(end - record));
	}
}

/* Appends the text of the data set that PARMDD names. */
static int read_parm_dd(struct strbuf *parm, const struct plan_step *step,
			const struct allocation *allocations, struct error *err)
{
	const struct allocation *found = allocation_find(allocations, step->parm_dd);
	struct strbuf file = STRBUF_INIT;
	int result = 0;

	if (!found)
		return error_set(err, "PARMDD names DD %s, which is not allocated", step->parm_dd);
	if (strbuf_read_file(&file, allocation_value(found)) < 0)
		result = error_errno(err, "cannot read the PARM from DD %s", step->parm_dd);
	else
		join_records(parm, &file,
			     found->attributes.recfm[0] == 'F' ? found->attributes.lrecl : 0);
	strbuf_release(&file);
	if (result == 0 && parm->length > PARM_MAXIMUM)
		result = error_set(err, "DD %s gives a PARM of %zu bytes; %d are allowed",
				   step->parm_dd, parm->length, PARM_MAXIMUM);
	if (result == 0 && strlen(parm->text) != parm->length)
		result = error_set(err, "the PARM in DD %s holds a byte X'00'", step->parm_dd);
	return result;
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
