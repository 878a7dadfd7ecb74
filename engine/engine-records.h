/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The records that an engine makes itself, whatever its modules produce: facts,
 * messages, and how its clock stands to the time of day. Who gives an engine
 * the types that are built in (struct record_catalogue) describes these under
 * the ids that they have here.
 */
#ifndef VIGIL_ENGINE_ENGINE_RECORDS_H
#define VIGIL_ENGINE_ENGINE_RECORDS_H

#include "engine/record.h"

enum engine_record_id {
	RECORD_ATTRIBUTE = 1,
	RECORD_NOTE = 2,
	RECORD_CLOCK = 18,
};

/* A fact about the whole session; a later row of a key replaces an earlier one. */
struct record_attribute {
	uint64_t key;	/* string */
	uint64_t value; /* string; numbers in decimal */
};

/* A message of the session that the reports show: what is missing and why. */
struct record_note {
	uint64_t severity; /* enum severity */
	uint64_t number;   /* digits of the message id */
	uint64_t text;	   /* string */
};

/*
 * How the monotonic clock stands to the time of day. The engine adds one to
 * the first snapshot of a collection, and to others when somebody has set the
 * clock; until the next one, a time on the wall is time + (wall - time).
 */
struct record_clock {
	uint64_t time;
	uint64_t wall; /* ns since 1970 UTC at that time */
};

#endif
