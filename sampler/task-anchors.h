/* SPDX-License-Identifier: Apache-2.0 */
/* What stack-resolve.c keeps of each task: the calls of the last sample, to walk down from (unwind-down.h). */
#ifndef VIGIL_SAMPLER_TASK_ANCHORS_H
#define VIGIL_SAMPLER_TASK_ANCHORS_H

/* Number of calls that are kept. */
#define TASK_ANCHORS 64

struct unwind_anchor;

struct task_anchors {
	struct unwind_anchor *items; /* TASK_ANCHORS; NULL: none yet */
	unsigned count;
};

#endif
