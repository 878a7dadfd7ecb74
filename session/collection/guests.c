/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the requested third-party modules, and forwards their messages. */
#include "common/compat.h"
#include "session/collection/guests.h"
#include "common/xalloc.h"

static void count_message(void *argument, enum severity severity, unsigned number, const char *text)
{
	struct message_count *count = argument;

	if (severity > count->worst)
		count->worst = severity;
	if (severity != SEVERITY_INFO || !count->quiet)
		count->sink->say(count->sink->argument, severity, number, text);
}

struct message_sink message_count_sink(struct message_count *count)
{
	return (struct message_sink){ count_message, count };
}

/* Forwards a message of a module, or of the engine about one. */
static void pass_on(void *argument, const struct vigil_engine_message *message)
{
	const char *divider = *message->module ? ": " : "";

	switch (message->severity) {
	case VIGIL_MESSAGE_TRACE:
	case VIGIL_MESSAGE_INFO:
		message_sink_emit(argument, SEVERITY_INFO, 3690, "%s%s%s", message->module, divider,
				 message->text);
		return;
	case VIGIL_MESSAGE_WARNING:
		message_sink_emit(argument, SEVERITY_WARNING, 3691, "%s%s%s", message->module,
				 divider, message->text);
		return;
	default:
		message_sink_emit(argument, SEVERITY_ERROR, 3692, "%s%s%s", message->module, divider,
				 message->text);
	}
}

/* Loads one library; -1 after a message. */
static int load(struct vigil_engine *engine, const char *library)
{
	const char *equals = strchr(library, '=');
	char *name = equals ? xstrndup(library, (size_t)(equals - library)) : xstrdup(library);
	int taken = vigil_engine_register_with(engine, name, equals ? equals + 1 : NULL, 0);

	free(name);
	return taken < 0 ? -1 : 0;
}

struct vigil_engine *guests_load(const struct guest_request *request, struct message_sink *sink)
{
	const struct vigil_options options = { .size = sizeof(options),
					       .message = pass_on,
					       .argument = sink,
					       .folders = request->folders,
					       .patience = request->patience };
	struct vigil_engine *engine = vigil_engine_init(&options);

	for (size_t i = 0; i < request->count; i++) {
		if (load(engine, request->libraries[i]) == 0)
			continue;
		vigil_engine_finish(engine);
		return NULL;
	}
	return engine;
}
