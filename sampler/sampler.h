/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observes a step from outside: CPU samples with call stacks, exact times on
 * and off the processor, waits with their place and file.
 *
 * The sampler is one SUPPORTER of the engine that owns the kernel's ring
 * buffers and the tables of tasks, and one PRODUCER a record type that takes
 * from it at each snapshot. Life: sampler_new, sampler_follow or
 * sampler_attach, sampler_register, then the engine runs; sampler_free at
 * the end, after engine_finish.
 *
 * The ladder of privilege is found out by trying: FULL (kernel too), USER
 * (perf_event_paranoid 2), PROC (no perf events: states of tasks from /proc).
 * What is missing on a rung is written as a NOTE.
 */
#ifndef VIGIL_SAMPLER_SAMPLER_H
#define VIGIL_SAMPLER_SAMPLER_H

#include "engine/engine.h"
#include "sampler/sampler-config.h"

#include <sys/types.h>

struct sampler;

struct sampler *sampler_new(const struct sampler_config *config);
void sampler_free(struct sampler *sampler);
/*
 * Observe a child that has not exec'ed yet and is blocked until the caller
 * lets it go: everything from its exec on is seen.
 */
int sampler_follow(struct sampler *sampler, pid_t child, struct error *err);
/* Observe a running process, its threads and its descendants from now on. */
int sampler_attach(struct sampler *sampler, pid_t pid, struct error *err);
/* Add the supporter and the producers to an engine. */
int sampler_register(struct sampler *sampler, struct engine *engine, struct error *err);

/*
 * Suspend and resume: time in between counts for nothing. What the step is told by
 * FUNCTION=PAUSE and START in the area of transactions is followed beside this, to the moment.
 */
void sampler_pause(struct sampler *sampler, bool pause);
/* The step has ended, and the system counted so many ns of CPU time for it. */
void sampler_set_used(struct sampler *sampler, uint64_t cpu);
/* Whether a task of the step is still alive. */
bool sampler_alive(const struct sampler *sampler);
/* Whether stop_after_samples was reached. */
bool sampler_limit_reached(const struct sampler *sampler);
/* Whether a process is the sampler's own (a data collector runs in it), and none of the step. */
bool sampler_owns(const struct sampler *sampler, pid_t pid);
/* ns of CPU time such processes have used. */
uint64_t sampler_collector_cpu(const struct sampler *sampler);
enum privilege sampler_privilege(const struct sampler *sampler);

struct sampler_counts {
	uint64_t taken, processed, thinned, lost;
	uint64_t whole, broken, cut; /* stacks */
	uint64_t switches, records_lost, probes;
	uint64_t cpu_exact;	/* ns */
	uint64_t cpu_switching; /* ns more, at switches */
	uint64_t period;	/* ns, now */
	uint64_t tasks, tasks_alive, processes;
};
void sampler_counts(const struct sampler *sampler, struct sampler_counts *counts);

#endif
