/* SPDX-License-Identifier: Apache-2.0 */
/* What became of the data collectors of a session, for Measurement Session Data and the summary. */
#ifndef VIGIL_PROFILE_COLLECTOR_FACTS_H
#define VIGIL_PROFILE_COLLECTOR_FACTS_H

#include "reports/report-class.h"

/* What became of a collector; the problem of its record says why, where it has one. */
enum collector_state {
	COLLECTOR_CALLED,
	COLLECTOR_SWITCHED_OFF,
	COLLECTOR_NOT_CALLED, /* no program of the step needed it */
	COLLECTOR_NOT_LOADED,
};

enum collector_state collectors_state(const struct profile *profile,
				      const struct record_collector *collector);
/* Tables of the collectors, where each came from and what it did; nothing without any. */
void collectors_tables(struct context *context, struct document *document);
/* Notes on those that were not loaded, were switched off, or whose answers were rejected. */
void collectors_notes(const struct profile *profile, struct document *document);

#endif
