/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The engine: runs processor modules in order through a collection or an
 * extraction (seed 003).
 *
 * A collection is a sequence of snapshots. For each, every producer adds its
 * record set, filters look at the sets, then consumers take the whole
 * snapshot. An extraction is the same with an extractor in the place of the
 * producers, so a consumer cannot tell live data from stored data.
 *
 * Order of calls: PRE_BASELINE once, SNAPSHOT and SNAPSHOT_END for each
 * snapshot, COLLECTION_END once. At each point: supporters, then producers
 * or extractors, then filters, then consumers, then monitors; inside a group
 * a module runs after those it names in "after", otherwise as registered.
 *
 * Between snapshots the engine sleeps in poll; a module may have it watch
 * file descriptors. All calls come from one thread.
 *
 * A module that fails with MODULE_ERROR is disabled, with a note in the
 * data; the collection goes on. MODULE_FATAL ends it.
 */
#ifndef VIGIL_ENGINE_ENGINE_H
#define VIGIL_ENGINE_ENGINE_H

#include "common/diag.h"
#include "common/error.h"
#include "common/strmap.h"
#include "engine/record-types.h"

enum capability {
	MODULE_PRODUCER = 1,
	MODULE_CONSUMER = 2,
	MODULE_TIMER = 4,
	MODULE_FILTER = 8,
	MODULE_EXTRACTOR = 16,
	MODULE_GROUPER = 32,
	MODULE_SUPPORTER = 64,
	MODULE_MONITOR = 128,
};

enum sync_point {
	SYNC_PRE_BASELINE,
	SYNC_SNAPSHOT,
	SYNC_SNAPSHOT_END,
	SYNC_COLLECTION_END,
};

enum module_status {
	MODULE_OK = 0,
	MODULE_DISABLE = 1,   /* nothing to do for me in this operation; not an error */
	MODULE_ERROR = -1,    /* disable me, say why, go on */
	MODULE_FATAL = -2,    /* end the operation */
	MODULE_END_OF_DATA = 2, /* extractors: there are no more snapshots */
};

struct engine;
struct module;

/* What the producers made at one tick. Record sets are owned by the engine. */
struct snapshot {
	uint64_t sequence; /* from 1 */
	uint64_t time;	   /* ns monotonic, the end of the snapshot */
	struct recordset sets[RECORD_ID_COUNT];
};

struct module_class {
	const char *name;	 /* upper case, at most 31 characters, unique in an engine */
	const char *summary;	 /* one line for "vigil modules" */
	unsigned capabilities;	 /* enum capability, or-ed */
	unsigned sync_points;	 /* 1 << enum sync_point, or-ed: where call is wanted */
	unsigned produces;	 /* enum record_id of a producer, which makes exactly one type */
	const char *const *after; /* names of modules called before this one, NULL-ended; or NULL */
	/* Bring the module up; on failure nothing is left behind. May be NULL. */
	enum module_status (*init)(struct module *module, struct error *err);
	/* Called at the points of sync_points. snapshot is NULL at PRE_BASELINE. */
	enum module_status (*call)(struct module *module, enum sync_point point,
				   struct snapshot *snapshot, struct error *err);
	/* Free what init and call made; called once, also after a failed call. May be NULL. */
	void (*end)(struct module *module);
};

struct module {
	const struct module_class *class;
	struct engine *engine;
	void *context; /* given to engine_add; the module's own */
	bool disabled;
	char *reason; /* why it is disabled, NULL while it is not */
};

/* Called when a watched descriptor is ready, with the poll revents. */
typedef void (*engine_ready)(void *argument, int fd, short revents);

struct engine *engine_new(void);
void engine_free(struct engine *engine);
/* Add a module; names in "after" that are never added are ignored. NULL when the name is taken. */
struct module *engine_add(struct engine *engine, const struct module_class *class, void *context,
			  struct error *err);
/* The strings all records of this engine refer to. */
struct strmap *engine_strings(struct engine *engine);
/* Intern a text; short for strmap_put on engine_strings. */
uint64_t engine_string(struct engine *engine, const char *text);

/* Watch fd for events (POLLIN, ...); replaced when fd is watched already. */
void engine_watch(struct engine *engine, int fd, short events, engine_ready ready, void *argument);
void engine_unwatch(struct engine *engine, int fd);

/* Bring all modules up in order and pass PRE_BASELINE. */
int engine_start(struct engine *engine, struct error *err);
/* Sleep until a watched descriptor is ready or timeout_ms have passed; serve what is ready. */
int engine_wait(struct engine *engine, int timeout_ms, struct error *err);
/* One snapshot through all modules. Returns 1 at the end of data (extraction), 0, or -1. */
int engine_snapshot(struct engine *engine, struct error *err);
/* Pass COLLECTION_END and end all modules in reverse order. */
int engine_finish(struct engine *engine, struct error *err);
/* Extract everything: start, snapshots until the end of data, finish. */
int engine_extract(struct engine *engine, struct error *err);

/* For "vigil modules" and tests: modules in calling order. */
size_t engine_modules(const struct engine *engine, const struct module *const **modules);

/*
 * Add one row to a snapshot's ATTRIBUTE or NOTE set. Any module may; these
 * two sets belong to everybody.
 */
void snapshot_attribute(struct snapshot *snapshot, struct engine *engine, const char *key,
			const char *format, ...) PRINTFLIKE(4, 5);
void snapshot_note(struct snapshot *snapshot, struct engine *engine, enum severity severity,
		   unsigned number, const char *format, ...) PRINTFLIKE(5, 6);

#endif
