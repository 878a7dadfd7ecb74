/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which records and items a text output shows. Users name them in either case:
 * "MEM" is a record type, or the module that produces it, "DSK.reads" one item of
 * it, "DEFAULT" a group of modules.
 */
#ifndef VIGIL_METRICS_SELECTION_H
#define VIGIL_METRICS_SELECTION_H

#include "engine/snapshot.h"

struct selection_part {
	char *record;
	char *item;    /* NULL: all of them */
	bool optional; /* a member of a group: need not exist */
	bool known;    /* the type, and the item, exist */
	bool found;    /* there were records */
};

/* Without parts it selects all metrics. Zero-initialized it is empty. */
struct selection {
	struct selection_part *parts;
	size_t count, alloc;
	bool built_in; /* without parts: the records of a measurement session too */
};

/* Adds what a text names. Returns false when it is no name. */
bool selection_add(struct selection *selection, const char *text);
void selection_release(struct selection *selection);
/* Marks the parts that name existing types. Returns whether all required ones exist. */
bool selection_settle(struct selection *selection, const struct registry *types);
/* Marks the parts for which a snapshot has records. */
void selection_mark(struct selection *selection, const struct snapshot *snapshot);
/* Return whether records of a type, and a field of them, are shown; NULL: all metrics. */
bool selection_has(const struct selection *selection, const struct record_type *type);
bool selection_has_item(const struct selection *selection, const struct record_type *type,
			size_t field);

#endif
