/* SPDX-License-Identifier: Apache-2.0 */
/* Measurement Session Data: what was measured, how, how well, and where to look first. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/findings.h"
#include "profile/session-facts.h"
#include "reports/collector-tables.h"
#include "reports/report-class.h"
#include "reports/session-lines.h"

#define FINDINGS 8

static const struct column finding_columns[] = {
	{ .id = "run_percent",
	  .group = "PERCENT OF",
	  .heading = "RUN TIME",
	  .width = 8,
	  .type = COLUMN_PERCENT,
	  .legend = "share of the elapsed time (CPU time as if used on one processor)" },
	{ .id = "cpu_percent",
	  .group = "PERCENT OF",
	  .heading = "CPU TIME",
	  .width = 8,
	  .type = COLUMN_PERCENT,
	  .legend = "share of the CPU samples, including the libraries called" },
	{ .id = "what", .heading = "WHAT", .width = 46, .type = COLUMN_TEXT },
	{ .id = "where", .heading = "WHERE", .width = 67, .type = COLUMN_TEXT },
};

/* The lines for those who read no further. */
static void put_essence(const struct context *context, struct document *document)
{
	struct strbuf sb = STRBUF_INIT;

	session_lines_head(context->profile, &sb);
	document_text(document, "%s", sb.text);
	strbuf_reset(&sb);
	session_lines_time(context->profile, &sb);
	document_text(document, "%s", sb.text);
	strbuf_reset(&sb);
	session_lines_samples(context->profile, &sb);
	document_text(document, "%s", sb.text);
	document_text(document, "%s", "");
	strbuf_release(&sb);
}

/* Put notes on the session; returns how many there are. */
static size_t put_notes(const struct profile *profile, struct document *document,
			void (*gather)(const struct profile *profile, struct note_list *notes))
{
	struct note_list notes;
	size_t count;

	note_list_init(&notes);
	gather(profile, &notes);
	count = notes.count;
	for (size_t i = 0; i < count; i++)
		document_note(document, notes.items[i].severity, notes.items[i].number, "%s",
			      notes.items[i].text);
	note_list_release(&notes);
	return count;
}

static void put_findings(struct context *context, struct document *document)
{
	struct table *table = document_table(document, "look_first", "WHERE TO LOOK FIRST",
					     finding_columns, ARRAY_SIZE(finding_columns));
	struct findings findings;

	findings_init(&findings, context->profile, FINDINGS);
	for (size_t i = 0; i < findings.count; i++) {
		const struct finding *finding = &findings.items[i];
		struct row *row = table_row(table, ROW_DETAIL);

		row_real(table, row, finding->run_percent);
		if (finding->kind == FINDING_CPU)
			row_real(table, row, finding->cpu_percent);
		else
			row_skip(table, row, 1);
		row_text(table, row, finding->what);
		row_text(table, row, finding->where);
	}
	findings_release(&findings);
}

/* Attributes that are texts; a single "0" stands for none. */
struct text_fact {
	const char *key, *id, *label;
};

static void put_texts(const struct profile *profile, struct pair_group *group,
		      const struct text_fact *facts, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *text = profile_attribute(profile, facts[i].key);

		pair_text(group, facts[i].id, facts[i].label, strcmp(text, "0") ? text : "");
	}
}

static void put_environment(const struct profile *profile, struct pair_group *group)
{
	static const struct text_fact first[] = {
		{ ATTR_PROGRAM, "program", "PROGRAM MEASURED" }, { ATTR_JOB, "job", "JOB NAME" },
		{ ATTR_JOB_NUMBER, "job_number", "JOB NUMBER" }, { ATTR_STEP, "step", "STEP NAME" },
		{ ATTR_PROCSTEP, "procstep", "PROCEDURE STEP" },
	};
	static const struct text_fact machine[] = {
		{ ATTR_USER, "user", "USER" },	     { ATTR_HOST, "host", "SYSTEM" },
		{ ATTR_KERNEL, "kernel", "KERNEL" }, { ATTR_CPU_MODEL, "cpu_model", "CPU MODEL" },
		{ ATTR_CPUS, "cpus", "PROCESSORS" },
	};
	struct strbuf sb = STRBUF_INIT;

	put_texts(profile, group, first, ARRAY_SIZE(first));
	if (profile_attribute_number(profile, ATTR_START_WALL))
		clock_format_wall(&sb, profile_attribute_number(profile, ATTR_START_WALL));
	pair_text(group, "start", "STARTED", sb.text);
	strbuf_reset(&sb);
	session_lines_ending(profile, &sb);
	pair_text(group, "ending", "CONDITION CODE", sb.text);
	put_texts(profile, group, machine, ARRAY_SIZE(machine));
	pair_number(group, "processes", "PROCESSES", COLUMN_NUMBER, profile->processes.count);
	pair_number(group, "tasks", "TASKS", COLUMN_NUMBER, profile->tasks.count);
	pair_number(group, "peak_tasks", "TASKS AT ONCE", COLUMN_NUMBER, profile->step.peak_tasks);
	pair_number(group, "peak_memory_bytes", "PEAK MEMORY, BYTES", COLUMN_BYTES,
		    profile_attribute_number(profile, ATTR_PEAK_RESIDENT)
			    ? profile_attribute_number(profile, ATTR_PEAK_RESIDENT)
			    : profile->step.peak_resident * 4096);
	strbuf_release(&sb);
}

