/* SPDX-License-Identifier: Apache-2.0 */
/* Snapshots and record sets in the form of the public headers. */
#ifndef VIGIL_ENGINE_MODULES_VIEWS_H
#define VIGIL_ENGINE_MODULES_VIEWS_H

#include "engine/modules/opened-data.h"

/* A snapshot of the operation's engine for modules and clients; NULL for NULL. */
const struct vigil_snapshot *views_snapshot(struct vigil_engine *opened,
					    const struct snapshot *snapshot);
/* The snapshot that a view is of; NULL when it is none of this engine's. */
const struct snapshot *views_inner(const struct vigil_engine *opened,
				   const struct vigil_snapshot *view);
/* The set of a type in a view, NULL when it has no records. */
const struct vigil_set *views_set(const struct vigil_snapshot *view, uint32_t id);
/* Marks a record for views_drop; -1 when set is none of the view. */
int views_mark(struct vigil_engine *opened, const struct snapshot *snapshot,
	       const struct vigil_set *set, uint64_t number);
/* Lets the marked records of a snapshot go; returns how many. */
size_t views_drop(struct vigil_engine *opened, struct snapshot *snapshot);
/* Forgets all views: the operation's engine goes. */
void views_release(struct vigil_engine *opened);

/* The record type of a public description, made for a registry; -1 when it is wrong. The caller
   frees type->fields. */
int views_make_type(const struct vigil_record_type *from, struct record_type *type,
		    struct error *err);
/* Returns whether records of a type begin with a struct vigil_prefix. */
bool views_has_prefix(const struct record_type *type);

struct vigil_snapshot *views_copy(const struct vigil_snapshot *snapshot);
void views_copy_free(struct vigil_snapshot *copy);
struct vigil_set *views_clone(const struct vigil_set *set);

#endif
