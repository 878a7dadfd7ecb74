/* SPDX-License-Identifier: Apache-2.0 */
/* Modules by the names that users give. */
#ifndef VIGIL_SESSION_COLLECTION_MODULE_NAMES_H
#define VIGIL_SESSION_COLLECTION_MODULE_NAMES_H

#include "engine/engine.h"
#include "session/collection/messages.h"

/*
 * Enables the named modules (case-insensitive), DEFAULT if there are none; and
 * OWN. Returns the exit status, after a message.
 */
int module_names_enable(struct engine *engine, const char *const *names, size_t count,
			const struct message_sink *sink);
/* Returns a name in upper case; the caller frees it. */
char *module_names_upper(const char *name);

#endif
