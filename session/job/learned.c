/* SPDX-License-Identifier: Apache-2.0 */
/* Tells the step library which DDs are lines, and reads what the programs opened. */
#include "common/compat.h"
#include "session/job/learned.h"
#include "datasets/records.h"

#include <unistd.h>

/* Returns whether a DD is in-stream lines and does not specify FILEDATA. */
static bool is_cards(const struct plan_dd *dd)
{
	return dd->kind == DD_INSTREAM && !dd->filedata_given &&
	       !(dd->recfm && (dd->recfm[0] == 'F' || dd->recfm[0] == 'V'));
}

/* Returns whether a DD is lines, by its parameters or by what is stored with its data set. */
static bool is_text(const struct allocation *allocation)
{
	const struct plan_dd *dd = allocation->dd;

	return is_cards(dd) || (dd->kind == DD_PATH && dd->filedata_given && dd->filedata_text) ||
	       (dd->kind == DD_DATASET && strcmp(allocation->attributes.recfm, "TEXT") == 0);
}

void learned_list_lines(const struct allocation *list, struct strbuf *lines, struct strbuf *maybe_lines)
{
	for (; list; list = list->next) {
		bool all = true, files = true;

		for (const struct allocation *one = list; one; one = one->next_concat) {
			all &= is_text(one);
			files &= one->dd->kind == DD_DATASET || is_text(one) ||
				 (one->dd->kind == DD_PATH && !one->dd->filedata_given);
		}
		if (all)
			strbuf_addf(lines, "%s\n", allocation_value(list));
		else if (files)
			strbuf_addf(maybe_lines, "%s\n", allocation_value(list));
	}
}

/* One line of the notes. */
struct note {
	const char *path, *mode;
	struct attributes attributes;
};

/* Splits a line into its parts; returns whether it is about a file that was written. */
static bool read_note(char *line, struct note *note)
{
	const char *text;

	note->path = strsep(&line, "\t");
	note->mode = strsep(&line, "\t");
	text = line;
	return note->path && note->mode && text && strcmp(note->mode, "INPUT") != 0 &&
	       attributes_parse(&note->attributes, text);
}

/*
 * Applies a note to an allocation. A SYSOUT data set has the format that was
 * written. A data set written anew has the format of its DD, else of the program;
 * one that was extended or changed only gets what was unknown before, and members
 * have the format of their library.
 */
static void apply_note(struct allocation *allocation, const struct note *note)
{
	const struct plan_dd *dd = allocation->dd;
	struct attributes said = { .lrecl = dd->lrecl, .block_size = dd->block_size };

	if (dd->kind == DD_SYSOUT)
		allocation->attributes = note->attributes;
	if (dd->kind != DD_DATASET || (dd->member && !attributes_empty(&allocation->attributes)))
		return;
	if (strcmp(note->mode, "OUTPUT") == 0 && !allocation->append) {
		snprintf(said.recfm, sizeof(said.recfm), "%s", dd->recfm ? dd->recfm : "");
		allocation->attributes = said;
	}
	attributes_merge(&allocation->attributes, &note->attributes);
	allocation->learned = true;
}

/* Applies the lines of the notes. */
static void take_notes(struct allocation *list, char *rest)
{
	struct note note;
	char *line;

	while ((line = strsep(&rest, "\n"))) {
		if (!read_note(line, &note))
			continue;
		for (struct allocation *first = list; first; first = first->next)
			for (struct allocation *one = first; one; one = one->next_concat)
				if (strcmp(one->path, note.path) == 0)
					apply_note(one, &note);
	}
}

/* Writes the remaining records of a reader as lines, without trailing blanks. */
static int write_lines(struct record_reader *reader, const char *path, struct error *err)
{
	struct record record;
	FILE *stream = fopen(path, "we");
	bool failed;
	int more;

	RETURN_IF(!stream, error_errno(err, "%s", path));
	while ((more = record_read(reader, &record, err)) > 0) {
		while (record.length > 0 && record.data[record.length - 1] == ' ')
			record.length--;
		fwrite(record.data, 1, record.length, stream);
		putc('\n', stream);
	}
	failed = ferror(stream) != 0;
	if ((fclose(stream) != 0 || failed) && more == 0)
		more = error_errno(err, "%s", path);
	return more;
}

/* Converts a SYSOUT data set's records to lines; one that holds lines is unchanged. */
static int make_readable(struct runner *runner, const struct allocation *sysout, struct error *err)
{
	struct strbuf path = STRBUF_INIT;
	struct record_reader *reader;
	int result = 0;

	if (record_form(sysout->path, &sysout->attributes) == RECORD_TEXT)
		return 0;
	RETURN_IF(record_reader_open(&reader, sysout->path, &sysout->attributes, err) < 0, -1);
	strbuf_addf(&path, "%s/lines", runner->spool.work);
	result = write_lines(reader, path.text, err);
	record_reader_close(reader);
	if (result == 0 && rename(path.text, sysout->path) < 0)
		result = error_errno(err, "%s", sysout->path);
	if (result < 0)
		unlink(path.text);
	strbuf_release(&path);
	return result;
}

/* Makes a SYSOUT data set readable, or logs why it is not. */
static void take_sysout(struct runner *runner, const char *step_name,
			const struct allocation *sysout)
{
	struct error err = ERROR_INIT;

	if (make_readable(runner, sysout, &err) < 0)
		job_log_message(&runner->log, SEVERITY_WARNING, 5250,
				"step %s, DD %s: the records in %s stay as they are: %s", step_name,
				sysout->dd->name, sysout->path, error_text(&err));
	error_release(&err);
}

void learned_take(struct runner *runner, const char *step_name, struct allocation *list,
		  const char *notes)
{
	struct strbuf text = STRBUF_INIT;

	if (notes && strbuf_read_file(&text, notes) == 0)
		take_notes(list, text.text);
	for (; list; list = list->next)
		if (list->dd->kind == DD_SYSOUT)
			take_sysout(runner, step_name, list);
	strbuf_release(&text);
}
