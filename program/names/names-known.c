/* SPDX-License-Identifier: Apache-2.0 */
/* Ranges of instructions with known names, and their file format. */
#include "common/compat.h"
#include "program/names/names-known.h"
#include "common/hash.h"
#include "common/lower-bound.h"
#include "common/xalloc.h"
#include "program/names/names-sums.h"

#include <sys/mman.h>

/* Changes with the file format. */
#define MAGIC UINT64_C(0x34304e4c49474956)
/* Limits for the names of one object. */
#define STRETCHES_MAX (1U << 20)
#define TEXTS_MAX (32U << 20)

struct head {
	uint64_t magic, sum, signature, complete_below;
	uint32_t stretches, levels, texts, note;
};

void names_known_init(struct names_known *known, uint64_t signature)
{
	*known = (struct names_known){ .signature = signature };
	strbuf_init(&known->bytes);
	idmap_init(&known->put_texts);
	idmap_init(&known->put_levels);
}

/* Returns whether the data in use is that of the bytes that were read. */
static bool uses_file_bytes(const struct names_known *known)
{
	return known->sums;
}

static void release_bytes(struct names_known *known)
{
	names_sums_free(known->sums);
	known->sums = NULL;
	strbuf_release(&known->bytes);
	if (known->map)
		munmap(known->map, known->map_size);
	known->map = NULL;
}

void names_known_release(struct names_known *known)
{
	if (!uses_file_bytes(known)) {
		free(known->stretches);
		free(known->levels);
		free(known->texts);
	}
	release_bytes(known);
	free(known->run);
	idmap_release(&known->put_texts);
	idmap_release(&known->put_levels);
}

/*
 * Returns whether a head is valid for a file with this length; *body becomes the
 * length of the data after the head and the sums.
 */
static bool is_head(const struct head *head, uint64_t signature, size_t length, size_t *body)
{
	*body = head->stretches * sizeof(struct known_stretch) +
		head->levels * sizeof(struct known_level) + head->texts;
	return head->magic == MAGIC && head->signature == signature && head->texts &&
	       length - sizeof(*head) == names_sums_count(*body) * sizeof(uint64_t) + *body;
}

/*
 * Takes data from bytes that stay valid; returns false if their head is damaged or
 * has another signature.
 */
static bool take_bytes(struct names_known *known, char *bytes, size_t length)
{
	const size_t summed = offsetof(struct head, signature);
	struct head head;
	size_t body;
	char *at;

	RETURN_IF(length < sizeof(head), false);
	memcpy(&head, bytes, sizeof(head));
	if (!is_head(&head, known->signature, length, &body) || bytes[length - 1] != '\0' ||
	    head.sum != names_sum(bytes + summed, length - body - summed))
		return false;
	at = bytes + length - body;
	known->sums = names_sums_new(at, body, (const void *)(bytes + sizeof(head)));
	known->stretches = (void *)at;
	known->stretch_count = head.stretches;
	known->levels = (void *)(known->stretches + head.stretches);
	known->level_count = head.levels;
	known->texts = (void *)(known->levels + head.levels);
	known->text_length = head.texts;
	known->note = head.note;
	known->complete_below = head.complete_below;
	known->before = true;
	return true;
}

/* Returns whether a part of the data is intact. */
static bool is_intact(const struct names_known *known, const void *from, size_t length)
{
	return !known->sums || names_sums_check(known->sums, from, length);
}

/* Returns whether damage was found, so that nothing of what was read may be used. */
static bool is_damaged(const struct names_known *known)
{
	return known->sums && names_sums_damaged(known->sums);
}

bool names_known_read(struct names_known *known, struct strbuf *bytes)
{
	RETURN_IF(!take_bytes(known, bytes->text, bytes->length), false);
	known->bytes = *bytes;
	strbuf_init(bytes);
	return true;
}

bool names_known_map(struct names_known *known, int fd, size_t size)
{
	char *map = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;

	RETURN_IF(map == MAP_FAILED, false);
	if (!take_bytes(known, map, size)) {
		munmap(map, size);
		return false;
	}
	known->map = map;
	known->map_size = size;
	return true;
}

bool names_known_is_intact(const struct names_known *known)
{
	const char *begin = (const char *)known->stretches;

	return !known->sums ||
	       names_sums_check(known->sums, begin, (size_t)(known->texts + known->text_length - begin));
}

/* Copies an array into separate memory. */
static void *copy_array(const void *items, size_t size)
{
	void *copy = xmalloc(size + 1);

	if (size)
		memcpy(copy, items, size);
	return copy;
}

/* Forgets the bytes of the file, which are damaged. */
static void discard_damaged(struct names_known *known)
{
	known->stretches = NULL;
	known->levels = NULL;
	known->texts = NULL;
	known->stretch_count = known->level_count = known->text_length = 0;
	known->note = 0;
	known->complete_below = 0;
	known->before = false;
	release_bytes(known);
}

