/* SPDX-License-Identifier: Apache-2.0 */
/* What duty.h keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_DUTY_H
#define VIGIL_SAMPLER_TASK_DUTY_H

#include "common/compat.h"

#define DUTY_LIKES 8

/* State of one task. */
struct task_duty {
	bool based;	 /* base is valid */
	int64_t base;	 /* ns of CPU time in the kernel's count that the task's account does not
			  * have */
	uint64_t paused; /* ns that the session had paused by then */
	/* The kernel's counts at the last reading; counted: it succeeded. */
	bool counted;
	uint64_t read_at; /* monotonic time of the last attempt */
	bool gone;	  /* it had counts before, and they can no longer be read */
	uint64_t cpu, delay, slices;
	bool blocked; /* the task was waiting then */
	bool unsure;  /* it is observed again, and no record has shown its state yet: its CPU
		       * time is the kernel's count */
	double part;  /* recent fraction of the time during which it executed */
	/* Since then, in unobserved time: */
	bool taken;	       /* the task takes part */
	bool changed;	       /* it was not in one wait throughout */
	uint64_t given, ready; /* times it was given a processor; ns it was ready without one */
	uint64_t passed, executed, waited;
	/* Its last samples. */
	struct duty_like {
		uint32_t stack;
		unsigned flags;
	} likes[DUTY_LIKES];
	uint64_t like_count;
};

#endif
