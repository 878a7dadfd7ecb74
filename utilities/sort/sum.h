/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SUM: of the sorted records with equal keys one is kept, to whose fields those of
 * the others are added. Where a sum does not fit its field, both records are kept
 * unchanged.
 */
#ifndef VIGIL_UTILITIES_SORT_SUM_H
#define VIGIL_UTILITIES_SORT_SUM_H

#include "utilities/sort/merge.h"

struct sort_sum {
	const struct sort_request *request;
	const struct sort_keys *keys;
	sort_sink take; /* receives the records */
	void *output;
	struct strbuf held; /* the record to which others may be added */
	bool holds;
	uint64_t deleted, overflows;
};

void sort_sum_init(struct sort_sum *sum, const struct sort_request *request,
		   const struct sort_keys *keys, sort_sink take, void *output);
/* Takes a record; a sort_sink. */
int sort_sum_take(void *sum, const struct sort_record *record, struct error *err);
/* Ends the input: passes on the held record and releases it. */
int sort_sum_end(struct sort_sum *sum, struct error *err);

#endif
