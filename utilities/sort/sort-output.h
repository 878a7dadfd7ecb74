/* SPDX-License-Identifier: Apache-2.0 */
/* The outputs of a sort: OUTREC, then SORTOUT and each OUTFIL. */
#ifndef VIGIL_UTILITIES_SORT_SORT_OUTPUT_H
#define VIGIL_UTILITIES_SORT_SORT_OUTPUT_H

#include "utilities/sort/input.h"
#include "utilities/sort/merge.h"

struct sort_output;

/*
 * Opens the outputs. form: of the records that arrive. -1 after a message; the
 * caller closes output in this case too.
 */
int sort_output_open(struct sort_output **output, struct utility *utility,
		     struct sort_request *request, const struct sort_form *form);
/* Writes a record; a sort_sink. */
int sort_output_take(void *output, const struct sort_record *record, struct error *err);
/* Returns how many records arrived. */
uint64_t sort_output_count(const struct sort_output *output);
/*
 * Writes what is held, reports what each OUTFIL wrote, and frees output. good: the
 * sort itself succeeded. -1 with the reason.
 */
int sort_output_close(struct sort_output *output, bool good, struct error *err);

#endif
