/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics: messages about the user's input, with a place.
 *
 * A struct source is one input text cut into lines. A struct location points
 * at a stretch of one line of it. Whoever finds something wrong queues a
 * message with diag_add and goes on checking; at the end diag_print shows
 * each with its card and a caret:
 *
 *	payroll.jcl:12:9: VIG1103E DISP status NEU is not known; expected NEW, OLD, SHR or MOD
 *	    //MASTER DD DSN=PAY.MASTER,DISP=(NEU,KEEP)
 *	                                     ^~~
 *
 * Ids are stable once released and each has an entry in doc/vigil-messages.7.
 * Number ranges: 0001-0999 commands and common, 1000-1999 JCL,
 * 2000-2999 control statements, 3000-3999 measurement, 4000-4999 sample data
 * sets and engine, 5000-5999 running jobs, 6000-6999 reports.
 */
#ifndef VIGIL_COMMON_DIAG_H
#define VIGIL_COMMON_DIAG_H

#include "common/strbuf.h"

struct error;

/* The severity letter at the end of an id, and the exit status it stands for. */
enum severity {
	SEVERITY_INFO = 0,    /* I: nothing to do */
	SEVERITY_WARNING = 4, /* W: worth a look; work went on */
	SEVERITY_ERROR = 8,   /* E: this part was not done */
	SEVERITY_SEVERE = 12, /* S: nothing was done */
};

/* One input text. Lines are numbered from 1 and kept without their line end. */
struct source {
	char *name; /* file name or DD name, as the user knows it */
	char *text; /* the whole text, each line ended by NUL */
	size_t length;
	struct source_line {
		const char *text; /* into the source's text */
		size_t length;	  /* without CR and LF */
	} *lines;
	size_t line_count;
	struct source *next; /* sources form a list that owns them */
};

/* A stretch of one line. line 0 means "no place"; column counts from 1. */
struct location {
	const struct source *source; /* borrowed; lives as long as the trees that point at it */
	unsigned line;
	unsigned column;
	unsigned length; /* characters to underline, at least 1 */
};

struct diag {
	enum severity severity;
	unsigned number; /* the digits of VIGnnnnX */
	struct location location;
	char *text; /* one sentence, no newline, no id */
};

struct diag_list {
	struct diag *items;
	size_t count, alloc;
	size_t told; /* those that diag_print_new has written, the first ones */
};

#define DIAG_LIST_INIT                                                                             \
	{                                                                                          \
		NULL, 0, 0, 0                                                                      \
	}

/* Cut a text (copied) into lines at LF; CRs before it are dropped. A NUL byte is kept in place. */
struct source *source_new(const char *name, const char *text, size_t length);
/* Read a whole file; NULL when it cannot be read, with the reason in err. "-" is standard input. */
struct source *source_read(const char *path, struct error *err);
/* Free a list of sources. */
void source_free(struct source *list);

/* Queue a message. location may be NULL for "no place". Never prints. Returns -1. */
int diag_add(struct diag_list *list, enum severity severity, unsigned number,
	     const struct location *location, const char *format, ...) PRINTFLIKE(5, 6);
/* The highest severity queued, SEVERITY_INFO when the list is empty. */
enum severity diag_worst(const struct diag_list *list);
/* Sort by source, line and column, keeping the order of messages about one place. */
void diag_sort(struct diag_list *list);
/* Write all messages with card and caret; returns how many were written. */
size_t diag_print(const struct diag_list *list, FILE *stream);
/* Write those that were queued since the last call, so that each is written once; how many. */
size_t diag_print_new(struct diag_list *list, FILE *stream);
/* Append one message the way diag_print writes it. */
void diag_format(const struct diag *diag, struct strbuf *sb);
/*
 * Write the text from a place on so that a terminal or a log cannot be fooled
 * by it: control characters and bytes that are no UTF-8 as C writes them
 * ("\\n", "\\033"). All messages go through this, for names of files have any
 * bytes; a message is one line, so call it before line ends are added.
 */
void diag_escape(struct strbuf *sb, size_t from);
/* Append a card as a terminal or a listing may be shown it, each character at its column: those
   that cannot be printed, and bytes that are no UTF-8, as '.', tabs as blanks. */
void diag_add_printable(struct strbuf *sb, const char *text, size_t length);
/* Append "VIG1103E". */
void diag_format_id(struct strbuf *sb, unsigned number, enum severity severity);
void diag_list_release(struct diag_list *list);

/* The stretch from the start of first to the end of last when both lie on one line, else first. */
struct location location_join(const struct location *first, const struct location *last);

#endif
