/* SPDX-License-Identifier: Apache-2.0 */
/* Facts about the whole session. */
#include "common/compat.h"
#include "profile/session-facts.h"
#include "common/clock.h"
#include "profile/collector-facts.h"
#include "profile/coverage.h"
#include "profile/event-usage.h"
#include "profile/share.h"
#include "records/record-types.h"

#include <math.h>

/*
 * CPU time counts as unseen if at least this much is missing, ns, and at most this
 * fraction was seen.
 */
#define UNSEEN_MIN (100 * NSEC_PER_MSEC)
#define UNSEEN_MAX_SEEN 0.5
/*
 * Time between switches is reported if the CPU time is at least this many times
 * that in the switch records, and if there are at least this many switches per
 * second of CPU time.
 */
#define SWITCHING_MIN_FACTOR 1.03
#define SWITCHES_A_SECOND 10000

/* Returns the CPU time of the tasks by their ACTIVITY rows, which every snapshot has. */
static uint64_t activity_time(const struct profile *profile)
{
	uint64_t time = 0;

	for (size_t i = 0; i < profile->task_activity.count; i++)
		time += profile->task_activity.items[i].busy;
	return time;
}

/*
 * Returns the CPU time of the step by rusage; 0 if it does not match the session
 * because that was paused.
 */
static uint64_t rusage_time(const struct profile *profile)
{
	if (profile_attribute_number(profile, ATTR_PAUSED))
		return 0;
	return profile_attribute_number(profile, ATTR_CPU_USER) +
	       profile_attribute_number(profile, ATTR_CPU_SYSTEM);
}

/* Returns whether the whole step was sampled until its end, so that rusage covers the session. */
static bool is_whole(const struct profile *profile)
{
	/*
	 * A session that ended by its LIMIT has only part of what the step used, one of
	 * events none.
	 */
	return session_facts_is_sampled(profile) &&
	       strcmp(profile_attribute(profile, ATTR_REQUEST_LIMIT), "NOLIMIT") == 0 &&
	       session_facts_is_complete(profile);
}

uint64_t session_facts_cpu_time(const struct profile *profile)
{
	uint64_t rusage = rusage_time(profile);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	/* The attributes of an aborted session may be older than its last snapshot. */
	if (!session_facts_is_complete(profile) && activity_time(profile) > exact)
		exact = activity_time(profile);
	/* rusage does not include processes that were never waited for, such as daemons. */
	if (rusage || exact)
		return rusage > exact ? rusage : exact;
	return profile->samples * profile_period(profile);
}

/*
 * Scales samples by what else is known of the step: the kernel continues sampling
 * for a moment after its record of a switch.
 */
struct sample_scale session_facts_scale(const struct profile *profile)
{
	double sampled = (double)(profile->samples * profile_period(profile)), known;

	if (sampled == 0)
		return (struct sample_scale){ 0, 0 };
	known = is_whole(profile) && rusage_time(profile) ? (double)session_facts_cpu_time(profile)
							  : sampled;
	return (struct sample_scale){ (double)profile_period(profile),
				      sampled > known ? known / sampled : 1 };
}

uint64_t sample_scale_time(const struct sample_scale *scale, uint64_t samples)
{
	return (uint64_t)((double)samples * scale->period * scale->part);
}

uint64_t session_facts_sampled(const struct profile *profile, uint64_t samples)
{
	const struct sample_scale scale = session_facts_scale(profile);

	return sample_scale_time(&scale, samples);
}

uint64_t session_facts_processed(const struct profile *profile)
{
	uint64_t processed = profile_attribute_number(profile, ATTR_PROCESSED);

	if (session_facts_is_complete(profile) || processed >= profile->samples)
		return processed;
	return profile->samples;
}

uint64_t session_facts_taken(const struct profile *profile)
{
	uint64_t taken = profile_attribute_number(profile, ATTR_TAKEN);
	uint64_t least = session_facts_processed(profile) +
			 profile_attribute_number(profile, ATTR_THINNED) +
			 profile_attribute_number(profile, ATTR_LOST);

	return session_facts_is_complete(profile) || taken >= least ? taken : least;
}