/* Copies everything out of the bytes of the file, so that it can grow. */
static void copy_from_file(struct names_known *known)
{
	if (uses_file_bytes(known) && !names_known_is_intact(known))
		discard_damaged(known);
	if (uses_file_bytes(known)) {
		known->stretches =
			copy_array(known->stretches, known->stretch_count * sizeof(*known->stretches));
		known->levels = copy_array(known->levels, known->level_count * sizeof(*known->levels));
		known->texts = copy_array(known->texts, known->text_length);
		known->stretch_alloc = known->stretch_count;
		known->level_alloc = known->level_count;
		known->text_alloc = known->text_length;
		release_bytes(known);
	}
	if (!known->text_length) {
		GROW(known->texts, 1, known->text_alloc);
		known->texts[known->text_length++] = '\0';
	}
	known->changed = true;
}

void names_known_write(const struct names_known *known, struct strbuf *bytes)
{
	struct head head = { .magic = MAGIC,
			     .signature = known->signature,
			     .complete_below = known->complete_below,
			     .stretches = (uint32_t)known->stretch_count,
			     .levels = (uint32_t)known->level_count,
			     .texts = (uint32_t)known->text_length,
			     .note = known->note };

	const size_t summed = offsetof(struct head, signature);
	size_t body = known->stretch_count * sizeof(*known->stretches) +
		      known->level_count * sizeof(*known->levels) + known->text_length;
	size_t count = names_sums_count(body);
	uint64_t *sums = xcalloc(count + 1, sizeof(*sums));

	assert(!uses_file_bytes(known));
	strbuf_reset(bytes);
	strbuf_add(bytes, &head, sizeof(head));
	strbuf_add(bytes, sums, count * sizeof(*sums));
	strbuf_add(bytes, known->stretches, known->stretch_count * sizeof(*known->stretches));
	strbuf_add(bytes, known->levels, known->level_count * sizeof(*known->levels));
	strbuf_add(bytes, known->texts, known->text_length);
	names_sums_make(bytes->text + bytes->length - body, body, sums);
	memcpy(bytes->text + sizeof(head), sums, count * sizeof(*sums));
	free(sums);
	head.sum = names_sum(bytes->text + summed, bytes->length - body - summed);
	memcpy(bytes->text + offsetof(struct head, sum), &head.sum, sizeof(head.sum));
}

/* Returns the text that begins at an offset; the last byte of all texts is a NUL. */
static const char *text_at(const struct names_known *known, size_t at)
{
	size_t length = 0;

	RETURN_IF(at >= known->text_length, "");
	/* Every byte up to the end, including the NUL, must be intact. */
	do
		RETURN_IF(!is_intact(known, known->texts + at + length, 1), "");
	while (known->sums && known->texts[at + length++]);
	return known->texts + at;
}

/* Returns whether a stretch begins at or before an address. */
static bool is_before(const struct names_known *known, size_t number, uint64_t address)
{
	const struct known_stretch *stretch = &known->stretches[number];

	return is_intact(known, stretch, sizeof(*stretch)) && stretch->start <= address;
}

/* Returns the number of the first stretch that begins after address. */
static size_t behind(const struct names_known *known, uint64_t address)
{
	return LOWER_BOUND(known->stretch_count, i, is_before(known, i, address));
}

/* Returns the stretch that contains address, or NULL. */
static const struct known_stretch *stretch_at(const struct names_known *known, uint64_t address)
{
	size_t at = behind(known, address);
	const struct known_stretch *stretch = at ? &known->stretches[at - 1] : NULL;

	RETURN_IF(!stretch || is_damaged(known), NULL);
	return address - stretch->start < stretch->size ? stretch : NULL;
}

/* Fills the level of a procedure that equals the stretch. */
static size_t plain_level(const struct names_known *known, const struct known_stretch *stretch,
			  struct name *level)
{
	size_t at = stretch->level & ~KNOWN_PLAIN;
	const char *procedure = text_at(known, at);

	*level = (struct name){ .procedure = procedure,
				.section = text_at(known, at + strlen(procedure) + 1),
				.file = "",
				.language = "",
				.text = "",
				.start = stretch->start,
				.size = stretch->size };
	return is_damaged(known) ? 0 : 1;
}

size_t names_known_find(const struct names_known *known, uint64_t address,
			struct name levels[NAMES_MAX_INLINE])
{
	const struct known_stretch *stretch = stretch_at(known, address);
	uint32_t number = stretch ? stretch->level : 0;
	size_t count = 0;

	if (number & KNOWN_PLAIN)
		return plain_level(known, stretch, &levels[0]);
	for (; number && number <= known->level_count && count < NAMES_MAX_INLINE; count++) {
		const struct known_level *level = &known->levels[number - 1];

		RETURN_IF(!is_intact(known, level, sizeof(*level)), 0);
		levels[count] = (struct name){ .procedure = text_at(known, level->procedure),
					       .section = text_at(known, level->section),
					       .file = text_at(known, level->file),
					       .language = text_at(known, level->language),
					       .text = "",
					       .start = level->start,
					       .size = level->size,
					       .line = level->line };
		number = level->outer;
	}
	return is_damaged(known) ? 0 : count;
}

