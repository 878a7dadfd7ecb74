/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the sample data set of an import. */
#include "common/compat.h"
#include "session/import/imported-file.h"
#include "records/record-types.h"

#include <sys/stat.h>
#include <unistd.h>

int imported_file_begin(struct imported_file *file, const char *path, bool replace,
			struct error *err)
{
	memset(file, 0, sizeof(*file));
	strmap_init(&file->strings);
	strmap_put(&file->strings, "");
	registry_init(&file->types, &session_records);
	snapshot_init(&file->snapshot, &file->types);
	strbuf_init(&file->draft);
	file->err = err;
	RETURN_IF(destination_of_file(&file->place, path, replace, err) < 0, -1);
	/*
	 * The draft of a killed process is removed by the next process that writes a data
	 * set there.
	 */
	strbuf_addf(&file->draft, "%s.%ld-9999", file->place.path, (long)getpid());
	file->writer = dataset_create(file->draft.text, &file->strings, err);
	return file->writer ? 0 : -1;
}

void imported_file_release(struct imported_file *file)
{
	dataset_abandon(file->writer);
	if (file->draft.length)
		unlink(file->draft.text);
	strbuf_release(&file->draft);
	destination_release(&file->place);
	snapshot_release(&file->snapshot);
	registry_release(&file->types);
	strmap_release(&file->strings);
}

uint64_t imported_file_string(struct imported_file *file, const char *text)
{
	return strmap_put(&file->strings, text ? text : "");
}

void imported_file_add(struct imported_file *file, unsigned id, const void *record)
{
	recordset_add(snapshot_set(&file->snapshot, id), record);
}

void imported_file_attribute(struct imported_file *file, const char *key, const char *format, ...)
{
	struct strbuf value = STRBUF_INIT;
	struct record_attribute row;
	va_list arguments;

	va_start(arguments, format);
	strbuf_vaddf(&value, format, arguments);
	va_end(arguments);
	row.key = imported_file_string(file, key);
	row.value = imported_file_string(file, value.text);
	imported_file_add(file, RECORD_ATTRIBUTE, &row);
	strbuf_release(&value);
}

void imported_file_note(struct imported_file *file, enum severity severity, unsigned number,
			const char *text)
{
	struct record_note row = { severity, number, imported_file_string(file, text) };

	imported_file_add(file, RECORD_NOTE, &row);
}

void imported_file_next_snapshot(struct imported_file *file, uint64_t time, bool last)
{
	file->snapshot.sequence++;
	file->snapshot.time = time;
	file->snapshot.last = last;
	if (!file->failed && dataset_write(file->writer, &file->snapshot, file->err) < 0)
		file->failed = true;
	snapshot_clear(&file->snapshot);
}

int imported_file_end(struct imported_file *file)
{
	struct dataset_writer *writer = file->writer;

	RETURN_IF(file->failed, -1);
	file->writer = NULL;
	RETURN_IF(dataset_finish(writer, file->err) < 0, -1);
	if (file->place.mode)
		chmod(file->draft.text, file->place.mode);
	if (rename(file->draft.text, file->place.path) < 0)
		return error_errno(file->err, "cannot put %s in place", file->place.path);
	strbuf_reset(&file->draft);
	return 0;
}
