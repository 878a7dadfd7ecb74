/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Answers of data collectors other than the stack: messages and the subsystem,
 * also in late answers.
 */
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

void collect_await(struct collect *collect, struct collector *collector, uint64_t until)
{
	bool busy = collector->client.state == HOST_CLIENT_BUSY;

	host_client_await(&collector->client, until);
	if (busy && collector->client.state == HOST_CLIENT_READY)
		collect_keep_message(collect, collector);
}

/*
 * Returns the entry for the texts of a collector about a process; makes it if
 * there is space, else NULL. Its position does not depend on whose first answer
 * was in time.
 */
static struct subsystem *subsystem_of(struct collect *collect, uint64_t collector,
				      uint64_t generation)
{
	struct subsystem *subsystem;
	size_t at;

	for (size_t i = 0; i < collect->subsystem_count; i++) {
		subsystem = &collect->subsystems[i];
		if (subsystem->collector == collector && subsystem->generation == generation)
			return subsystem;
	}
	if (collect->subsystem_count == SUBSYSTEMS_MAX)
		return NULL;
	for (at = collect->subsystem_count; at > 0; at--)
		if (collect->subsystems[at - 1].collector <= collector)
			break;
	subsystem = &collect->subsystems[at];
	memmove(subsystem + 1, subsystem, (collect->subsystem_count++ - at) * sizeof(*subsystem));
	*subsystem = (struct subsystem){ .collector = collector, .generation = generation };
	return subsystem;
}

/*
 * Keeps a text in addition to those of other collectors and other processes; the
 * last one of a collector for a process replaces earlier ones.
 */
static void keep_id(struct collect *collect, const struct collector *collector, const char *text,
		    uint64_t generation)
{
	struct subsystem *subsystem;

	for (size_t i = 0; i < collect->subsystem_count; i++)
		if (strcmp(collect->subsystems[i].text, text) == 0)
			return;
	subsystem = subsystem_of(collect, collector->id, generation);
	if (subsystem)
		snprintf(subsystem->text, sizeof(subsystem->text), "%s", text);
	collect->subsystem_changed |= subsystem || !collect->subsystems_more;
	collect->subsystems_more |= !subsystem;
}

void collect_take_texts(struct collect *collect, const struct collector *collector,
			uint64_t generation)
{
	const struct call_answer *answer = &collector->client.answer;

	collect_keep_message(collect, collector);
	if (answer->outcome == VIGIL_DONE && answer->id_given && answer->id[0])
		keep_id(collect, collector, answer->id, generation);
}

bool collect_subsystem(struct collect *collect, struct strbuf *sb)
{
	RETURN_IF(!collect->subsystem_changed, false);
	for (size_t i = 0; i < collect->subsystem_count; i++)
		strbuf_addf(sb, "%s%s", i ? ", " : "", collect->subsystems[i].text);
	if (collect->subsystems_more)
		strbuf_addstr(sb, ", ...");
	collect->subsystem_changed = false;
	return true;
}

const char *collect_next_message(struct collect *collect, const struct collector **from)
{
	const struct message *message;

	if (collect->messages_noted == collect->message_count)
		return NULL;
	message = &collect->messages[collect->messages_noted++];
	*from = message->from;
	return message->text;
}
