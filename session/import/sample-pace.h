/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How long a unit of an event took (a cycle): told by pairs of samples of a task, one behind the
 * other, of which the later stands for so many units. Pairs between which the task has waited are
 * too long, each by something else; the others agree. So what counts is the shortest time
 * about which many of them lie together, by their units: the mean of those within a tenth.
 */
#ifndef VIGIL_SESSION_IMPORT_SAMPLE_PACE_H
#define VIGIL_SESSION_IMPORT_SAMPLE_PACE_H

#include "common/idmap.h"

struct pace_class;

struct sample_pace {
	struct pace_class *classes; /* NULL: no pairs yet */
	uint64_t pairs;
	struct idmap last; /* by task: when its last sample was; 0: what came between counts not */
};

void sample_pace_init(struct sample_pace *pace);
void sample_pace_release(struct sample_pace *pace);
/* A sample of a task stands for units. */
void sample_pace_add(struct sample_pace *pace, uint32_t tid, uint64_t time, uint64_t units);
/* The task leaves the processor, or is given one: its next sample makes no pair. */
void sample_pace_break(struct sample_pace *pace, uint32_t tid);
/* ns of a unit; 0 when too few pairs tell. */
double sample_pace_unit(const struct sample_pace *pace);

#endif