static void put_parameters(const struct context *context, struct pair_group *group)
{
	static const struct text_fact first[] = {
		{ ATTR_SUBSYSTEM, "subsystem", "SUBSYSTEM" },
	};
	static const struct text_fact request[] = {
		{ ATTR_REQUEST_NUMBER, "request_number", "REQUEST NUMBER" },
		{ ATTR_REQUEST_TYPE, "request_type", "REQUEST TYPE" },
		{ ATTR_REQUEST_SESSION, "session_minutes", "ESTIMATED SESSION TIME, MIN" },
		{ ATTR_REQUEST_SAMPLES, "target_samples", "TARGET SAMPLE SIZE" },
		{ ATTR_REQUEST_LIMIT, "final_action", "FINAL SESSION ACTION" },
		{ ATTR_REQUEST_OPTIONS, "options", "OPTIONS" },
		{ ATTR_PRIVILEGE, "privilege", "PRIVILEGE" },
		{ ATTR_VERSION, "vigil_version", "VIGIL VERSION" },
	};
	const struct profile *profile = context->profile;
	const char *data_set = profile_attribute(profile, ATTR_DATA_SET);

	put_texts(profile, group, first, ARRAY_SIZE(first));
	put_texts(profile, group, request, ARRAY_SIZE(request));
	pair_text(group, "data_set", "SAMPLE DATA SET", *data_set ? data_set : profile->path);
	pair_real(group, "baseline_percent", "REPORT BASELINE, PERCENT",
		  context->options->baseline);
	pair_number(group, "resolution_bytes", "REPORT RESOLUTION, BYTES", COLUMN_NUMBER,
		    context->options->resolution);
	pair_number(group, "page_lines", "LINES A PAGE", COLUMN_NUMBER, context->options->lines);
	pair_number(group, "overhead_cpu_ns", "VIGIL'S OWN CPU TIME, MM.SS.HH", COLUMN_TIME,
		    profile_attribute_number(profile, ATTR_OVERHEAD_CPU));
}

/* Samples a second of CPU time for a period in ns. */
static double rate(uint64_t period)
{
	return period ? 1e9 / (double)period : 0;
}

/* How many samples were of which kind. */
static void put_kinds(const struct profile *profile, struct pair_group *group)
{
	pair_number(group, "samples_user", "  OF THE PROGRAM AND LIBRARIES", COLUMN_NUMBER,
		    session_facts_samples_of_kind(profile, SAMPLE_USER));
	pair_number(group, "samples_kernel", "  OF THE KERNEL", COLUMN_NUMBER,
		    session_facts_samples_of_kind(profile, SAMPLE_KERNEL));
	pair_number(group, "samples_kernel_estimated", "  OF THE KERNEL, PLACE ESTIMATED",
		    COLUMN_NUMBER, session_facts_samples_of_kind(profile, SAMPLE_KERNEL_ESTIMATED));
	pair_number(group, "samples_residue", "  OF TASKS TOO SHORT TO SAMPLE", COLUMN_NUMBER,
		    session_facts_samples_of_kind(profile, SAMPLE_RESIDUE));
}

static void put_statistics(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;

	pair_real(group, "exec_percent", "EXEC PERCENT",
		  profile_run_percent(context->profile, profile->step.exec));
	pair_real(group, "wait_percent", "WAIT PERCENT",
		  profile_run_percent(context->profile, profile->step.wait));
	pair_real(group, "stretch_percent", "STRETCH PERCENT",
		  profile_run_percent(context->profile, profile->step.delay));
	pair_real(group, "margin_percent", "RUN MARGIN OF ERROR PCT", profile_margin(profile));
	pair_number(group, "samples_taken", "TOTAL SAMPLES TAKEN", COLUMN_NUMBER,
		    session_facts_taken(profile));
	pair_number(group, "samples_processed", "  PROCESSED", COLUMN_NUMBER,
		    session_facts_processed(profile));
	pair_number(group, "samples_thinned", "  THINNED", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_THINNED));
	pair_number(group, "samples_lost", "  LOST", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_LOST));
	pair_number(group, "samples_in_reports", "SAMPLES IN THESE REPORTS", COLUMN_NUMBER,
		    profile->samples);
	put_kinds(profile, group);
	pair_real(group, "rate_initial", "INITIAL RATE, SAMPLES/SEC",
		  rate(profile_attribute_number(profile, ATTR_PERIOD_INITIAL)));
	pair_real(group, "rate_final", "FINAL RATE, SAMPLES/SEC", rate(profile_period(profile)));
	pair_number(group, "stacks_whole", "WHOLE STACKS", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_STACKS_WHOLE));
	pair_number(group, "stacks_broken", "BROKEN STACKS", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_STACKS_BROKEN));
	pair_real(group, "reached_percent", "STACKS REACHING PROGRAM, PCT",
		  profile_cpu_percent(context->profile, profile->reached));
	pair_number(group, "switches", "TASK SWITCHES", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_SWITCHES));
	pair_number(group, "switches_lost", "RECORDS LOST BY KERNEL", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_SWITCHES_LOST));
}

