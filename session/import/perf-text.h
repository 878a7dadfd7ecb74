/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads the output of perf script: samples with their fields, and below each one
 * the call stack, innermost first. Fields may be missing (perf script -F), except
 * for the task number, the time and the event. Lines of records added by
 * --show-switch-events and similar options are read as far as they are useful
 * here.
 *
 * A malformed line is reported with its number and skipped.
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
	const char *symbol; /* "": unknown */
	uint64_t inside;    /* bytes from the start of the function */
	bool inlined;	    /* inlined into the next frame */
	const char *object; /* "": not given */
	const char *file;   /* "": not given */
	uint64_t line;
};

struct text_record {
	enum text_kind kind;
	uint64_t number;	  /* of its first line */
	const char *comm;
	uint32_t pid, tid;	  /* pid: same as tid if the text has only one number;
				   * UINT32_MAX: has ended */
	uint32_t processor;	  /* UINT32_MAX: not given */
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

/* Receives a message about a line. */
typedef void text_take_damage(void *argument, uint64_t line, const char *text);

struct perf_text;

/* Returns whether these first bytes may be such a text. */
bool perf_text_is(const unsigned char *bytes, size_t size);
/*
 * Creates a reader of an open file, from its beginning; the caller keeps ownership
 * of the descriptor. NULL with errno.
 */
struct perf_text *perf_text_new(int fd, text_take_damage *damage, void *argument);
void perf_text_free(struct perf_text *text);
/* Reads the next record, valid until the next call; false at the end. */
bool perf_text_next(struct perf_text *text, struct text_record *record);

#endif
