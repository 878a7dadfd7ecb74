/* SPDX-License-Identifier: Apache-2.0 */
/* A growing text buffer. */
#include "common/compat.h"
#include "common/strbuf.h"
#include "common/outside.h"
#include "common/varint.h"
#include "common/xalloc.h"

#include <fcntl.h>
#include <unistd.h>

char strbuf_empty[1];

void strbuf_init(struct strbuf *sb)
{
	sb->alloc = 0;
	sb->length = 0;
	sb->text = strbuf_empty;
}

void strbuf_release(struct strbuf *sb)
{
	if (sb->alloc)
		free(sb->text);
	strbuf_init(sb);
}

char *strbuf_detach(struct strbuf *sb, size_t *length)
{
	char *text = sb->alloc ? sb->text : xstrdup("");

	if (length)
		*length = sb->length;
	strbuf_init(sb);
	return text;
}

void strbuf_grow(struct strbuf *sb, size_t extra)
{
	size_t need = sb->length + extra + 1;
	bool fresh = sb->alloc == 0;

	assert(need > sb->length);
	if (need <= sb->alloc)
		return;
	if (need < sb->alloc + sb->alloc / 2 + 32)
		need = sb->alloc + sb->alloc / 2 + 32;
	sb->text = xreallocarray(fresh ? NULL : sb->text, need, 1);
	sb->alloc = need;
	if (fresh)
		sb->text[0] = '\0';
}

void strbuf_setlen(struct strbuf *sb, size_t length)
{
	assert(length <= sb->length);
	sb->length = length;
	if (sb->alloc)
		sb->text[length] = '\0';
}

void strbuf_addch(struct strbuf *sb, char c)
{
	strbuf_addchars(sb, c, 1);
}

void strbuf_addchars(struct strbuf *sb, char c, size_t count)
{
	strbuf_grow(sb, count);
	memset(sb->text + sb->length, c, count);
	sb->length += count;
	sb->text[sb->length] = '\0';
}

void strbuf_add(struct strbuf *sb, const void *data, size_t length)
{
	if (!length)
		return;
	strbuf_grow(sb, length);
	memcpy(sb->text + sb->length, data, length);
	sb->length += length;
	sb->text[sb->length] = '\0';
}

void strbuf_addstr(struct strbuf *sb, const char *text)
{
	strbuf_add(sb, text, strlen(text));
}

void strbuf_addnum(struct strbuf *sb, uint64_t number)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number);
	strbuf_add(sb, digits + at, sizeof(digits) - at);
}

void strbuf_addvarint(struct strbuf *sb, uint64_t number)
{
	unsigned char bytes[VARINT_MAX];

	strbuf_add(sb, bytes, (size_t)(varint_write(bytes, number) - bytes));
}

void strbuf_addbuf(struct strbuf *sb, const struct strbuf *other)
{
	strbuf_add(sb, other->text, other->length);
}

void strbuf_vaddf(struct strbuf *sb, const char *format, va_list ap)
{
	va_list again;
	int length;

	strbuf_grow(sb, 64);
	va_copy(again, ap);
	length = vsnprintf(sb->text + sb->length, sb->alloc - sb->length, format, again);
	va_end(again);
	assert(length >= 0);
	if ((size_t)length >= sb->alloc - sb->length) {
		strbuf_grow(sb, (size_t)length);
		vsnprintf(sb->text + sb->length, sb->alloc - sb->length, format, ap);
	}
	sb->length += (size_t)length;
}

void strbuf_addf(struct strbuf *sb, const char *format, ...)
{
	va_list ap;

	va_start(ap, format);
	strbuf_vaddf(sb, format, ap);
	va_end(ap);
}

void strbuf_pad_to(struct strbuf *sb, size_t column)
{
	size_t start = sb->length;

	while (start > 0 && sb->text[start - 1] != '\n')
		start--;
	if (sb->length - start < column)
		strbuf_addchars(sb, ' ', column - (sb->length - start));
}

void strbuf_rtrim(struct strbuf *sb)
{
	size_t length = sb->length;

	while (length > 0 && strchr(" \t\r\n", sb->text[length - 1]))
		length--;
	strbuf_setlen(sb, length);
}

/* Appends what a function reads of fd. Returns -1 with errno set. */
static int read_all(struct strbuf *sb, int fd, ssize_t (*read_some)(int fd, void *buffer, size_t size))
{
	for (;;) {
		ssize_t got;

		strbuf_grow(sb, 8192);
		got = read_some(fd, sb->text + sb->length, sb->alloc - sb->length - 1);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		sb->length += (size_t)got;
		sb->text[sb->length] = '\0';
		if (got == 0)
			return 0;
	}
}

int strbuf_read_fd(struct strbuf *sb, int fd)
{
	return read_all(sb, fd, read);
}

int strbuf_read_file(struct strbuf *sb, const char *path)
{
	size_t before = sb->length;
	int fd = outside_open(path, O_RDONLY | O_CLOEXEC);
	int result, saved;

	if (fd < 0)
		return -1;
	result = read_all(sb, fd, outside_read);
	saved = errno;
	outside_close(fd);
	if (result < 0)
		strbuf_setlen(sb, before);
	errno = saved;
	return result;
}
