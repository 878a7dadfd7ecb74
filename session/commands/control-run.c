/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out control statements outside of a measurement. */
#include "common/compat.h"
#include "session/commands/control-run.h"
#include "common/xalloc.h"
#include "engine/record-types.h"
#include "reports/report.h"
#include "session/commands/output.h"
#include "session/job/queue.h"

#include <dirent.h>

/* The operand of a REPORT by its keyword or its short form; NULL. */
static const struct control_operand *operand_of(const struct control_statement *statement,
						const char *keyword, const char *other)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next)
		if (strcmp(operand->keyword, keyword) == 0 || strcmp(operand->keyword, other) == 0)
			return operand;
	return NULL;
}

void control_check_codes(const struct control_deck *deck, struct diag_list *diags)
{
	for (const struct control_statement *statement = deck->statements; statement;
	     statement = statement->next) {
		const struct control_operand *codes = operand_of(statement, "REPORTS", "REPORTS");

		if (statement->verb != CONTROL_REPORT || !statement->checked || !codes)
			continue;
		for (const struct control_value *code = codes->values; code; code = code->next) {
			struct strbuf known = STRBUF_INIT;

			if (report_known(code->text) || strcmp(code->text, "ALL") == 0)
				continue;
			report_codes(&known);
			diag_add(diags, SEVERITY_ERROR, 10, &code->location,
				 "%s is not a report; expected one of %s", code->text, known.text);
			strbuf_release(&known);
		}
	}
}

/* The path that the step's environment has for a DD; NULL. */
static const char *dd_path(const char *name)
{
	struct strbuf variable = STRBUF_INIT;
	const char *path;

	strbuf_addf(&variable, "DD_%s", name);
	path = getenv(variable.text);
	strbuf_release(&variable);
	return path;
}

/* The path a value names: itself in apostrophes, otherwise that of a DD. */
static const char *resolve(const struct control_statement *statement, const char *value,
			   bool quoted, const struct control_operand *operand,
			   struct diag_list *diags)
{
	const char *path = quoted ? value : dd_path(value);

	if (!path)
		diag_add(diags, SEVERITY_ERROR, 19,
			 operand ? &operand->location : &statement->location,
			 "there is no DD %s here; expected a DD name of this step, or a path in "
			 "apostrophes",
			 value);
	return path;
}

/* The reports' options from the statement. */
static void report_options_of(const struct control_report *report, struct report_options *options)
{
	report_options_init(options);
	options->codes = (const char *const *)report->codes;
	options->code_count = report->code_count;
	options->lines = report->lines;
	options->ansi_control = report->ansi_control;
	options->margins = report->margins;
	options->all = report->all;
	options->title = report->title;
	if (report->format == REPORT_CSV)
		options->device = DEVICE_CSV;
	else if (report->format == REPORT_JSON)
		options->device = DEVICE_JSON;
	if (report->baseline_given)
		options->baseline = report->baseline;
	if (report->resolution)
		options->resolution = report->resolution;
}

/* Print a profile where the statement says. */
static int print_profile(const struct control_statement *statement, const struct profile *profile,
			 const struct control_run_options *options, const char *path,
			 struct error *err)
{
	struct report_options report_options;
	struct output output = { .stream = options->listing };

	report_options_of(&statement->report, &report_options);
	if (path && (statement->report.dsname_quoted ? output_open : output_open_in_place)(
			    &output, path, err) < 0)
		return -1;
	if (report_print(profile, &report_options, output.stream, err) < 0) {
		if (path)
			output_abandon(&output);
		return -1;
	}
	if (path)
		return output_commit(&output, err);
	if (fflush(options->listing) != 0)
		return error_errno(err, "the listing cannot be written");
	return 0;
}

