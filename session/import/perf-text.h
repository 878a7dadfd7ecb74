/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads what perf script writes: samples with their fields, and below each the call stack, innermost
 * first. Fields may be missing (perf script -F), but for the number of the task, the time and the
 * event. Lines of records that --show-switch-events and the like add are read as far as they tell
 * something here.
 *
 * A line that cannot be read is told with its number, and left out.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_TEXT_H
#define VIGIL_SESSION_IMPORT_PERF_TEXT_H

#include "common/compat.h"
#include "common/strbuf.h"

enum text_kind {
	TEXT_SAMPLE,
	TEXT_SWITCH,
	TEXT_LOST,
	TEXT_HEADER, /* "# name : value" */
};

struct text_frame {
	bool has_address;
	uint64_t address;
	const char *symbol; /* "" unknown */
	uint64_t inside;    /* bytes from the start of the function */
	bool inlined;	    /* into the frame behind it */
	const char *object; /* "" not told */
	const char *file;   /* "" not told */
	uint64_t line;
};

struct text_record {
	enum text_kind kind;
	uint64_t number;	  /* of its first line */
	const char *comm;
	uint32_t pid, tid;	  /* pid: as tid when the text has one number only; UINT32_MAX: has ended */
	uint32_t processor;	  /* UINT32_MAX: not told */
	uint64_t time;		  /* ns */
	bool has_period;
	uint64_t period;
	const char *event;
	const char *rest;	  /* of a tracepoint: its fields */
	struct text_frame *frames;
	size_t frame_count;
	bool out, preempted;	  /* SWITCH */
	uint64_t lost;		  /* LOST */
	const char *name, *value; /* HEADER */
};

/* Takes a sentence on a line. */
typedef void text_take_damage(void *argument, uint64_t line, const char *text);

struct perf_text;

/* Whether these first bytes may be such a text. */
bool perf_text_is(const unsigned char *bytes, size_t size);
/* Read an open file from its beginning; the descriptor stays the caller's. NULL with errno. */
struct perf_text *perf_text_new(int fd, text_take_damage *damage, void *argument);
void perf_text_free(struct perf_text *text);
/* The next record, valid until the next call; false at the end. */
bool perf_text_next(struct perf_text *text, struct text_record *record);

#endif
