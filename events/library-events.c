/* SPDX-License-Identifier: Apache-2.0 */
/* Decodes the events of calls that leave an object. */
#include "common/compat.h"
#include "events/library-events.h"
#include "common/fingerprint.h"
#include "common/hash.h"
#include "common/xalloc.h"
#include "records/record-types.h"

/* Data of a statement. */
struct library_statement {
	uint64_t text; /* string */
	uint32_t database;
};

void library_events_init(struct library_events *events, const struct event_pool *pool,
			 struct engine *engine)
{
	*events = (struct library_events){ .pool = pool, .engine = engine };
	idmap_init(&events->by_key);
	idmap_init(&events->by_names);
}

void library_events_release(struct library_events *events)
{
	idmap_release(&events->by_key);
	idmap_release(&events->by_names);
	free(events->statements);
}

/* Returns the word, and sets *text to the text after it, of a slot with data. */
static uint64_t word_of(const struct event_slot *slot, char **text)
{
	uint64_t length = EVENT_MARK_LENGTH(slot->mark);
	uint64_t space = EVENT_MARK_MORE(slot->mark) * sizeof(*slot);
	const char *data = (const char *)(slot + 1);
	uint64_t word = 0;

	length = length < space ? length : space;
	if (length < sizeof(word)) {
		*text = xstrdup("");
		return 0;
	}
	memcpy(&word, data, sizeof(word));
	*text = xstrndup(data + sizeof(word), (size_t)length - sizeof(word));
	return word;
}

/* Returns a text as a string of the engine, 0 if it is empty; frees it. */
static uint64_t string_of(const struct library_events *events, char *text)
{
	uint64_t string = *text ? engine_string(events->engine, text) : 0;

	free(text);
	return string;
}

/* Returns the text of a statement as it is kept. */
static char *kept_text(const struct library_events *events, char *text)
{
	char shape[FINGERPRINT_SIZE];

	if (!events->shapes || !*text)
		return text;
	fingerprint(text, shape);
	free(text);
	return xstrdup(shape);
}

static uint64_t key_of(uint64_t process, uint64_t word)
{
	return hash_pair(process, word);
}

/* Stores the data of a statement. */
static void remember(struct library_events *events, uint64_t key,
		     const struct library_statement *statement)
{
	uint64_t number;

	if (!idmap_get(&events->by_key, key, &number)) {
		GROW(events->statements, events->count + 1, events->alloc);
		number = events->count++;
		idmap_put(&events->by_key, key, number);
	}
	events->statements[number] = *statement;
}

/* Decodes the begin of a database call, with its text. */
static struct library_event read_database(struct library_events *events, uint64_t process,
					  const struct event_slot *slot)
{
	uint32_t names = (uint32_t)EVENT_MARK_NUMBER(slot->mark);
	struct library_statement statement = { .database = EVENT_DATABASE_NAME(names) };
	char *text;
	uint64_t word = word_of(slot, &text);

	statement.text = string_of(events, kept_text(events, text));
	if (word)
		remember(events, key_of(process, word), &statement);
	return (struct library_event){ .type = EVENT_DB,
				       .statement = EVENT_DATABASE_FUNCTION(names),
				       .database = statement.database,
				       .code = INT64_MIN,
				       .data = statement.text };
}

/* Decodes a database call for a statement seen before. */
static struct library_event read_more(const struct library_events *events, uint64_t process,
				      uint64_t mark)
{
	struct library_event event = { .type = EVENT_DB,
				       .statement = EVENT_MARK_NAME(mark),
				       .code = INT64_MIN };
	uint64_t number;

	if (EVENT_MORE_WORD(mark) && idmap_get(&events->by_key, key_of(process, EVENT_MORE_WORD(mark)), &number)) {
		event.database = events->statements[number].database;
		event.data = events->statements[number].text;
	}
	return event;
}

/* Returns the name of a called function: "library!function". */
static uint64_t called(struct library_events *events, uint32_t function, uint32_t library)
{
	struct strbuf text = STRBUF_INIT, name = STRBUF_INIT;
	uint64_t key = (uint64_t)function << 32 | library, string;

	if (idmap_get(&events->by_names, key, &string))
		return string;
	if (event_pool_name(events->pool, library, &text))
		strbuf_addch(&text, '!');
	if (event_pool_name(events->pool, function, &name))
		strbuf_addstr(&text, name.text);
	string = text.length ? engine_string(events->engine, text.text) : 0;
	idmap_put(&events->by_names, key, string);
	strbuf_release(&text);
	strbuf_release(&name);
	return string;
}

/* Returns the int in the upper half of a mark. */
static int64_t code_of(uint64_t mark)
{
	return EVENT_MARK_NUMBER(mark);
}

static struct library_event read_failed(const struct library_events *events,
					const struct event_slot *slot)
{
	char *text;
	uint64_t word = word_of(slot, &text);

	return (struct library_event){ .type = EVENT_DA,
				       .statement = word & 0xffff,
				       .code = code_of(slot->mark),
				       .data = string_of(events, text) };
}

static struct library_event read_spawn(const struct library_events *events,
				       const struct event_slot *slot)
{
	struct library_event event = { .type = EVENT_KP, .code = code_of(slot->mark) };
	char *text;

	word_of(slot, &text);
	event.data = string_of(events, text);
	/* A caller of system or popen does not get the process id. */
	if (!event.code)
		event.code = INT64_MIN;
	return event;
}

/* Records the source of an event. */
static void note(struct library_events *events, unsigned type)
{
	events->database |= type == EVENT_DB;
	events->calls |= type == EVENT_CB;
	events->spawns |= type == EVENT_KP;
	events->signals |= type == EVENT_KS;
}

/* Decodes a slot. */
static struct library_event read_slot(struct library_events *events, uint64_t process,
				      const struct event_slot *slot)
{
	uint64_t mark = slot->mark;
	uint32_t name = EVENT_MARK_NAME(mark);

	switch (mark & 0xff) {
	case EVENT_MARK_CALL:
		return (struct library_event){ .type = EVENT_CB,
					       .statement = name,
					       .code = INT64_MIN,
					       .data = called(events, name, EVENT_CALL_FILE(mark)) };
	case EVENT_MARK_CALL_DONE:
		return (struct library_event){ .type = EVENT_CA,
					       .statement = name,
					       .code = code_of(mark) };
	case EVENT_MARK_DATABASE:
		return read_database(events, process, slot);
	case EVENT_MARK_DATABASE_MORE:
		return read_more(events, process, mark);
	case EVENT_MARK_DATABASE_FAILED:
		return read_failed(events, slot);
	case EVENT_MARK_SPAWN:
		return read_spawn(events, slot);
	case EVENT_MARK_SIGNAL:
		return (struct library_event){ .type = EVENT_KS, .code = EVENT_MARK_VALUE(mark) & 0xff };
	default:
		return (struct library_event){ .type = EVENT_DA,
					       .statement = name,
					       .code = code_of(mark) };
	}
}

struct library_event library_events_read(struct library_events *events, uint64_t process,
					 const struct event_slot *slot, uint32_t *database)
{
	struct library_event event = read_slot(events, process, slot);

	if (event.type == EVENT_DB)
		*database = event.database;
	if (event.type == EVENT_DA)
		event.database = *database;
	note(events, event.type);
	return event;
}
