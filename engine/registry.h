/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The record types that an engine, or a reader of files, knows: those that
 * are built in under their own ids, and those that
 * modules and files bring at run time. An id is valid in its registry only;
 * between registries, types go by their name.
 */
#ifndef VIGIL_ENGINE_REGISTRY_H
#define VIGIL_ENGINE_REGISTRY_H

#include "common/error.h"
#include "engine/record.h"

struct registry {
	const struct record_type **types; /* by id, NULL where there is none */
	size_t count;			  /* ids are below it */
	size_t alloc;
};

/* A registry that holds the built-in types, among them those of the engine (engine-records.h). */
void registry_init(struct registry *registry, const struct record_catalogue *built_in);
void registry_release(struct registry *registry);
/*
 * Registers a type and return it as the registry has it, with its id there. The
 * registry keeps a copy of all of it. A type of the same name must have the same
 * fields and is returned as it is. NULL with err when it has other fields, when
 * the description is wrong, or when there are too many types.
 */
const struct record_type *registry_add(struct registry *registry, const struct record_type *type,
				       struct error *err);
/* Says what a type made at run time means, or (number) one of its fields; SIZE_MAX the type. */
void registry_explain(struct registry *registry, const struct record_type *type, size_t number,
		      const char *meaning);
/* The type of an id or of a name, NULL when there is none. */
const struct record_type *registry_type(const struct registry *registry, uint64_t id);
const struct record_type *registry_find(const struct registry *registry, const char *name);

#endif
