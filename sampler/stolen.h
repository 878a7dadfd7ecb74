/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Estimates the time that a hypervisor gave to others while a task of the step was
 * on a processor. Records of switches do not show it: it is contained in the time
 * on a processor, and in no sample. The kernel counts it only for the machine; the
 * step's part is assumed to be the step's part of the time in which the machine's
 * processors were not idle.
 *
 * This much of the CPU time that is found without samples is stolen, and no
 * samples are made for it.
 *
 * Where a task lacks many samples in succession, the system is asked for how long it
 * has executed: what it lacks beyond that was stolen from this task, whatever the
 * step's part is. A hypervisor that limits the processor time of a machine takes a
 * processor for 100 ms at a time.
 */
#ifndef VIGIL_SAMPLER_STOLEN_H
#define VIGIL_SAMPLER_STOLEN_H

#include "common/procfs.h"

struct stolen {
	bool known;	       /* the kernel reports it */
	uint64_t next;	       /* monotonic time of the next reading */
	struct procfs_times first; /* figures when the session began */
	uint64_t machine;      /* ns stolen from the machine since then */
	uint64_t step;	       /* ns of it stolen from the step */
	uint64_t left_out;     /* ns for which no samples were made */
};

/* Begins the session. */
void stolen_begin(struct stolen *stolen);
/* Reads what was stolen, if that is due or now is set. used: ns of the step on a processor. */
void stolen_look(struct stolen *stolen, uint64_t used, bool now);
/*
 * Takes the system's count for the step: it executed this many ns of the used
 * ones, and of up to beyond more that are in no record.
 */
void stolen_settle(struct stolen *stolen, uint64_t used, uint64_t executed, uint64_t beyond);
/*
 * Returns the ns that a step executed: those that the system counted; or those of
 * samples that were seen, each a period, if they are more, beyond chance. The system
 * does not count processes for which nobody waits.
 */
uint64_t stolen_executed(uint64_t counted, uint64_t seen, uint64_t period);
/*
 * A task lacks ns beyond what it executed: returns how many of them were stolen, and
 * counts them as left out. They are not more than the machine lost by the last look.
 */
uint64_t stolen_take(struct stolen *stolen, uint64_t lacking);
/* Returns whether a period without a sample was stolen. */
bool stolen_takes(struct stolen *stolen, uint64_t period);

#endif
