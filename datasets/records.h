/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Records of a data set, in any form:
 *	text		lines, each ended by a newline
 *	fixed		records of LRECL bytes one after the other (RECFM F, FB)
 *	variable	records with a descriptor in front of each (RECFM V, VB), in the
 *			format that GnuCOBOL reads: COB_VARSEQ_FORMAT of the environment,
 *			else two bytes length, big endian, and two zeros
 *	relative	numbered records of ORGANIZATION RELATIVE
 *	indexed		ORGANIZATION INDEXED, through GnuCOBOL's library (indexed.h)
 *
 * Records are passed without descriptors: data and length are what a program sees
 * in its record area. The form of a file follows from its attributes; it is text
 * if they do not specify it, or if a file of fixed records clearly contains lines.
 */
#ifndef VIGIL_DATASETS_RECORDS_H
#define VIGIL_DATASETS_RECORDS_H

#include "datasets/attributes.h"

enum record_form { RECORD_TEXT, RECORD_FIXED, RECORD_VARIABLE, RECORD_RELATIVE, RECORD_INDEXED };

struct record {
	const char *data;
	size_t length;
	uint64_t number; /* relative: the record's number, from 1; otherwise 0 */
};

struct record_reader;
struct record_writer;

/*
 * Returns the form of a file's records; "/dev/null" and an empty file have the
 * form that the attributes specify.
 */
enum record_form record_form(const char *path, const struct attributes *attributes);

/*
 * Opens a file; the caller closes *reader with record_reader_close. -1 with the
 * reason. An indexed file whose attributes do not say so is refused, because its
 * pages are not records.
 */
int record_reader_open(struct record_reader **reader, const char *path,
		       const struct attributes *attributes, struct error *err);
enum record_form record_reader_form(const struct record_reader *reader);
/*
 * Reads the next record, which is valid until the next call. Indexed: in the order
 * of the attributes' key, by default the primary one. 1: there is one; 0: the end;
 * -1: an error.
 */
int record_read(struct record_reader *reader, struct record *record, struct error *err);
/*
 * Indexed: continues at the first record whose key number key (0: the primary one)
 * is not below these bytes (which may be fewer than the key has), in that key's
 * order. Relative: continues at that number; key and bytes are ignored. 1: there
 * is one; 0: no such record; -1: an error, also for the other forms.
 */
int record_reader_start(struct record_reader *reader, unsigned key, const void *bytes,
			size_t length, uint64_t number, struct error *err);
void record_reader_close(struct record_reader *reader);

enum record_writer_option {
	RECORD_APPEND = 1,  /* after the existing records; otherwise the file is emptied first */
	RECORD_REPLACE = 2, /* indexed and relative: replace a record with the same key or number */
};

/* Opens a file for writing, created if missing. -1 with the reason. */
int record_writer_open(struct record_writer **writer, const char *path,
		       const struct attributes *attributes, unsigned options, struct error *err);
enum record_form record_writer_form(const struct record_writer *writer);
/*
 * Writes a record. Fixed: padded with blanks, or truncated; text: as a line;
 * relative: at its number, or the next if that is 0. 0: written; 1: refused (the
 * key exists already or is out of order; the reason is in err, the writer can
 * continue); -1: an error.
 */
int record_write(struct record_writer *writer, const struct record *record, struct error *err);
/* Writes the buffer, closes the file and frees the writer. -1 if something could not be written. */
int record_writer_close(struct record_writer *writer, struct error *err);

#endif
