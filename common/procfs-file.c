/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file of /proc or /sys that stays open. */
#include "common/compat.h"
#include "common/procfs-file.h"
#include "common/outside.h"

#include <fcntl.h>
#include <unistd.h>

/* Maximum length of a line, plus one. */
enum { SHORT_LINE = 256 };

int procfs_file_open(struct procfs_file *file, const char *path)
{
	strbuf_init(&file->text);
	file->fd = outside_open(path, O_RDONLY | O_CLOEXEC);
	return file->fd < 0 ? -1 : 0;
}

int procfs_file_read(struct procfs_file *file)
{
	struct strbuf *text = &file->text;

	strbuf_reset(text);
	for (;;) {
		ssize_t length;

		/* The kernel returns most files page by page, each ending at a line end. */
		if (text->alloc < text->length + 4096)
			strbuf_grow(text, 8192);
		length = outside_read_at(file->fd, text->text + text->length,
					 text->alloc - text->length - 1, (off_t)text->length);
		if (length < 0 && errno == EINTR)
			continue;
		if (length <= 0) {
			/* Half a file is worse than none. */
			strbuf_setlen(text, length < 0 ? 0 : text->length);
			return length < 0 ? -1 : 0;
		}
		text->length += (size_t)length;
		text->text[text->length] = '\0';
	}
}

int procfs_file_read_line(struct procfs_file *file)
{
	struct strbuf *text = &file->text;
	ssize_t length;

	strbuf_reset(text);
	strbuf_grow(text, SHORT_LINE);
	do
		length = outside_read_at(file->fd, text->text, SHORT_LINE, 0);
	while (length < 0 && errno == EINTR);
	RETURN_IF(length < 0, -1);
	RETURN_IF(length == SHORT_LINE, procfs_file_read(file));
	text->length = (size_t)length;
	text->text[text->length] = '\0';
	return 0;
}

void procfs_file_close(struct procfs_file *file)
{
	if (file->fd >= 0)
		outside_close(file->fd);
	file->fd = -1;
	strbuf_release(&file->text);
}
