/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A file that a command writes: it appears whole or not at all. A regular
 * file is written beside its place and moved there by output_commit; where
 * the path is a link, the link stays and the file it leads to is replaced. A
 * device, a pipe or an open descriptor (/dev/stdout) is written directly. A
 * NULL path is standard output. A sample data set is never replaced: what is
 * printed can be printed again, what was measured cannot be measured again.
 */
#ifndef VIGIL_SESSION_OUTPUT_H
#define VIGIL_SESSION_OUTPUT_H

#include "common/error.h"

struct output {
	FILE *stream;
	const char *path; /* borrowed; NULL standard output */
	char *temporary;  /* written now, NULL when written directly */
	char *place;	  /* what it replaces: path with its links followed; NULL as temporary */
};

int output_open(struct output *output, const char *path, struct error *err);
/* The same, written where it is: for a data set whose place and lock belong to the job. */
int output_open_in_place(struct output *output, const char *path, struct error *err);
/* What both ask: -1 with err when a sample data set stands at path. */
int output_spares(const char *path, struct error *err);
/* Close and put in place; -1 when not all could be written. */
int output_commit(struct output *output, struct error *err);
/* Close and leave what was there before. */
void output_abandon(struct output *output);
/* Whether the reader of the stream is gone (a closed pipe): no reason for a message. */
bool output_reader_gone(const struct output *output);

#endif
