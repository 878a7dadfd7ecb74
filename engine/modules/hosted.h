/* SPDX-License-Identifier: Apache-2.0 */
/*
 * External modules in operations of vigil's programs, which create the operation's
 * engine (engine/engine.h) themselves and add their modules to it. Libraries are
 * registered as by any client (vigil/engine.h), then
 *
 * 	hosted_prepare		what the modules do in the operation
 * 	again:
 * 	inner = hosted_begin()	an engine that has their record types
 * 	engine_add(inner, ...)	the program's own modules
 * 	hosted_add		the external ones
 * 	engine_prepare(inner), when it fails: hosted_refuse, and if that is true again
 * 	... the operation, with hosted_count_snapshot after each snapshot
 * 	hosted_end		ends the engine too
 *
 * Without libraries this costs next to nothing.
 */
#ifndef VIGIL_ENGINE_MODULES_HOSTED_H
#define VIGIL_ENGINE_MODULES_HOSTED_H

#include "engine/engine.h"
#include "vigil/engine.h"

/* Lets the modules declare what they do in the operation. */
void hosted_prepare(struct vigil_engine *engine, const struct vigil_operation *operation);
/*
 * Creates a new engine for the operation and ends an earlier one. engine owns it.
 * Returns NULL with err.
 */
struct engine *hosted_begin(struct vigil_engine *engine, struct error *err);
/* Adds the modules that take part; only: just those with one of these capabilities, 0: all. */
int hosted_add(struct vigil_engine *engine, uint32_t only, struct error *err);
/*
 * Returns whether one of them caused engine_prepare to fail: it is then left out,
 * with a message, and the engine must be created again.
 */
bool hosted_refuse(struct vigil_engine *engine, struct error *err);
/* Ends the operation. */
void hosted_end(struct vigil_engine *engine);

/* Returns whether a module that takes part has one of the capabilities in this operation. */
bool hosted_has(const struct vigil_engine *engine, uint32_t capabilities);
/* Counts a snapshot. */
void hosted_count_snapshot(struct vigil_engine *engine);
/* Returns the times and counts of the operation as set by timers and monitors. */
const struct vigil_global *hosted_settings(const struct vigil_engine *engine);

/*
 * Returns a snapshot as it is written: records in their private form where they
 * have one. Valid until hosted_forget, which must be called next.
 */
const struct snapshot *hosted_to_stored(struct vigil_engine *engine, struct snapshot *snapshot);
void hosted_forget(struct vigil_engine *engine, struct snapshot *snapshot);
/* Converts the records of a snapshot that was read to their public form. */
void hosted_to_public(struct vigil_engine *engine, struct snapshot *snapshot);

/* A registered module by number, for listings; hosted_module returns false after the last. */
struct hosted_module {
	const struct vigil_module *module;
	const struct vigil_private *declared;
	const char *library;		/* path */
	const char *refusal;		/* why it cannot take part, NULL: it can */
	const struct module *inner;	/* in the operation's engine, or NULL */
	const struct record_type *type; /* NULL: none */
};
bool hosted_module(const struct vigil_engine *engine, size_t number, struct hosted_module *found);
/* Appends the missing privilege for which it would not be started; nothing when it has all. */
void hosted_missing_privilege(const struct hosted_module *module, struct strbuf *sb);
/*
 * Calls each for the path of every library in the folders searched, in their
 * order; skips one with the name of an earlier one, as it would not be found.
 */
void hosted_libraries(const struct vigil_engine *engine,
		      void (*each)(void *argument, const char *path), void *argument);

#endif
