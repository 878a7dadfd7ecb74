/* SPDX-License-Identifier: Apache-2.0 */
/* Reads source files and splits them into lines. */
#include "common/compat.h"
#include "profile/source-text.h"
#include "common/clock.h"
#include "common/strbuf.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* No hand-written source is larger. */
enum { MAX_SOURCE_BYTES = 32 << 20 };

void source_texts_init(struct source_texts *texts)
{
	memset(texts, 0, sizeof(*texts));
	strmap_init(&texts->paths);
}

void source_texts_release(struct source_texts *texts)
{
	for (size_t i = 0; i < texts->count; i++) {
		free(texts->files[i].content);
		free(texts->files[i].lines);
	}
	strmap_release(&texts->paths);
	free(texts->files);
}

/* Returns when the content of a file was last modified, ns since 1970. */
static uint64_t time_changed(const struct stat *status)
{
	return clock_timespec_ns(&status->st_mtim);
}

/* Returns the content of a regular file, NUL-terminated; NULL if it cannot be read. */
static char *read_whole(const char *path, size_t *length, uint64_t *changed)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
	char *content = NULL;
	struct stat status;
	ssize_t got = 1;

	*length = 0;
	if (fd >= 0 && fstat(fd, &status) == 0 && S_ISREG(status.st_mode) &&
	    status.st_size < MAX_SOURCE_BYTES) {
		content = xmalloc((size_t)status.st_size + 1);
		while (got > 0 && *length < (size_t)status.st_size) {
			got = read(fd, content + *length, (size_t)status.st_size - *length);
			*length += got > 0 ? (size_t)got : 0;
		}
		content[*length] = '\0';
		*changed = time_changed(&status);
	}
	if (fd >= 0)
		close(fd);
	return content;
}

/* Splits the content into lines. */
static void split_lines(struct source_file *file, size_t length)
{
	char *at = file->content, *end = file->content + length;

	while (at < end) {
		char *newline = memchr(at, '\n', (size_t)(end - at));

		GROW(file->lines, file->count + 1, file->alloc);
		file->lines[file->count++] = at;
		if (!newline)
			break;
		*newline = '\0';
		if (newline > at && newline[-1] == '\r')
			newline[-1] = '\0';
		at = newline + 1;
	}
}

/* Returns the file of a path, reading it on the first request. */
static const struct source_file *find(struct source_texts *texts, const char *path)
{
	size_t number = strmap_put(&texts->paths, path), before = texts->count;
	struct source_file *file;
	size_t length;

	GROW(texts->files, texts->paths.count, texts->alloc);
	while (texts->count < texts->paths.count)
		texts->files[texts->count++] = (struct source_file){ 0 };
	file = &texts->files[number];
	if (number < before || !*path)
		return file;
	file->content = read_whole(path, &length, &file->changed);
	if (file->content)
		split_lines(file, length);
	return file;
}

const char *source_texts_find(struct source_texts *texts, const char *name, const char *folder)
{
	struct strbuf path = STRBUF_INIT;
	const char *found = name;
	uint32_t number;

	if (!*name || *name == '/' || *folder != '/')
		return name;
	strbuf_addf(&path, "%s/%s", folder, name);
	if (find(texts, path.text)->count) {
		number = strmap_put(&texts->paths, path.text);
		found = strmap_text(&texts->paths, number);
	}
	strbuf_release(&path);
	return found;
}

const char *source_texts_line(struct source_texts *texts, const char *path, uint64_t line)
{
	const struct source_file *file = find(texts, path);

	return line && line <= file->count ? file->lines[line - 1] : "";
}

char *const *source_texts_lines(struct source_texts *texts, const char *path, size_t *count)
{
	const struct source_file *file = find(texts, path);

	*count = file->count;
	return file->lines;
}

size_t source_texts_count(struct source_texts *texts, const char *path)
{
	return find(texts, path)->count;
}

uint64_t source_texts_changed(struct source_texts *texts, const char *path)
{
	return find(texts, path)->changed;
}

uint64_t source_texts_file_changed(const char *path)
{
	struct stat status;

	if (stat(path, &status) < 0)
		return 0;
	return time_changed(&status);
}
