/* SPDX-License-Identifier: Apache-2.0 */
/* What duty.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_DUTY_H
#define VIGIL_SAMPLER_TASK_DUTY_H

#include "common/compat.h"

#define DUTY_LIKES 8

/* What is kept of each task. */
struct task_duty {
	bool based;	 /* base is known */
	int64_t base;	 /* ns that the kernel has counted and the task does not have */
	uint64_t paused; /* how long the session had paused by then */
	/* As the kernel counted them when they were read last. */
	bool counted;
	uint64_t read_at; /* monotonic: when that was tried */
	bool gone;	  /* it was counted before, and can be no more */
	uint64_t cpu, delay, slices;
	bool blocked; /* it waited then */
	bool unsure;  /* it is watched again, and no record has told yet what it does: its CPU time
			 is  what the kernel counts */
	double part;  /* of the time that it executed, of late */
	/* Since then, when nobody watched. */
	bool taken;	       /* it takes part */
	bool changed;	       /* it was not one wait all the time */
	uint64_t given, ready; /* a processor; and for how many ns it wanted one */
	uint64_t passed, executed, waited;
	/* Its last samples. */
	struct duty_like {
		uint32_t stack;
		unsigned flags;
	} likes[DUTY_LIKES];
	uint64_t like_count;
};

#endif
