/* SPDX-License-Identifier: Apache-2.0 */
/* The attributes of a session, with and without its profile. */
#include "common/compat.h"
#include "profile/session-attributes.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"

void session_attributes_init(struct session_attributes *attributes)
{
	memset(attributes, 0, sizeof(*attributes));
}

void session_attributes_release(struct session_attributes *attributes)
{
	for (size_t i = 0; i < attributes->count; i++) {
		free(attributes->items[i].key);
		free(attributes->items[i].value);
	}
	free(attributes->items);
	session_attributes_init(attributes);
}

/*
 * Returns the attribute of a key, NULL if it is not there. There are about fifty:
 * a linear search is enough.
 */
static struct session_attribute *find(const struct session_attributes *attributes, const char *key)
{
	for (size_t i = 0; i < attributes->count; i++)
		if (strcmp(attributes->items[i].key, key) == 0)
			return &attributes->items[i];
	return NULL;
}

/* Sets a value; the texts are copied. */
static void put(struct session_attributes *attributes, const char *key, const char *value)
{
	struct session_attribute *item = find(attributes, key);

	if (!item) {
		GROW(attributes->items, attributes->count + 1, attributes->alloc);
		item = &attributes->items[attributes->count++];
		*item = (struct session_attribute){ .key = xstrdup(key) };
	}
	if (item->value && strcmp(item->value, value) == 0)
		return;
	free(item->value);
	item->value = xstrdup(value);
}

/* Returns the text of a string; a damaged row may hold any number. */
static const char *text_of(const struct strmap *strings, uint64_t string)
{
	return string < UINT32_MAX ? strmap_text(strings, (uint32_t)string) : "";
}

void session_attributes_take(struct session_attributes *attributes, const struct snapshot *snapshot,
			     const struct strmap *strings)
{
	const struct recordset *set = snapshot_records(snapshot, RECORD_ATTRIBUTE);

	for (size_t i = 0; i < set->count; i++) {
		const struct record_attribute *row = recordset_get(set, i);

		put(attributes, text_of(strings, row->key), text_of(strings, row->value));
	}
}

/* Takes the attributes of one snapshot of a file. */
static int take(void *argument, const struct snapshot *snapshot, const struct strmap *strings)
{
	struct session_attributes *attributes = argument;

	session_attributes_take(attributes, snapshot, strings);
	attributes->events |= snapshot_records(snapshot, RECORD_EVENT)->count > 0;
	attributes->sums |= snapshot_records(snapshot, RECORD_EVENT_SUM)->count > 0;
	attributes->coverage |= snapshot_records(snapshot, RECORD_COVERAGE_PROGRAM)->count > 0;
	return 0;
}

int session_attributes_read(const char *path, struct session_attributes *attributes,
			    struct error *err)
{
	struct dataset_status status = { 0 };
	struct strmap strings;
	int result;

	session_attributes_init(attributes);
	strmap_init(&strings);
	result = dataset_read_few(path, &session_records, &strings, take, attributes, &status, err);
	attributes->events |= status.passed_events > 0;
	strmap_release(&strings);
	if (result < 0)
		session_attributes_release(attributes);
	return result;
}

const char *session_attributes_text(const struct session_attributes *attributes, const char *key)
{
	const struct session_attribute *item = find(attributes, key);

	return item ? item->value : "";
}

uint64_t session_attributes_number(const struct session_attributes *attributes, const char *key)
{
	return strtoull(session_attributes_text(attributes, key), NULL, 10);
}
