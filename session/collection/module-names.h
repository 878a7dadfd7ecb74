/* SPDX-License-Identifier: Apache-2.0 */
/* Modules as a user names them. */
#ifndef VIGIL_SESSION_COLLECTION_MODULE_NAMES_H
#define VIGIL_SESSION_COLLECTION_MODULE_NAMES_H

#include "engine/engine.h"
#include "session/collection/messages.h"

/*
 * Enable the modules that are named, in either case, DEFAULT when there are
 * none; and OWN. The exit status, after a message.
 */
int module_names_enable(struct engine *engine, const char *const *names, size_t count,
			const struct message_sink *sink);
/* A name in upper case; the caller frees it. */
char *module_names_upper(const char *name);

#endif
