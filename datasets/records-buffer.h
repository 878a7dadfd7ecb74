/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Buffered input and output for records.c: a file with a large buffer, in which
 * records are returned in place. "/dev/stdin" and "/dev/stdout" are the process's
 * own streams, even if they cannot be opened again.
 */
#ifndef VIGIL_DATASETS_RECORDS_BUFFER_H
#define VIGIL_DATASETS_RECORDS_BUFFER_H

#include "common/error.h"

/* Bytes start to end of data were read and are not used yet. */
struct record_input {
	int fd;
	char *path;
	char *data;
	size_t alloc, start, end;
};

/* Opens the input. -1 with the reason; it must be released in any case. */
int record_input_open(struct record_input *input, const char *path, struct error *err);
/* Reads more after the unused bytes, which may move. 1: there is more; 0: the end; -1: an error. */
int record_input_more(struct record_input *input, struct error *err);
void record_input_release(struct record_input *input);

/* Bytes 0 to length of data are not written yet. */
struct record_output {
	int fd;
	char *path;
	char *data;
	size_t alloc, length;
};

/*
 * Opens the output, created if missing, emptied unless append. -1 with the reason;
 * it must be released in any case.
 */
int record_output_open(struct record_output *output, const char *path, bool append,
		       struct error *err);
/* Returns space for size more bytes, which the caller fills; NULL with the reason. */
char *record_output_reserve(struct record_output *output, size_t size, struct error *err);
/* Writes the buffer and closes the file. -1 with the reason. */
int record_output_close(struct record_output *output, struct error *err);
void record_output_release(struct record_output *output);
/* Returns whether a write of this process failed for lack of space. */
bool record_output_disk_full(void);

#endif
