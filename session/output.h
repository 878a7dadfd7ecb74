/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output of a command, a statement or a job, and its target (struct
 * output_target): a stream, a whole file, a new or extended file, a DD. It appears
 * whole or not at all, as far as its target allows.
 *
 * OUTPUT_WHOLE: a regular file is written under a temporary name next to its final
 * one and renamed by output_commit, in the folder that existed when it was opened,
 * even if that is moved meanwhile. If the path is a link, the link stays and the
 * file it refers to is replaced. A device, a pipe or an open descriptor
 * (/dev/stdout) is written directly. A NULL path is standard output. A sample data
 * set is never replaced: output can be printed again, but a measurement cannot be
 * repeated.
 */
#ifndef VIGIL_SESSION_OUTPUT_H
#define VIGIL_SESSION_OUTPUT_H

#include "common/error.h"

enum output_kind {
	OUTPUT_WHOLE,	 /* path */
	OUTPUT_STREAM,	 /* to stream, which belongs to the caller: what was written stays */
	OUTPUT_IN_PLACE, /* to path, in place: a DD, whose file and lock belong to the job */
	OUTPUT_ANEW,	 /* to path, in place; deleted if it cannot be written whole */
	OUTPUT_APPENDED, /* to path, after its content; truncated again if it cannot be written
			  * whole */
};

struct output_target {
	enum output_kind kind;
	const char *path; /* of a file; NULL with OUTPUT_WHOLE: standard output */
	FILE *stream;	  /* for OUTPUT_STREAM */
};

struct output {
	FILE *stream;
	enum output_kind kind;
	const char *path; /* borrowed; NULL: standard output, or a stream */
	int folder;	  /* where the temporary file is; open while place is not NULL */
	char *temporary;  /* its name there; NULL: written directly */
	char *place;	  /* the name that it replaces, links followed; NULL: written directly */
	off_t start;	  /* length of the file before, for OUTPUT_APPENDED */
};

/* Opens the output for a target. */
int output_begin(struct output *output, const struct output_target *target, struct error *err);
/* Opens an output of the kind OUTPUT_WHOLE. */
int output_open(struct output *output, const char *path, struct error *err);
/* Closes the output and puts it in place; -1 if it could not be written completely. */
int output_commit(struct output *output, struct error *err);
/* Closes the output and restores what was there before; not possible for a stream or a DD. */
void output_abandon(struct output *output);
/* Returns whether the reader of the stream has gone (a closed pipe), which needs no message. */
bool output_reader_gone(const struct output *output);

#endif
