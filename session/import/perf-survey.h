/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The first look at a perf.data: what is in it, and which of its events tells where CPU time went.
 *
 * That is the clock (cpu-clock, task-clock), whose samples stand for ns, else cycles. A sample of
 * cycles stands for its period in cycles; what a cycle takes the recording's own pairs of
 * samples show (sample-pace.h): two of one task, one behind the other with no switch known between
 * them, are as far apart as the later one's cycles took, unless the task waited. Samples of other events stand for nothing here.
 */
#ifndef VIGIL_SESSION_IMPORT_PERF_SURVEY_H
#define VIGIL_SESSION_IMPORT_PERF_SURVEY_H

#include "session/import/perf-data/perf-recording.h"
#include "session/import/sample-pace.h"
#include "session/import/survey-processes.h"

/* What an event is to an import. */
enum survey_role {
	SURVEY_OTHER,  /* nothing */
	SURVEY_CLOCK,  /* CPU time, in ns */
	SURVEY_CYCLES, /* CPU time, in cycles */
	SURVEY_SWITCH, /* the tracepoint sched:sched_switch */
};

struct survey_event {
	enum survey_role role;
	bool counts; /* its samples are the session's */
	uint64_t samples;
	double unit;	/* ns that one of its periods' units is */
	double total;	/* of its periods */
	struct sample_pace pace; /* of cycles */
};

struct survey {
	struct survey_event *events; /* as the header has them */
	size_t event_count;
	/* ns; both 0: nothing has a time. A time far from nearly all others is damage. */
	uint64_t start, end;   /* of the processes it is of */
	uint64_t first, last;  /* of all */
	struct survey_age {
		uint64_t age, count, start, end;
	} * ages; /* times by what is above their last bits */
	size_t age_count, age_alloc;
	uint64_t period;     /* ns that a sample stands for */
	uint64_t samples;    /* of events that count, those of the idle task left out */
	uint64_t idle;	     /* those */
	uint64_t others;     /* of events that do not count */
	uint64_t lost, throttled, aux;
	struct survey_processes processes;
	struct idmap next; /* by processor: the task that sched_switch gave it to, plus 1 */
	bool idle_switches; /* it has some of the idle task */
	uint64_t follows, jumps; /* so often it was that task that left it next, or another */
	bool switch_records, everywhere; /* everywhere: sched_switch was recorded on whole processors */
	bool chains, stacks;		 /* samples have call chains; copies of the stack */
	char *kernel_symbol;		 /* by which the kernel's place is told; NULL: it is not */
	uint64_t kernel_address, vdso_length;
	struct perf_data *data;
	perf_take_damage *damage;
	void *argument;
};

/* Read all of it once. -1 when nothing in it tells of CPU time or waits. */
int survey_init(struct survey *survey, struct perf_data *data, perf_take_damage *damage,
		void *argument, struct error *err);
void survey_release(struct survey *survey);
/* Whether the recording tells when tasks leave processors and are given one. */
bool survey_has_switches(const struct survey *survey);
/* Whether the time of a record, and what it stands for, make sense. */
bool survey_is_sane(const struct survey *survey, const struct perf_record *record);
/* ns that a sample of an event stands for. */
double survey_weight(const struct survey *survey, const struct perf_record *record);
/* The task that is given the processor, and whether the one that leaves it could have gone on, by
   what sched:sched_switch wrote; false: it cannot be told. */
bool survey_switch(const struct perf_sample *sample, uint32_t *next, bool *preempted);

#endif
