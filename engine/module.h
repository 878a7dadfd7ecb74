/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Processor modules: what brings, takes, times, filters or stores data.
 *
 * A class says what a module can do, at which points it wants to be called,
 * and after which others. Points of a collection:
 *
 *	PRE_BASELINE	once, before the first snapshot; timers and monitors only
 *	SNAPSHOT	producers make records, filters look at them
 *	SNAPSHOT_END	producers that derive records from those of others make
 *			theirs, filters look at them, consumers take the snapshot
 *	COLLECTION_END	once, when no more snapshots come and consumers have
 *			closed what they write
 *
 * At one point timers come first, then producers (or extractors), filters,
 * consumers, monitors. Inside such a group a module comes after those it
 * names in "after", otherwise as added; it may name one of a later group that
 * has all its calls at an earlier point. Supporters are not called at
 * snapshots: they are brought up before all others and ended after them.
 * Groupers are never called: they stand for the modules they name. A module may have several
 * capabilities; it is called once a point, in the first group of them.
 *
 * The last snapshot of an operation has last set: producers add what they
 * still have, consumers finish and close at their call for it. It may be
 * empty.
 *
 * In an extraction an EXTRACTOR takes the place of producers and timer, which
 * rest; filters, consumers and monitors cannot tell live from stored data. A
 * timer that has times_extractions says when the next snapshot is extracted.
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
	MODULE_DISABLE = 1,	/* nothing to do for me in this operation; not an error */
	MODULE_ERROR = -1,	/* disable me, say why, go on */
	MODULE_FATAL = -2,	/* end the operation */
	MODULE_END_OF_DATA = 2, /* extractors: there are no more snapshots */
};

/* When a timer wants no further snapshot. */
#define TIMER_NEVER UINT64_MAX

/* What an engine does: an EXTRACTOR has no part in the first, a PRODUCER or TIMER none in the
 * second. */
enum operation { OPERATION_COLLECTION, OPERATION_EXTRACTION };

struct engine;
struct module;

struct module_class {
	const char *name;      /* upper case, at most 31 characters, unique in an engine */
	const char *summary;   /* one line for "vigil modules" */
	unsigned capabilities; /* enum capability, or-ed */
	unsigned sync_points;  /* 1 << enum sync_point, or-ed: where call is wanted */
	/* The record types of a producer, NULL-ended; registered before init. Or NULL. */
	const struct record_type *const *produces;
	/*
	 * Names of modules on which this one depends, NULL-ended; or NULL. They
	 * are called before it. One that is not there is an error, unless its
	 * name here begins with '?'.
	 */
	const char *const *after;
	/* A grouper: names of the modules it stands for, NULL-ended; '?' as above. */
	const char *const *members;
	/* Brings the module up; on failure nothing is left behind. May be NULL. */
	enum module_status (*init)(struct module *module, struct error *err);
	/* Called at the points of sync_points; snapshot is NULL outside of snapshots. */
	enum module_status (*call)(struct module *module, enum sync_point point,
				   struct snapshot *snapshot, struct error *err);
	/*
	 * A timer: when the next snapshot is due, ns monotonic (in the past: at
	 * once), or TIMER_NEVER when the collection is to end. last is when the
	 * last one was taken, or when the collection began.
	 */
	uint64_t (*due)(struct module *module, uint64_t last, uint64_t now);
	/* A module that this one names in "after" was disabled in the operation. May be NULL. */
	void (*lost)(struct module *module, const struct module *other);
	/* Frees what init and call made; called once, also after a failed call. May be NULL. */
	void (*end)(struct module *module);
	/* A timer that has its part in extractions too. */
	bool times_extractions;
};

struct module {
	const struct module_class *class;
	struct engine *engine;
	void *context; /* given to engine_add; the module's own */
	/* As class->produces, but of this engine: with the ids of its snapshots. Owned. */
	const struct record_type **types;
	unsigned capabilities; /* those of the class that count in this operation */
	bool enabled;	       /* takes part in the operation */
	bool disabled;	       /* was switched off in the operation */
	char *reason;	       /* why it is disabled, NULL while it is not */
	bool up;	       /* the engine's own: init was passed and end not yet */
	bool drained;	       /* the engine's own: an extractor has no more snapshots */
};

#endif
