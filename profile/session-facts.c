/* SPDX-License-Identifier: Apache-2.0 */
/* Sentences about the whole session. */
#include "common/compat.h"
#include "profile/session-facts.h"
#include "common/clock.h"
#include "profile/collector-facts.h"
#include "reports/text.h"

#include <math.h>

void session_ending(const struct profile *profile, struct strbuf *sb)
{
	const char *abend = profile_attribute(profile, ATTR_ABEND);
	const char *code = profile_attribute(profile, ATTR_EXIT);

	if (*abend)
		strbuf_addf(sb, "ABEND %s", abend);
	else if (*code)
		strbuf_addf(sb, "RETURN CODE %s", code);
	else
		strbuf_addstr(sb, "NOT KNOWN");
}

/* Whether it is known how the step ended. */
static bool is_ended(const struct profile *profile)
{
	return *profile_attribute(profile, ATTR_ABEND) || *profile_attribute(profile, ATTR_EXIT);
}

void session_step(const struct profile *profile, struct strbuf *sb)
{
	const char *inner = profile_attribute(profile, ATTR_PROCSTEP);

	strbuf_addf(sb, "%s%s%s", profile_attribute(profile, ATTR_STEP), *inner ? "." : "", inner);
}

void session_headline(const struct profile *profile, struct strbuf *sb)
{
	const char *job = profile_attribute(profile, ATTR_JOB);
	const char *step = profile_attribute(profile, ATTR_STEP);
	const char *number = profile_attribute(profile, ATTR_JOB_NUMBER);
	uint64_t start = profile_attribute_number(profile, ATTR_START_WALL);

	strbuf_addf(sb, "PROGRAM %s",
		    *profile_program(profile) ? profile_program(profile) : "(UNNAMED)");
	if (*step) {
		strbuf_addstr(sb, ", STEP ");
		session_step(profile, sb);
	}
	if (*job)
		strbuf_addf(sb, "%s JOB %s", *step ? " OF" : ",", job);
	if (*number)
		strbuf_addf(sb, " (%s)", number);
	if (start) {
		strbuf_addstr(sb, ", ");
		clock_format_wall(sb, start);
	}
	strbuf_addf(sb, ", %s", is_ended(profile) ? "ENDED WITH " : "HOW IT ENDED IS ");
	session_ending(profile, sb);
}

void session_time_line(const struct profile *profile, struct strbuf *sb)
{
	double run = (double)profile_run_time(profile);

	strbuf_addstr(sb, "ELAPSED ");
	clock_format_mmsshh(sb, profile_run_time(profile));
	if (profile->step.interval)
		strbuf_addf(
			sb,
			" = %.2f %% EXECUTING + %.2f %% WAITING + %.2f %% READY BUT NOT RUNNING",
			percent_of((double)profile->step.exec, run),
			percent_of((double)profile->step.wait, run),
			percent_of((double)profile->step.delay, run));
}

uint64_t session_cpu_time(const struct profile *profile)
{
	uint64_t rusage = profile_attribute_number(profile, ATTR_CPU_USER) +
			  profile_attribute_number(profile, ATTR_CPU_SYSTEM);
	uint64_t exact = profile_attribute_number(profile, ATTR_CPU_EXACT);

	/* A process that nobody waited for, such as a daemon, is missing in rusage. */
	if (rusage || exact)
		return rusage > exact ? rusage : exact;
	return profile->samples * profile_period(profile);
}

void session_sample_line(const struct profile *profile, struct strbuf *sb)
{
	strbuf_addstr(sb, "CPU TIME ");
	clock_format_mmsshh(sb, session_cpu_time(profile));
	strbuf_addstr(sb, "; ");
	text_add_number(sb, profile->samples);
	strbuf_addstr(sb, " SAMPLES");
	if (profile->samples)
		strbuf_addf(sb, ", MARGIN OF ERROR %.2f %% AT 95 %% CONFIDENCE",
			    run_margin(profile));
}

