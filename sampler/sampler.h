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
#include "records/record-types.h"

#include <sys/types.h>

enum privilege {
	PRIVILEGE_AUTO = 0, /* the highest that works */
	PRIVILEGE_FULL,
	PRIVILEGE_USER,
	PRIVILEGE_PROC,
};

/* A file that has a name in the job: samples and waits on it are shown under its DD. */
struct sampler_file {
	const char *ddname;
	const char *dsn;  /* "" when it has none */
	const char *path; /* absolute */
	const char *organization;
	const char *recfm;
	uint64_t lrecl;
};

enum collector_origin {
	COLLECTOR_FEATURE = 1, /* comes with vigil */
	COLLECTOR_FOUND = 2,   /* the user's, found by its name */
	COLLECTOR_NAMED = 3,   /* named by the request: its list of programs is not looked at */
};

/* A data collector that may be called for a program. */
struct sampler_collector {
	const char *name; /* STRBxxxx */
	const char *path; /* "" when it was not found */
	const char *parameter;
	const char *missing; /* why it was not found, "" when it was */
	enum collector_origin origin;
};

struct step;

struct sampler_config {
	enum privilege privilege; /* the highest that is tried */
	uint64_t rate;	 /* samples a second of CPU time and a task; 0 means 1000 */
	bool fixed_rate; /* never thin (SESSION= was given) */
	uint64_t target; /* SAMPLES; thinning keeps between target and twice it; 0: 10000 */
	double cost; /* percent of the step's CPU time that the session may cost; 0: 3, 100: any */
	const struct sampler_file *files; /* borrowed while the sampler lives */
	size_t file_count;
	const char *counts;	    /* path of the area in which programs count by file, or NULL */
	const char *names_cache;    /* folder in which names are kept for later sessions
				       (names-cache.h);    NULL: they are not */
	struct step *step;	    /* what the session knows of its step, borrowed while the sampler
				       lives; NULL: nobody else looks at it, and it has no area */
	const char *collector_host; /* path of the program data collectors run in; NULL: none are
				       called */
	unsigned collector_names;   /* MB of names kept for one collector; 0: 128 */
	const char *const *map_programs; /* MAPPROGRAM: further names for their lists of programs */
	size_t map_program_count;
	const char *
		subject; /* the step's program as it was named, for its first process; NULL: none */
	/*
	 * The collectors to be considered for a program (file name), in the order in which they are
	 * called, those that come with vigil first. first: it is the step's first process. The list
	 * and its texts stay valid while the sampler lives; NULL: there are none for any program.
	 */
	size_t (*choose)(void *argument, const char *program, bool first,
			 const struct sampler_collector **list);
	void *choose_argument;
	uint64_t
		stop_after_samples; /* LIMIT with QUIT/STOP: end once so many were taken; 0 never */
	/* Called when stored samples (rows: struct record_sample) must be thinned by two; wired to
	   dataset_thin. */
	int (*thin)(void *argument, bool (*keep)(void *keep_argument, const void *row),
		    void *keep_argument, struct error *err);
	void *thin_argument;
};

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
