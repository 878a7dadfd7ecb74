/* SPDX-License-Identifier: Apache-2.0 */
/* Modules of others in a collection or an extraction, as a user asks for them. */
#ifndef VIGIL_SESSION_COLLECTION_GUESTS_H
#define VIGIL_SESSION_COLLECTION_GUESTS_H

#include "engine/modules/hosted.h"
#include "session/collection/messages.h"

/* Texts are borrowed. Zeroes: there are none. */
struct guest_request {
	const char *const *libraries; /* NAME or NAME=TEXT: a path, or a name that is looked for */
	size_t count;
	const char *folders; /* in which names are looked for first, divided by colons; or NULL */
	uint64_t patience;   /* ns that a module may take for a call, 0: 10 s */
};

/* The worst of all that was said. */
struct message_count {
	const struct message_sink *sink;
	bool quiet; /* what is no warning is not passed on */
	enum severity worst;
};
/* A sink that counts, and passes on. */
struct message_sink message_count_sink(struct message_count *count);

/*
 * An engine with the libraries of a request, whose messages go to sink, which
 * stays where it is; for hosted_prepare and then vigil_engine_finish. NULL
 * after a message: a library cannot be used.
 */
struct vigil_engine *guests_load(const struct guest_request *request, struct message_sink *sink);

#endif
