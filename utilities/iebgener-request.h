/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the control statements of IEBGENER ask for: the members to make, and
 * for each groups of records that are edited alike.
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
	size_t length;	      /* of the input, or of the literal in the output */
	size_t input, output; /* from 0 */
	char *literal;	      /* put there instead of input; NULL none */
	enum iebgener_conversion conversion;
};

/* A RECORD statement: up to the record that has the text, or to the end. */
struct iebgener_group {
	struct iebgener_field *fields; /* none: records stay as they are */
	size_t field_count, field_alloc;
	char *ident; /* NULL: all that are left */
	size_t ident_at;
	unsigned line; /* of SYSIN */
};

struct iebgener_member {
	char **names; /* the member's, then its aliases; none: the output is no library */
	size_t name_count, name_alloc;
	struct iebgener_group *groups; /* none: all that are left stay as they are */
	size_t group_count, group_alloc;
	unsigned line;
};

struct iebgener_request {
	struct iebgener_member *members; /* at least one */
	size_t member_count, member_alloc;
	bool edits;   /* there is a RECORD or MEMBER */
	bool invalid; /* a message was given */
};

/* -1 after messages, all that there are. No SYSIN asks for a copy. */
int iebgener_request_read(struct iebgener_request *request, struct utility *utility);
void iebgener_request_release(struct iebgener_request *request);

#endif
