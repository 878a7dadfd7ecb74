/* SPDX-License-Identifier: Apache-2.0 */
/* Parses the text of /proc/self/mountstats. */
#include "common/compat.h"
#include "metrics/mount-statistics.h"

#define BLANKS " \t"

static const char *line_end(const char *at)
{
	return at + strcspn(at, "\n");
}

/* Returns the word at a position of a line, and advances past it. */
static struct text_part word_at(const char **at, const char *end)
{
	struct text_part word;

	while (*at < end && strchr(BLANKS, **at))
		(*at)++;
	word.at = *at;
	while (*at < end && !strchr(BLANKS, **at))
		(*at)++;
	word.length = (size_t)(*at - word.at);
	return word;
}

static bool is(struct text_part part, const char *text)
{
	return strlen(text) == part.length && memcmp(part.at, text, part.length) == 0;
}

/* Returns whether the line at a position begins a mount. */
static bool is_head(const char *at)
{
	return strncmp(at, "device ", 7) == 0 || strncmp(at, "no device ", 10) == 0;
}

/*
 * Parses "device A mounted on B with fstype nfs4 statvers=1.1". Returns false when
 * it is no mount of NFS.
 */
static bool take_head(struct mount_statistics *mount, const char *at, const char *end)
{
	static const char *const words[] = { "mounted", "on", NULL, "with", "fstype" };
	struct text_part type;

	RETURN_IF(!is(word_at(&at, end), "device"), false);
	mount->device = word_at(&at, end);
	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		struct text_part word = word_at(&at, end);

		if (!words[i])
			mount->path = word;
		RETURN_IF(words[i] && !is(word, words[i]), false);
	}
	type = word_at(&at, end);
	return is(type, "nfs") || is(type, "nfs4");
}

bool mount_statistics_next(const char **at, struct mount_statistics *mount)
{
	const char *line = *at;
	bool found = false;

	while (*line && !found) {
		const char *end = line_end(line);

		found = take_head(mount, line, end);
		line = *end ? end + 1 : end;
	}
	mount->lines = line;
	while (found && *line && !is_head(line)) {
		line = line_end(line);
		line += *line == '\n';
	}
	mount->end = *at = line;
	return found;
}

bool mount_line_next(const struct mount_statistics *mount, struct mount_line *line)
{
	const char *at = line->end ? line->end + (*line->end == '\n') : mount->lines;

	RETURN_IF(at >= mount->end, false);
	line->end = line_end(at);
	while (at < line->end && strchr(BLANKS, *at))
		at++;
	if (strncmp(at, "per-op statistics", 17) == 0)
		line->operation = true;
	line->key.at = at;
	while (at < line->end && *at != ':')
		at++;
	line->key.length = at < line->end ? (size_t)(at - line->key.at) : 0;
	line->rest = at < line->end ? at + 1 : at;
	return true;
}

bool mount_line_is(const struct mount_line *line, const char *key)
{
	return !line->operation && is(line->key, key);
}

size_t mount_numbers(const struct mount_line *line, uint64_t *numbers, size_t most)
{
	const char *at = line->rest;
	size_t count = 0;

	memset(numbers, 0xff, most * sizeof(*numbers));
	while (count < most) {
		struct text_part word = word_at(&at, line->end);
		char *end;
		uint64_t number;

		if (!word.length)
			break;
		if (*word.at < '0' || *word.at > '9') {
			/*
			 * A word before the numbers, like "tcp", is skipped; after them it ends the
			 * numbers.
			 */
			if (count)
				break;
			continue;
		}
		errno = 0;
		number = strtoull(word.at, &end, 10);
		if (end != word.at + word.length)
			break;
		numbers[count++] = errno || number > INT64_MAX ? UINT64_MAX : number;
	}
	return count;
}

static bool is_octal(const char *at, size_t length)
{
	return length >= 4 && at[0] == '\\' && at[1] >= '0' && at[1] <= '3' && at[2] >= '0' &&
	       at[2] <= '7' && at[3] >= '0' && at[3] <= '7';
}

size_t mount_text(struct text_part part, char *text, size_t size)
{
	size_t length = 0;

	for (size_t i = 0; i < part.length && length < size; i++) {
		const char *at = part.at + i;

		if (is_octal(at, part.length - i)) {
			text[length++] =
				(char)((at[1] - '0') << 6 | (at[2] - '0') << 3 | (at[3] - '0'));
			i += 3;
		} else {
			text[length++] = *at;
		}
	}
	return length;
}
