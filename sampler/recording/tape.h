/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tape: the calls of a session to its source (common/outside.h) and the answers,
 * one entry each, in order, with the calls of the session's own user between them.
 *
 * An entry is a number of its kind, its arguments and its result, each a varint,
 * the error number if the result is negative, then a text and bytes, each with its
 * length, where its kind has one. Clocks are differences from the last entry of the
 * same clock. Both directions need the same state, which begins at zero.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_H
#define VIGIL_SAMPLER_RECORDING_TAPE_H

#include "common/compat.h"
#include "common/strbuf.h"

/* Kinds of entries: their numbers are part of the format. New ones come at the end. */
enum tape_kind {
	TAPE_END = 0,
	/* Calls of outside.h, with their arguments. */
	TAPE_CLOCK = 1,	      /* id; the time */
	TAPE_OPEN = 2,	      /* flags; text: path */
	TAPE_CLOSE = 3,	      /* descriptor */
	TAPE_READ = 4,	      /* descriptor, size, offset; bytes */
	TAPE_LINK = 5,	      /* size; text: path; bytes */
	TAPE_ENTRIES = 6,     /* descriptor, size; bytes */
	TAPE_STATUS = 7,      /* folder, flags; text: path; bytes: struct statx */
	TAPE_MEMORY = 8,      /* thread, address, size; bytes */
	TAPE_PEER = 9,	      /* process, descriptor; bytes: the address */
	TAPE_POLL = 10,	      /* number of descriptors, timeout; bytes: revents, 16 bits each */
	TAPE_TIMER = 11,      /* */
	TAPE_SET_TIMER = 12,  /* descriptor, first, interval */
	TAPE_PROCESS = 13,    /* process */
	TAPE_PROCESSORS = 14, /* */
	TAPE_DESCRIPTORS = 15, /* whether to raise; bytes: struct rlimit */
	TAPE_EVENT = 16,      /* task, processor, event, period */
	TAPE_CONTROL = 17,    /* descriptor, request, the number before, the number afterwards */
	TAPE_RING = 18,	      /* descriptor, size; the ring's number, from 1; 0: refused */
	TAPE_DROP_RING = 19,  /* ring */
	TAPE_RING_HEAD = 20,  /* ring; the head; bytes: what is new */
	TAPE_TRACE = 21,      /* request, task, address, data if it is a number; bytes: data otherwise */
	TAPE_WAIT_TASK = 22,  /* task, options; bytes: siginfo_t */
	TAPE_SLEEP = 23,      /* ns */
	TAPE_SHARE = 24,      /* text: path; its number, from 1; size in the fourth argument */
	TAPE_REFRESH = 25,    /* area, offset, size; bytes: none if nothing has changed */
	TAPE_UNSHARE = 26,    /* area */
	TAPE_KINDS
};

enum { TAPE_ARGUMENTS = 4 };

/* Limits of what is read. */
#define TAPE_TEXT_MAX 4096
#define TAPE_BYTES_MAX (16U << 20)

struct tape_entry {
	enum tape_kind kind;
	int64_t arguments[TAPE_ARGUMENTS]; /* those that the kind has; others 0 */
	int64_t result;
	int error;	  /* errno if the result is negative */
	const char *text; /* not NUL-terminated when it was read; NULL: none */
	size_t text_length;
	const void *bytes;
	size_t size;
};

/* What entries build on. */
struct tape_state {
	int64_t clocks[16]; /* by id */
};

/* Appends an entry. */
void tape_put(struct strbuf *to, struct tape_state *state, const struct tape_entry *entry);
/*
 * Reads the entry at *at, which ends before end, and moves *at behind it; texts and
 * bytes point into what was read. Returns 1; 0: it is cut off; -1: it is damaged, or
 * of a kind that this version does not know.
 */
int tape_get(const unsigned char **at, const unsigned char *end, struct tape_state *state,
	     struct tape_entry *entry);
/* Returns the name of a kind of entry, for messages. */
const char *tape_kind_name(enum tape_kind kind);
/* Appends an entry in words, for messages. */
void tape_describe(struct strbuf *to, const struct tape_entry *entry);

#endif
