/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What records.c reads from and writes to: a file with a large buffer of its
 * own, in which records are handed out where they lie. "/dev/stdin" and
 * "/dev/stdout" are the process's own streams, also where they cannot be
 * opened anew.
 */
#ifndef VIGIL_DATASETS_RECORDS_BUFFER_H
#define VIGIL_DATASETS_RECORDS_BUFFER_H

#include "common/error.h"

/* Bytes start to end of data are read and not yet used. */
struct record_input {
	int fd;
	char *path;
	char *data;
	size_t alloc, start, end;
};

/* -1 with the reason; release it also then. */
int record_input_open(struct record_input *input, const char *path, struct error *err);
/*
 * Reads more behind the bytes that are there, which may move. 1: there is more, 0:
 * the end, -1: an error.
 */
int record_input_more(struct record_input *input, struct error *err);
void record_input_release(struct record_input *input);

/* Bytes 0 to length of data are not yet written. */
struct record_output {
	int fd;
	char *path;
	char *data;
	size_t alloc, length;
};

/* Made when it is missing; emptied unless append. -1 with the reason; release it also then. */
int record_output_open(struct record_output *output, const char *path, bool append,
		       struct error *err);
/* Room for size more bytes, which count as written; NULL with the reason. */
char *record_output_room(struct record_output *output, size_t size, struct error *err);
/* Writes what is held and close. -1 with the reason. */
int record_output_close(struct record_output *output, struct error *err);
void record_output_release(struct record_output *output);
/* Returns whether this process could not write something because there was no room for it. */
bool record_output_no_room(void);

#endif
