/* SPDX-License-Identifier: Apache-2.0 */
/* Lines about the whole session. */
#include "common/compat.h"
#include "reports/session-lines.h"
#include "common/clock.h"
#include "profile/advice.h"
#include "profile/session-facts.h"
#include "profile/share.h"
#include "records/record-types.h"
#include "reports/text.h"

/* Columns of a finding's description, and of its place. */
#define WHAT_WIDTH 100
#define PLACE_WIDTH 60

void session_lines_ending(const struct profile *profile, struct strbuf *sb)
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

/* Returns whether it is known how the step ended. */
static bool is_ended(const struct profile *profile)
{
	return *profile_attribute(profile, ATTR_ABEND) || *profile_attribute(profile, ATTR_EXIT);
}

void session_lines_head(const struct profile *profile, struct strbuf *sb)
{
	const char *job = profile_attribute(profile, ATTR_JOB);
	const char *step = profile_attribute(profile, ATTR_STEP);
	const char *number = profile_attribute(profile, ATTR_JOB_NUMBER);
	uint64_t start = profile_attribute_number(profile, ATTR_START_WALL);

	strbuf_addf(sb, "PROGRAM %s",
		    *profile_program(profile) ? profile_program(profile) : "(UNNAMED)");
	if (*step) {
		strbuf_addstr(sb, ", STEP ");
		session_facts_step(profile, sb);
	}
	if (*job)
		strbuf_addf(sb, "%s JOB %s", *step ? " OF" : ",", job);
	if (*number)
		strbuf_addf(sb, " (%s)", number);
	if (start) {
		strbuf_addstr(sb, ", ");
		clock_format_wall(sb, start);
	}
	strbuf_addf(sb, ", %s", is_ended(profile) ? "ENDED WITH " : "ENDING ");
	session_lines_ending(profile, sb);
}

void session_lines_time(const struct profile *profile, struct strbuf *sb)
{
	uint64_t paused = profile_attribute_number(profile, ATTR_PAUSED), observed;
	uint64_t elapsed = session_facts_elapsed(profile, &observed);
	double run = (double)observed;

	strbuf_addstr(sb, "ELAPSED ");
	clock_format_duration(sb, elapsed);
	if (paused) {
		strbuf_addstr(sb, " WITHOUT ");
		clock_format_duration(sb, paused);
		strbuf_addstr(sb, " PAUSED");
	}
	if (elapsed > observed) {
		strbuf_addstr(sb, ", OF WHICH ONLY ");
		clock_format_duration(sb, observed);
		strbuf_addstr(sb, " COULD BE OBSERVED");
	} else if (profile->step.interval)
		strbuf_addf(
			sb,
			" = %.2f %% EXECUTING + %.2f %% WAITING + %.2f %% READY BUT NOT RUNNING",
			share_percent((double)profile->step.exec, run),
			share_percent((double)profile->step.wait, run),
			share_percent((double)profile->step.delay, run));
}

void session_lines_samples(const struct profile *profile, struct strbuf *sb)
{
	strbuf_addstr(sb, "CPU TIME ");
	clock_format_duration(sb, session_facts_cpu_time(profile));
	strbuf_addstr(sb, "; ");
	text_add_number(sb, profile->samples);
	strbuf_addstr(sb, " SAMPLES");
	if (profile->samples)
		strbuf_addf(sb, ", MARGIN OF ERROR %.2f %% AT 95 %% CONFIDENCE",
			    profile_margin(profile));
}

/* Appends an arbitrary text, truncated to a width. */
static void add_truncated(struct strbuf *sb, const char *text, size_t width)
{
	struct strbuf clean = STRBUF_INIT;

	text_clean(&clean, text);
	if (text_width(clean.text) <= width)
		strbuf_addbuf(sb, &clean);
	else
		text_add_field(sb, clean.text, width, false);
	strbuf_release(&clean);
}

void session_lines_finding(const struct profile *profile, struct strbuf *sb)
{
	struct advice_list advice_list;

	advices_init(&advice_list, profile);
	if (advice_list.count) {
		const struct advice *first = &advice_list.items[0];

		strbuf_addf(sb, "%.1f %% of the run time can be saved at most: ",
			    profile_run_percent(profile, first->saves));
		add_truncated(sb, first->what, WHAT_WIDTH);
		if (*first->where) {
			strbuf_addstr(sb, " (");
			add_truncated(sb, first->where, PLACE_WIDTH);
			strbuf_addch(sb, ')');
		}
	}
	advices_release(&advice_list);
}
