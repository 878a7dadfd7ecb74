/* SPDX-License-Identifier: Apache-2.0 */
/* Where a collection or an extraction says what it has to say: as it comes, to whoever asked. */
#ifndef VIGIL_SESSION_COLLECTION_MESSAGES_H
#define VIGIL_SESSION_COLLECTION_MESSAGES_H

#include "common/diag.h"

struct message_sink {
	/* Take a message, without its id; text is one line and belongs to the caller. */
	void (*say)(void *argument, enum severity severity, unsigned number, const char *text);
	void *argument;
};

/*
 * A sink for what is prepared several times before it is done: a message that was said already is
 * left out until work begins, and then once more for each that was. Zeroes, and the sink, at first.
 */
struct message_once {
	const struct message_sink *sink;
	char **said; /* owned, each; NULL: left out once more already */
	size_t count, alloc;
	bool works; /* work has begun */
};
struct message_sink message_once_sink(struct message_once *once);
void message_once_release(struct message_once *once);

/* Say something; returns the severity, which is an exit status. */
int message_sink_say(const struct message_sink *sink, enum severity severity, unsigned number,
		     const char *format, ...) PRINTFLIKE(4, 5);

#endif
