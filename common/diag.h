/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Diagnostics: messages about the user's input, with a location.
 *
 * A struct source is one input text, split into lines. A struct location refers to
 * a part of one line of it. Code that finds an error queues a message with
 * diag_add and goes on checking; at the end diag_print shows each message with its
 * card and a caret:
 *
 * 	payroll.jcl:12:9: VIG1103E DISP status NEU is not known; expected NEW, OLD, SHR or MOD
 * 	    //MASTER DD DSN=PAY.MASTER,DISP=(NEU,KEEP)
 * 	                                     ^~~
 *
 * Ids are stable once released and each has an entry in doc/vigil-messages.7.
 * Number ranges: 0001-0999 commands and common, 1000-1999 JCL, 2000-2999 control
 * statements, 3000-3999 measurement, 4000-4999 sample data sets and engine,
 * 5000-5999 running jobs, 6000-6999 reports.
 */
#ifndef VIGIL_COMMON_DIAG_H
#define VIGIL_COMMON_DIAG_H

#include "common/strbuf.h"

struct error;

/* The severity letter at the end of an id; the value is the exit status. */
enum severity {
	SEVERITY_INFO = 0,    /* I: no action needed */
	SEVERITY_WARNING = 4, /* W: worth checking; work went on */
	SEVERITY_ERROR = 8,   /* E: this part was not done */
	SEVERITY_SEVERE = 12, /* S: nothing was done */
};

/* One input text. Lines are numbered from 1 and stored without their line ends. */
struct source {
	char *name; /* file name or DD name, as the user knows it */
	char *text; /* the whole text, each line ended by NUL */
	size_t length;
	struct source_line {
		const char *text; /* points into the source's text */
		size_t length;	  /* without CR and LF */
	} *lines;
	size_t line_count;
	struct source *next; /* sources form a list that owns them */
};

/* Part of one line. line 0 means "no location"; column counts from 1. */
struct location {
	const struct source *source; /* borrowed; must live as long as the trees that refer to it */
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
	size_t printed_count; /* number of messages already written by diag_print_new */
};

#define DIAG_LIST_INIT                                                                             \
	{                                                                                          \
		NULL, 0, 0, 0                                                                      \
	}

/*
 * Splits a text (which is copied) into lines at LF; a CR before the LF is dropped.
 * NUL bytes are kept.
 */
struct source *source_new(const char *name, const char *text, size_t length);
/* Reads a whole file; "-" is standard input. Returns NULL with the reason in err on failure. */
struct source *source_read(const char *path, struct error *err);
/* Frees a list of sources. */
void source_free(struct source *list);

/* Queues a message; never prints. location NULL: no location. Returns -1. */
int diag_add(struct diag_list *list, enum severity severity, unsigned number,
	     const struct location *location, const char *format, ...) PRINTFLIKE(5, 6);
/* Returns the highest severity queued, SEVERITY_INFO if the list is empty. */
enum severity diag_max_severity(const struct diag_list *list);
/* Sorts by source, line and column; messages about one location keep their order. */
void diag_sort(struct diag_list *list);
/* Writes all messages with card and caret; returns their number. */
size_t diag_print(const struct diag_list *list, FILE *stream);
/* Writes the messages queued since the last call; returns their number. */
size_t diag_print_new(struct diag_list *list, FILE *stream);
/* Appends one message as diag_print writes it. */
void diag_format(const struct diag *diag, struct strbuf *sb);
/*
 * Escapes the text from an offset on so that it cannot manipulate a terminal or a
 * log: control characters and bytes that are not UTF-8 become C escapes ("\\n",
 * "\\033"). All messages go through this, because file names may contain any
 * bytes. A message is one line, so call it before line ends are added.
 */
void diag_escape(struct strbuf *sb, size_t from);
/*
 * Appends a card as it is shown on a terminal or in a listing, each character in
 * its column: unprintable characters and bytes that are not UTF-8 become '.', tabs
 * become blanks.
 */
void diag_add_printable(struct strbuf *sb, const char *text, size_t length);
/* Appends an id such as "VIG1103E". */
void diag_format_id(struct strbuf *sb, unsigned number, enum severity severity);
void diag_list_release(struct diag_list *list);

/*
 * Returns the range from the start of first to the end of last if both are on one
 * line, else first.
 */
struct location location_join(const struct location *first, const struct location *last);

#endif
