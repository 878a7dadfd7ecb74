/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The request in the control statements of IEBGENER: the members to make, and for
 * each its groups of records that are edited alike.
 */
#ifndef VIGIL_UTILITIES_IEBGENER_REQUEST_H
#define VIGIL_UTILITIES_IEBGENER_REQUEST_H

#include "utilities/utility.h"

enum iebgener_conversion {
	CONVERT_NONE,
	CONVERT_PZ, /* packed to zoned */
	CONVERT_ZP, /* zoned to packed */
};

struct iebgener_field {
	size_t length;	      /* in the input; for a literal, in the output */
	size_t input, output; /* columns, from 0 */
	char *literal;	      /* output instead of input; NULL: none */
	enum iebgener_conversion conversion;
};

/*
 * A RECORD statement: applies to the records up to the one that has the text of
 * IDENT, or to the end.
 */
struct iebgener_group {
	struct iebgener_field *fields; /* none: records are copied unchanged */
	size_t field_count, field_alloc;
	char *ident; /* NULL: all remaining records */
	size_t ident_at;
	unsigned line; /* of SYSIN */
};

struct iebgener_member {
	char **names; /* the member's name, then its aliases; none: the output is no library */
	size_t name_count, name_alloc;
	struct iebgener_group *groups; /* none: all remaining records are copied unchanged */
	size_t group_count, group_alloc;
	unsigned line;
};

struct iebgener_request {
	struct iebgener_member *members; /* at least one */
	size_t member_count, member_alloc;
	bool edits;   /* there is a RECORD or MEMBER statement */
	bool invalid; /* an error was reported */
};

/* Reads SYSIN; a missing SYSIN requests a copy. -1 after messages, one for each error found. */
int iebgener_request_read(struct iebgener_request *request, struct utility *utility);
void iebgener_request_release(struct iebgener_request *request);

#endif
