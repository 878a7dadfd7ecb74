/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a sort: OUTREC, then SORTOUT and what each OUTFIL says. */
#ifndef VIGIL_UTILITIES_SORT_SORT_OUTPUT_H
#define VIGIL_UTILITIES_SORT_SORT_OUTPUT_H

#include "utilities/sort/input.h"
#include "utilities/sort/merge.h"

struct sort_output;

/* form: of the records that come. -1 after a message; close it also then. */
int sort_output_open(struct sort_output **output, struct utility *utility,
		     struct sort_request *request, const struct sort_form *form);
/* A sort_taker. */
int sort_output_take(void *output, const struct sort_record *record, struct error *err);
/* Records that came. */
uint64_t sort_output_count(const struct sort_output *output);
/*
 * Writes what is held, say what each OUTFIL wrote, free. good: the sort itself
 * went well. -1 with the reason.
 */
int sort_output_close(struct sort_output *output, bool good, struct error *err);

#endif
