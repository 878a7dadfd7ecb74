/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The compiled request of SORT's control statements. vigil-sort(7) lists the
 * statements. If several sources give the same one, the source read later counts:
 * SYSIN, the PARM of EXEC, DFSPARM.
 */
#ifndef VIGIL_UTILITIES_SORT_SORT_REQUEST_H
#define VIGIL_UTILITIES_SORT_SORT_REQUEST_H

#include "utilities/sort/outfil.h"

struct sort_key {
	struct sort_field field;
	bool descending;
};

enum sort_kind { SORT_UNKNOWN, SORT_SORT, SORT_MERGE, SORT_COPY };

/* Statements that name zoned fields. */
enum zoned_place {
	ZONED_CONDITION,
	ZONED_INREC,
	ZONED_KEYS,
	ZONED_SUM,
	ZONED_OUTREC,
	ZONED_OUTFIL,
	ZONED_PLACES
};

struct sort_request {
	enum sort_kind kind;
	bool copy; /* OPTION COPY, which overrides SORT */
	struct sort_key *keys;
	size_t key_count, key_alloc;
	struct condition *condition; /* INCLUDE or OMIT; NULL: all records */
	bool omit;
	struct reformat inrec, outrec;
	bool unique; /* SUM FIELDS=NONE */
	struct sort_field *sums;
	size_t sum_count, sum_alloc;
	struct outfil *outfils;
	size_t outfil_count, outfil_alloc;
	uint64_t skip, stop; /* SKIPREC; STOPAFT, UINT64_MAX: all */
	unsigned null_code;  /* NULLOUT: return code when SORTOUT has no records */
	bool short_keys;     /* VLSHRT: variable records may end within their keys */
	bool variable;	     /* RECORD TYPE=V: indexed and relative records have descriptors */
	enum sign_kind sign; /* the site's rule */
	enum sign_style zoned_style; /* of zoned sums that are not negative: ZDPRINT is SIGN_F */
	struct sort_fields zoned[ZONED_PLACES]; /* fields with a sign in a digit, by statement */
	unsigned char altseq[256];
	uint64_t memory;   /* bytes for sorting; 0: not given */
	unsigned sources;  /* number of sources read */
	unsigned said[16]; /* by operation: number of the last source that gave it; 0: none */
};

void sort_request_init(struct sort_request *request);
/* Adds the statements of one more source; errors are added to diags. */
void sort_request_read(struct sort_request *request, const struct sort_statement *statements,
		       struct diag_list *diags);
void sort_request_release(struct sort_request *request);

#endif
