/* SPDX-License-Identifier: Apache-2.0 */
/* What kernel-looks.c keeps of each task. */
#ifndef VIGIL_SAMPLER_TASK_KERNEL_H
#define VIGIL_SAMPLER_TASK_KERNEL_H

#include "sampler/page-look.h"

/* Number of looks since the last sample, and of places seen lately. */
#define KERNEL_PLACES 16
#define KERNEL_RECENT 16

struct task_kernel {
	uint64_t used;		/* ns of CPU time up to the last sample, kept or not */
	uint64_t period;	/* of its event, ns; 0: there was no sample */
	uint64_t settled;	/* ns since then for which there are samples */
	double gaps, missed;	/* sums of CPU time of its gaps and of what was missing, ns; recent ones count more */
	uint64_t listed_until;	/* time until which it is looked at */
	uint64_t seen_at;	/* time of the last look that saw it in the kernel; 0: none */
	bool renewed;		/* that was long after the one before */
	uint64_t pages;		/* number of its minor page faults up to the last look */
	unsigned pageless;	/* number of looks since it was given many between two */
	bool releases;		/* what is held is placed by earlier looks alone */
	/* Where looks saw it in the kernel since the last sample, the oldest first. */
	struct kernel_place {
		uint64_t time;
		uint32_t stack;
		uint64_t transaction; /* id of the one in force */
		double worth;	      /* ns of samples that were placed there */
		struct page_look pages;
	} places[KERNEL_PLACES];
	unsigned place_count;
	/* The last places of earlier gaps. */
	struct kernel_place recent[KERNEL_RECENT];
	unsigned recent_count, recent_next;
};

#endif
