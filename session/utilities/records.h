/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a data set: lines of text, or of one fixed length without line
 * ends. Fixed when the DD says RECFM=F or FB with LRECL, unless the file
 * plainly holds lines of text; otherwise lines.
 */
#ifndef VIGIL_SESSION_UTILITIES_RECORDS_H
#define VIGIL_SESSION_UTILITIES_RECORDS_H

#include "common/error.h"

/* Until SORT uses session/datasets/records.h, which has functions of the same names. */
#define record_reader_open sort_reader_open
#define record_reader_open_as sort_reader_open_as
#define record_read sort_read
#define record_reader_close sort_reader_close
#define record_write sort_write

struct record_reader {
	FILE *stream;
	size_t fixed; /* record length; 0: lines */
	char *line;   /* of the last read */
	size_t alloc, length;
};

/* Open a DD for reading. -1 with the reason. */
int record_reader_open(struct record_reader *reader, const char *ddname, struct error *err);
/* Open a file whose kind of record is known (a sort's own work file). */
int record_reader_open_as(struct record_reader *reader, const char *path, size_t fixed,
			  struct error *err);
/* The next record in line and length. 1: there is one, 0: the end, -1: an error. */
int record_read(struct record_reader *reader, struct error *err);
void record_reader_close(struct record_reader *reader);

/* Write a record the way fixed says: padded or cut to that length, or as a line. */
int record_write(FILE *stream, size_t fixed, const char *data, size_t length, struct error *err);

#endif
