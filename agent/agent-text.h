/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Text in memory of the caller's, put together where snprintf may not be called.
 *
 *	char line[64];
 *	struct agent_text text = agent_text_in(line, sizeof(line));
 *
 *	agent_text_add(&text, "code ");
 *	agent_text_number(&text, 12, 4);	(0012)
 *
 * The text always ends with NUL. What does not fit is left out, and cut says
 * so; a number is never left out in part.
 */
#ifndef VIGIL_AGENT_AGENT_TEXT_H
#define VIGIL_AGENT_AGENT_TEXT_H

#include "agent/agent.h"

struct agent_text {
	char *text;
	size_t size;   /* of the memory, at least 1 */
	size_t length; /* below size */
	bool cut;      /* something did not fit */
};

struct agent_text agent_text_in(char *memory, size_t size);
/* Append a text, as far as it fits. */
void agent_text_add(struct agent_text *text, const char *more);
/* Append a number in decimal, with zeros before it to at least width digits (20 at most). */
void agent_text_number(struct agent_text *text, uint64_t number, unsigned width);
/* Append a number with its sign when it is below 0. */
void agent_text_signed(struct agent_text *text, int64_t number);
/* Append a number in hexadecimal, lower case. */
void agent_text_hex(struct agent_text *text, uint64_t number);
/* Append what the system says of an errno, in English; its number when it knows none. */
void agent_text_error(struct agent_text *text, int number);
/* Write all bytes to fd. -1 with errno set when it took only a part. */
int agent_write(int fd, const void *data, size_t size);
/* Write a message, a line with its end, to standard error. */
void agent_write_error(const struct agent_text *text);

#endif
