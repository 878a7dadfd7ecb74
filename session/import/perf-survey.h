/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first pass over a perf.data: finds what it contains, and which of its events
 * measures CPU time.
 *
 * That is the clock (cpu-clock, task-clock), whose samples represent ns, else
 * cycles. A sample of cycles represents its period in cycles; the duration of a
 * cycle follows from pairs of samples in the recording (sample-pace.h): two
 * consecutive ones of a task without a known switch between them are separated by
 * the time of the later one's cycles, unless the task waited. Samples of other
 * events represent no time here.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_SURVEY_H
#define VIGIL_SESSION_IMPORT_PERF_SURVEY_H

#include "session/import/perf-data/perf-recording.h"
#include "session/import/sample-pace.h"
#include "session/import/survey-processes.h"

/* The role of an event in an import. */
enum survey_role {
	SURVEY_OTHER,  /* not used */
	SURVEY_CLOCK,  /* CPU time, in ns */
	SURVEY_CYCLES, /* CPU time, in cycles */
	SURVEY_SWITCH, /* the tracepoint sched:sched_switch */
};

struct survey_event {
	enum survey_role role;
	bool counts; /* its samples become those of the session */
	uint64_t samples;
	double unit;	/* ns per unit of its periods */
	double total;	/* sum of its periods */
	struct sample_pace pace; /* of cycles */
};

struct survey {
	struct survey_event *events; /* in the order of the header */
	size_t event_count;
	/*
	 * ns; both 0: no record has a time. Times far from nearly all others are treated
	 * as damage.
	 */
	uint64_t start, end;   /* of the recorded processes */
	uint64_t first, last;  /* of all records */
	struct survey_age {
		uint64_t age, count, start, end;
	} * ages; /* times grouped by their high bits */
	size_t age_count, age_alloc;
	uint64_t period;     /* ns per sample */
	uint64_t samples;    /* of counting events, without those of the idle task */
	uint64_t idle;	     /* samples of the idle task */
	uint64_t others;     /* of events that do not count */
	uint64_t lost, throttled, aux;
	struct survey_processes processes;
	struct idmap next; /* by processor: the task to which sched_switch gave it, plus 1 */
	bool has_idle_switches; /* it has switches of the idle task */
	uint64_t follows, jumps; /* how often that task, or another, was the next to leave the
				  * processor */
	bool switch_records, whole_processors; /* everywhere: sched_switch was recorded on whole
					  * processors */
	bool chains, stacks;		 /* samples have call chains; copied stacks */
	char *kernel_symbol;		 /* symbol with the kernel's address; NULL: not recorded */
	uint64_t kernel_address, vdso_length;
	struct perf_data *data;
	perf_take_damage *damage;
	void *argument;
};

/* Reads the whole recording once. -1 if it has neither CPU time nor waits. */
int survey_init(struct survey *survey, struct perf_data *data, perf_take_damage *damage,
		void *argument, struct error *err);
void survey_release(struct survey *survey);
/* Returns whether the recording has tasks leaving processors and getting them. */
bool survey_has_switches(const struct survey *survey);
/* Returns whether the time and the period of a record are plausible. */
bool survey_is_sane(const struct survey *survey, const struct perf_record *record);
/* Returns the ns that a sample of an event represents. */
double survey_weight(const struct survey *survey, const struct perf_record *record);
/*
 * Extracts the task that gets the processor, and whether the leaving one was able
 * to continue, from the data of sched:sched_switch; false: not available.
 */
bool survey_switch(const struct perf_sample *sample, uint32_t *next, bool *preempted);

#endif
