/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Part of libsampler.
 *
 * The tape of a recording: every call by which a session learned something from
 * outside (common/outside.h), with its result, and every call that the session
 * itself got, in their order, as bytes.
 *
 * Coding. An entry is a byte: its kind, with TAPE_TEXT, TAPE_DATA and TAPE_FAILED
 * added where it has them. Numbers follow as in varint.h, signed: the differences
 * of a, b and of the result to those of the entry of the same kind before; then, as
 * far as it has them, the number of its text, the error number, and the data with
 * their length before them. Texts are numbered from 1 in the order of their
 * appearance; the next free number is followed by the length and the bytes of a
 * new text. Entries are not divided: a piece of tape holds whole ones.
 */
#ifndef VIGIL_SAMPLER_RECORDING_TAPE_H
#define VIGIL_SAMPLER_RECORDING_TAPE_H

#include "common/strbuf.h"
#include "common/strmap.h"

/* What was called. Stable in files. a, b, text, data: as the comment says; result: of the call. */
enum tape_kind {
	TAPE_CLOCK = 1,	   /* a: id */
	TAPE_OPEN,	   /* text: path; a: flags */
	TAPE_CLOSE,	   /* a: descriptor */
	TAPE_READ,	   /* a: descriptor, b: offset, -1 none; data: read */
	TAPE_LINK,	   /* text: path; data: target */
	TAPE_ENTRIES,	   /* a: descriptor; data: entries */
	TAPE_STATUS,	   /* text: path; a: folder, b: flags; data: struct statx */
	TAPE_MEMORY,	   /* a: thread, b: address; data: memory */
	TAPE_PEER,	   /* a: process, b: descriptor; data: address */
	TAPE_POLL,	   /* a: number of descriptors; data: pairs of int, descriptor and events */
	TAPE_TIMER,	   /* - */
	TAPE_SET_TIMER,	   /* a: descriptor */
	TAPE_PROCESS,	   /* a: process */
	TAPE_OWN,	   /* - */
	TAPE_PROCESSORS,   /* - */
	TAPE_DESCRIPTORS,  /* a: raise; data: struct rlimit */
	TAPE_EVENT,	   /* a: process, b: tape_event_of; data: struct perf_event_attr */
	TAPE_CONTROL,	   /* a: descriptor, b: request; data: the number that came out */
	TAPE_RING,	   /* a: descriptor, b: size; result: its number, from 0 */
	TAPE_DROP_RING,	   /* a: number of the ring */
	TAPE_RING_HEAD,	   /* a: number of the ring; data: what was written since */
	TAPE_TRACE,	   /* a: request, b: thread; data: what came out */
	TAPE_WAIT_TASK,	   /* a: thread, b: options; data: siginfo_t */
	TAPE_SLEEP,	   /* a: ns */
	TAPE_SHARE,	   /* b: size; result: its number, from 0 */
	TAPE_REFRESH,	   /* a: number of the area; data: changes, tape-area.h */
	TAPE_UNSHARE,	   /* a: number of the area */
	TAPE_NOTE,	   /* a: enum outside_note, b: key; data */
	TAPE_SESSION = 29, /* a call that the session got: a, b, text, data as its owner likes */
	TAPE_KINDS	   /* at most 32 */
};

/* Added to the kind. */
#define TAPE_TEXT 0x20
#define TAPE_DATA 0x40
#define TAPE_FAILED 0x80

struct tape_entry {
	enum tape_kind kind;
	uint64_t a, b;
	const char *text; /* "": none */
	int64_t result;
	int error; /* errno, where the result is negative; else 0 */
	const void *data;
	size_t size;
};

/* The differences of which entries are made; the same on both sides. */
struct tape_state {
	struct {
		uint64_t a, b;
		int64_t result;
	} last[TAPE_KINDS];
	struct strmap texts;
};

struct tape_writer {
	struct tape_state state;
	struct strbuf bytes; /* the piece so far; its owner takes and empties it */
	uint64_t entries;    /* number of all */
	/* Called behind an entry with which the piece has this size, to take it; NULL: never. */
	void (*full)(void *argument);
	void *argument;
	size_t piece_size;
};

void tape_writer_init(struct tape_writer *writer);
void tape_writer_release(struct tape_writer *writer);
void tape_write(struct tape_writer *writer, const struct tape_entry *entry);

struct tape_reader {
	struct tape_state state;
	const unsigned char *at, *end; /* the rest of the piece; borrowed */
	uint64_t entries;	       /* number of all that were read */
};

void tape_reader_init(struct tape_reader *reader);
void tape_reader_release(struct tape_reader *reader);
/* Gives the next piece, once the one before was read; it is borrowed while entries of it are used. */
void tape_feed(struct tape_reader *reader, const void *bytes, size_t size);
/*
 * Reads the next entry; its data point into the piece, its text lives as long as
 * the reader. Returns 1; 0: the piece is at its end; -1: it is damaged.
 */
int tape_read(struct tape_reader *reader, struct tape_entry *entry);
/* Returns how many bytes a request of ptrace(2) writes to its data. */
size_t tape_traced_size(int request);
struct perf_event_attr;

/* Returns the number of an event's kind and processor: the kind's config, and the processor in the low 32 bits. */
uint64_t tape_event_of(const struct perf_event_attr *attr, int processor);
/* Returns the config of the event that an entry of kind TAPE_EVENT is about. */
uint64_t tape_event_config(const struct tape_entry *entry);
/* Returns what a kind is called in messages: "a clock", "a file to open". */
const char *tape_kind_name(enum tape_kind kind);

#endif
