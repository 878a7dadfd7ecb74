/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Builds text in the caller's memory, where snprintf must not be called.
 *
 * 	char line[64];
 * 	struct agent_text text = agent_text_in(line, sizeof(line));
 *
 * 	agent_text_add(&text, "code ");
 * 	agent_text_number(&text, 12, 4);	(0012)
 *
 * The text always ends with NUL. What does not fit is left out, and truncated is set; a
 * number is never left out in part.
 */
#ifndef VIGIL_AGENT_AGENT_TEXT_H
#define VIGIL_AGENT_AGENT_TEXT_H

#include "agent/agent.h"

struct agent_text {
	char *text;
	size_t size;   /* of the memory, at least 1 */
	size_t length; /* below size */
	bool truncated;      /* set: something did not fit */
};

struct agent_text agent_text_in(char *memory, size_t size);
/* Appends a text, as far as it fits. */
void agent_text_add(struct agent_text *text, const char *more);
/* Appends a number in decimal, padded with zeros to at least width digits (at most 20). */
void agent_text_number(struct agent_text *text, uint64_t number, unsigned width);
/* Appends a number, with a sign if it is below 0. */
void agent_text_signed(struct agent_text *text, int64_t number);
/* Appends a number in hexadecimal, lower case. */
void agent_text_hex(struct agent_text *text, uint64_t number);
/* Appends the system's English text for an errno; its number if there is none. */
void agent_text_error(struct agent_text *text, int number);
/* Writes all bytes to fd. Returns -1 with errno set when only a part was written. */
int agent_write(int fd, const void *data, size_t size);
/* Writes a message, a line with its newline, to standard error. */
void agent_write_error(const struct agent_text *text);

#endif
