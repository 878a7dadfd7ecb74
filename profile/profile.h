/* SPDX-License-Identifier: Apache-2.0 */
/*
 * One session's data in memory, consolidated. Everything that shows a
 * session reads it: listings, exports, comparisons, pictures. It knows no
 * layout.
 *
 * A profile is made by a consolidation (consolidation.h), from a running
 * collection or from a sample data set, and does not change afterwards:
 * readers hold it const and read its members. Its memory grows with the
 * number of distinct stacks, tasks and files, not with samples.
 *
 * Rows refer to each other by id (0 is none) and to texts by number
 * (profile_text). cpu and waits are the two accounts: the counts of all cpu
 * rows add up to samples, the charged times of all waits to charged.
 * attribution.h explains what the stack of a row means and who is charged
 * with it. Views that several readers share: usage.h (CPU time by procedure
 * and statement), call-tree.h (who called whom), findings.h (what takes most of the run), label.h (names of
 * tasks, files, waits), session-facts.h and collector-facts.h (the session
 * itself), event-usage.h (events by program, line, transaction), coverage.h
 * (statements executed and not), wait-variance.h (how sure sums of waits are),
 * sums.h (sums by any key), run-course.h (when rows were).
 */
#ifndef VIGIL_PROFILE_PROFILE_H
#define VIGIL_PROFILE_PROFILE_H

#include "common/keymap.h"
#include "common/strbuf.h"
#include "common/strmap.h"
#include "records/coverage-sums.h"
#include "records/event-sums.h"
#include "profile/activity.h"
#include "profile/attribution.h"
#include "profile/run-course.h"
#include "profile/id-table.h"
#include "profile/name-table.h"
#include "profile/session-attributes.h"
#include "profile/system-activity.h"

/* CPU samples that are alike in all but their time. */
struct profile_cpu {
	size_t stack; /* number of the stack, ATTRIBUTION_NONE when it is missing in the data */
	uint64_t task, kind, flags, transaction;
	uint64_t count;
};

/* Waits that are alike in all but their time; times in ns. */
struct profile_wait {
	size_t stack; /* as in profile_cpu */
	uint64_t task, reason, file, syscall, transaction;
	uint64_t count, total, charged, solo;
	uint64_t variance, laid, spread, delay_variance; /* as in record_wait; of rows: wait-variance.h */
	uint64_t holder, holder_pid; /* who held the lock: as in record_wait */
	size_t holder_stack;	     /* number of its stack, ATTRIBUTION_NONE not known */
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
	uint64_t moved_bytes; /* by these calls; 0: not known */
	uint64_t peak_tasks, peak_resident; /* resident in pages of 4096 bytes */
	struct timeline timeline;	    /* enum profile_step_amount */
};

struct profile {
	struct strmap strings;
	char *path;	      /* of the data set, "" when there is none */
	uint64_t file_bytes;  /* of the data set, 0 when there is none */
	struct strbuf damage; /* sentences on what was missing in the file; "" when nothing was */
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
	uint64_t independent; /* so many samples tell as much, as some were made like others */
	uint64_t reached;     /* samples whose stack reaches the program */
	uint64_t charged, total_wait; /* of all rows of waits, ns */
	struct run_course *course;	      /* when the rows were; NULL: it was not asked for, or there were none */

	struct id_table event_sites;
	struct event_sums events; /* by site and transaction; of sessions with events */
	struct system_activity system; /* what the machine did meanwhile (system-activity.h) */
	bool has_metrics;	  /* the data set has records of modules */
	bool has_event_rows;	  /* the data set has the events themselves, too */

	struct coverage_sums coverage; /* of sessions with coverage (coverage.h) */

	struct activity_table task_activity, file_activity;
	struct profile_step step;
	uint64_t snapshots;
	uint64_t first_time, last_time; /* of the snapshots, ns monotonic; 0 there were none */

	struct attribution attribution;
	struct idmap task_numbers; /* task to its number among those of the same name, if several */
	struct idmap file_folders; /* file to how many folders belong to its name, if others end alike */
};

/* Read a sample data set. Of a damaged one the whole blocks are used; see damage. */
struct profile *profile_load(const char *path, struct error *err);
/* The same, with the course of its rows. */
struct profile *profile_load_course(const char *path, struct error *err);
/* The same, with the course of its waits only. */
struct profile *profile_load_wait_course(const char *path, struct error *err);
/* Show the step as if no data collector had named modules and places (the stacks that were walked;
   transactions stay), or with what they named, as it is at first. */
void profile_show_native(struct profile *profile, bool native);
/* An empty one, for a consolidation to fill. */
struct profile *profile_new(void);
void profile_free(struct profile *profile);

/* The text of a string of the profile's records; "" for a number that was never given out. */
static inline const char *profile_text(const struct profile *profile, uint64_t string)
{
	return string < UINT32_MAX ? strmap_text(&profile->strings, (uint32_t)string) : "";
}

/* Below 0, 0 or above 0 as the text of string first comes before that of second. */
int profile_compare_texts(const struct profile *profile, uint64_t first, uint64_t second);
/* A sums_compare for keys that begin with two strings; argument is the profile. */
int profile_compare_text_pairs(const uint64_t *first, const uint64_t *second, void *profile);

/* What was missing in the file; "" when nothing was. */
const char *profile_damage(const struct profile *profile);
/* An ATTRIBUTE by key, "" when it is not there. */
const char *profile_attribute(const struct profile *profile, const char *key);
uint64_t profile_attribute_number(const struct profile *profile, const char *key);

/* Length of the run in ns: the STEP rows' intervals, or from start to end when there are none. */
uint64_t profile_run_time(const struct profile *profile);
/* Start and end of the time axis, ns monotonic. */
uint64_t profile_start(const struct profile *profile);
uint64_t profile_end(const struct profile *profile);
/* ns of CPU time that one sample stands for. */
uint64_t profile_period(const struct profile *profile);
/* What the step's program is called. */
const char *profile_program(const struct profile *profile);

/* Percent of the run's CPU samples, and of its run time. */
double profile_cpu_percent(const struct profile *profile, uint64_t samples);
double profile_run_percent(const struct profile *profile, uint64_t ns);
/* The margin of error, in percentage points, of a share of the run's CPU samples. */
double profile_share_margin(const struct profile *profile, double percent);
/* The run's: the worst case over all shares. */
double profile_margin(const struct profile *profile);

#endif