uint64_t session_facts_samples_of_kind(const struct profile *profile, uint64_t kind)
{
	uint64_t count = 0;

	for (size_t i = 0; i < profile->cpu_count; i++)
		count += profile->cpu[i].kind == kind ? profile->cpu[i].count : 0;
	return count;
}

bool session_facts_is_sampled(const struct profile *profile)
{
	bool other = event_usage_any(profile) || coverage_any(&profile->coverage);

	return !other || profile->cpu_count || profile->wait_count ||
	       *profile_attribute(profile, ATTR_PRIVILEGE);
}

bool session_facts_is_imported(const struct profile *profile)
{
	return *profile_attribute(profile, ATTR_IMPORT);
}

bool session_facts_has_waits(const struct profile *profile)
{
	return !profile_attribute_number(profile, ATTR_WAITS_UNKNOWN);
}

bool session_facts_has_memory(const struct profile *profile)
{
	return !profile_attribute_number(profile, ATTR_MEMORY_UNKNOWN);
}

bool session_facts_is_complete(const struct profile *profile)
{
	return !profile->damage.length && profile_attribute_number(profile, ATTR_COMPLETE) == 1;
}

void session_facts_step(const struct profile *profile, struct strbuf *sb)
{
	const char *inner = profile_attribute(profile, ATTR_PROCSTEP);

	strbuf_addf(sb, "%s%s%s", profile_attribute(profile, ATTR_STEP), *inner ? "." : "", inner);
}

static void note_damage(const struct profile *profile, struct note_list *notes)
{
	if (profile->damage.length)
		note_list_add(notes, SEVERITY_WARNING, 6001, "%s", profile->damage.text);
	else if (profile_attribute_number(profile, ATTR_COMPLETE) != 1)
		note_list_add(notes, SEVERITY_WARNING, 6002,
			      "the session ended abnormally; this profile covers it up to its last "
			      "snapshot");
}

bool session_facts_missing(const struct profile *profile, uint64_t *time)
{
	uint64_t rusage = rusage_time(profile),
		 sampled = session_facts_sampled(profile, profile->samples);

	*time = rusage > sampled ? rusage - sampled : 0;
	return rusage && is_whole(profile);
}

bool session_facts_beyond_switches(const struct profile *profile, uint64_t *time)
{
	uint64_t rusage = rusage_time(profile);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	*time = rusage > exact ? rusage - exact : 0;
	return rusage && is_whole(profile) &&
	       strcmp(profile_attribute(profile, ATTR_PRIVILEGE), "PROC") != 0;
}

/* Returns whether the system charged CPU time to the step that no observed task used. */
static bool is_unseen(const struct profile *profile)
{
	uint64_t rusage = rusage_time(profile);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	return is_whole(profile) && rusage > exact + UNSEEN_MIN &&
	       (double)exact <= UNSEEN_MAX_SEEN * (double)rusage;
}

static void note_few_samples(const struct profile *profile, struct note_list *notes)
{
	if (!session_facts_is_sampled(profile))
		note_list_add(notes, SEVERITY_INFO, 6501,
			      "the session was asked for %s and took no samples, which ADD "
			      "requests: the reports of samples are left out",
			      event_usage_any(profile) ? "events" : "coverage");
	else if (!profile->samples)
		note_list_add(notes, SEVERITY_WARNING, 6003,
			      is_unseen(profile)
				      ? "no samples: what used the CPU time could not be observed"
				      : "no samples: the step used too little CPU time for "
					"percentages of it");
	else if (profile->samples < SESSION_FEW_SAMPLES)
		note_list_add(notes, SEVERITY_WARNING, 6003,
			      "only %" PRIu64 " sample%s: percentages of CPU time are not reliable "
			      "(times are)",
			      profile->samples, profile->samples == 1 ? "" : "s");
}

/*
 * Returns whether two measurements of the same amount differ by more than one
 * percent plus slack.
 */
static bool differ(double first, double second, double slack)
{
	return fabs(first - second) > slack + 0.01 * fmax(first, second);
}

