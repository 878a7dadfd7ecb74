/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames between the engine and a module's process: a kind, and bytes. Both ends
 * are copies of one process, so numbers and structures are sent as they are in
 * memory. Data from the module's end are checked nevertheless, as its memory may
 * have been overwritten.
 */
#ifndef VIGIL_ENGINE_MODULES_FRAMES_H
#define VIGIL_ENGINE_MODULES_FRAMES_H

#include "common/strbuf.h"

enum frame_kind {
	FRAME_CALL = 1, /* a call for the module's process */
	FRAME_ANSWER,	/* results of the call */
	FRAME_MESSAGE,	/* a message sent during the call */
	FRAME_HALT,	/* halt requested during the call */
};

/* Maximum length of a frame; a snapshot of a very large machine is below it. */
#define FRAME_MAX (256U << 20)

/* Sends a frame until a deadline (ns monotonic; UINT64_MAX: none). Returns false on failure. */
bool frame_send(int fd, enum frame_kind kind, const struct strbuf *body, uint64_t before);
/* Receives a frame into body, likewise. */
bool frame_receive(int fd, enum frame_kind *kind, struct strbuf *body, uint64_t before);

/* Appends to a body. */
void frame_put(struct strbuf *body, const void *data, size_t size);
void frame_put_number(struct strbuf *body, uint64_t number);
void frame_put_text(struct strbuf *body, const char *text);

/* Reads a body sequentially; broken is set once it has too few bytes. */
struct frame_reader {
	const char *at;
	size_t left;
	bool broken;
};
void frame_read(struct frame_reader *reader, const struct strbuf *body);
/* Returns the next size bytes, NULL when broken. */
const void *frame_take(struct frame_reader *reader, size_t size);
uint64_t frame_take_number(struct frame_reader *reader);
/* Returns the next text, "" when broken. */
const char *frame_take_text(struct frame_reader *reader);

#endif
