/* SPDX-License-Identifier: Apache-2.0 */
/* Messages on a session for its readers, in order. */
#ifndef VIGIL_PROFILE_NOTE_LIST_H
#define VIGIL_PROFILE_NOTE_LIST_H

#include "common/diag.h"

struct note_list {
	struct note {
		enum severity severity;
		unsigned number; /* digits of the message id, 0: none */
		char *text;
	} * items;
	size_t count, alloc;
};

void note_list_init(struct note_list *list);
void note_list_release(struct note_list *list);
void note_list_add(struct note_list *list, enum severity severity, unsigned number,
		   const char *format, ...) PRINTFLIKE(4, 5);

#endif
