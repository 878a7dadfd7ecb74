/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about data collectors. */
#include "common/compat.h"
#include "profile/collector-facts.h"
#include "common/clock.h"

/* Answers rejected, of all, from which on there is a note: one in so many. */
#define MANY_REJECTED 20
/* A median delay from which on what was read may belong to a later moment, ns. */
#define LONG_DELAY (5 * NSEC_PER_MSEC)

/* In files that do not tell whether it was loaded its generation does. */
enum collector_state collector_facts_state(const struct profile *profile,
					   const struct record_collector *collector)
{
	bool problem = *profile_text(profile, collector->problem);
	bool loaded = collector->loaded || *profile_text(profile, collector->generation);

	if (collector->calls)
		return problem ? COLLECTOR_SWITCHED_OFF : COLLECTOR_CALLED;
	return problem && !loaded ? COLLECTOR_NOT_LOADED : COLLECTOR_NOT_CALLED;
}

/* Answers dropped for the collector's own reasons. */
static void note_rejected(const struct profile *profile, struct note_list *notes,
			  const struct record_collector *collector)
{
	uint64_t rejected = collector->outside + collector->torn;

	if (rejected * MANY_REJECTED < collector->calls || !rejected)
		return;
	note_list_add(notes, SEVERITY_INFO, 6102,
		      "data collector %s: the answers to %" PRIu64 " of %" PRIu64
		      " calls were rejected (%" PRIu64 " outside, %" PRIu64 " torn)",
		      profile_text(profile, collector->name), rejected, collector->calls,
		      collector->outside, collector->torn);
}

/* Why a collector was not called, or not to the end. */
static void note_problem(const struct profile *profile, struct note_list *notes,
			 const struct record_collector *collector)
{
	const char *name = profile_text(profile, collector->name);
	const char *problem = profile_text(profile, collector->problem);

	if (!*problem)
		return;
	switch (collector_facts_state(profile, collector)) {
	case COLLECTOR_NOT_LOADED:
		note_list_add(notes, SEVERITY_WARNING, 6100, "data collector %s was not loaded: %s",
			      name, problem);
		break;
	case COLLECTOR_NOT_CALLED:
		note_list_add(notes, SEVERITY_INFO, 6103, "data collector %s was not called: %s",
			      name, problem);
		break;
	default:
		note_list_add(notes, SEVERITY_WARNING, 6101,
			      "data collector %s was switched off after %" PRIu64 " calls: %s",
			      name, collector->calls, problem);
	}
}

/* Answers that were read so late that they may not belong to their samples. */
static void note_delay(const struct profile *profile, struct note_list *notes,
		       const struct record_collector *collector)
{
	struct strbuf delay = STRBUF_INIT;

	if (collector->delay < LONG_DELAY)
		return;
	clock_format_duration(&delay, collector->delay);
	note_list_add(notes, SEVERITY_WARNING, 6104,
		      "data collector %s read the program's memory %s after the sample (median): "
		      "its answers may describe a later moment",
		      profile_text(profile, collector->name), delay.text);
	strbuf_release(&delay);
}

void collector_facts_notes(const struct profile *profile, struct note_list *notes)
{
	for (size_t i = 0; i < profile->collectors.count; i++) {
		const struct record_collector *collector = id_table_at(&profile->collectors, i);

		note_problem(profile, notes, collector);
		note_rejected(profile, notes, collector);
		note_delay(profile, notes, collector);
	}
}