/* Checks accounts that must agree: samples, and the waits of the reports with those of the step. */
static void note_accounts(const struct profile *profile, struct note_list *notes)
{
	uint64_t taken = profile_attribute_number(profile, ATTR_TAKEN);
	uint64_t processed = profile_attribute_number(profile, ATTR_PROCESSED);
	uint64_t rest = profile_attribute_number(profile, ATTR_THINNED);
	/* Older sessions counted lost samples in addition to those processed. */
	uint64_t beside = rest + profile_attribute_number(profile, ATTR_LOST);
	double waits = (double)(profile->step.wait + profile->step.delay);

	bool complete = profile_attribute_number(profile, ATTR_COMPLETE) == 1;

	/*
	 * Counters are written from time to time, so in an aborted session they lag behind
	 * its samples.
	 */
	if (!complete && processed > profile->samples)
		note_list_add(notes, SEVERITY_WARNING, 6004,
			      "samples are missing: the session was cut off after at least %" PRIu64
			      " samples, and %" PRIu64 " of them are in the file",
			      processed, profile->samples);
	if (complete && ((taken != processed + rest && taken != processed + beside) ||
			 processed != profile->samples))
		note_list_add(notes, SEVERITY_WARNING, 6004,
			      "samples do not add up: %" PRIu64 " taken, %" PRIu64
			      " processed, %" PRIu64 " thinned, %" PRIu64 " in the file",
			      taken, processed, rest, profile->samples);
	if (differ((double)profile->charged, waits, 1e6))
		note_list_add(notes, SEVERITY_WARNING, 6008,
			      "waits do not add up: the step waited %.3f s, but the waits that "
			      "were seen add up to %.3f s",
			      waits / 1e9, (double)profile->charged / 1e9);
}

uint64_t session_facts_elapsed(const struct profile *profile, uint64_t *observed)
{
	uint64_t start = profile_start(profile), end = profile_end(profile);
	uint64_t paused = profile_attribute_number(profile, ATTR_PAUSED);

	*observed = profile_run_time(profile);
	/* Unseen activity at the end is in no interval of the step. */
	if (!is_unseen(profile) || end < start + paused || end - start - paused < 2 * *observed)
		return *observed;
	return end - start - paused;
}

static void note_unseen(const struct profile *profile, struct note_list *notes)
{
	if (is_unseen(profile))
		note_list_add(
			notes, SEVERITY_WARNING, 6012,
			"the step used %.3f s of CPU time, but only %.3f s could be observed: one "
			"of its programs has more rights than the user who measures (set-user-ID), "
			"or is not readable",
			(double)rusage_time(profile) / 1e9,
			(double)profile_attribute_number(profile, ATTR_CPU_EXACT) / 1e9);
}

/*
 * Notes the time that a step needs to switch between tasks, which falls between
 * its switch records.
 */
static void note_switching(const struct profile *profile, struct note_list *notes)
{
	uint64_t rusage = rusage_time(profile),
		 switches = profile_attribute_number(profile, ATTR_SWITCHES);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	if (is_unseen(profile) || !session_facts_is_complete(profile) || !exact ||
	    strcmp(profile_attribute(profile, ATTR_REQUEST_LIMIT), "NOLIMIT") != 0 ||
	    (double)rusage <= SWITCHING_MIN_FACTOR * (double)exact ||
	    switches < SWITCHES_A_SECOND * (rusage / NSEC_PER_MSEC) / 1000)
		return;
	note_list_add(notes, SEVERITY_INFO, 6015,
		      "%.3f s of the step's CPU time, %.1f %%, was used for switching %" PRIu64 " "
		      "times between tasks and is in no switch record%s",
		      (double)(rusage - exact) / 1e9,
		      share_percent((double)(rusage - exact), (double)rusage), switches,
		      strcmp(profile_attribute(profile, ATTR_PRIVILEGE), "FULL") == 0
			      ? ""
			      : ", and is shown as kernel time without a place");
}