static void note_damage(const struct profile *profile, struct document *document)
{
	if (profile->damage.length)
		document_note(document, SEVERITY_WARNING, 6001, "%s", profile->damage.text);
	else if (profile_attribute_number(profile, ATTR_COMPLETE) != 1)
		document_note(document, SEVERITY_WARNING, 6002,
			      "the session did not end in order; these are the data up to its last "
			      "snapshot");
}

static void note_few_samples(const struct profile *profile, struct document *document)
{
	if (!profile->samples)
		document_note(document, SEVERITY_WARNING, 6003,
			      "there are no CPU samples, and so no shares of CPU time: the step "
			      "executed too little");
	else if (profile->samples < SESSION_FEW_SAMPLES)
		document_note(document, SEVERITY_WARNING, 6003,
			      "%" PRIu64 " samples are too few: the shares of CPU time in this "
			      "profile prove nothing",
			      profile->samples);
}

/* Whether two amounts of the same thing differ by more than a hundredth and a slack. */
static bool differ(double first, double second, double slack)
{
	return fabs(first - second) > slack + 0.01 * fmax(first, second);
}

/* Accounts that must tie: samples, and the waits of the reports with those of the step. */
static void note_accounts(const struct profile *profile, struct document *document)
{
	uint64_t taken = profile_attribute_number(profile, ATTR_TAKEN);
	uint64_t processed = profile_attribute_number(profile, ATTR_PROCESSED);
	uint64_t rest = profile_attribute_number(profile, ATTR_THINNED) +
			profile_attribute_number(profile, ATTR_LOST);
	double waits = (double)(profile->step.wait + profile->step.delay);

	bool complete = profile_attribute_number(profile, ATTR_COMPLETE) == 1;

	/* Figures are told now and then, so those of a session cut off are behind its samples. */
	if ((complete && taken != processed + rest) ||
	    (complete ? processed != profile->samples : processed > profile->samples))
		document_note(document, SEVERITY_WARNING, 6004,
			      "samples do not add up: %" PRIu64 " taken, %" PRIu64
			      " processed, %" PRIu64 " thinned or lost, %" PRIu64 " in the file",
			      taken, processed, rest, profile->samples);
	if (differ((double)profile->charged, waits, 1e6))
		document_note(
			document, SEVERITY_WARNING, 6008,
			"waits do not add up: the step waited %.3f s, the waits that were seen "
			"make %.3f s",
			waits / 1e9, (double)profile->charged / 1e9);
}

/* The severity that a record names; that of a damaged one may be any number. */
static enum severity note_severity(uint64_t value)
{
	return value <= SEVERITY_SEVERE && value % 4 == 0 ? (enum severity)value : SEVERITY_WARNING;
}

/* What the session wrote down itself. */
static void note_session(const struct profile *profile, struct document *document)
{
	for (size_t i = 0; i < profile->notes.count; i++) {
		const uint64_t *note = keymap_key(&profile->notes, i);

		document_note(document, note_severity(note[0]),
			      note[1] <= 9999 ? (unsigned)note[1] : 0, "%s",
			      profile_text(profile, note[2]));
	}
}

/* Objects whose names could not be had. */
static void note_objects(const struct profile *profile, struct document *document)
{
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < profile->objects.count; i++) {
		const struct record_object *object = id_table_at(&profile->objects, i);
		const char *note = profile_text(profile, object->note);

		if (*note && shown++ < 12)
			document_note(document, SEVERITY_INFO, 6005, "%s: %s",
				      profile_text(profile, object->path), note);
		else if (*note)
			more++;
	}
	if (more)
		document_note(document, SEVERITY_INFO, 6011,
			      "%zu more objects have a note on their names; see PUP", more);
}

void session_notes(const struct context *context, struct document *document, bool urgent)
{
	const struct profile *profile = context->profile;
	size_t before = document->count;

	if (urgent) {
		note_damage(profile, document);
		note_few_samples(profile, document);
		note_accounts(profile, document);
	} else {
		note_session(profile, document);
		collectors_notes(profile, document);
		note_objects(profile, document);
	}
	if (urgent && document->count > before)
		document_text(document, "%s", "");
}
