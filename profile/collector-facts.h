/* SPDX-License-Identifier: Apache-2.0 */
/* Outcome of the data collectors of a session. */
#ifndef VIGIL_PROFILE_COLLECTOR_FACTS_H
#define VIGIL_PROFILE_COLLECTOR_FACTS_H

#include "profile/note-list.h"
#include "profile/profile.h"
#include "records/record-types.h"

/* Outcome of a collector; the problem of its record gives the reason, if there is one. */
enum collector_state {
	COLLECTOR_CALLED,
	COLLECTOR_SWITCHED_OFF,
	COLLECTOR_NOT_CALLED, /* no program of the step needed it */
	COLLECTOR_NOT_LOADED,
};

enum collector_state collector_facts_state(const struct profile *profile,
					   const struct record_collector *collector);
/*
 * Adds notes on collectors that were not loaded, were switched off, or whose
 * answers were rejected.
 */
void collector_facts_notes(const struct profile *profile, struct note_list *notes);

#endif
