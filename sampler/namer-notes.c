/* SPDX-License-Identifier: Apache-2.0 */
/* Names in recordings. */
#include "common/compat.h"
#include "sampler/namer-notes.h"
#include "common/hash.h"
#include "common/outside.h"
#include "common/strbuf.h"
#include "common/varint.h"

static void add_text(struct strbuf *bytes, const char *text)
{
	strbuf_addvarint(bytes, strlen(text));
	strbuf_addstr(bytes, text);
}

uint64_t namer_key(const struct object *object, uint64_t offset)
{
	if (!outside_keeps_notes())
		return 0;
	return hash_pair(hash_bytes(object->path, strlen(object->path)), offset);
}

void namer_note(uint64_t key, const struct name *levels, size_t count, const char *why)
{
	struct strbuf bytes = STRBUF_INIT;

	if (!outside_keeps_notes())
		return;
	strbuf_addvarint(&bytes, count + 1);
	strbuf_addvarint(&bytes, why != NULL);
	if (why)
		add_text(&bytes, why);
	for (size_t i = 0; i < count; i++) {
		const struct name *level = &levels[i];

		strbuf_addvarint(&bytes, level->start);
		strbuf_addvarint(&bytes, level->size);
		strbuf_addvarint(&bytes, level->line);
		add_text(&bytes, level->procedure);
		add_text(&bytes, level->section);
		add_text(&bytes, level->file);
		add_text(&bytes, level->language);
		add_text(&bytes, level->text);
	}
	outside_note_of(OUTSIDE_NAME, key, bytes.text, bytes.length);
	strbuf_release(&bytes);
}

void namer_note_nothing(uint64_t key)
{
	outside_note_of(OUTSIDE_NAME, key, "", 0);
}

/* The rest of a note; texts are kept. */
struct note {
	const unsigned char *at, *end;
	struct strmap *texts;
};

static uint64_t take_number(struct note *note)
{
	uint64_t number;

	return varint_read(&note->at, note->end, &number) ? number : 0;
}

static const char *take_text(struct note *note)
{
	uint64_t length = take_number(note);
	uint32_t number;

	if (length > (uint64_t)(note->end - note->at))
		length = 0;
	number = strmap_put_n(note->texts, (const char *)note->at, length);
	note->at += length;
	return strmap_text(note->texts, number);
}

static void take_level(struct note *note, struct name *level)
{
	level->start = take_number(note);
	level->size = take_number(note);
	level->line = take_number(note);
	level->procedure = take_text(note);
	level->section = take_text(note);
	level->file = take_text(note);
	level->language = take_text(note);
	level->text = take_text(note);
}

enum namer_recalled namer_recall(uint64_t key, struct strmap *texts, struct name *levels, size_t *count, const char **why)
{
	struct note note = { .texts = texts };
	uint64_t found;
	size_t size;

	note.at = outside_recall_of(OUTSIDE_NAME, key, &size);
	RETURN_IF(!note.at, NAMER_UNKNOWN);
	note.end = note.at + size;
	found = take_number(&note);
	RETURN_IF(!found, NAMER_NOTHING);
	*why = take_number(&note) ? take_text(&note) : NULL;
	*count = found - 1 < NAMES_MAX_INLINE ? (size_t)found - 1 : NAMES_MAX_INLINE;
	for (size_t i = 0; i < *count; i++)
		take_level(&note, &levels[i]);
	return NAMER_NAMED;
}
