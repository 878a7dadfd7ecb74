/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sorts any number of records in a given memory. Records are collected; when
 * the memory is full they are sorted and written to a work file as a run; at the end the
 * runs are merged. Equal records keep their order.
 */
#ifndef VIGIL_UTILITIES_SORT_SORTER_H
#define VIGIL_UTILITIES_SORT_SORTER_H

#include "utilities/sort/merge.h"

struct sorter;

/*
 * Creates a sorter. memory: bytes for sorting; 0: a share of the machine's free
 * memory. NULL with the reason.
 */
struct sorter *sorter_new(const struct sort_keys *keys, uint64_t memory, struct error *err);
/* Adds a record, which is copied. -1 with the reason. */
int sorter_add(struct sorter *sorter, const struct sort_record *record, struct error *err);
/* Passes all records to take, in order. */
int sorter_finish(struct sorter *sorter, sort_sink take, void *output, struct error *err);
void sorter_free(struct sorter *sorter);

#endif
