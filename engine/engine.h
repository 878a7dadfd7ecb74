/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: runs processor modules (module.h) through a collection or an
 * extraction (seed 003).
 *
 * A client adds modules, then either has the engine run the operation as a
 * whole (engine_collect, engine_extract), or starts it, takes snapshots one
 * at a time, and finishes it. In a collection a TIMER module says when the
 * next snapshot is due; there is exactly one. The engine brings one of its
 * own (interval_timer_class) unless the client has added another.
 *
 * Between snapshots the engine sleeps in poll; a module may have it watch
 * file descriptors. All calls come from one thread. Engines do not share
 * anything: a process may have several.
 *
 * A module that fails with MODULE_ERROR is disabled, with a note in the
 * data; the collection goes on. MODULE_FATAL ends it.
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

/* An engine; built_in: the record types that it knows from the start, which outlive it. */
struct engine *engine_new(const struct record_catalogue *built_in);
void engine_free(struct engine *engine);

/* Adds a module that takes part in the operation. NULL when that cannot be. */
struct module *engine_add(struct engine *engine, const struct module_class *class, void *context,
			  struct error *err);
/* Makes a module known. It takes part only when it is enabled or an enabled grouper names it. */
struct module *engine_offer(struct engine *engine, const struct module_class *class, void *context,
			    struct error *err);
/* Lets a module that was offered take part. */
int engine_enable(struct engine *engine, const char *name, struct error *err);
/* A module that was added or offered, or NULL. */
struct module *engine_module(const struct engine *engine, const char *name);

/* The record types there are; modules may add to them until the operation ends. */
struct registry *engine_types(struct engine *engine);
/* The strings all records of this engine refer to. */
struct strmap *engine_strings(struct engine *engine);
/* Interns a text; short for strmap_put on engine_strings. */
uint64_t engine_string(struct engine *engine, const char *text);

/* Watches fd for events (POLLIN, ...); replaced when fd is watched already. */
void engine_watch(struct engine *engine, int fd, short events, engine_ready ready, void *argument);
void engine_unwatch(struct engine *engine, int fd);

/*
 * Settles who takes part, and the order: members of groupers, record types,
 * dependencies. Part of starting; called before, it allows a look at the modules
 * (engine_modules).
 */
int engine_prepare(struct engine *engine, enum operation operation, struct error *err);
/* The module for which engine_prepare or a start failed; NULL: it was not one module's fault. */
const struct module *engine_culprit(const struct engine *engine);
/* The modules that take part, in calling order; after engine_prepare. */
size_t engine_modules(const struct engine *engine, const struct module *const **modules);

/* Begins a collection: bring all modules up in order and pass PRE_BASELINE. */
int engine_start(struct engine *engine, struct error *err);
/* Begins an extraction instead. */
int engine_start_extraction(struct engine *engine, struct error *err);
/* Sleeps until a watched descriptor is ready or timeout_ms have passed; serve what is ready. */
int engine_wait(struct engine *engine, int timeout_ms, struct error *err);
/*
 * The same, but not beyond the time at which the timer wants a snapshot; take
 * it when it is due. Returns 1 when one was taken, 0, or -1.
 */
int engine_serve(struct engine *engine, int timeout_ms, struct error *err);
/* One snapshot through all modules. Returns 1 at the end of data (extraction), 0, or -1. */
int engine_snapshot(struct engine *engine, struct error *err);
/* Makes and pass the last snapshot, unless that was done. */
int engine_last_snapshot(struct engine *engine, struct error *err);
/* The last snapshot unless it was passed already, COLLECTION_END, and the end of all modules in
   reverse order. */
int engine_finish(struct engine *engine, struct error *err);

/* Collects until the timer wants no more snapshots or a module halts: start, snapshots, finish. */
int engine_collect(struct engine *engine, struct error *err);
/* Extracts everything: start, snapshots until the end of data, finish. */
int engine_extract(struct engine *engine, struct error *err);
/* The next snapshot of an extraction: at once, or when a timer wants it. As engine_snapshot. */
int engine_extract_next(struct engine *engine, struct error *err);
/* Returns whether the operation is to end, as a module or the timer wants it. */
bool engine_is_halted(const struct engine *engine);
/* Asks for the operation to end with the snapshot after this one, the last. */
void engine_halt(struct engine *engine);

/*
 * Switches a module off from outside of its calls, as MODULE_ERROR would: with a
 * note in the data.
 */
void engine_disable(struct module *module, const char *reason);

/* The snapshot that is being made, or was made last; NULL before the first. */
const struct snapshot *engine_current(const struct engine *engine);
/*
 * For who stands in for an engine's own way through its snapshots, in a copy
 * of its process: an empty snapshot to be filled, which is the current one
 * then, and the one before it the previous.
 */
struct snapshot *engine_turn(struct engine *engine);
/* The snapshot that consumers processed last, NULL when there is none; for producers that compare.
 */
const struct snapshot *engine_previous(const struct engine *engine);
/*
 * Keeps a snapshot of the engine as it is until it is released as often; it costs
 * no copy, the engine makes the next one elsewhere.
 */
void engine_reserve(const struct snapshot *snapshot);
bool engine_release(const struct snapshot *snapshot);

/*
 * Adds one row to a snapshot's ATTRIBUTE or NOTE set. Any module may; these two
 * sets belong to everybody.
 */
void snapshot_attribute(struct snapshot *snapshot, struct engine *engine, const char *key,
			const char *format, ...) PRINTFLIKE(4, 5);
void snapshot_note(struct snapshot *snapshot, struct engine *engine, enum severity severity,
		   unsigned number, const char *format, ...) PRINTFLIKE(5, 6);

#endif
