/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Frames between the engine and a module's process: a kind, and bytes. Both
 * ends are copies of one process, so numbers and structures stand in them as
 * they are in memory; what comes from the module's end is checked all the same,
 * as something may have written over its memory.
 */
#ifndef VIGIL_ENGINE_MODULES_FRAMES_H
#define VIGIL_ENGINE_MODULES_FRAMES_H

#include "common/strbuf.h"

enum frame_kind {
	FRAME_CALL = 1, /* to the module's process */
	FRAME_ANSWER,	/* what it brought */
	FRAME_MESSAGE,	/* said while it was active */
	FRAME_HALT,	/* asked for while it was active */
};

/* The longest frame: a snapshot of a very large machine is below. */
#define FRAME_MAX (256U << 20)

/* Sends a frame before a time (ns monotonic; UINT64_MAX: never mind); false when it cannot be. */
bool frame_send(int fd, enum frame_kind kind, const struct strbuf *body, uint64_t before);
/* Receives one into body, likewise. */
bool frame_receive(int fd, enum frame_kind *kind, struct strbuf *body, uint64_t before);

/* Adds to a body. */
void frame_put(struct strbuf *body, const void *data, size_t size);
void frame_put_number(struct strbuf *body, uint64_t number);
void frame_put_text(struct strbuf *body, const char *text);

/* Take from a body what was added; broken, once it does not hold what is asked for. */
struct frame_reader {
	const char *at;
	size_t left;
	bool broken;
};
void frame_read(struct frame_reader *reader, const struct strbuf *body);
/* So many bytes, NULL when broken. */
const void *frame_take(struct frame_reader *reader, size_t size);
uint64_t frame_take_number(struct frame_reader *reader);
/* A text, "" when broken. */
const char *frame_take_text(struct frame_reader *reader);

#endif
