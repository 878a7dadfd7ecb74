/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One session's data in memory, consolidated. Everything that shows a session
 * reads it: listings, exports, comparisons, pictures. It knows no layout.
 *
 * A profile is made by a consolidation (consolidation.h), from a running
 * collection or from a sample data set, and does not change afterwards: readers
 * hold it const and read its members. Its memory grows with the number of distinct
 * stacks, tasks and files, not with samples.
 *
 * Rows refer to each other by id (0: none) and to texts by number (profile_text).
 * cpu and waits are the two accounts: the counts of all cpu rows add up to
 * samples, the charged times of all waits to charged. attribution.h explains what
 * the stack of a row means and who is charged with it. Views that several readers
 * share: usage.h (CPU time by procedure and statement), call-tree.h (who called
 * whom), findings.h (what takes most of the run), label.h (names of tasks, files,
 * waits), session-facts.h and collector-facts.h (the session itself),
 * event-usage.h (events by program, line, transaction), coverage.h (statements
 * executed and not), wait-variance.h (margins of sums of waits), sums.h (sums by
 * any key), run-course.h (when rows occurred).
 */
#ifndef VIGIL_PROFILE_PROFILE_H
#define VIGIL_PROFILE_PROFILE_H

#include "common/keymap.h"
#include "common/strbuf.h"
#include "common/strmap.h"
#include "records/coverage-sums.h"
#include "records/event-sums.h"
#include "common/margin.h"
#include "profile/activity.h"
#include "profile/attribution.h"
#include "profile/run-course.h"
#include "profile/id-table.h"
#include "profile/name-table.h"
#include "profile/session-attributes.h"
#include "profile/system-activity.h"

/* CPU samples that are equal except for their time. */
struct profile_cpu {
	size_t stack; /* number of the stack, ATTRIBUTION_NONE if it is missing in the data */
	uint64_t task, kind, flags, transaction;
	uint64_t count;
};

/* Waits that are equal except for their time; times in ns. */
struct profile_wait {
	size_t stack; /* as in profile_cpu */
	uint64_t task, reason, file, syscall, transaction;
	uint64_t count, total, charged, solo;
	uint64_t variance, laid, spread, delay_variance; /* as in record_wait; for sums of rows
							  * see wait-variance.h */
	uint64_t holder, holder_pid; /* the lock's holder: as in record_wait */
	size_t holder_stack;	     /* number of its stack, ATTRIBUTION_NONE: unknown */
};

/* Amounts of the step's timeline. */
enum profile_step_amount {
	PROFILE_STEP_EXEC,
	PROFILE_STEP_WAIT,
	PROFILE_STEP_DELAY,
	PROFILE_STEP_PAGES, /* pages in memory times ns */
	PROFILE_STEP_MINOR,
	PROFILE_STEP_MAJOR,
};

/* The whole step: exec + wait + delay == interval, in ns. */
struct profile_step {
	uint64_t interval, exec, wait, delay;
	uint64_t minor_faults, major_faults, read_bytes, write_bytes, read_calls, write_calls;
	uint64_t moved_bytes; /* by these calls; 0: unknown */
	uint64_t peak_tasks, peak_resident; /* peak_resident in pages of 4096 bytes */
	struct timeline timeline;	    /* enum profile_step_amount */
};

struct profile {
	struct strmap strings;
	char *path;	      /* of the data set, "": none */
	uint64_t file_bytes;  /* of the data set, 0: none */
	struct strbuf damage; /* sentences on what was missing in the file; "": nothing */
	struct session_attributes attributes;
	struct keymap notes; /* of the session itself: severity, number, text */

	/* Records of their types (records/record-types.h), by id. */
	struct id_table processes, tasks, objects, frames, stacks, files, transactions, collectors,
		pseudo_sections;
	struct name_table names;

	struct profile_cpu *cpu;
	struct profile_wait *waits;
	size_t cpu_count, wait_count;
	uint64_t samples, solo_samples; /* of all rows of cpu */
	uint64_t independent; /* number of independent samples with the same information (some
			       * samples were derived from others) */
	struct margin_basis basis; /* of the margins of rows */
	uint64_t reached;     /* samples whose stack contains a place of the program */
	uint64_t charged, total_wait; /* of all rows of waits, ns */
	struct run_course *course;	      /* when the rows occurred; NULL: not requested, or
					       * no rows */