void control_report(const struct control_statement *statement, const char *input,
		    const struct control_run_options *options, struct diag_list *diags)
{
	const struct control_report *report = &statement->report;
	const char *path = NULL;
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (report->dsname) {
		path = resolve(statement, report->dsname, report->dsname_quoted,
			       operand_of(statement, "DSNAME", "DSN"), diags);
		if (!path)
			return;
	}
	profile = profile_load(input, &err);
	if (!profile || print_profile(statement, profile, options, path, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 13, &statement->location,
			 "the report on %s cannot be made: %s", input, error_text(&err));
	else
		diag_add(diags, SEVERITY_INFO, 12, &statement->location,
			 "the report on %s is printed%s%s", input, path ? " to " : "",
			 path ? path : "");
	if (profile && profile_damage(profile)[0])
		diag_add(diags, SEVERITY_WARNING, 14, &statement->location, "%s is damaged: %s",
			 input, profile_damage(profile));
	profile_free(profile);
	error_release(&err);
}

/* Whether a sample data set is of the job and step that a REPORT names. */
static bool wanted(const struct control_report *report, const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	bool match = profile != NULL;
	const char *dot;

	if (match && report->job)
		match = control_match(report->job, profile_attribute(profile, ATTR_JOB));
	if (match && report->step) {
		const char *step = profile_attribute(profile, ATTR_STEP);
		const char *procstep = profile_attribute(profile, ATTR_PROCSTEP);
		struct strbuf both = STRBUF_INIT;

		dot = strchr(report->step, '.');
		strbuf_addf(&both, "%s.%s", step, procstep);
		match = dot ? control_match(report->step, both.text)
			    : control_match(report->step, step) ||
					control_match(report->step, procstep);
		strbuf_release(&both);
	}
	profile_free(profile);
	error_release(&err);
	return match;
}

static int is_sample_data_set(const struct dirent *entry)
{
	const char *suffix = strrchr(entry->d_name, '.');

	return suffix && strcmp(suffix, ".vprf") == 0;
}

/* Report on all sample data sets in the spool that the statement means. */
static void report_from_spool(const struct control_statement *statement,
			      const struct control_run_options *options, struct diag_list *diags)
{
	struct dirent **entries = NULL;
	int count = scandir(options->spool, &entries, is_sample_data_set, alphasort);
	bool any = false;

	for (int i = 0; i < count; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", options->spool, entries[i]->d_name);
		if (wanted(&statement->report, path.text)) {
			control_report(statement, path.text, options, diags);
			any = true;
		}
		strbuf_release(&path);
		free(entries[i]);
	}
	free(entries);
	if (!any)
		diag_add(diags, SEVERITY_ERROR, 15, &statement->location,
			 "the job has no sample data set that this REPORT names");
}

static void carry_out_report(const struct control_statement *statement,
			     const struct control_run_options *options, struct diag_list *diags)
{
	const struct control_report *report = &statement->report;
	const char *input;

	if (report->input) {
		input = resolve(statement, report->input, report->input_quoted,
				operand_of(statement, "INPUT", "INPUT"), diags);
		if (input)
			control_report(statement, input, options, diags);
	} else if (options->spool) {
		report_from_spool(statement, options, diags);
	} else {
		diag_add(diags, SEVERITY_ERROR, 15, &statement->location,
			 "outside a job REPORT needs INPUT='FILE', the sample data set");
	}
}

/* A request of a step with PGM=VIGIL: it waits for the steps after it. */
static void queue_request(const struct control_statement *statement,
			  const struct control_run_options *options, struct diag_list *diags)
{
	struct error err = ERROR_INIT;

	if (request_queue_add(options->spool, statement, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 2935, &statement->location,
			 "the request cannot be queued: %s", error_text(&err));
	else
		diag_add(diags, SEVERITY_INFO, 2933, &statement->location,
			 "the request is %s for the steps of the job after this one",
			 statement->verb == CONTROL_CHANGE ? "changed" : "queued");
	error_release(&err);
}

/* One statement without errors. */
static void carry_out(const struct control_statement *statement,
		      const struct control_run_options *options, struct diag_list *diags)
{
	if (options->spool &&
	    (statement->verb == CONTROL_ADD || statement->verb == CONTROL_CHANGE))
		queue_request(statement, options, diags);
	else if (control_measures(statement))
		diag_add(diags, SEVERITY_ERROR, 11, &statement->location,
			 "no step starts here that could be measured; a request stands in DD VIGIL "
			 "of its step, in a file for --control of vigil submit, or in -c of vigil "
			 "run");
	else if (statement->verb == CONTROL_REPORT)
		carry_out_report(statement, options, diags);
}

int control_run(const struct source *source, const struct control_run_options *options)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct control_deck *deck = control_parse(source, options->cards, &diags);
	struct request_queue queue = { 0 };
	struct error err = ERROR_INIT;
	int status;

	if (options->spool && request_queue_read(&queue, options->spool, &err) < 0)
		diag_add(&diags, SEVERITY_ERROR, 2935, NULL,
			 "the requests that are queued cannot be read: %s", error_text(&err));
	deck->earlier = queue.deck;
	control_check(deck, &diags);
	control_check_codes(deck, &diags);
	if (!deck->statements && !diags.count)
		diag_add(&diags, SEVERITY_WARNING, 20, NULL, "%s holds no statements",
			 source->name);
	if (diag_worst(&diags) < SEVERITY_ERROR)
		for (const struct control_statement *statement = deck->statements; statement;
		     statement = statement->next)
			carry_out(statement, options, &diags);
	else
		diag_sort(&diags);
	diag_print(&diags, options->messages);
	fflush(options->messages);
	status = (int)diag_worst(&diags);
	diag_list_release(&diags);
	request_queue_release(&queue);
	error_release(&err);
	control_free(deck);
	return status;
}
