/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An input of a sort: reads a DD's records, prefixes variable ones with their
 * descriptor of four bytes, drops the records that SKIPREC, INCLUDE, OMIT and
 * STOPAFT exclude, and reformats by INREC. Watches the signs of zoned fields
 * (sign-check.h).
 */
#ifndef VIGIL_UTILITIES_SORT_INPUT_H
#define VIGIL_UTILITIES_SORT_INPUT_H

#include "utilities/dd.h"
#include "utilities/sort/sign-check.h"

/* The form of records at one stage of the sort. */
struct sort_form {
	struct attributes attributes; /* of the input; unknown for lines of text */
	bool variable;		      /* records begin with a descriptor */
	bool fixed;		      /* all records have one length */
	size_t length;		      /* of the longest record with its descriptor; 0: unknown */
};

struct sort_counts {
	uint64_t read, deleted; /* deleted: by INCLUDE or OMIT */
};

struct sort_input {
	char name[9];
	struct sort_request *request;
	struct sort_counts *counts;
	struct record_reader *reader;
	struct sort_form form; /* before INREC */
	struct strbuf image;   /* a variable record with its descriptor */
	struct utility *utility; /* receives the warning about signs */
	struct sign_check signs;
	uint64_t number;       /* of the record in the input, from 1 */
	uint64_t skip, left;   /* numbers of records still to skip and still to take */
};

/* Opens an input. -1 after a message; the caller closes it in this case too. */
int sort_input_open(struct sort_input *input, const char *name, struct sort_request *request,
		    struct sort_counts *counts, struct utility *utility);
/*
 * Reads the next record, which is valid until the next call for any input of the
 * request. 1: read, 0: end, -1: error.
 */
int sort_input_next(struct sort_input *input, struct sort_record *record, struct error *err);
void sort_input_close(struct sort_input *input);

#endif