	struct id_table event_sites;
	struct event_sums events; /* by site and transaction; only in sessions with events */
	struct system_activity system; /* what the machine did meanwhile (system-activity.h) */
	bool has_metrics;	  /* the data set has records of modules */
	bool has_event_rows;	  /* the data set also has the events themselves */

	struct coverage_sums coverage; /* only in sessions with coverage (coverage.h) */

	struct activity_table task_activity, file_activity;
	struct profile_step step;
	uint64_t snapshots;
	uint64_t first_time, last_time; /* of the snapshots, ns monotonic; 0: no snapshots */

	struct attribution attribution;
	struct idmap task_numbers; /* task to its number among tasks of the same name, if several */
	struct idmap file_folders; /* file to the number of folders shown in its name, if others
				    * end alike */
};

/*
 * Reads a sample data set. Of a damaged one the intact blocks are used; see
 * damage. Returns NULL with err on failure.
 */
struct profile *profile_load(const char *path, struct error *err);
/* The same, also with the course of the rows. */
struct profile *profile_load_course(const char *path, struct error *err);
/* The same, with the course of the waits only. */
struct profile *profile_load_wait_course(const char *path, struct error *err);
/*
 * Switches the view of the step: native shows the stacks as walked, as if no data
 * collector had named modules and places (transactions stay); otherwise with their
 * names, the initial state.
 */
void profile_show_native(struct profile *profile, bool native);
/* Returns an empty profile for a consolidation to fill. */
struct profile *profile_new(void);
void profile_free(struct profile *profile);

/* Returns the text of a string of the profile's records; "" for an unassigned number. */
static inline const char *profile_text(const struct profile *profile, uint64_t string)
{
	return string < UINT32_MAX ? strmap_text(&profile->strings, (uint32_t)string) : "";
}

/*
 * Returns below 0, 0 or above 0 as the text of string first sorts before, with or
 * after that of second.
 */
int profile_compare_texts(const struct profile *profile, uint64_t first, uint64_t second);
/* A sums_compare for keys that begin with two strings; the argument is the profile. */
int profile_compare_text_pairs(const uint64_t *first, const uint64_t *second, void *profile);

/* Returns what was missing in the file; "": nothing. */
const char *profile_damage(const struct profile *profile);
/* Returns an ATTRIBUTE by key, "" if it is not there. */
const char *profile_attribute(const struct profile *profile, const char *key);
uint64_t profile_attribute_number(const struct profile *profile, const char *key);

/*
 * Returns the length of the run in ns: the sum of the STEP rows' intervals, or end
 * minus start if there are none.
 */
uint64_t profile_run_time(const struct profile *profile);
/* Return the start and end of the time axis, ns monotonic. */
uint64_t profile_start(const struct profile *profile);
uint64_t profile_end(const struct profile *profile);
/* Returns the ns of CPU time that one sample stands for. */
uint64_t profile_period(const struct profile *profile);
/* Returns the name of the step's program. */
const char *profile_program(const struct profile *profile);

/* Return the percentage of the run's CPU samples, and of its run time. */
double profile_cpu_percent(const struct profile *profile, uint64_t samples);
double profile_run_percent(const struct profile *profile, uint64_t ns);
/*
 * Returns the margin of error, in percentage points, of a share of the run's CPU samples,
 * of which it is not known how many were placed: profile_row_margin is narrower.
 */
double profile_share_margin(const struct profile *profile, double percent);
/* Returns how many samples of a row of cpu are kernel time whose place was estimated: all or none. */
static inline uint64_t profile_cpu_placed(const struct profile_cpu *cpu)
{
	return cpu->kind == SAMPLE_KERNEL_ESTIMATED ? cpu->count : 0;
}
/*
 * Returns the margin of error, in percentage points, of the share of a sum of rows of cpu.
 * samples: their sum; placed: that of profile_cpu_placed.
 */
double profile_row_margin(const struct profile *profile, uint64_t samples, uint64_t placed);
/* Returns the run's margin: the worst case over all shares. */
double profile_margin(const struct profile *profile);

#endif
