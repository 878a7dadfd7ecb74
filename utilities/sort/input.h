/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An input of a sort: reads a DD's records, gives variable ones their
 * descriptor of four bytes, leaves out what SKIPREC, INCLUDE, OMIT and STOPAFT leave out,
 * and reformats by INREC. Watches the signs of zoned fields (sign-check.h).
 */
#ifndef VIGIL_UTILITIES_SORT_INPUT_H
#define VIGIL_UTILITIES_SORT_INPUT_H

#include "utilities/dd.h"
#include "utilities/sort/sign-check.h"

/* What records look like at a place of the way. */
struct sort_form {
	struct attributes attributes; /* of the input; unknown for lines of text */
	bool variable;		      /* with a descriptor */
	bool fixed;		      /* of one length */
	size_t length;		      /* of the longest, with its descriptor; 0 not known */
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
	struct utility *utility; /* gets the warning of the signs */
	struct sign_check signs;
	uint64_t number;       /* of the record in the input, from 1 */
	uint64_t skip, left;   /* records to be passed over, to be taken */
};

/* -1 after a message; close it also then. */
int sort_input_open(struct sort_input *input, const char *name, struct sort_request *request,
		    struct sort_counts *counts, struct utility *utility);
/* The next record, readable until the next call for any input of the request. 1, 0 at the end, -1.
 */
int sort_input_next(struct sort_input *input, struct sort_record *record, struct error *err);
void sort_input_close(struct sort_input *input);

#endif
