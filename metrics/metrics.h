/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System metrics: producers of what the kernel tells of the whole machine, as
 * modules of an engine (seed 003), and the groups DEFAULT, CLUSTER and ALL.
 *
 *	metrics = metrics_offer(engine, &err);
 *	engine_enable(engine, "DEFAULT", &err);
 *	engine_collect(engine, &err);
 *	engine_free(engine);
 *	metrics_free(metrics);
 *
 * The last snapshot of a collection comes at once, not when the interval is
 * over: producers leave it empty.
 */
#ifndef VIGIL_METRICS_METRICS_H
#define VIGIL_METRICS_METRICS_H

#include "engine/engine.h"
#include "engine/timer.h"

struct metrics;

/* Makes all producers and groupers known to an engine. timer: whose overruns OWN tells, or NULL. */
struct metrics *metrics_offer(struct engine *engine, const struct interval_timer *timer,
			      struct error *err);
/*
 * For one whose snapshots come more often than metrics are wanted: records come when the last ones
 * are at least apart ns old, and a parts-th of the time since the first (so there are never very
 * many; 0: apart alone counts); and with the last snapshot, which is at the end of something then.
 */
void metrics_pace(struct metrics *metrics, uint64_t apart, uint64_t parts);
/* CPU time that producers used, ns. Known of metrics that are paced. */
uint64_t metrics_cost(const struct metrics *metrics);
/* After engine_free. */
void metrics_free(struct metrics *metrics);

/* One producer. */
struct metrics_entry {
	const struct module_class *class;
	const struct record_type *type; /* as the producer describes it, without an id */
	uint64_t records;		/* in the last snapshot */
};

size_t metrics_count(const struct metrics *metrics);
struct metrics_entry metrics_get(const struct metrics *metrics, size_t number);
/* Why a producer that was called had no records, without a full stop. */
void metrics_why(const struct metrics *metrics, size_t number, struct strbuf *sb);
/* The groups, NULL-ended. */
extern const struct module_class *const metrics_groups[];

#endif
