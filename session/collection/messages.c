/* SPDX-License-Identifier: Apache-2.0 */
/* Formats the messages of a collection or an extraction. */
#include "common/compat.h"
#include "session/collection/messages.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

int message_sink_emit(const struct message_sink *sink, enum severity severity, unsigned number,
		     const char *format, ...)
{
	struct strbuf text = STRBUF_INIT;
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(&text, format, ap);
	va_end(ap);
	sink->say(sink->argument, severity, number, text.text);
	strbuf_release(&text);
	return (int)severity;
}

/* Returns whether a message is dropped because it was already emitted. */
static bool drop_repeated(struct message_once *once, const char *text)
{
	for (size_t i = 0; i < once->count; i++) {
		if (!once->said[i] || strcmp(once->said[i], text) != 0)
			continue;
		if (once->works) {
			free(once->said[i]);
			once->said[i] = NULL;
		}
		return true;
	}
	return false;
}

static void say_once(void *argument, enum severity severity, unsigned number, const char *text)
{
	struct message_once *once = argument;
	struct strbuf whole = STRBUF_INIT;

	strbuf_addf(&whole, "%u %s", number, text);
	if (!drop_repeated(once, whole.text)) {
		if (!once->works) {
			GROW(once->said, once->count + 1, once->alloc);
			once->said[once->count++] = xstrdup(whole.text);
		}
		once->sink->say(once->sink->argument, severity, number, text);
	}
	strbuf_release(&whole);
}

struct message_sink message_once_sink(struct message_once *once)
{
	return (struct message_sink){ say_once, once };
}

void message_once_release(struct message_once *once)
{
	for (size_t i = 0; i < once->count; i++)
		free(once->said[i]);
	free(once->said);
	memset(once, 0, sizeof(*once));
}
