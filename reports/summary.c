/* SPDX-License-Identifier: Apache-2.0 */
/* About ten lines on a session, for the end of "vigil run". */
#include "common/compat.h"
#include "records/record-types.h"
#include "reports/report.h"
#include "common/clock.h"
#include "profile/findings.h"
#include "profile/label.h"
#include "profile/session-facts.h"
#include "profile/usage.h"
#include "reports/name-forms.h"
#include "reports/session-lines.h"
#include "reports/text.h"

#define PROCEDURES 3
#define NAME_WIDTH 100 /* maximum columns of a name */
/* Characters that a shell needs no quotes for. */
#define PLAIN "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-+=:,@%"

static void add_line(struct strbuf *sb, const char *label, const char *text)
{
	strbuf_addf(sb, "%-10s %s\n", label, text);
}

/* Appends a name, shortened to what is readable on a line. */
static void add_name(struct strbuf *sb, const char *name)
{
	struct strbuf clean = STRBUF_INIT;

	text_clean(&clean, name);
	if (text_width(clean.text) <= NAME_WIDTH)
		strbuf_addbuf(sb, &clean);
	else
		text_add_field(sb, clean.text, NAME_WIDTH, false);
	strbuf_release(&clean);
}

static void add_head(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;

	add_name(&line, *profile_program(profile) ? profile_program(profile) : "(unnamed)");
	if (*profile_attribute(profile, ATTR_STEP))
		strbuf_addf(&line, ", step %s", profile_attribute(profile, ATTR_STEP));
	if (*profile_attribute(profile, ATTR_JOB))
		strbuf_addf(&line, ", job %s", profile_attribute(profile, ATTR_JOB));
	if (*profile_attribute(profile, ATTR_ABEND))
		strbuf_addf(&line, ", abend %s", profile_attribute(profile, ATTR_ABEND));
	else if (*profile_attribute(profile, ATTR_EXIT))
		strbuf_addf(&line, ", return code %s", profile_attribute(profile, ATTR_EXIT));
	add_line(sb, "program", line.text);
	strbuf_release(&line);
}

/* Appends how CPU time divides between the program including its libraries and the kernel. */
static void add_kernel(const struct profile *profile, struct strbuf *line)
{
	uint64_t kernel = session_facts_samples_of_kind(profile, SAMPLE_KERNEL) +
			  session_facts_samples_of_kind(profile, SAMPLE_KERNEL_ESTIMATED);
	double share = profile_cpu_percent(profile, kernel);

	if (profile->samples)
		strbuf_addf(line, ": program %.1f %%, kernel %.1f %%", 100 - share, share);
}

/* Appends the quality of the figures: samples, their margin, and the level of privilege. */
static void add_measured(const struct profile *profile, struct strbuf *sb)
{
	const char *privilege = profile_attribute(profile, ATTR_PRIVILEGE);
	struct strbuf line = STRBUF_INIT;

	if (!session_facts_is_sampled(profile))
		return;
	text_add_number(&line, profile->samples);
	strbuf_addstr(&line, " samples");
	if (profile->samples >= SESSION_FEW_SAMPLES)
		strbuf_addf(&line, ", margin of error %.2f %%", profile_margin(profile));
	if (*privilege)
		strbuf_addf(&line, ", privilege %s", privilege);
	add_line(sb, "measured", line.text);
	strbuf_release(&line);
}

