/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of modules and the engine to the client. */
#ifndef VIGIL_ENGINE_MODULES_MODULE_MESSAGES_H
#define VIGIL_ENGINE_MODULES_MODULE_MESSAGES_H

#include "engine/modules/opened-data.h"

/* Sends the client a message; a trace message only up to the requested level. */
void message_text(struct vigil_engine *opened, const char *module, uint32_t severity,
		  uint32_t level, const char *text);
/* Sends a message of the engine about a module, or (known NULL) about none. */
void message_send_format(struct vigil_engine *opened, const struct registered_module *registered_module, uint32_t severity,
		 const char *format, ...) PRINTFLIKE(4, 5);

#endif
