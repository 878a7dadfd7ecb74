/* SPDX-License-Identifier: Apache-2.0 */
/*
 * SUM: of the sorted records with equal keys one is kept, in which the
 * fields of the others are added up. Where a sum has no room in its field
 * both records are kept as they are.
 */
#ifndef VIGIL_UTILITIES_SORT_SUM_H
#define VIGIL_UTILITIES_SORT_SUM_H

#include "utilities/sort/merge.h"

struct sort_sum {
	const struct sort_request *request;
	const struct sort_keys *keys;
	sort_taker take; /* who gets the records */
	void *output;
	struct strbuf held; /* the record that others may be added to */
	bool holds;
	uint64_t deleted, overflows;
};

void sort_sum_init(struct sort_sum *sum, const struct sort_request *request,
		   const struct sort_keys *keys, sort_taker take, void *output);
/* A sort_taker. */
int sort_sum_take(void *sum, const struct sort_record *record, struct error *err);
/* There are no more records; what is held is released too. */
int sort_sum_end(struct sort_sum *sum, struct error *err);

#endif
