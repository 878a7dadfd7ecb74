/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Observes a step from outside: CPU samples with call stacks, exact times on and
 * off the processor, waits with their place and file.
 *
 * The sampler consists of one SUPPORTER of the engine, which owns the kernel's
 * ring buffers and the tables of tasks, and of one PRODUCER per record type, which
 * takes its data from there at each snapshot. Order of calls: sampler_new,
 * sampler_follow or sampler_attach, sampler_register, then the engine runs;
 * sampler_free at the end, after engine_finish.
 *
 * The privilege level is the highest one that works: FULL (kernel too), USER
 * (perf_event_paranoid 2), PROC (no perf events: states of tasks from /proc). What
 * is missing at a level is written as a NOTE.
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
 * Observes a child that has not called exec yet and is blocked until the caller
 * lets it continue: everything from its exec on is seen. Returns -1 with err set
 * on failure, as the next two functions do.
 */
int sampler_follow(struct sampler *sampler, pid_t child, struct error *err);
/* Observes a running process, its threads and its descendants from now on. */
int sampler_attach(struct sampler *sampler, pid_t pid, struct error *err);
/* Adds the supporter and the producers to an engine. */
int sampler_register(struct sampler *sampler, struct engine *engine, struct error *err);

/*
 * Suspends or resumes: time in between does not count. FUNCTION=PAUSE and START
 * from the step, in the area of transactions, are followed in addition and exactly
 * in time.
 */
void sampler_pause(struct sampler *sampler, bool pause);
/* Reports that the step has ended and that the system counted cpu ns of CPU time for it. */
void sampler_set_used(struct sampler *sampler, uint64_t cpu);
/* Returns whether any task of the step is alive. */
bool sampler_alive(const struct sampler *sampler);
/* Returns whether stop_after_samples was reached. */
bool sampler_limit_reached(const struct sampler *sampler);
/*
 * Returns whether a process belongs to the sampler (a data collector runs in it)
 * and not to the step.
 */
bool sampler_owns(const struct sampler *sampler, pid_t pid);
/* Returns the ns of CPU time that such processes have used. */
uint64_t sampler_collector_cpu(const struct sampler *sampler);
/* Returns the ns of CPU time that the thread that finds names has used. */
uint64_t sampler_names_cpu(const struct sampler *sampler);
enum privilege sampler_privilege(const struct sampler *sampler);

struct sampler_counts {
	uint64_t taken, processed, thinned, lost;
	uint64_t whole, broken, truncated; /* numbers of stacks */
	uint64_t switches, records_lost, probes;
	uint64_t cpu_exact;	/* ns by switch records */
	uint64_t cpu_switching; /* additional ns, at switches */
	uint64_t period;	/* current one, ns */
	uint64_t tasks, tasks_alive, processes;
};
void sampler_counts(const struct sampler *sampler, struct sampler_counts *counts);

#endif
