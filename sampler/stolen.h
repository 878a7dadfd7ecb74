/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Time that a hypervisor gave to others while a task of the step was on a
 * processor. Records of switches know nothing of it: it is in the time on a
 * processor that they tell, and in no sample. The kernel counts it for the
 * machine only; the step's part of it is taken to be the step's part of the time
 * in which the machine's processors were not idle.
 *
 * So much of the CPU time that is found without samples is stolen, and none is
 * made for it.
 */
#ifndef VIGIL_SAMPLER_STOLEN_H
#define VIGIL_SAMPLER_STOLEN_H

#include "common/procfs.h"

struct stolen {
	bool known;	       /* the kernel tells of it */
	uint64_t next;	       /* monotonic time of the next look */
	struct procfs_times first; /* when the session began */
	uint64_t machine;      /* ns stolen from the machine since then */
	uint64_t step;	       /* ns of it stolen from the step */
	uint64_t left_out;     /* ns for which no samples were made */
};

/* The session begins. */
void stolen_begin(struct stolen *stolen);
/* Look what was stolen, when it is time or at any rate. used: ns the step was on a processor. */
void stolen_look(struct stolen *stolen, uint64_t used, bool now);
/* The step's own count has come: it executed so many ns of the used ones, and up to beyond more that
   are in no record. */
void stolen_settle(struct stolen *stolen, uint64_t used, uint64_t executed, uint64_t beyond);
/* Whether a period without a sample was stolen. */
bool stolen_takes(struct stolen *stolen, uint64_t period);

#endif