/* Notes samples with less information than they should have, if they exceed the margin of error. */
static void note_broken(const struct profile *profile, struct note_list *notes)
{
	uint64_t lost = profile_attribute_number(profile, ATTR_LOST), broken = 0;
	double margin = profile_margin(profile), percent;

	for (size_t i = 0; i < profile->cpu_count; i++)
		broken += profile->cpu[i].flags & SAMPLE_BROKEN ? profile->cpu[i].count : 0;
	percent = share_percent((double)broken, (double)profile->samples);
	/* If no sample has a stack, another note gives the reason. */
	if (broken < profile->samples && percent > margin)
		note_list_add(notes, SEVERITY_WARNING, 6013,
			      "the stacks of %" PRIu64 " of %" PRIu64 " samples are broken: the "
			      "callers of %.1f %% of the CPU time are unknown, more than the "
			      "margin of error",
			      broken, profile->samples, percent);
	percent = share_percent((double)lost, (double)profile->samples);
	if (percent > margin && session_facts_is_imported(profile))
		note_list_add(notes, SEVERITY_WARNING, 6594,
			      "the kernel lost %" PRIu64 " records of the recording, equal to %.1f "
			      "%% of its samples, more than the margin of error: their data is in "
			      "no report",
			      lost, percent);
	else if (percent > margin)
		note_list_add(
			notes, SEVERITY_WARNING, 6014,
			"the kernel lost %" PRIu64
			" samples: %.1f %% of the CPU time, more than the margin of error, is "
			"shown where the samples before and after them were",
			lost, percent);
}

/* Returns the severity in a record; a damaged record may hold any number. */
static enum severity note_severity(uint64_t value)
{
	return value <= SEVERITY_SEVERE && value % 4 == 0 ? (enum severity)value : SEVERITY_WARNING;
}

/* Adds the notes that the session itself wrote. */
static void note_session(const struct profile *profile, struct note_list *notes)
{
	for (size_t i = 0; i < profile->notes.count; i++) {
		const uint64_t *note = keymap_key(&profile->notes, i);

		note_list_add(notes, note_severity(note[0]),
			      note[1] <= 9999 ? (unsigned)note[1] : 0, "%s",
			      profile_text(profile, note[2]));
	}
}

/* Notes objects whose names could not be read. */
static void note_objects(const struct profile *profile, struct note_list *notes)
{
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < profile->objects.count; i++) {
		const struct record_object *object = id_table_at(&profile->objects, i);
		const char *note = profile_text(profile, object->note);

		if (*note && shown++ < 12)
			note_list_add(notes, SEVERITY_INFO, 6005, "%s: %s",
				      profile_text(profile, object->path), note);
		else if (*note)
			more++;
	}
	if (more)
		note_list_add(notes, SEVERITY_INFO, 6011,
			      "names are missing in %zu more object%s; see PUP", more,
			      more == 1 ? "" : "s");
}

/* Notes CPU time that the reports lack, if it exceeds their margin. */
static void note_missing(const struct profile *profile, struct note_list *notes)
{
	double rusage = (double)rusage_time(profile), percent;
	uint64_t missing;

	if (!session_facts_missing(profile, &missing) || is_unseen(profile) || !profile->samples)
		return;
	percent = share_percent((double)missing, rusage);
	if (percent > profile_margin(profile))
		note_list_add(notes, SEVERITY_WARNING, 6016,
			      "%.3f s of CPU time, %.1f %% of what the system counted, is in no "
			      "report: more than the margin of error",
			      (double)missing / 1e9, percent);
}

/*
 * Notes that tasks executed for longer than the system counted, to a fiftieth and
 * two ticks.
 */
static void note_excess(const struct profile *profile, struct note_list *notes)
{
	uint64_t rusage = rusage_time(profile);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	if (rusage && is_whole(profile) && exact > rusage + rusage / 50 + 20 * NSEC_PER_MSEC)
		note_list_add(notes, SEVERITY_INFO, 6017,
			      "CPU time by switches is %.3f s, %.3f s more than by rusage: processes ended for "
			      "which nobody waited, or records of switches are missing",
			      (double)exact / 1e9, (double)(exact - rusage) / 1e9);
}

void session_facts_doubts(const struct profile *profile, struct note_list *notes)
{
	note_damage(profile, notes);
	note_few_samples(profile, notes);
	note_accounts(profile, notes);
	note_unseen(profile, notes);
	note_missing(profile, notes);
	note_excess(profile, notes);
	note_switching(profile, notes);
	note_broken(profile, notes);
}

void session_facts_notes(const struct profile *profile, struct note_list *notes)
{
	note_session(profile, notes);
	collector_facts_notes(profile, notes);
	note_objects(profile, notes);
}
