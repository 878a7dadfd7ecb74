/* SPDX-License-Identifier: Apache-2.0 */
/* Sinks for the messages of a collection or an extraction, which are passed on immediately. */
#ifndef VIGIL_SESSION_COLLECTION_MESSAGES_H
#define VIGIL_SESSION_COLLECTION_MESSAGES_H

#include "common/diag.h"

struct message_sink {
	/* Receives a message, without its id; text is one line and belongs to the caller. */
	void (*say)(void *argument, enum severity severity, unsigned number, const char *text);
	void *argument;
};

/*
 * A sink for work that is prepared several times before it starts: repeated
 * messages are dropped until work starts; after that each message from the
 * preparation is dropped once more. Initialize to zero except sink.
 */
struct message_once {
	const struct message_sink *sink;
	char **said; /* owned texts; NULL: already dropped once more */
	size_t count, alloc;
	bool works; /* work has started */
};
struct message_sink message_once_sink(struct message_once *once);
void message_once_release(struct message_once *once);

/* Emits a message; returns the severity, which is an exit status. */
int message_sink_emit(const struct message_sink *sink, enum severity severity, unsigned number,
		     const char *format, ...) PRINTFLIKE(4, 5);

#endif
