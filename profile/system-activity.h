/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the whole machine did while the step ran, and what of it was the
 * step's: for the System Activity reports (SAC, SAM, SAD, SAN, SAP).
 *
 * The machine's part comes from records of system metrics, which are known by
 * the names of their types and items and by their units; an item that a
 * data set does not have is missing. The step's part comes from the records of
 * the session itself.
 *
 * A counter says what it grew between two records, a level holds from the
 * record before to its own. What is known is kept beside each amount as time:
 * an amount divided by the time in which it is known is a rate, or the mean of
 * a level. Where records are missing, or a counter went back, time is not
 * known; so a gap is a gap.
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
	/* More of MACHINE. */
	SYSTEM_SWITCHES = SYSTEM_MODES,
	SYSTEM_LOAD,
	SYSTEM_RUNNING,
	SYSTEM_BLOCKED,
	/* More of PROCESSOR: ns that tasks were ready and waited for it. */
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

/* Amounts by field, and ns in which each is known. */
struct system_sum {
	double amount[SYSTEM_FIELDS], known[SYSTEM_FIELDS];
};

/* What the step used; times in ns. */
enum system_step {
	SYSTEM_STEP_TIME,  /* in which it was observed */
	SYSTEM_STEP_CPU,   /* of all tasks */
	SYSTEM_STEP_READY, /* tasks were ready and did not execute, all tasks */
	SYSTEM_STEP_IO,	   /* tasks waited for files, all tasks */
	SYSTEM_STEP_PAGE,  /* tasks waited for pages, all tasks */
	SYSTEM_STEP_SOCKET,
	SYSTEM_STEP_READ, /* bytes from devices */
	SYSTEM_STEP_WRITTEN,
	SYSTEM_STEP_NETWORK,  /* bytes through sockets of the network, as far as they are known */
	SYSTEM_STEP_RESIDENT, /* bytes in memory times ns */
	SYSTEM_STEP_MINOR,
	SYSTEM_STEP_MAJOR,
	SYSTEM_STEP_AMOUNTS
};

/* One processor, disk or interface over the whole run. */
struct system_instance {
	char *name;    /* owned */
	bool counted;  /* in the sum: it does not stand for others that are counted, too */
	uint64_t seen; /* time of its last record */
	uint64_t last[SYSTEM_FIELDS];
	struct system_sum sum;
};

struct system_series {
	struct system_instance *items; /* owned */
	size_t count, alloc;
	uint64_t last;	  /* time of the last records, 0 before the first and after a gap */
	uint64_t records; /* snapshots that had some */
	size_t present;	  /* instances in the last of them */
	struct timeline courses[SYSTEM_FIELDS / 3]; /* amount and known of three fields each */
};

struct system_activity {
	struct system_series series[SYSTEM_KINDS];
	uint64_t snapshots; /* that had records of any kind */
	struct timeline step[SYSTEM_STEP_AMOUNTS / TIMELINE_AMOUNTS];
};

/* Where a snapshot lies on the time axis, ns monotonic. */
struct system_span {
	uint64_t start, end, resolution;
};

void system_activity_release(struct system_activity *system);
/* Take a snapshot; its files are in the profile already. */
void system_activity_take(struct profile *profile, const struct snapshot *snapshot,
			  const struct strmap *strings, const struct system_span *span);
/* Whether a session has records of system metrics at all. */
bool system_activity_any(const struct profile *profile);

/* A part of the run. */
struct system_slice {
	uint64_t start, end; /* ns monotonic */
	struct system_sum sums[SYSTEM_KINDS];
	double step[SYSTEM_STEP_AMOUNTS];
};

/* How many slices, most at most, the records are good for; 0: not even one. */
size_t system_activity_resolution(const struct profile *profile, size_t most);
/* The time from start to end (of the profile) in count equal parts, which the caller frees. */
struct system_slice *system_activity_slices(const struct profile *profile, uint64_t start,
					    uint64_t end, size_t count);
/* What a field has in a second, or its level: amount by time known; NAN where it is not known. */
double system_rate(const struct system_slice *slice, enum system_kind kind, size_t field);
/* The same of an instance. */
double system_instance_rate(const struct system_instance *instance, size_t field);
/* What of the step there was in a nanosecond; NAN where the step was not observed. */
double system_step_rate(const struct system_slice *slice, enum system_step amount);
/* Processors of the machine, 0 not known. */
uint64_t system_processors(const struct profile *profile);

#endif
