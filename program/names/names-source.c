/* SPDX-License-Identifier: Apache-2.0 */
/* Reads source files and shows single lines of them. */
#include "common/compat.h"
#include "program/names/names-source.h"
#include "common/utf8.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

void source_cache_init(struct source_cache *cache)
{
	memset(cache, 0, sizeof(*cache));
	strmap_init(&cache->paths);
}

void source_cache_release(struct source_cache *cache)
{
	for (size_t i = 0; i < cache->count; i++) {
		if (!cache->files[i])
			continue;
		strbuf_release(&cache->files[i]->text);
		free(cache->files[i]->lines);
		free(cache->files[i]);
	}
	free(cache->files);
	strmap_release(&cache->paths);
}

/* Reads the text of a regular file; returns false if it is not one or is too large. */
static bool read_text(struct source_file *file)
{
	struct stat status;
	int fd = open(file->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	bool whole;

	if (fd < 0)
		return false;
	whole = !fstat(fd, &status) && S_ISREG(status.st_mode) && status.st_size > 0 &&
		status.st_size <= SOURCE_MAX_SIZE && !strbuf_read_fd(&file->text, fd);
	close(fd);
	if (whole)
		file->modified = status.st_mtime;
	return whole;
}

/* Splits the text into lines. */
static void split_lines(struct source_file *file)
{
	char *at = file->text.text, *end = at + file->text.length;
	size_t alloc = 0;

	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		GROW(file->lines, file->line_count + 1, alloc);
		file->lines[file->line_count++] = at;
		if (!newline)
			break;
		*newline = '\0';
		at = newline + 1;
	}
}

struct source_file *source_file_get(struct source_cache *cache, const char *path)
{
	uint32_t number = strmap_put(&cache->paths, path);
	struct source_file *file;

	GROW(cache->files, (size_t)number + 1, cache->alloc);
	while (cache->count <= number)
		cache->files[cache->count++] = NULL;
	if (cache->files[number])
		return cache->files[number];
	file = xcalloc(1, sizeof(*file));
	file->path = strmap_text(&cache->paths, number);
	strbuf_init(&file->text);
	if (read_text(file))
		split_lines(file);
	cache->files[number] = file;
	return file;
}

/* Bytes of the UTF-8 character at text if it has several and is no control character; else 0. */
static size_t character_bytes(const unsigned char *text)
{
	size_t bytes;
	uint32_t code = utf8_decode((const char *)text, &bytes);

	return code >= 0xa0 && code != UINT32_MAX ? bytes : 0;
}

/* Appends one character of a source line; invalid UTF-8 is taken for Latin-1. */
static size_t show_character(const unsigned char *text, struct strbuf *sb)
{
	size_t length = character_bytes(text);

	if (length) {
		strbuf_add(sb, text, length);
		return length;
	}
	if (*text < ' ' || *text == 0x7f) {
		strbuf_addch(sb, ' ');
	} else if (*text < 0x80) {
		strbuf_addch(sb, (char)*text);
	} else {
		strbuf_addch(sb, (char)(0xc0 | *text >> 6));
		strbuf_addch(sb, (char)(0x80 | (*text & 0x3f)));
	}
	return 1;
}

/* Returns how many characters at text can be shown unchanged. */
static size_t count_plain(const char *text, const char *end, size_t most)
{
	size_t count = 0;

	while (count < most && text + count < end && text[count] >= ' ' && text[count] < 0x7f)
		count++;
	return count;
}

void source_file_show(const struct source_file *file, uint64_t line, struct strbuf *sb)
{
	const char *text, *end;
	size_t start = sb->length;

	if (!line || line > file->line_count)
		return;
	text = file->lines[line - 1];
	end = text + strlen(text);
	if (file->fixed && !memchr(text, '\t', strnlen(text, 7))) {
		if (end - text > 72)
			end = text + 72;
		text = end - text > 6 ? text + 6 : end;
	}
	text += strspn(text, " \t\r\f");
	while (text < end && sb->length - start < SOURCE_MAX_TEXT) {
		size_t plain = count_plain(text, end, SOURCE_MAX_TEXT - (sb->length - start));

		strbuf_add(sb, text, plain);
		text += plain ? plain : show_character((const unsigned char *)text, sb);
	}
	while (sb->length > start && sb->text[sb->length - 1] == ' ')
		strbuf_setlen(sb, sb->length - 1);
}
