/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processor modules: the parts that produce, consume, time, filter or store data.
 *
 * A class declares what a module can do, at which points it is called, and after
 * which other modules. Points of a collection:
 *
 * 	PRE_BASELINE	once, before the first snapshot; timers and monitors only
 * 	SNAPSHOT	producers make records, filters look at them
 * 	SNAPSHOT_END	producers that derive records from those of others make
 * 			theirs, filters look at them, consumers take the snapshot
 * 	COLLECTION_END	once, when no more snapshots come and consumers have
 * 			closed what they write
 *
 * At one point timers are called first, then producers (or extractors), filters,
 * consumers, monitors. Within such a group a module is called after those it names
 * in "after", otherwise in the order of adding. It may name a module of a later
 * group if all calls of that module are at an earlier point. Supporters are not
 * called at snapshots: they are initialized before all others and ended after
 * them. Groupers are never called: they stand for the modules they name. A module
 * may have several capabilities; it is called once a point, in the first group of
 * them.
 *
 * The last snapshot of an operation has last set: producers add their remaining
 * records, consumers finish and close in their call for it. It may be empty.
 *
 * In an extraction an EXTRACTOR replaces producers and timer, which are not
 * called. Filters, consumers and monitors work the same on live and stored data. A
 * timer with times_extractions decides when the next snapshot is extracted.
 */
#ifndef VIGIL_ENGINE_MODULE_H
#define VIGIL_ENGINE_MODULE_H

#include "common/error.h"
#include "engine/snapshot.h"

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
	MODULE_DISABLE = 1,	/* nothing to do in this operation; not an error */
	MODULE_ERROR = -1,	/* disable the module, report why, continue */
	MODULE_FATAL = -2,	/* end the operation */
	MODULE_END_OF_DATA = 2, /* extractors: there are no more snapshots */
};

/* Result of due: no further snapshot. */
#define TIMER_NEVER UINT64_MAX

/*
 * Kind of an operation: an EXTRACTOR takes no part in the first, a PRODUCER or
 * TIMER none in the second.
 */
enum operation { OPERATION_COLLECTION, OPERATION_EXTRACTION };

struct engine;
struct module;

struct module_class {
	const char *name;      /* upper case, at most 31 characters, unique in an engine */
	const char *summary;   /* one line for "vigil modules" */
	unsigned capabilities; /* enum capability, or-ed */
	unsigned sync_points;  /* 1 << enum sync_point, or-ed: when to call call */
	/* Record types of a producer, NULL-ended, registered before init; or NULL. */
	const struct record_type *const *produces;
	/*
	 * Names of modules on which this one depends, NULL-ended; or NULL. They are called
	 * before it. A missing one is an error, unless its name here begins with '?'.
	 */
	const char *const *after;
	/* For groupers: names of the modules it stands for, NULL-ended; '?' as above. */
	const char *const *members;
	/* Initializes the module; on failure frees everything. May be NULL. */
	enum module_status (*init)(struct module *module, struct error *err);
	/* Called at the points of sync_points; snapshot is NULL outside of snapshots. */
	enum module_status (*call)(struct module *module, enum sync_point point,
				   struct snapshot *snapshot, struct error *err);
	/*
	 * For timers: returns when the next snapshot is due, ns monotonic (in the past: at
	 * once), or TIMER_NEVER to end the collection. last is the time of the last one,
	 * or of the collection's start.
	 */
	uint64_t (*due)(struct module *module, uint64_t last, uint64_t now);
	/*
	 * Called when a module that this one names in "after" was disabled in the
	 * operation. May be NULL.
	 */
	void (*lost)(struct module *module, const struct module *other);
	/* Frees what init and call made; called once, also after a failed call. May be NULL. */
	void (*end)(struct module *module);
	/* For timers: it also times extractions. */
	bool times_extractions;
};

struct module {
	const struct module_class *class;
	struct engine *engine;
	void *context; /* as given to engine_add; for the module's use */
	/* As class->produces, but with the ids of this engine. Owned. */
	const struct record_type **types;
	unsigned capabilities; /* the class's capabilities that apply in this operation */
	bool enabled;	       /* takes part in the operation */
	bool disabled;	       /* was disabled during the operation */
	char *reason;	       /* why it is disabled, otherwise NULL */
	bool up;	       /* for the engine: between init and end */
	bool drained;	       /* for the engine: an extractor has no more snapshots */
};

#endif
