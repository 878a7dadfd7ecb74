/* SPDX-License-Identifier: Apache-2.0 */
/* What data collectors tell beside the stack: messages and the subsystem, also in late answers. */
#include "common/compat.h"
#include "sampler/collect-data.h"

void collect_keep_message(struct collect *collect, const struct collector *from)
{
	const char *text = from->client.answer.message;

	for (size_t i = 0; i < collect->message_count; i++)
		if (collect->messages[i].from == from &&
		    strcmp(collect->messages[i].text, text) == 0)
			return;
	if (!*text || collect->message_count == MESSAGES_MAX)
		return;
	collect->messages[collect->message_count].from = from;
	snprintf(collect->messages[collect->message_count++].text, CALL_MESSAGE, "%s", text);
}

void collect_look_at(struct collect *collect, struct collector *collector, uint64_t now)
{
	bool busy = collector->client.state == HOST_CLIENT_BUSY;

	host_client_look(&collector->client, now);
	if (busy && collector->client.state == HOST_CLIENT_READY)
		collect_keep_message(collect, collector);
}

void collect_take_texts(struct collect *collect, const struct collector *collector)
{
	const struct call_answer *answer = &collector->client.answer;

	collect_keep_message(collect, collector);
	if (answer->outcome != VIGIL_DONE || !answer->id_given || !answer->id[0] ||
	    strcmp(answer->id, collect->subsystem) == 0)
		return;
	snprintf(collect->subsystem, sizeof(collect->subsystem), "%s", answer->id);
	collect->subsystem_changed = true;
}

const char *collect_subsystem(struct collect *collect)
{
	if (!collect->subsystem_changed)
		return NULL;
	collect->subsystem_changed = false;
	return collect->subsystem;
}

const char *collect_next_message(struct collect *collect, const struct collector **from)
{
	const struct message *message;

	if (collect->messages_told == collect->message_count)
		return NULL;
	message = &collect->messages[collect->messages_told++];
	*from = message->from;
	return message->text;
}