static void put_times(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;

	pair_number(group, "session_ns", "SESSION TIME", COLUMN_TIME, profile_run_time(profile));
	pair_number(group, "exec_ns", "  EXECUTING", COLUMN_TIME, profile->step.exec);
	pair_number(group, "wait_ns", "  WAIT TIME", COLUMN_TIME, profile->step.wait);
	pair_number(group, "stretch_ns", "  STRETCH TIME", COLUMN_TIME, profile->step.delay);
	pair_number(group, "waits_charged_ns", "WAITS OF THE REPORTS", COLUMN_TIME,
		    profile->charged);
}

static void put_cpu_times(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;
	uint64_t user = profile_attribute_number(profile, ATTR_CPU_USER);
	uint64_t system = profile_attribute_number(profile, ATTR_CPU_SYSTEM);

	pair_number(group, "cpu_samples_ns", "CPU TIME BY SAMPLES", COLUMN_TIME,
		    profile->samples * profile_period(profile));
	pair_number(group, "cpu_switches_ns", "CPU TIME BY SWITCHES", COLUMN_TIME,
		    profile_attribute_number(profile, ATTR_CPU_EXACT));
	pair_number(group, "cpu_rusage_ns", "CPU TIME BY RUSAGE", COLUMN_TIME, user + system);
	pair_number(group, "cpu_user_ns", "  USER", COLUMN_TIME, user);
	pair_number(group, "cpu_system_ns", "  SYSTEM", COLUMN_TIME, system);
}

static void put_io(const struct context *context, struct pair_group *group)
{
	const struct profile_step *step = &context->profile->step;

	pair_number(group, "read_bytes", "READ FROM DEVICES, BYTES", COLUMN_BYTES,
		    step->read_bytes);
	pair_number(group, "write_bytes", "WRITTEN TO DEVICES, BYTES", COLUMN_BYTES,
		    step->write_bytes);
	pair_number(group, "io_calls", "READ AND WRITE CALLS", COLUMN_NUMBER,
		    step->read_calls + step->write_calls);
	pair_number(group, "minor_faults", "PAGE FAULTS, MINOR", COLUMN_NUMBER, step->minor_faults);
	pair_number(group, "major_faults", "PAGE FAULTS, MAJOR", COLUMN_NUMBER, step->major_faults);
}

/* Give three groups their ids and titles. */
static struct pair_group *three_groups(struct document *document, const char *const names[6])
{
	struct pair_group *groups = document_pairs(document, 3);

	for (size_t i = 0; i < 3; i++) {
		groups[i].id = names[2 * i];
		groups[i].title = names[2 * i + 1];
	}
	return groups;
}

/* The command line, over the whole width. */
static void put_command(const struct context *context, struct document *document)
{
	const char *command = profile_attribute(context->profile, ATTR_COMMAND);
	struct pair_group *group;

	if (!*command)
		return;
	group = document_pairs(document, 1);
	group->id = "step";
	group->title = "";
	pair_text(group, "command", "COMMAND", command);
}

static void build(struct context *context, struct document *document)
{
	static const char *const first[] = { "job_environment",	       "JOB ENVIRONMENT",
					     "measurement_parameters", "MEASUREMENT PARAMETERS",
					     "measurement_statistics", "MEASUREMENT STATISTICS" };
	static const char *const second[] = { "session_times", "SESSION TIMES, MM.SS.HH",
					      "cpu_times",     "CPU TIMES, MM.SS.HH",
					      "input_output",  "INPUT, OUTPUT, MEMORY" };
	const struct profile *profile = context->profile;
	struct pair_group *groups;

	put_essence(context, document);
	if (put_notes(profile, document, session_facts_doubts))
		document_text(document, "%s", "");
	put_findings(context, document);
	groups = three_groups(document, first);
	put_environment(profile, &groups[0]);
	put_parameters(context, &groups[1]);
	put_statistics(context, &groups[2]);
	groups = three_groups(document, second);
	put_times(context, &groups[0]);
	put_cpu_times(context, &groups[1]);
	put_io(context, &groups[2]);
	put_command(context, document);
	collector_tables(context, document);
	put_notes(profile, document, session_facts_notes);
}

const struct report_class report_msd = { "MSD", "Measurement Session Data", build, REPORT_OF_SESSION };
