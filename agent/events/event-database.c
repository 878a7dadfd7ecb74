/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the events of database calls. */
#include "agent/events/event-database.h"
#include "agent/events/event-names.h"

#define DOTS "..."

void event_write_word(enum event_mark mark, int32_t number, uint64_t word, const char *text)
{
	char data[EVENT_TEXT_MAX];
	size_t length = text ? strnlen(text, sizeof(data)) : 0, space = sizeof(data) - sizeof(word);
	uint64_t more;

	if (length > space) {
		length = space - (sizeof(DOTS) - 1);
		/* Do not split a UTF-8 character. */
		while (length && (text[length] & 0xc0) == 0x80)
			length--;
		memcpy(data + sizeof(word) + length, DOTS, sizeof(DOTS) - 1);
		memcpy(data + sizeof(word), text, length);
		length += sizeof(DOTS) - 1;
	} else if (length) {
		memcpy(data + sizeof(word), text, length);
	}
	memcpy(data, &word, sizeof(word));
	length += sizeof(word);
	more = (length + sizeof(struct event_slot) - 1) / sizeof(struct event_slot);
	event_write_data((uint64_t)mark | EVENT_DATA(more, length, number), data, length);
}

void event_database_find(const struct database_function *functions, size_t count, uint32_t *found,
			 const void *sibling)
{
	/* Number of unloads of objects: another library may be at the address now. */
	uint32_t now = __atomic_load_n(&event_library_unloaded, __ATOMIC_ACQUIRE) + 1;

	if (__atomic_load_n(found, __ATOMIC_ACQUIRE) == now)
		return;
	for (size_t i = 0; i < count; i++) {
		void *function = event_library_sibling(sibling, functions[i].name);

		memcpy(functions[i].pointer, &function, sizeof(function));
	}
	__atomic_store_n(found, now, __ATOMIC_RELEASE);
}

bool event_database_wanted(const struct event_area *area)
{
	return area->database;
}

bool event_database_begins(const char *function, const void *key, const char *text,
			   const char *database)
{
	/* Addresses of allocated memory are multiples of 16. */
	uint64_t word = (uint64_t)key >> 4 & ((UINT64_C(1) << EVENT_WORD_BITS) - 1);
	uint32_t name, number;

	if (!event_active())
		return false;
	name = event_name_of_constant(function);
	if (!text) {
		event_write(EVENT_MARK_DATABASE_MORE | EVENT_MORE(name, word));
		return true;
	}
	number = database ? event_name(database, strnlen(database, PATH_MAX)) : 0;
	event_write_word(EVENT_MARK_DATABASE, (int32_t)EVENT_DATABASE(name, number), word, text);
	return true;
}

void event_database_ends(const char *function, int32_t code, const char *error)
{
	uint64_t name;

	if (!event_active())
		return;
	name = event_name_of_constant(function);
	if (error)
		event_write_word(EVENT_MARK_DATABASE_FAILED, code, name, error);
	else
		event_write(EVENT_MARK_DATABASE_DONE | EVENT_VALUE(name) | EVENT_NUMBER(code));
}
