/* SPDX-License-Identifier: Apache-2.0 */
/* Third-party modules in a collection or an extraction, as requested by a user. */
#ifndef VIGIL_SESSION_COLLECTION_GUESTS_H
#define VIGIL_SESSION_COLLECTION_GUESTS_H

#include "engine/modules/hosted.h"
#include "session/collection/messages.h"

/* Texts are borrowed. Zero-initialized: none. */
struct guest_request {
	const char *const *libraries; /* NAME or NAME=TEXT: a path, or a name to search for */
	size_t count;
	const char *folders; /* folders searched first for names, separated by colons; or NULL */
	uint64_t patience;   /* ns that a call of a module may take; 0: 10 s */
};

/* The worst severity of all messages. */
struct message_count {
	const struct message_sink *sink;
	bool quiet; /* messages below a warning are dropped */
	enum severity worst;
};
/* Returns a sink that counts and forwards messages. */
struct message_sink message_count_sink(struct message_count *count);

/*
 * Creates an engine with the libraries of a request; for hosted_prepare and then
 * vigil_engine_finish. Its messages go to sink, which must stay valid. NULL after
 * a message: a library cannot be used.
 */
struct vigil_engine *guests_load(const struct guest_request *request, struct message_sink *sink);

#endif
