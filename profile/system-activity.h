/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the whole machine did while the step ran, and the step's part of it: for
 * the System Activity reports (SAC, SAM, SAD, SAN, SAP).
 *
 * The machine's part comes from records of system metrics, identified by the names
 * of their types and items and by their units; an item that a data set does not
 * have is missing. The step's part comes from the records of the session itself.
 *
 * The value of a counter is its growth between two records; a level holds from the
 * previous record to its own. Next to each amount is the time for which it is
 * known: amount divided by that time is a rate, or the mean of a level. Where
 * records are missing, or a counter went back, the time is not known, so gaps stay
 * gaps.
 */
#ifndef VIGIL_PROFILE_SYSTEM_ACTIVITY_H
#define VIGIL_PROFILE_SYSTEM_ACTIVITY_H

#include "engine/snapshot.h"
#include "common/strmap.h"
#include "profile/timeline.h"

struct profile;

enum system_kind {
	SYSTEM_MACHINE,
	SYSTEM_PROCESSOR,
	SYSTEM_MEMORY,
	SYSTEM_DISK,
	SYSTEM_INTERFACE,
	SYSTEM_LOOPBACK,
	SYSTEM_PRESSURE_CPU,
	SYSTEM_PRESSURE_MEMORY,
	SYSTEM_PRESSURE_IO,
	SYSTEM_PRESSURE_IRQ,
	SYSTEM_KINDS
};

/* Fields of MACHINE and PROCESSOR: ns by mode, of all processors and of one. */
enum {
	SYSTEM_USER,
	SYSTEM_NICE,
	SYSTEM_KERNEL,
	SYSTEM_IDLE,
	SYSTEM_IO_WAIT,
	SYSTEM_INTERRUPTS,
	SYSTEM_SOFT_INTERRUPTS,
	SYSTEM_STOLEN,
	SYSTEM_MODES,
	/* Further fields of MACHINE. */
	SYSTEM_SWITCHES = SYSTEM_MODES,
	SYSTEM_LOAD,
	SYSTEM_RUNNING,
	SYSTEM_BLOCKED,
	/* Further field of PROCESSOR: ns that ready tasks waited for it. */
	SYSTEM_RUN_DELAY = SYSTEM_MODES,
};

/* Fields of MEMORY: bytes, counts and pages. */
enum {
	SYSTEM_TOTAL,
	SYSTEM_AVAILABLE,
	SYSTEM_FREE,
	SYSTEM_CACHED,
	SYSTEM_BUFFERS,
	SYSTEM_SWAP_TOTAL,
	SYSTEM_SWAP_FREE,
	SYSTEM_FAULTS,
	SYSTEM_MAJOR_FAULTS,
	SYSTEM_SWAPPED_IN,
	SYSTEM_SWAPPED_OUT,
};

/* Fields of DISK. */
enum {
	SYSTEM_READS,
	SYSTEM_WRITES,
	SYSTEM_BYTES_READ,
	SYSTEM_BYTES_WRITTEN,
	SYSTEM_READ_TIME,
	SYSTEM_WRITE_TIME,
	SYSTEM_BUSY_TIME,
	SYSTEM_QUEUE_TIME,
};

/* Fields of INTERFACE and LOOPBACK. */
enum {
	SYSTEM_BYTES_RECEIVED,
	SYSTEM_PACKETS_RECEIVED,
	SYSTEM_BYTES_SENT,
	SYSTEM_PACKETS_SENT,
	SYSTEM_RECEIVE_ERRORS,
	SYSTEM_SEND_ERRORS,
	SYSTEM_RECEIVE_DROPS,
	SYSTEM_SEND_DROPS,
};

/* Fields of PRESSURE: ns in which some, or all, tasks waited. */
enum { SYSTEM_SOME, SYSTEM_FULL };

#define SYSTEM_FIELDS 12

/* Amounts by field, and the ns for which each is known. */
struct system_sum {
	double amount[SYSTEM_FIELDS], known[SYSTEM_FIELDS];
};

/* What the step used; times in ns. */
enum system_step {
	SYSTEM_STEP_TIME,  /* for which it was observed */
	SYSTEM_STEP_CPU,   /* of all tasks */
	SYSTEM_STEP_READY, /* tasks were ready but did not execute, all tasks */
	SYSTEM_STEP_IO,	   /* tasks waited for files, all tasks */
	SYSTEM_STEP_PAGE,  /* tasks waited for pages, all tasks */
	SYSTEM_STEP_SOCKET,
	SYSTEM_STEP_READ, /* bytes from devices */
	SYSTEM_STEP_WRITTEN,
	SYSTEM_STEP_NETWORK,  /* bytes through network sockets, as far as known */
	SYSTEM_STEP_RESIDENT, /* bytes in memory times ns */
	SYSTEM_STEP_MINOR,
	SYSTEM_STEP_MAJOR,
	SYSTEM_STEP_AMOUNTS
};

/* One processor, disk or interface over the whole run. */
struct system_instance {
	char *name;    /* owned */
	bool counted;  /* included in the sum: it does not duplicate others that are counted */
	uint64_t seen; /* time of its last record */
	uint64_t last[SYSTEM_FIELDS];
	struct system_sum sum;
};

struct system_series {
	struct system_instance *items; /* owned */
	size_t count, alloc;
	uint64_t last;	  /* time of the last records, 0 before the first and after a gap */
	uint64_t records; /* snapshots with such records */
	size_t present;	  /* instances in the last of these snapshots */
	struct timeline courses[SYSTEM_FIELDS / 3]; /* amount and known time of three fields each */
};

struct system_activity {
	struct system_series series[SYSTEM_KINDS];
	uint64_t snapshots; /* with records of any kind */
	struct timeline step[SYSTEM_STEP_AMOUNTS / TIMELINE_AMOUNTS];
};

/* Time range of a snapshot, ns monotonic. */
struct system_span {
	uint64_t start, end, resolution;
};

void system_activity_release(struct system_activity *system);
/* Adds a snapshot; its files must already be in the profile. */
void system_activity_take(struct profile *profile, const struct snapshot *snapshot,
			  const struct strmap *strings, const struct system_span *span);
/* Returns whether a session has any records of system metrics. */
bool system_activity_any(const struct profile *profile);

/* A part of the run. */
struct system_slice {
	uint64_t start, end; /* ns monotonic */
	struct system_sum sums[SYSTEM_KINDS];
	double step[SYSTEM_STEP_AMOUNTS];
};

/* Returns how many slices, limited by most, the records can resolve; 0: not even one. */
size_t system_activity_resolution(const struct profile *profile, size_t most);
/* Divides start to end (of the profile) into count equal slices; the caller frees them. */
struct system_slice *system_activity_slices(const struct profile *profile, uint64_t start,
					    uint64_t end, size_t count);
/* Returns a field's rate per second, or its level: amount divided by known time; NAN if unknown. */
double system_rate(const struct system_slice *slice, enum system_kind kind, size_t field);
/* The same for an instance. */
double system_instance_rate(const struct system_instance *instance, size_t field);
/* Returns the step's amount per nanosecond; NAN if the step was not observed. */
double system_step_rate(const struct system_slice *slice, enum system_step amount);
/* Returns the number of processors of the machine, 0: unknown. */
uint64_t system_processors(const struct profile *profile);

#endif
