/* SPDX-License-Identifier: Apache-2.0 */
/* OUTFIL: a path of the sorted records to one or several outputs. */
#ifndef VIGIL_UTILITIES_SORT_OUTFIL_H
#define VIGIL_UTILITIES_SORT_OUTFIL_H

#include "utilities/sort/reformat.h"
#include "utilities/sort/sort-report.h"

enum outfil_split { SPLIT_NONE, SPLIT_TURN, SPLIT_ONCE };

struct outfil {
	char **names; /* DDs; none: SORTOUT */
	size_t name_count, name_alloc;
	struct condition *condition; /* NULL: all */
	bool omit, save;	     /* save: takes what no other OUTFIL took */
	uint64_t start, end;	     /* first and last record, from 1 */
	uint64_t sample, sampled;    /* takes the first sampled of every sample records; 0: all */
	uint64_t repeat;
	enum outfil_split split;
	uint64_t split_by; /* records that each output gets in its turn */
	struct reformat reformat;
	bool to_fixed, to_variable; /* VTOF or CONVERT, FTOV */
	bool filled, trimmed;	    /* VLFILL, VLTRIM */
	char fill, trim;
	unsigned null_code; /* return code of an empty output */
	struct sort_report report;
	struct location location;
};

void outfil_init(struct outfil *outfil);
void outfil_parse(struct scan *scan, struct outfil *outfil);
void outfil_release(struct outfil *outfil);
/* Parses RC0, RC4 or RC16 of NULLOFL and NULLOUT. */
void outfil_scan_null_code(struct scan *scan, unsigned *code);

#endif