static void add_times(const struct profile *profile, struct strbuf *sb)
{
	uint64_t paused = profile_attribute_number(profile, ATTR_PAUSED), observed;
	uint64_t elapsed = session_facts_elapsed(profile, &observed);
	struct strbuf line = STRBUF_INIT;

	clock_format_duration(&line, elapsed);
	if (paused) {
		strbuf_addstr(&line, " without ");
		clock_format_duration(&line, paused);
		strbuf_addstr(&line, " paused");
	}
	if (elapsed > observed) {
		strbuf_addstr(&line, ", of which only ");
		clock_format_duration(&line, observed);
		strbuf_addstr(&line, " could be observed");
	} else if (profile->step.interval)
		strbuf_addf(&line,
			    ": executing %.1f %%, waiting %.1f %%, ready but not running %.1f %%",
			    profile_run_percent(profile, profile->step.exec),
			    profile_run_percent(profile, profile->step.wait),
			    profile_run_percent(profile, profile->step.delay));
	add_line(sb, "elapsed", line.text);
	strbuf_reset(&line);
	clock_format_duration(&line, session_facts_cpu_time(profile));
	add_kernel(profile, &line);
	add_line(sb, "CPU used", line.text);
	strbuf_release(&line);
}

/*
 * Appends the short form of a procedure's name: with template arguments only if
 * another one is equal without them.
 */
static void add_short(const struct profile *profile, const struct sums *sums, size_t number,
		      struct strbuf *sb)
{
	struct strbuf own = STRBUF_INIT, bare = STRBUF_INIT, label = STRBUF_INIT;
	enum name_form form = NAME_FORM_NO_ARGUMENTS;

	usage_label(profile, sums_key(sums, sums->order[number]), &own);
	name_forms_add(&bare, own.text, form);
	for (size_t i = 0; i < sums->keys.count && i < PROCEDURES; i++) {
		struct strbuf other = STRBUF_INIT;

		strbuf_reset(&label);
		usage_label(profile, sums_key(sums, sums->order[i]), &label);
		name_forms_add(&other, label.text, NAME_FORM_NO_ARGUMENTS);
		if (i != number && strcmp(other.text, bare.text) == 0)
			form = NAME_FORM_BARE;
		strbuf_release(&other);
	}
	name_forms_add(sb, own.text, form);
	strbuf_release(&own);
	strbuf_release(&bare);
	strbuf_release(&label);
}

/* Appends the procedures that are charged with the most CPU time. */
static void add_procedures(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT, label = STRBUF_INIT;
	struct usage usage;
	struct sums sums;

	usage_init(&usage, profile, USAGE_RESOLUTION);
	usage_procedures(&usage, &sums);
	sums_sort_falling(&sums, USAGE_CHARGED, NULL, NULL);
	for (size_t i = 0; i < sums.keys.count && i < PROCEDURES; i++) {
		const uint64_t *key = sums_key(&sums, sums.order[i]);
		uint64_t charged = sums_values(&sums, sums.order[i])[USAGE_CHARGED];
		const char *section = profile_text(profile, key[USAGE_SECTION]);

		if (!charged)
			break;
		strbuf_reset(&line);
		strbuf_reset(&label);
		add_short(profile, &sums, i, &label);
		strbuf_addf(&line, "%5.1f %%  ", profile_cpu_percent(profile, charged));
		add_name(&line, label.text);
		strbuf_addstr(&line, " (");
		add_name(&line, *section ? section : profile_text(profile, key[USAGE_MODULE]));
		strbuf_addch(&line, ')');
		add_line(sb, i ? "" : "CPU time", line.text);
	}
	sums_release(&sums);
	usage_release(&usage);
	strbuf_release(&line);
	strbuf_release(&label);
}

/*
 * Appends the transaction with the most CPU time; overhead and time outside any
 * transaction are excluded.
 */
static void add_transaction(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	struct sums sums;

	sums_init(&sums, 1, 1);
	for (size_t i = 0; i < profile->cpu_count; i++)
		*sums_at(&sums, &profile->cpu[i].transaction) += profile->cpu[i].count;
	sums_sort_falling(&sums, 0, NULL, NULL);
	for (size_t i = 0; i < sums.keys.count && !line.length; i++) {
		uint64_t id = *sums_key(&sums, sums.order[i]);

		if (*label_transaction(profile, id) == '.')
			continue;
		strbuf_addf(&line, "%5.1f %%  ",
			    profile_cpu_percent(profile, *sums_values(&sums, sums.order[i])));
		add_name(&line, label_transaction(profile, id));
		add_line(sb, "working on", line.text);
	}
	sums_release(&sums);
	strbuf_release(&line);
}

