/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Which of the stored samples stay when their number is halved: of each
 * task's samples every second, in order. Whether a task keeps or drops its
 * first alternates from task to task, so that many tasks with one sample each
 * keep half of them too.
 */
#ifndef VIGIL_SAMPLER_THIN_H
#define VIGIL_SAMPLER_THIN_H

#include "common/idmap.h"
#include "engine/record-types.h"

struct thinning {
	struct idmap tasks; /* task id to: seen << 33 | kept << 1 | whether its next one stays */
	bool next_first;    /* whether the next new task keeps its first sample */
	uint64_t seen, kept;
	uint64_t dropped_broken; /* of those that do not stay, how many have a broken stack */
};

void thinning_init(struct thinning *thinning);
void thinning_release(struct thinning *thinning);
/* Whether a sample stays; called for each, in order. argument: struct thinning. */
bool thinning_keep(void *argument, const struct record_sample *sample);
/* How many samples of a task were seen and kept; false when it had none. */
bool thinning_of(const struct thinning *thinning, uint64_t task, uint64_t *seen, uint64_t *kept);

#endif
