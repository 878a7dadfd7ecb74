/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a command, a statement or a job writes, and where it goes (struct
 * output_target): to a stream, a file whole, a file anew or behind what is
 * there, a DD. It appears whole or not at all, as far as its target allows.
 *
 * Whole: a regular file is written beside its place and moved there by
 * output_commit, in the folder that was there when it was opened, wherever that
 * is moved meanwhile; where the path is a link, the link stays and the file it
 * leads to is replaced. A device, a pipe or an open descriptor (/dev/stdout) is
 * written directly. A NULL path is standard output. A sample data set is never
 * replaced: what is printed can be printed again, what was measured cannot be
 * measured again.
 */
#ifndef VIGIL_SESSION_OUTPUT_H
#define VIGIL_SESSION_OUTPUT_H

#include "common/error.h"

enum output_kind {
	OUTPUT_WHOLE,	 /* path */
	OUTPUT_STREAM,	 /* stream, which is somebody else's: what was written stays */
	OUTPUT_IN_PLACE, /* path, written where it is: a DD, whose place and lock belong to the job */
	OUTPUT_ANEW,	 /* path, the same; taken away when it cannot be written whole */
	OUTPUT_APPENDED, /* path, behind what is there; cut off when it cannot be written whole */
};

struct output_target {
	enum output_kind kind;
	const char *path; /* of a file; of OUTPUT_WHOLE NULL is standard output */
	FILE *stream;	  /* of OUTPUT_STREAM */
};

struct output {
	FILE *stream;
	enum output_kind kind;
	const char *path; /* borrowed; NULL standard output, or a stream */
	int folder;	  /* where a file is written beside its place; open while place is there */
	char *temporary;  /* its name there, NULL when written directly */
	char *place;	  /* the name that it replaces, links followed; NULL as temporary */
	off_t start;	  /* of OUTPUT_APPENDED: how long the file was */
};

/* Opens what leads to a target. */
int output_begin(struct output *output, const struct output_target *target, struct error *err);
/* OUTPUT_WHOLE. */
int output_open(struct output *output, const char *path, struct error *err);
/* Closes and puts in place; -1 when not all could be written. */
int output_commit(struct output *output, struct error *err);
/* Closes and leaves what was there before: of a stream nothing can be taken back, nor of a DD. */
void output_abandon(struct output *output);
/* Returns whether the reader of the stream is gone (a closed pipe): no reason for a message. */
bool output_reader_gone(const struct output *output);

#endif
