/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots and record sets in the form of the public headers. */
#ifndef VIGIL_ENGINE_MODULES_VIEWS_H
#define VIGIL_ENGINE_MODULES_VIEWS_H

#include "engine/modules/opened-data.h"

/* Returns a snapshot of the operation's engine for modules and clients; NULL for NULL. */
const struct vigil_snapshot *views_snapshot(struct vigil_engine *opened,
					    const struct snapshot *snapshot);
/* Returns the snapshot of a view; NULL when the view is none of this engine's. */
const struct snapshot *views_inner(const struct vigil_engine *opened,
				   const struct vigil_snapshot *view);
/* Returns the set of a type in a view, NULL when it has no records. */
const struct vigil_set *views_set(const struct vigil_snapshot *view, uint32_t id);
/* Marks a record for views_drop. Returns -1 when set does not belong to the view. */
int views_mark(struct vigil_engine *opened, const struct snapshot *snapshot,
	       const struct vigil_set *set, uint64_t number);
/* Discards the marked records of a snapshot. Returns their number. */
size_t views_drop(struct vigil_engine *opened, struct snapshot *snapshot);
/* Frees all views, before the operation's engine is freed. */
void views_release(struct vigil_engine *opened);

/*
 * Makes the record type of a public description, for a registry. Returns -1 when
 * it is invalid. The caller frees type->fields.
 */
int views_make_type(const struct vigil_record_type *from, struct record_type *type,
		    struct error *err);
/* Returns whether records of a type begin with a struct vigil_prefix. */
bool views_has_prefix(const struct record_type *type);

struct vigil_snapshot *views_copy(const struct vigil_snapshot *snapshot);
void views_copy_free(struct vigil_snapshot *copy);
struct vigil_set *views_clone(const struct vigil_set *set);

#endif
