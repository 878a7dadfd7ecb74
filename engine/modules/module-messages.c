/* SPDX-License-Identifier: Apache-2.0 */
/* Passes messages to the client. */
#include "common/compat.h"
#include "engine/modules/module-messages.h"

void message_text(struct vigil_engine *opened, const char *module, uint32_t severity,
		  uint32_t level, const char *text)
{
	const struct vigil_engine_message message = { sizeof(message), severity, level, 0,
						      module,	       text };

	if (!opened->options.message ||
	    (severity == VIGIL_MESSAGE_TRACE && level > opened->settings.trace_level))
		return;
	opened->options.message(opened->options.argument, &message);
}

void message_send_format(struct vigil_engine *opened, const struct registered_module *registered_module, uint32_t severity,
		 const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	message_text(opened, registered_module ? registered_module->module->name : "", severity, 0, text.text);
	strbuf_release(&text);
}
