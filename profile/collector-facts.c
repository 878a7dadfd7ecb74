/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about data collectors. */
#include "common/compat.h"
#include "profile/collector-facts.h"
#include "common/clock.h"
#include "records/record-types.h"

/* There is a note if at least one answer in this many was rejected. */
#define MANY_REJECTED 20
/* There is a note if at least one sample in this many had no answer in time. */
#define MANY_LATE 20
/* Median delay, ns, from which answers may describe a later moment. */
#define LONG_DELAY (5 * NSEC_PER_MSEC)

/* Older files do not record whether a collector was loaded; a generation shows that it was. */
enum collector_state collector_facts_state(const struct profile *profile,
					   const struct record_collector *collector)
{
	bool problem = *profile_text(profile, collector->problem);
	bool loaded = collector->loaded || *profile_text(profile, collector->generation);

	if (collector->calls)
		return problem ? COLLECTOR_SWITCHED_OFF : COLLECTOR_CALLED;
	return problem && !loaded ? COLLECTOR_NOT_LOADED : COLLECTOR_NOT_CALLED;
}

/* Notes answers that were rejected. */
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

/* Notes samples without an answer: they show what vigil itself knows, and an older transaction. */
static void note_late(const struct profile *profile, struct note_list *notes,
		      const struct record_collector *collector)
{
	if (!collector->calls || collector->late * MANY_LATE < collector->calls + collector->late)
		return;
	note_list_add(notes, SEVERITY_INFO, 6105,
		      "data collector %s had no answer in time for %" PRIu64 " samples and waits "
		      "(LATE): they are shown with the program's own names and the transaction of "
		      "the previous answer",
		      profile_text(profile, collector->name), collector->late);
}

/* Notes why a collector was never called, or was switched off. */
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

/* Notes answers that were read so late that they may not belong to their samples. */
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
		note_late(profile, notes, collector);
		note_delay(profile, notes, collector);
	}
}
