/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What a profile holds, for the files of reports/ only.
 *
 * profile_take consolidates one snapshot after another; profile_seal ends
 * that and works out what addresses mean (attribution.h). Reports read a
 * sealed profile and do not change it.
 */
#ifndef VIGIL_PROFILE_PROFILE_DATA_H
#define VIGIL_PROFILE_PROFILE_DATA_H

#include "common/idmap.h"
#include "profile/attribution.h"
#include "profile/keymap.h"
#include "profile/profile.h"
#include "profile/timeline.h"

/* Records that have an id as their first value; a later one replaces an earlier one. */
struct id_table {
	struct idmap index; /* id to number */
	uint64_t *values;
	size_t width, count, alloc;
};

/* The record of a number, or of an id (NULL when there is none). */
const void *id_table_at(const struct id_table *table, size_t number);
const void *id_table_get(const struct id_table *table, uint64_t id);

/* CPU samples that are alike in all but their time. */
struct cpu_sum {
	size_t stack; /* number of the stack, SIZE_MAX when it is missing in the data */
	uint64_t task, kind, flags, transaction;
	uint64_t count;
};

/* Waits that are alike in all but their time; times in ns. */
struct wait_sum {
	size_t stack; /* as in cpu_sum */
	uint64_t task, reason, file, syscall, transaction;
	uint64_t count, total, charged, solo;
};

/* What a task did, or what was done on a file: sums and course. */
struct activity_sum {
	uint64_t id;
	uint64_t busy, busy_solo; /* a task: on a processor; a file: waited for by at least one */
	uint64_t charged, charged_solo;
	uint64_t waits, total, bytes; /* files only */
	struct timeline timeline;     /* amounts: busy, busy_solo, charged */
};

struct activity_table {
	struct idmap index;
	struct activity_sum *items;
	size_t count, alloc;
};

const struct activity_sum *activity_find(const struct activity_table *table, uint64_t id);

struct step_sum {
	uint64_t interval, exec, wait, delay;
	uint64_t minor_faults, major_faults, read_bytes, write_bytes, read_calls, write_calls;
	uint64_t peak_tasks, peak_resident;
	struct timeline timeline; /* amounts: exec, wait, delay, pages * ns, minor, major */
};

struct profile {
	struct strmap strings;
	char *path;		 /* of the data set, "" when there is none */
	struct strbuf damage;	 /* sentences */
	struct idmap attributes; /* key string to value string */
	struct keymap notes;	 /* severity, number, text */
	struct id_table processes, tasks, objects, frames, stacks, files, transactions,
		collectors, pseudo_sections;
	struct keymap name_index; /* frame, depth */
	struct record_name *names;
	size_t name_alloc;
	struct keymap sample_index; /* stack, task, kind, flags, transaction */
	uint64_t *sample_counts;
	size_t sample_alloc;
	struct keymap wait_index; /* stack, task, reason, file, syscall, transaction */
	struct wait_sum *waits;
	size_t wait_alloc;
	struct activity_table task_activity, file_activity;
	struct step_sum step;
	uint64_t first_time, last_time; /* of the snapshots, ns monotonic; 0 none yet */
	uint64_t resolution;		/* of the timelines, ns */
	uint64_t snapshots;

	/* From here on: made by profile_seal. */
	bool sealed;
	struct cpu_sum *cpu;
	size_t cpu_count, wait_count;
	uint64_t samples, solo_samples; /* of all rows of cpu */
	uint64_t charged, total_wait;	/* of all rows of waits */
	struct attribution attribution;
};

struct profile *profile_new(void);
/* Take one snapshot in; strings are those its records refer to. */
void profile_take(struct profile *profile, const struct snapshot *snapshot,
		  const struct strmap *strings);
void profile_seal(struct profile *profile);

/* The text of a string of the profile's records. */
const char *profile_text(const struct profile *profile, uint64_t string);
/* Length of the run in ns: the STEP rows' intervals, or from start to end when there are none. */
uint64_t profile_run_time(const struct profile *profile);
/* Start and end of the time axis, ns monotonic. */
uint64_t profile_start(const struct profile *profile);
uint64_t profile_end(const struct profile *profile);
/* ns of CPU time that one sample stands for. */
uint64_t profile_period(const struct profile *profile);
/* What the step's program is called. */
const char *profile_program(const struct profile *profile);
/* CPU samples whose stack reaches the program. */
uint64_t profile_reached(const struct profile *profile);

#endif
