/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types known to an engine or a file reader: the built-in ones under
 * their fixed ids, and those that modules and files add at run time. An id is
 * valid only in its registry; between registries, types are matched by name.
 */
#ifndef VIGIL_ENGINE_REGISTRY_H
#define VIGIL_ENGINE_REGISTRY_H

#include "common/error.h"
#include "engine/record.h"

struct registry {
	const struct record_type **types; /* by id, NULL where unused */
	size_t count;			  /* all ids are below it */
	size_t alloc;
};

/*
 * Initializes a registry with the built-in types, which include those of the
 * engine (engine-records.h).
 */
void registry_init(struct registry *registry, const struct record_catalogue *built_in);
void registry_release(struct registry *registry);
/*
 * Registers a type and returns the registry's copy, with its id there. A type of
 * the same name must have the same fields and is returned unchanged. Returns NULL
 * with err when it has other fields, when the description is invalid, or when
 * there are too many types.
 */
const struct record_type *registry_add(struct registry *registry, const struct record_type *type,
				       struct error *err);
/* Sets the meaning of a type made at run time, or of its field number; SIZE_MAX: of the type. */
void registry_explain(struct registry *registry, const struct record_type *type, size_t number,
		      const char *meaning);
/* Return the type of an id or of a name, NULL when there is none. */
const struct record_type *registry_type(const struct registry *registry, uint64_t id);
const struct record_type *registry_find(const struct registry *registry, const char *name);

#endif
