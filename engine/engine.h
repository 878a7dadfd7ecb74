/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: runs processor modules (module.h) through a collection or an
 * extraction (seed 003).
 *
 * A client adds modules, then either runs the whole operation (engine_collect,
 * engine_extract), or starts it, takes snapshots one at a time, and finishes it. A
 * collection has exactly one TIMER module, which decides when the next snapshot is
 * due: the engine's (interval_timer_class) unless the client adds another.
 *
 * Between snapshots the engine sleeps in poll; a module may have it watch file
 * descriptors. All calls come from one thread. A process may have several engines;
 * they share nothing.
 *
 * A module that fails with MODULE_ERROR is disabled, with a note in the data, and
 * the collection continues. MODULE_FATAL ends it.
 */
#ifndef VIGIL_ENGINE_ENGINE_H
#define VIGIL_ENGINE_ENGINE_H

#include "common/diag.h"
#include "common/error.h"
#include "common/strmap.h"
#include "engine/module.h"
#include "engine/engine-records.h"

/* Called when a watched descriptor is ready, with the poll revents. */
typedef void (*engine_ready)(void *argument, int fd, short revents);

/* Creates an engine. built_in: its initial record types, which must outlive it. */
struct engine *engine_new(const struct record_catalogue *built_in);
void engine_free(struct engine *engine);

/* Adds a module that takes part in the operation. Returns NULL with err on failure. */
struct module *engine_add(struct engine *engine, const struct module_class *class, void *context,
			  struct error *err);
/* Adds a module that takes part only when it is enabled or an enabled grouper names it. */
struct module *engine_offer(struct engine *engine, const struct module_class *class, void *context,
			    struct error *err);
/* Enables a module that was offered. */
int engine_enable(struct engine *engine, const char *name, struct error *err);
/* Returns a module that was added or offered, or NULL. */
struct module *engine_module(const struct engine *engine, const char *name);

/* Returns the record types; modules may add to them until the operation ends. */
struct registry *engine_types(struct engine *engine);
/* Returns the string table to which all records of this engine refer. */
struct strmap *engine_strings(struct engine *engine);
/* Interns a text; short for strmap_put on engine_strings. */
uint64_t engine_string(struct engine *engine, const char *text);

/* Watches fd for events (POLLIN, ...); replaces an existing watch of fd. */
void engine_watch(struct engine *engine, int fd, short events, engine_ready ready, void *argument);
void engine_unwatch(struct engine *engine, int fd);

/*
 * Determines which modules take part, and in what order: resolves members of
 * groupers, record types and dependencies. Starting does this too; an earlier call
 * gives access to the modules (engine_modules).
 */
int engine_prepare(struct engine *engine, enum operation operation, struct error *err);
/* Returns the module for which engine_prepare or a start failed; NULL: no single module failed. */
const struct module *engine_culprit(const struct engine *engine);
/*
 * Returns the number of modules that take part, and the modules in calling order;
 * after engine_prepare.
 */
size_t engine_modules(const struct engine *engine, const struct module *const **modules);

/* Starts a collection: initializes all modules in order and passes PRE_BASELINE. */
int engine_start(struct engine *engine, struct error *err);
/* Starts an extraction instead. */
int engine_start_extraction(struct engine *engine, struct error *err);
/*
 * Sleeps until a watched descriptor is ready or timeout_ms have passed; calls the
 * functions of those that are ready.
 */
int engine_wait(struct engine *engine, int timeout_ms, struct error *err);
/*
 * Does the same, but at most until the timer's next snapshot is due, which it then
 * takes. Returns 1 when one was taken, 0, or -1.
 */
int engine_serve(struct engine *engine, int timeout_ms, struct error *err);
/* Passes one snapshot through all modules. Returns 1 at the end of data (extraction), 0, or -1. */
int engine_snapshot(struct engine *engine, struct error *err);
/* Makes and passes the last snapshot, unless that was done. */
int engine_last_snapshot(struct engine *engine, struct error *err);
/*
 * Passes the last snapshot unless that was done, then COLLECTION_END, and ends all
 * modules in reverse order.
 */
int engine_finish(struct engine *engine, struct error *err);

/* Collects until the timer wants no more snapshots or a module halts: start, snapshots, finish. */
int engine_collect(struct engine *engine, struct error *err);
/* Extracts everything: start, snapshots until the end of data, finish. */
int engine_extract(struct engine *engine, struct error *err);
/*
 * Extracts the next snapshot, at once or, with a timer, when it is due. Returns as
 * engine_snapshot.
 */
int engine_extract_next(struct engine *engine, struct error *err);
/* Returns whether a module or the timer has requested the end of the operation. */
bool engine_is_halted(const struct engine *engine);
/* Requests that the operation ends with the next snapshot as the last one. */
void engine_halt(struct engine *engine);

/* Disables a module from outside of its calls, as MODULE_ERROR would: with a note in the data. */
void engine_disable(struct module *module, const char *reason);

/* Returns the snapshot in progress, or the last one; NULL before the first. */
const struct snapshot *engine_current(const struct engine *engine);
/*
 * Returns a new empty snapshot, which becomes the current one, and the current one
 * the previous. For a copy of the process that is sent snapshots instead of
 * collecting them.
 */
struct snapshot *engine_new_current(struct engine *engine);
/*
 * Returns the snapshot that consumers processed last, NULL when there is none; for
 * producers that compare.
 */
const struct snapshot *engine_previous(const struct engine *engine);
/*
 * Keeps a snapshot of the engine unchanged until it is released equally often.
 * Nothing is copied; the engine uses another snapshot next.
 */
void engine_reserve(const struct snapshot *snapshot);
bool engine_release(const struct snapshot *snapshot);

/*
 * Add one row to a snapshot's ATTRIBUTE or NOTE set, which are shared: any module
 * may add to them.
 */
void snapshot_attribute(struct snapshot *snapshot, struct engine *engine, const char *key,
			const char *format, ...) PRINTFLIKE(4, 5);
void snapshot_note(struct snapshot *snapshot, struct engine *engine, enum severity severity,
		   unsigned number, const char *format, ...) PRINTFLIKE(5, 6);

#endif