/* Appends the wait that is charged with the most run time. */
static void add_wait(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	struct findings findings;

	findings_init(&findings, profile, SIZE_MAX);
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.items[i];

		if (finding->kind != FINDING_WAIT)
			continue;
		strbuf_addf(&line, "%5.1f %%  ", finding->run_percent);
		add_name(&line, finding->what);
		if (*finding->where) {
			strbuf_addstr(&line, " (");
			add_name(&line, finding->where);
			strbuf_addch(&line, ')');
		}
		add_line(sb, "run time", line.text);
		break;
	}
	findings_release(&findings);
	strbuf_release(&line);
}

/* Appends the first finding; most sessions have none. */
static void add_finding(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;

	session_lines_finding(profile, &line);
	if (line.length)
		add_line(sb, "finding", line.text);
	strbuf_release(&line);
}

/* Appends which part of the statements was executed, if known. */
static void add_coverage(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	struct coverage_view view;

	if (!coverage_any(&profile->coverage))
		return;
	coverage_view_init(&view, &profile->coverage, COVERAGE_BY_PROGRAM, NULL);
	strbuf_addf(&line, "%5.1f %%  of ", coverage_statement_percent(&view.total));
	text_add_number(&line, view.total.statements);
	strbuf_addf(&line, " statements of %zu program%s", view.unit_count,
		    view.unit_count == 1 ? "" : "s");
	if (view.total.procedures > view.total.procedures_executed)
		strbuf_addf(&line, "; %" PRIu64 " of %" PRIu64 " procedures never executed",
			    view.total.procedures - view.total.procedures_executed,
			    view.total.procedures);
	add_line(sb, "coverage", line.text);
	coverage_view_release(&view);
	strbuf_release(&line);
}

/* Appends what makes the figures unreliable and the session's warnings, one line each. */
static void add_notes(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	struct note_list notes;

	note_list_init(&notes);
	session_facts_doubts(profile, &notes);
	session_facts_notes(profile, &notes);
	for (size_t i = 0; i < notes.count; i++) {
		const struct note *note = &notes.items[i];

		if (note->severity < SEVERITY_WARNING)
			continue;
		strbuf_reset(&line);
		diag_format_id(&line, note->number, note->severity);
		strbuf_addch(&line, ' ');
		text_clean(&line, note->text);
		add_line(sb, "note", line.text);
	}
	strbuf_release(&line);
	note_list_release(&notes);
}

/* Appends the command that shows the profile, quoted for a shell. */
static void add_command(const struct profile *profile, struct strbuf *sb)
{
	struct strbuf line = STRBUF_INIT;
	const char *path = profile->path;
	bool plain = path[strspn(path, PLAIN)] == '\0' && *path != '-';

	strbuf_addstr(&line, "vigil report ");
	if (!plain)
		strbuf_addf(&line, "%s'", *path == '-' ? "-- " : "");
	for (; *path; path++)
		if (*path == '\'' && !plain)
			strbuf_addstr(&line, "'\\''");
		else
			strbuf_addch(&line, *path);
	if (!plain)
		strbuf_addch(&line, '\'');
	add_line(sb, "read it", line.text);
	strbuf_release(&line);
}

void report_summary(const struct profile *profile, struct strbuf *sb)
{
	add_head(profile, sb);
	add_times(profile, sb);
	add_measured(profile, sb);
	add_procedures(profile, sb);
	add_transaction(profile, sb);
	add_wait(profile, sb);
	add_finding(profile, sb);
	add_coverage(profile, sb);
	add_notes(profile, sb);
	if (*profile->path) {
		add_line(sb, "profile", profile->path);
		add_command(profile, sb);
	}
}
