/* SPDX-License-Identifier: Apache-2.0 */
/*
 * System metrics: producers of the kernel's data on the whole machine, as modules
 * of an engine (seed 003), and the groups DEFAULT, CLUSTER and ALL.
 *
 * 	metrics = metrics_offer(engine, &err);
 * 	engine_enable(engine, "DEFAULT", &err);
 * 	engine_collect(engine, &err);
 * 	engine_free(engine);
 * 	metrics_free(metrics);
 *
 * The last snapshot of a collection is taken at once, not when the interval is
 * over: producers leave it empty.
 */
#ifndef VIGIL_METRICS_METRICS_H
#define VIGIL_METRICS_METRICS_H

#include "engine/engine.h"
#include "engine/timer.h"

struct metrics;

/*
 * Offers all producers and groupers to an engine. timer: its overruns are reported
 * by OWN, or NULL.
 */
struct metrics *metrics_offer(struct engine *engine, const struct interval_timer *timer,
			      struct error *err);
/*
 * For a client that takes snapshots more often than metrics are wanted: records
 * are made when the last ones are at least apart ns old, and at least 1/parts of
 * the time since the first (which limits their number; parts 0: only apart
 * counts); and with the last snapshot, which then marks the end of something.
 */
void metrics_pace(struct metrics *metrics, uint64_t apart, uint64_t parts);
/* Returns the CPU time of the producers in ns. Only measured with metrics_pace. */
uint64_t metrics_cost(const struct metrics *metrics);
/* Must be called after engine_free. */
void metrics_free(struct metrics *metrics);

/* Description of one producer. */
struct metrics_entry {
	const struct module_class *class;
	const struct record_type *type; /* as described by the producer, without an id */
	uint64_t records;		/* in the last snapshot */
};

size_t metrics_count(const struct metrics *metrics);
struct metrics_entry metrics_get(const struct metrics *metrics, size_t number);
/* Appends why a producer that was called had no records, without a full stop. */
void metrics_why(const struct metrics *metrics, size_t number, struct strbuf *sb);
/* The groups, NULL-ended. */
extern const struct module_class *const metrics_groups[];

#endif
