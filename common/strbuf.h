/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A growing text buffer: the only way text is built in vigil.
 *
 * Invariants: text is never NULL and always ends with NUL at text[length]; length
 * does not count that NUL; a buffer may contain NUL bytes. This is a low-level
 * part: it knows nothing of diagnostics, files or reports.
 *
 * Life cycle: STRBUF_INIT or strbuf_init, then any calls, then strbuf_release
 * (frees the content; the buffer may be used again) or strbuf_detach (the caller
 * takes the text).
 */
#ifndef VIGIL_COMMON_STRBUF_H
#define VIGIL_COMMON_STRBUF_H

#include "common/compat.h"
#include <stdarg.h>

struct strbuf {
	size_t alloc;  /* bytes allocated, 0: text is the shared empty string */
	size_t length; /* bytes used */
	char *text;    /* the content, NUL at text[length] */
};

extern char strbuf_empty[];
#define STRBUF_INIT                                                                                \
	{                                                                                          \
		0, 0, strbuf_empty                                                                 \
	}

void strbuf_init(struct strbuf *sb);
/* Frees the content; the buffer is empty and usable afterwards. */
void strbuf_release(struct strbuf *sb);
/* Passes ownership of the text to the caller, who frees it; the buffer is empty afterwards. */
char *strbuf_detach(struct strbuf *sb, size_t *length);
/* Makes space for extra more bytes. */
void strbuf_grow(struct strbuf *sb, size_t extra);
/* Truncates to length, which must not exceed the current one; 0 empties; memory is kept. */
void strbuf_setlen(struct strbuf *sb, size_t length);
#define strbuf_reset(sb) strbuf_setlen((sb), 0)

void strbuf_addch(struct strbuf *sb, char c);
void strbuf_addchars(struct strbuf *sb, char c, size_t count);
void strbuf_add(struct strbuf *sb, const void *data, size_t length);
void strbuf_addstr(struct strbuf *sb, const char *text);
/* Appends a number in decimal; for code where strbuf_addf would dominate the time. */
void strbuf_addnum(struct strbuf *sb, uint64_t number);
/* Appends a number of variable length (varint.h). */
void strbuf_addvarint(struct strbuf *sb, uint64_t number);
void strbuf_addbuf(struct strbuf *sb, const struct strbuf *other);
void strbuf_addf(struct strbuf *sb, const char *format, ...) PRINTFLIKE(2, 3);
void strbuf_vaddf(struct strbuf *sb, const char *format, va_list ap) PRINTFLIKE(2, 0);
/* Appends blanks until the current line (since the last newline) is column characters long. */
void strbuf_pad_to(struct strbuf *sb, size_t column);
/* Removes blanks, tabs and newlines at the end. */
void strbuf_rtrim(struct strbuf *sb);
/* Appends a whole file; on failure returns -1 with errno set and leaves the buffer unchanged. */
int strbuf_read_file(struct strbuf *sb, const char *path) MUST_CHECK;
/* Appends what can be read from fd up to its end; returns -1 with errno set on failure. */
int strbuf_read_fd(struct strbuf *sb, int fd) MUST_CHECK;

#endif
