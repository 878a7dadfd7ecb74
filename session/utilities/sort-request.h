/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What SORT's control statements ask for.
 *
 *	SORT FIELDS=(position,length,format,order,...)   or FIELDS=COPY
 *	SORT FIELDS=(position,length,order,...),FORMAT=format
 *	MERGE FIELDS=(...)
 *	SUM FIELDS=NONE          one record of each key
 *	INCLUDE COND=(position,length,format,EQ,C'text' | X'hex' | number, AND|OR, ...)
 *	OMIT COND=(...)
 *	OPTION COPY, EQUALS, NOEQUALS
 *	RECORD ..., END
 */
#ifndef VIGIL_SESSION_UTILITIES_SORT_REQUEST_H
#define VIGIL_SESSION_UTILITIES_SORT_REQUEST_H

#include "session/utilities/utility.h"

enum key_format {
	FORMAT_CH, /* characters, by their bytes */
	FORMAT_ZD, /* zoned decimal, also with a leading or trailing sign of its own */
	FORMAT_PD, /* packed decimal */
	FORMAT_BI, /* unsigned binary, big endian */
	FORMAT_FI, /* signed binary, big endian */
};

struct sort_key {
	size_t position, length; /* position from 0 */
	enum key_format format;
	bool descending;
};

enum sort_kind { SORT_SORT, SORT_MERGE, SORT_COPY };

/* One comparison of INCLUDE or OMIT; those joined by AND bind closer than OR. */
struct sort_test {
	struct sort_key field;
	enum sort_relation { TEST_EQ, TEST_NE, TEST_GT, TEST_GE, TEST_LT, TEST_LE } relation;
	bool against_field;
	struct sort_key other; /* against_field */
	char *constant;	       /* bytes, or digits of a number */
	size_t constant_length;
	bool number;
	bool or_follows; /* joined to the next by OR instead of AND */
};

struct sort_request {
	enum sort_kind kind;
	struct sort_key *keys;
	size_t key_count, key_alloc;
	bool unique; /* SUM FIELDS=NONE */
	struct sort_test *tests;
	size_t test_count, test_alloc;
	bool omit;	 /* the tests say what is left out */
	uint64_t memory; /* bytes to sort in; PARM='MAINSIZE=n' */
};

/* Understand all statements; -1 after messages about those that cannot be. */
int sort_request_read(struct sort_request *request, struct utility *utility,
		      struct statement *statements);
void sort_request_release(struct sort_request *request);

#endif
