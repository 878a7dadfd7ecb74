/* SPDX-License-Identifier: Apache-2.0 */
/* Builds text in the caller's memory, and writes it. */
#include "agent/agent-text.h"

#include <unistd.h>

/* Number of decimal digits of the largest number. */
#define DIGITS 20

struct agent_text agent_text_in(char *memory, size_t size)
{
	memory[0] = '\0';
	return (struct agent_text){ .text = memory, .size = size };
}

static void add_bytes(struct agent_text *text, const char *more, size_t length)
{
	memcpy(text->text + text->length, more, length);
	text->length += length;
	text->text[text->length] = '\0';
}

void agent_text_add(struct agent_text *text, const char *more)
{
	size_t length = strlen(more), space = text->size - 1 - text->length;

	if (length > space) {
		length = space;
		text->truncated = true;
	}
	add_bytes(text, more, length);
}

/* Appends a number in a base. */
static void add_number(struct agent_text *text, uint64_t number, unsigned base, unsigned width)
{
	char digits[DIGITS], *end = digits + sizeof(digits), *at = end;

	do {
		*--at = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	while (at > digits && (size_t)(end - at) < width)
		*--at = '0';
	if ((size_t)(end - at) > text->size - 1 - text->length)
		text->truncated = true;
	else
		add_bytes(text, at, (size_t)(end - at));
}

void agent_text_number(struct agent_text *text, uint64_t number, unsigned width)
{
	add_number(text, number, 10, width);
}

void agent_text_signed(struct agent_text *text, int64_t number)
{
	if (number < 0)
		agent_text_add(text, "-");
	agent_text_number(text, number < 0 ? -(uint64_t)number : (uint64_t)number, 0);
}

void agent_text_hex(struct agent_text *text, uint64_t number)
{
	add_number(text, number, 16, 0);
}

void agent_text_error(struct agent_text *text, int number)
{
	const char *known = strerrordesc_np(number);

	if (known) {
		agent_text_add(text, known);
	} else {
		agent_text_add(text, "error ");
		agent_text_signed(text, number);
	}
}

int agent_write(int fd, const void *data, size_t size)
{
	const char *at = data;

	while (size > 0) {
		ssize_t written = write(fd, at, size);

		if (written < 0 && errno == EINTR)
			continue;
		if (written <= 0)
			return -1;
		at += written;
		size -= (size_t)written;
	}
	return 0;
}

void agent_write_error(const struct agent_text *text)
{
	int saved = errno;

	if (agent_write(STDERR_FILENO, text->text, text->length) < 0)
		errno = saved; /* there is no way to report it */
	errno = saved;
}
