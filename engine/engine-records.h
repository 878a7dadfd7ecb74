/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that the engine itself makes, whatever its modules produce: facts,
 * messages, and the offset between its clock and the time of day. The struct
 * record_catalogue of built-in types that an engine is given must describe these
 * types under the ids defined here.
 */
#ifndef VIGIL_ENGINE_ENGINE_RECORDS_H
#define VIGIL_ENGINE_ENGINE_RECORDS_H

#include "engine/record.h"

enum engine_record_id {
	RECORD_ATTRIBUTE = 1,
	RECORD_NOTE = 2,
	RECORD_CLOCK = 18,
};

/* A fact about the whole session; a later row with the same key replaces an earlier one. */
struct record_attribute {
	uint64_t key;	/* string number */
	uint64_t value; /* string number; numbers are in decimal */
};

/* A message of the session for the reports: what is missing and why. */
struct record_note {
	uint64_t severity; /* enum severity */
	uint64_t number;   /* digits of the message id */
	uint64_t text;	   /* string number */
};

/*
 * A pair of readings of the monotonic clock and the time of day. The engine adds
 * one to the first snapshot of a collection, and to others after a clock was set.
 * Until the next one, wall - time is the offset to add to a monotonic time to get
 * the time of day.
 */
struct record_clock {
	uint64_t time;
	uint64_t wall; /* ns since 1970 UTC at that time */
};

#endif
