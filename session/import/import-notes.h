/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of an import: printed at once, and kept as NOTEs for the data set. */
#ifndef VIGIL_SESSION_IMPORT_IMPORT_NOTES_H
#define VIGIL_SESSION_IMPORT_IMPORT_NOTES_H

#include "session/collection/messages.h"

struct imported_file;

struct import_notes {
	const struct message_sink *sink;
	struct import_note {
		enum severity severity;
		unsigned number;
		char *text;
	} * items;
	size_t count, alloc;
	int severity; /* of the worst */
};

void import_notes_init(struct import_notes *notes, const struct message_sink *sink);
void import_notes_release(struct import_notes *notes);
void import_notes_add(struct import_notes *notes, enum severity severity, unsigned number,
		      const char *format, ...) PRINTFLIKE(4, 5);
/* Adds NOTE rows of all messages. */
void import_notes_rows(const struct import_notes *notes, struct imported_file *file);

#endif
