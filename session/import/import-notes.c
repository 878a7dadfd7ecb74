/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the messages of an import. */
#include "common/compat.h"
#include "session/import/import-notes.h"
#include "common/xalloc.h"
#include "session/import/imported-file.h"

void import_notes_init(struct import_notes *notes, const struct message_sink *sink)
{
	*notes = (struct import_notes){ .sink = sink };
}

void import_notes_release(struct import_notes *notes)
{
	for (size_t i = 0; i < notes->count; i++)
		free(notes->items[i].text);
	free(notes->items);
}

void import_notes_add(struct import_notes *notes, enum severity severity, unsigned number,
		      const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list arguments;

	va_start(arguments, format);
	strbuf_vaddf(&text, format, arguments);
	va_end(arguments);
	/* Harmless messages are only in the listing. */
	if (severity > SEVERITY_INFO)
		message_sink_emit(notes->sink, severity, number, "%s", text.text);
	if ((int)severity > notes->severity)
		notes->severity = (int)severity;
	GROW(notes->items, notes->count + 1, notes->alloc);
	notes->items[notes->count++] =
		(struct import_note){ severity, number, strbuf_detach(&text, NULL) };
}

void import_notes_rows(const struct import_notes *notes, struct imported_file *file)
{
	for (size_t i = 0; i < notes->count; i++)
		imported_file_note(file, notes->items[i].severity, notes->items[i].number,
				   notes->items[i].text);
}
