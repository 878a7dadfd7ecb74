/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates the duration of a unit of an event (a cycle) from pairs of consecutive
 * samples of a task, in which the later one represents a number of units. Pairs
 * during which the task waited are too long, each by a different amount; the
 * others agree. So the estimate is the shortest duration around which many pairs
 * cluster, weighted by units: the mean of those within a tenth.
 */
#ifndef VIGIL_SESSION_IMPORT_SAMPLE_PACE_H
#define VIGIL_SESSION_IMPORT_SAMPLE_PACE_H

#include "common/idmap.h"

struct pace_class;

struct sample_pace {
	struct pace_class *classes; /* NULL: no pairs yet */
	uint64_t pairs;
	struct idmap last; /* by task: time of its last sample; 0: the interval since then is not
			    * usable */
};

void sample_pace_init(struct sample_pace *pace);
void sample_pace_release(struct sample_pace *pace);
/* Adds a sample of a task that represents units. */
void sample_pace_add(struct sample_pace *pace, uint32_t tid, uint64_t time, uint64_t units);
/* Notes that the task leaves or gets a processor: its next sample forms no pair. */
void sample_pace_break(struct sample_pace *pace, uint32_t tid);
/* Returns the ns of a unit; 0: too few pairs. */
double sample_pace_unit(const struct sample_pace *pace);

#endif
