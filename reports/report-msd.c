/* SPDX-License-Identifier: Apache-2.0 */
/* Measurement Session Data: what was measured, how, how well, and where to look first. */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/advice.h"
#include "profile/findings.h"
#include "profile/session-facts.h"
#include "records/record-types.h"
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

static const struct column advice_columns[] = {
	{ .id = "number", .heading = "NO", .width = 2, .type = COLUMN_NUMBER },
	{ .id = "saves_percent",
	  .group = "SAVES AT MOST %",
	  .heading = "RUN TIME",
	  .width = 8,
	  .type = COLUMN_PERCENT,
	  .legend = "share of the elapsed time that would be saved at most without the fault; "
		    "savings of several findings do not add up" },
	{ .id = "saves_margin_percent",
	  .group = "SAVES AT MOST %",
	  .heading = "+/-",
	  .width = 6,
	  .type = COLUMN_PERCENT,
	  .legend = "its margin of error" },
	{ .id = "what", .heading = "WHAT", .width = 68, .type = COLUMN_TEXT },
	{ .id = "where", .heading = "WHERE", .width = 40, .type = COLUMN_TEXT },
	{ .id = "code", .heading = "KIND", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "saves_ns",
	  .heading = "SAVES AT MOST, MM.SS.HH",
	  .type = COLUMN_TIME,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "saves_margin_ns",
	  .heading = "+/- MM.SS.HH",
	  .type = COLUMN_TIME,
	  .flags = COLUMN_DATA_ONLY },
	{ .id = "evidence", .heading = "SEEN IN", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
	{ .id = "change", .heading = "WHAT TO CHANGE", .type = COLUMN_TEXT, .flags = COLUMN_DATA_ONLY },
};

/* Puts the most important lines. */
static void put_essence(const struct context *context, struct document *document)
{
	struct strbuf sb = STRBUF_INIT;

	session_lines_head(context->profile, &sb);
	document_text(document, "%s", sb.text);
	strbuf_reset(&sb);
	session_lines_time(context->profile, &sb);
	document_text(document, "%s", sb.text);
	strbuf_reset(&sb);
	if (session_facts_is_sampled(context->profile)) {
		session_lines_samples(context->profile, &sb);
		document_text(document, "%s", sb.text);
	}
	document_text(document, "%s", "");
	strbuf_release(&sb);
}

/* Puts notes on the session; returns how many there are. */
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

/* Appends the rows that show it: "WTM: SLEEP 412 waits ...; ACW: ...". */
static void add_evidence(const struct advice *advice, struct strbuf *sb)
{
	for (size_t i = 0; i < advice->evidence_count; i++)
		strbuf_addf(sb, "%s%s: %s", i ? "; " : "", advice->evidence[i].report,
			    advice->evidence[i].row);
}

static void put_advice_row(struct table *table, const struct profile *profile, size_t number,
			   const struct advice *advice)
{
	struct row *row = table_row(table, ROW_DETAIL);
	struct strbuf evidence = STRBUF_INIT;

	row_number(table, row, number);
	row_real(table, row, profile_run_percent(profile, advice->saves));
	row_real(table, row, profile_run_percent(profile, advice->margin));
	row_text(table, row, advice->what);
	row_text(table, row, advice->where);
	row_text(table, row, advice->code);
	row_number(table, row, advice->saves);
	row_number(table, row, advice->margin);
	add_evidence(advice, &evidence);
	row_text(table, row, evidence.text);
	row_text(table, row, advice->change);
	strbuf_release(&evidence);
}

/* Puts faults with what to change; nothing if there are none. */
static void put_advices(struct context *context, struct document *document)
{
	struct advice_list advice_list;
	struct table *table;

	advices_init(&advice_list, context->profile);
	if (advice_list.count) {
		table = document_table(document, "findings", "FINDINGS", advice_columns,
				       ARRAY_SIZE(advice_columns));
		for (size_t i = 0; i < advice_list.count && i < FINDINGS; i++)
			put_advice_row(table, context->profile, i + 1, &advice_list.items[i]);
	}
	for (size_t i = 0; i < advice_list.count && i < FINDINGS; i++) {
		struct strbuf evidence = STRBUF_INIT;

		add_evidence(&advice_list.items[i], &evidence);
		document_text(document, "%zu. %s", i + 1, advice_list.items[i].change);
		document_text(document, "   Seen in %s", evidence.text);
		strbuf_release(&evidence);
	}
	if (advice_list.count)
		document_text(document, "%s", "");
	advices_release(&advice_list);
}

static void put_findings(struct context *context, struct document *document)
{
	struct findings findings;
	struct table *table;

	findings_init(&findings, context->profile, FINDINGS);
	if (!findings.count && !session_facts_is_sampled(context->profile)) {
		findings_release(&findings);
		return;
	}
	table = document_table(document, "look_first", "WHERE TO LOOK FIRST", finding_columns,
			       ARRAY_SIZE(finding_columns));
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

/* Attributes that are texts; a single "0" means none. */
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

/* Puts a number, or that it is unknown. */
static void put_known(struct pair_group *group, const char *id, const char *label,
		      enum column_type type, uint64_t number, bool known)
{
	if (known)
		pair_number(group, id, label, type, number);
	else
		pair_text(group, id, label, "");
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
	put_known(group, "peak_tasks", "TASKS AT ONCE", COLUMN_NUMBER, profile->step.peak_tasks,
		  session_facts_is_sampled(profile) && session_facts_has_waits(profile));
	put_known(group, "peak_memory_bytes", "PEAK MEMORY OF A PROCESS, BYTES", COLUMN_BYTES,
		  profile_attribute_number(profile, ATTR_PEAK_RESIDENT),
		  profile_attribute_number(profile, ATTR_PEAK_RESIDENT) > 0);
	strbuf_release(&sb);
}

/* Puts when and where vigil used that time, as far as the sample data set records it. */
static void put_overhead(const struct profile *profile, struct pair_group *group)
{
	if (*profile_attribute(profile, ATTR_OVERHEAD_AFTER))
		pair_number(group, "overhead_after_ns", "  AFTER THE STEP, MM.SS.HH", COLUMN_TIME,
			    profile_attribute_number(profile, ATTR_OVERHEAD_AFTER));
	if (profile_attribute_number(profile, ATTR_OVERHEAD_NAMES))
		pair_number(group, "overhead_names_ns", "  FINDING NAMES, MM.SS.HH", COLUMN_TIME,
			    profile_attribute_number(profile, ATTR_OVERHEAD_NAMES));
	if (profile_attribute_number(profile, ATTR_OVERHEAD_COLLECTORS))
		pair_number(group, "overhead_collectors_ns", "  IN COLLECTORS, MM.SS.HH",
			    COLUMN_TIME,
			    profile_attribute_number(profile, ATTR_OVERHEAD_COLLECTORS));
}

/* Puts what was thinned out to keep the cost of the session within the requested limit. */
static void put_thinned(const struct profile *profile, struct pair_group *group)
{
	uint64_t looks = profile_attribute_number(profile, ATTR_COST_LOOKS);
	uint64_t halved = profile_attribute_number(profile, ATTR_COST_HALVED);
	double unseen = (double)profile_attribute_number(profile, ATTR_COST_UNSEEN);
	double run = (double)profile_run_time(profile);

	if (unseen > 0 && run > unseen)
		pair_real(group, "switches_watched_percent", "    SWITCHES WATCHED, PCT OF TIME",
			  100 * (run - unseen) / run);
	if (looks)
		pair_number(group, "waits_looked_at", "    LOOKS AT WAITS, ONE OF", COLUMN_NUMBER,
			    looks);
	if (halved)
		pair_number(group, "rate_halved", "    RATE HALVED, TIMES", COLUMN_NUMBER, halved);
	if (unseen <= 0 && !looks && !halved)
		pair_text(group, "thinned", "    THINNED", "NOTHING");
}

/* Puts what was requested, and what it costs while the step runs. */
static void put_cost(const struct profile *profile, struct pair_group *group)
{
	double own = (double)profile_attribute_number(profile, ATTR_COST_OWN);
	double added = (double)profile_attribute_number(profile, ATTR_COST_ADDED);
	double used = (double)profile_attribute_number(profile, ATTR_CPU_EXACT);
	const char *asked = profile_attribute(profile, ATTR_COST_ASKED);

	if (!*asked)
		return;
	pair_real(group, "cost_asked_percent", "COST ASKED FOR, PCT OF CPU TIME",
		  strtod(asked, NULL));
	if (used <= 0 || !*profile_attribute(profile, ATTR_COST_OWN))
		return;
	pair_real(group, "cost_own_percent", "  OBSERVING THE STEP", 100 * own / used);
	pair_real(group, "cost_added_percent", "  ADDED BY SWITCHES, ESTIMATE", 100 * added / used);
	put_thinned(profile, group);
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
	if (profile->attribution.native)
		pair_text(group, "stacks_shown", "STACKS SHOWN", "NATIVE, AS THEY WERE WALKED");
	put_known(group, "overhead_cpu_ns", "VIGIL'S OWN CPU TIME, MM.SS.HH", COLUMN_TIME,
		  profile_attribute_number(profile, ATTR_OVERHEAD_CPU),
		  !session_facts_is_imported(profile));
	put_overhead(profile, group);
	put_cost(profile, group);
}

/* Returns the samples per second of CPU time for a period in ns. */
static double rate(uint64_t period)
{
	return period ? 1e9 / (double)period : 0;
}

/* Puts how many samples of each kind there are. */
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

/* Puts a share of the run that depends on wait data. */
static void put_share(const struct profile *profile, struct pair_group *group, const char *id,
		      const char *label, uint64_t time)
{
	if (session_facts_has_waits(profile))
		pair_real(group, id, label, profile_run_percent(profile, time));
	else
		pair_text(group, id, label, "");
}

static void put_statistics(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;

	put_share(profile, group, "exec_percent", "EXEC PERCENT", profile->step.exec);
	put_share(profile, group, "wait_percent", "WAIT PERCENT", profile->step.wait);
	put_share(profile, group, "stretch_percent", "STRETCH PERCENT", profile->step.delay);
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
	pair_number(group, "stacks_cut", "CUT STACKS", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_STACKS_CUT));
	pair_real(group, "reached_percent", "STACKS REACHING PROGRAM, PCT",
		  profile_cpu_percent(context->profile, profile->reached));
	put_known(group, "switches", "TASK SWITCHES", COLUMN_NUMBER,
		  profile_attribute_number(profile, ATTR_SWITCHES),
		  session_facts_has_waits(profile));
	pair_number(group, "switches_lost", "RECORDS LOST BY KERNEL", COLUMN_NUMBER,
		    profile_attribute_number(profile, ATTR_SWITCHES_LOST));
}

static void put_times(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;
	bool known = session_facts_has_waits(profile);

	pair_number(group, "session_ns", "SESSION TIME", COLUMN_TIME, profile_run_time(profile));
	put_known(group, "exec_ns", "  EXECUTING", COLUMN_TIME, profile->step.exec, known);
	put_known(group, "wait_ns", "  WAIT TIME", COLUMN_TIME, profile->step.wait, known);
	put_known(group, "stretch_ns", "  STRETCH TIME", COLUMN_TIME, profile->step.delay, known);
	put_known(group, "waits_charged_ns", "WAITS OF THE REPORTS", COLUMN_TIME,
		  profile->charged, known);
}

/* Puts what the system counted for the step: unknown if its end was not observed. */
static void put_rusage(const struct profile *profile, struct pair_group *group)
{
	bool known = *profile_attribute(profile, ATTR_CPU_USER);
	uint64_t user = profile_attribute_number(profile, ATTR_CPU_USER);
	uint64_t system = profile_attribute_number(profile, ATTR_CPU_SYSTEM);
	const struct {
		const char *id, *label;
		uint64_t time;
	} times[] = { { "cpu_rusage_ns", "CPU TIME BY RUSAGE", user + system },
		      { "cpu_user_ns", "  USER", user },
		      { "cpu_system_ns", "  SYSTEM", system } };

	for (size_t i = 0; i < ARRAY_SIZE(times); i++)
		put_known(group, times[i].id, times[i].label, COLUMN_TIME, times[i].time, known);
}

/* Puts a part of what the system counted, if it can be determined. */
static void put_part(struct pair_group *group, const char *id, const char *label, bool known,
		     uint64_t time)
{
	if (known)
		pair_number(group, id, label, COLUMN_TIME, time);
	else
		pair_text(group, id, label, "");
}

static void put_cpu_times(const struct context *context, struct pair_group *group)
{
	const struct profile *profile = context->profile;
	uint64_t missing, beyond;
	bool known;

	pair_number(group, "cpu_samples_ns", "CPU TIME BY SAMPLES", COLUMN_TIME,
		    session_facts_sampled(profile, profile->samples));
	put_known(group, "cpu_switches_ns", "CPU TIME BY SWITCHES", COLUMN_TIME,
		  profile_attribute_number(profile, ATTR_CPU_EXACT),
		  session_facts_has_waits(profile));
	if (*profile_attribute(profile, ATTR_STOLEN))
		pair_number(group, "cpu_stolen_ns", "STOLEN BY HYPERVISOR", COLUMN_TIME,
			    profile_attribute_number(profile, ATTR_STOLEN));
	put_rusage(profile, group);
	known = session_facts_beyond_switches(profile, &beyond);
	put_part(group, "cpu_beyond_switches_ns", "  BEYOND SWITCH RECORDS", known, beyond);
	known = session_facts_missing(profile, &missing);
	put_part(group, "cpu_missing_ns", "  IN NO REPORT", known, missing);
}

static void put_io(const struct context *context, struct pair_group *group)
{
	const struct profile_step *step = &context->profile->step;
	bool known = !profile_attribute_number(context->profile, ATTR_IO_UNKNOWN);

	put_known(group, "read_bytes", "READ FROM DEVICES, BYTES", COLUMN_BYTES, step->read_bytes,
		  known);
	put_known(group, "write_bytes", "WRITTEN TO DEVICES, BYTES", COLUMN_BYTES,
		  step->write_bytes, known);
	put_known(group, "io_calls", "READ AND WRITE CALLS", COLUMN_NUMBER,
		  step->read_calls + step->write_calls, known);
	put_known(group, "moved_bytes", "MOVED BY THESE CALLS, BYTES", COLUMN_BYTES, step->moved_bytes,
		  known && step->moved_bytes);
	known = session_facts_has_memory(context->profile);
	put_known(group, "minor_faults", "PAGE FAULTS, MINOR", COLUMN_NUMBER, step->minor_faults,
		  known);
	put_known(group, "major_faults", "PAGE FAULTS, MAJOR", COLUMN_NUMBER, step->major_faults,
		  known);
}

/* Adds three groups with their ids and titles. */
static struct pair_group *three_groups(struct document *document, const char *const names[6])
{
	struct pair_group *groups = document_pairs(document, 3);

	for (size_t i = 0; i < 3; i++) {
		groups[i].id = names[2 * i];
		groups[i].title = names[2 * i + 1];
	}
	return groups;
}

/* Puts the command line, over the whole width. */
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

/* Puts the origin of an imported session, over the whole width. */
static void put_import(const struct context *context, struct document *document)
{
	static const struct text_fact facts[] = {
		{ ATTR_IMPORT, "imported_from", "IMPORTED FROM" },
		{ ATTR_IMPORT_VERSION, "recorder_version", "RECORDED BY PERF" },
		{ ATTR_IMPORT_EVENTS, "recorded_events", "EVENTS" },
		{ ATTR_IMPORT_SAMPLES, "recorded_samples", "SAMPLES OF CPU TIME IN IT" },
	};
	const struct profile *profile = context->profile;
	struct pair_group *group;

	if (!session_facts_is_imported(profile))
		return;
	group = document_pairs(document, 1);
	group->id = "import";
	group->title = "";
	for (size_t i = 0; i < ARRAY_SIZE(facts); i++)
		pair_text(group, facts[i].id, facts[i].label, profile_attribute(profile, facts[i].key));
}

/*
 * Puts what is known of a session without samples: none of the sample figures,
 * which would all be 0.
 */
static void put_unsampled(struct context *context, struct document *document)
{
	static const char *const names[] = { "job_environment",	       "JOB ENVIRONMENT",
					     "measurement_parameters", "MEASUREMENT PARAMETERS",
					     "session_times",	       "SESSION TIMES, MM.SS.HH" };
	const struct profile *profile = context->profile;
	struct pair_group *groups = three_groups(document, names);

	put_environment(profile, &groups[0]);
	put_parameters(context, &groups[1]);
	pair_number(&groups[2], "session_ns", "SESSION TIME", COLUMN_TIME,
		    profile_run_time(profile));
	put_rusage(profile, &groups[2]);
}

/* Puts the results of the samples, and their quality. */
static void put_sampled(struct context *context, struct document *document)
{
	static const char *const first[] = { "job_environment",	       "JOB ENVIRONMENT",
					     "measurement_parameters", "MEASUREMENT PARAMETERS",
					     "measurement_statistics", "MEASUREMENT STATISTICS" };
	static const char *const second[] = { "session_times", "SESSION TIMES, MM.SS.HH",
					      "cpu_times",     "CPU TIMES, MM.SS.HH",
					      "input_output",  "INPUT, OUTPUT, MEMORY" };
	const struct profile *profile = context->profile;
	struct pair_group *groups;

	groups = three_groups(document, first);
	put_environment(profile, &groups[0]);
	put_parameters(context, &groups[1]);
	put_statistics(context, &groups[2]);
	groups = three_groups(document, second);
	put_times(context, &groups[0]);
	put_cpu_times(context, &groups[1]);
	put_io(context, &groups[2]);
}

static void build(struct context *context, struct document *document)
{
	const struct profile *profile = context->profile;

	put_essence(context, document);
	if (put_notes(profile, document, session_facts_doubts))
		document_text(document, "%s", "");
	put_advices(context, document);
	put_findings(context, document);
	if (session_facts_is_sampled(profile))
		put_sampled(context, document);
	else
		put_unsampled(context, document);
	put_import(context, document);
	put_command(context, document);
	collector_tables(context, document);
	put_notes(profile, document, session_facts_notes);
}

const struct report_class report_msd = { "MSD", "Measurement Session Data", build,
					 REPORT_OF_SESSION };