uint64_t names_known_end(const struct names_known *known, uint64_t address)
{
	const struct known_stretch *stretch = stretch_at(known, address);

	return stretch ? stretch->start + stretch->size : 0;
}

uint64_t names_known_next(const struct names_known *known, uint64_t address)
{
	size_t at = behind(known, address);

	return at < known->stretch_count && !is_damaged(known) ? known->stretches[at].start : UINT64_MAX;
}

/* Appends bytes to the texts; returns their offset. */
static uint32_t add_text(struct names_known *known, const char *text, size_t length)
{
	size_t at = known->text_length;

	GROW(known->texts, at + length, known->text_alloc);
	memcpy(known->texts + at, text, length);
	known->text_length = at + length;
	return (uint32_t)at;
}

/* Returns the offset of a text, adding it if it is new. */
static uint32_t put_text(struct names_known *known, const char *text)
{
	size_t length = strlen(text);
	uint64_t hash = hash_bytes(text, length), at;

	if (!length)
		return 0;
	if (idmap_get(&known->put_texts, hash, &at) && !strcmp(text_at(known, at), text))
		return (uint32_t)at;
	at = add_text(known, text, length + 1);
	idmap_put(&known->put_texts, hash, at);
	return (uint32_t)at;
}

/* Returns the number + 1 of a level, adding it if it is new. */
static uint32_t put_level(struct names_known *known, const struct known_level *level)
{
	uint64_t hash = hash_bytes(level, sizeof(*level)), number;

	if (idmap_get(&known->put_levels, hash, &number) &&
	    !memcmp(&known->levels[number], level, sizeof(*level)))
		return (uint32_t)number + 1;
	GROW(known->levels, known->level_count + 1, known->level_alloc);
	known->levels[known->level_count++] = *level;
	idmap_put(&known->put_levels, hash, known->level_count - 1);
	return (uint32_t)known->level_count;
}

/* Returns whether a stretch is a whole procedure of which only the name is known. */
static bool is_plain(uint64_t start, uint64_t end, const struct name *levels, size_t count)
{
	return count == 1 && levels->start == start && levels->size == end - start &&
	       !levels->file[0] && !levels->language[0] && !levels->line;
}

/* Returns the number of a stretch's levels, adding them if they are new. */
static uint32_t put_levels(struct names_known *known, const struct name *levels, size_t count)
{
	uint32_t outer = 0;

	while (count--) {
		const struct name *name = &levels[count];
		struct known_level level = { .start = name->start,
					     .size = name->size,
					     .procedure = put_text(known, name->procedure),
					     .section = put_text(known, name->section),
					     .file = put_text(known, name->file),
					     .language = put_text(known, name->language),
					     .line = (uint32_t)name->line,
					     .outer = outer };

		outer = put_level(known, &level);
	}
	return outer;
}

bool names_known_add(struct names_known *known, uint64_t start, uint64_t end,
		     const struct name *levels, size_t count)
{
	uint32_t level;

	if (start >= end || end - start > UINT32_MAX || !count ||
	    known->stretch_count >= STRETCHES_MAX || known->text_length >= TEXTS_MAX ||
	    known->level_count >= STRETCHES_MAX)
		return false;
	copy_from_file(known);
	if (is_plain(start, end, levels, count)) {
		level = KNOWN_PLAIN |
			add_text(known, levels->procedure, strlen(levels->procedure) + 1);
		add_text(known, levels->section, strlen(levels->section) + 1);
	} else {
		level = put_levels(known, levels, count);
	}
	if (known->run_count && (known->run[known->run_count - 1].start >= start ||
				 names_known_next(known, known->run[0].start) < start))
		names_known_merge(known);
	GROW(known->run, known->run_count + 1, known->run_alloc);
	known->run[known->run_count++] =
		(struct known_stretch){ start, (uint32_t)(end - start), level };
	return true;
}

void names_known_merge(struct names_known *known)
{
	size_t count = known->run_count, at = count ? behind(known, known->run[0].start) : 0;

	if (!count)
		return;
	GROW(known->stretches, known->stretch_count + count, known->stretch_alloc);
	memmove(&known->stretches[at + count], &known->stretches[at],
		(known->stretch_count - at) * sizeof(*known->stretches));
	memcpy(&known->stretches[at], known->run, count * sizeof(*known->run));
	known->stretch_count += count;
	known->run_count = 0;
}

void names_known_set_note(struct names_known *known, const char *note)
{
	copy_from_file(known);
	known->note = put_text(known, note);
}

const char *names_known_note(const struct names_known *known)
{
	return text_at(known, known->note);
}
