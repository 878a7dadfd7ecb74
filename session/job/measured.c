/* SPDX-License-Identifier: Apache-2.0 */
/* Runs the measurement session around a step, and prints its profile to the spool. */
#include "common/compat.h"
#include "session/job/measured.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "profile/collector-facts.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/session-lines.h"
#include "session/history/step-profile.h"
#include "session/job/abend.h"
#include "session/job/data-sets.h"
#include "session/job/supervise.h"
#include "session/listing-print.h"
#include "session/requests/carry-out.h"
#include "session/library/resource.h"

#include <poll.h>
#include <unistd.h>

/* Builds the sampler's table of the step's files: each DD with each of its paths. */
static void list_files(struct measured *measured, const struct allocation *allocations)
{
	size_t count = 0, alloc = 0;

	for (; allocations; allocations = allocations->next) {
		for (const struct allocation *one = allocations; one; one = one->next_concat) {
			const struct plan_dd *dd = one->dd;

			if (dd->kind == DD_DUMMY)
				continue;
			GROW(measured->files, count + 2, alloc);
			measured->files[count] = (struct sampler_file){
				.ddname = dd->name,
				.dsn = one->dsn,
				.path = one->path,
				.organization =
					dd->organization == DSORG_PO || dd->member ? "PO" : "",
				.recfm = one->attributes.recfm,
				.lrecl = one->attributes.lrecl
			};
			count++;
			if (one != allocations || !allocations->copied)
				continue;
			measured->files[count] = measured->files[count - 1];
			measured->files[count++].path = allocations->joined;
		}
	}
	measured->request.files = measured->files;
	measured->request.file_count = count;
}

/* Reads the requests that earlier steps queued. */
static void read_queue(struct measured *measured)
{
	const struct runner *runner = measured->runner;
	struct error err = ERROR_INIT;

	if (request_queue_read(&measured->queue, runner->spool.path, &err) < 0) {
		job_log_message(&measured->runner->log, SEVERITY_WARNING, 3406,
				"step %s: cannot read the requests of earlier steps: %s",
				measured->step_name, error_text(&err));
		request_queue_release(&measured->queue);
	}
	error_release(&err);
}

/* Logs that the ADDs of the step's own cards select other steps (request_inputs.unmatched). */
static void log_unmatched(void *argument)
{
	const struct measured *measured = argument;

	job_log_message(&measured->runner->log, SEVERITY_WARNING, 5302,
			"step %s is not measured by its own cards: no ADD of its DD VIGIL "
			"matches job %s, step %s, program %s",
			measured->step_name, measured->runner->plan->name, measured->step_name,
			measured->step->program ? measured->step->program : "");
}

/* Returns the request that waits in the store (request_inputs.stored). */
static const struct control_request *find_stored(void *argument, uint64_t *number)
{
	struct measured *measured = argument;

	return stored_step_find(&measured->stored, measured->runner, &measured->subject, number);
}

/* Determines which request applies; errors in it are logged. */
static void settle(struct measured *measured)
{
	struct diag_list diags = DIAG_LIST_INIT;

	read_queue(measured);
	request_resolve(&measured->settled,
		       &(struct request_inputs){ .general = measured->runner->options->control,
						 .queued = measured->queue.deck,
						 .own = measured->own,
						 .subject = &measured->subject,
						 .parm = measured->step->parm,
						 .queued_kb = measured->queue.pool_kb,
						 .general_kb = measured->runner->options->pool_kb,
						 .unmatched = log_unmatched,
						 .stored = find_stored,
						 .argument = measured },
		       &diags);
	job_log_diagnostics(&measured->runner->log, &diags);
	diag_list_release(&diags);
}

/* Appends the path of a data set of the job (struct request_libraries). */
static int find_data_set(void *argument, const char *dsn, struct strbuf *path, struct error *err)
{
	return data_set_path(argument, dsn, path, err);
}

/* Returns the folder that DCCLIB names; NULL with a warning if there is none. */
static char *find_library(struct measured *measured, const char *name)
{
	struct runner *runner = measured->runner;
	const struct request_libraries libraries = { .data_set = find_data_set, .argument = runner };
	struct error err = ERROR_INIT;
	char *folder = request_library(name, &libraries, &err);

	if (name && !folder)
		job_log_message(&runner->log, SEVERITY_WARNING, 3405,
				"step %s: DCCLIB %s is not searched for data collectors: %s",
				measured->step_name, name, error_text(&err));
	error_release(&err);
	return folder;
}

/* Logs that a step which a request selects is not measured, or only in part. */
static void log_unmeasured(const struct measured *measured, const struct error *err)
{
	const struct job_options *options = measured->runner->options;

	job_log_message(&measured->runner->log, SEVERITY_WARNING, 5303, "step %s runs unmeasured: %s",
			measured->step_name, error_text(err));
	if (options->unmeasured)
		*options->unmeasured = true;
}

/*
 * Returns where the sample data set goes: the spool, or the library if INIT names
 * a resource. NULL, with a message, if it cannot go there.
 */
static char *choose_output(struct measured *measured)
{
	const struct request_events *events = &measured->settled.events;
	const struct runner *runner = measured->runner;
	struct error err = ERROR_INIT;
	struct strbuf sb = STRBUF_INIT;
	char *path;

	if (!request_names_resource(events)) {
		strbuf_addf(&sb, "%s/%s%s", runner->spool.path, measured->step_name,
			    resource_suffix(request_resource_kind(&events->request)));
		return strbuf_detach(&sb, NULL);
	}
	path = request_resource(events,
				&(struct resource_place){ .root = runner->options->root,
							  .option = runner->options->library },
				measured->number_text, runner->started, &err);
	if (!path)
		log_unmeasured(measured, &err);
	measured->request.resource = events->resource->name;
	error_release(&err);
	return path;
}

/* Returns where the trace of the step goes. */
static char *trace_path(const struct measured *measured)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/%s.VIGTRACE", measured->runner->spool.path, measured->step_name);
	return strbuf_detach(&path, NULL);
}

/* Warns if PDPSIZE in the step's PARM is invalid and there are events to hold. */
static void check_pool(const struct measured *measured)
{
	if (measured->settled.pool_invalid && measured->settled.events.request.wanted)
		job_log_message(&measured->runner->log, SEVERITY_WARNING, 5310,
				"step %s has a data pool of the default size: PDPSIZE in its PARM "
				"takes 100 to 2097151",
				measured->step_name);
}

/*
 * Fills in the measurement's request from the request that applies. False: the
 * step cannot be measured.
 */
static bool fill_request(struct measured *measured, const char *program)
{
	const struct control_request *request = measured->settled.request;
	struct measure_request *wanted = &measured->request;
	const struct runner *runner = measured->runner;
	struct strbuf sb = STRBUF_INIT;

	strbuf_addf(&sb, "JOB%05u", runner->spool.number);
	measured->number_text = strbuf_detach(&sb, NULL);
	measured->output = choose_output(measured);
	RETURN_IF(!measured->output, false);
	strbuf_addf(&sb, "%s%s%s", program, measured->step->parm ? " " : "",
		    measured->step->parm ? measured->step->parm : "");
	measured->command = strbuf_detach(&sb, NULL);
	wanted->output = measured->output;
	wanted->job = runner->plan->name;
	wanted->job_number = measured->number_text;
	wanted->step = measured->step->name;
	wanted->procstep = measured->step->procstep;
	wanted->program = measured->step->program ? measured->step->program : program;
	wanted->executable = program;
	wanted->command = measured->command;
	wanted->request_type = request && request->active ? "ACTIVE" : "QUEUED";
	wanted->progress = runner->options->progress;
	wanted->count_files = request != NULL;
	check_pool(measured);
	measured->library = request ? find_library(measured, request->collector_library) : NULL;
	request_settled_fill(&measured->settled, wanted, &measured->library);
	if (wanted->events.trace)
		wanted->trace = measured->trace = trace_path(measured);
	return true;
}

/* Ends the measurement after an error; the step continues. */
static void give_up(struct measured *measured, struct error *err)
{
	log_unmeasured(measured, err);
	if (!measured->failure)
		measured->failure = xstrdup(error_text(err));
	error_release(err);
	measure_free(measured->measure);
	measured->measure = NULL;
	measured->followed = false;
}

bool measured_begin(struct measured *measured, struct runner *runner, const struct plan_step *step,
		    const char *step_name, const struct own_cards *cards,
		    const struct allocation *allocations, const char *program)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct error err = ERROR_INIT;

	*measured = (struct measured){
		.runner = runner,
		.step = step,
		.subject = request_subject_of(runner->plan, step),
		.step_name = step_name,
		.own = own_cards_of(cards, step),
	};
	strmap_init(&measured->written);
	strmap_init(&measured->collectors_logged);
	RETURN_IF(!measured->own && strcasecmp(measured->subject.program, "VIGIL") == 0, false);
	settle(measured);
	if (measured->settled.no_events) {
		error_set(&err, "the PROFILER blocks have no FUNCTION=INIT, and there is no ADD");
		log_unmeasured(measured, &err);
		error_release(&err);
		return false;
	}
	RETURN_IF(!request_settled_measures(&measured->settled), false);
	RETURN_IF(!fill_request(measured, program), false);
	list_files(measured, allocations);
	measured->measure = measure_new(&measured->request, &diags);
	job_log_diagnostics(&runner->log, &diags);
	diag_list_release(&diags);
	return true;
}

/* Returns the path of the area by which the session is paused; NULL: not known. */
static const char *area_path(const struct measured *measured)
{
	static const char name[] = "VIGIL_TRANSACTIONS=";
	const char *const *variable = measure_environment(measured->measure);

	for (; variable && *variable; variable++)
		if (strncmp(*variable, name, sizeof(name) - 1) == 0)
			return *variable + sizeof(name) - 1;
	return NULL;
}

void measured_follow(struct measured *measured, pid_t pid)
{
	struct error err = ERROR_INIT;

	if (measure_follow(measured->measure, pid, &err) < 0) {
		give_up(measured, &err);
		return;
	}
	measured->followed = true;
	measured->stored.area = area_path(measured);
}

void measured_serve(void *argument, int timeout_ms)
{
	struct measured *measured = argument;
	struct error err = ERROR_INIT;

	if (!measured->measure)
		poll(NULL, 0, timeout_ms);
	else if (measure_step(measured->measure, timeout_ms, &err) < 0)
		give_up(measured, &err);
	stored_step_serve(&measured->stored);
}

bool measured_owns(void *argument, pid_t pid)
{
	const struct measured *measured = argument;

	return measured->measure && measure_owns(measured->measure, pid);
}

void measured_clear_progress(struct measured *measured)
{
	if (measured->measure)
		measure_quiet(measured->measure);
}

/* Returns whether a report must be the only one in its file. */
static bool is_page(const struct control_report *report)
{
	return report && request_device(report->format)->alone;
}

/*
 * Appends the first path of STEP.VIGPROF.html, STEP.VIGPROF.2.html, ... (or .pdf)
 * that this step has not written yet.
 */
static void add_page_path(const struct measured *measured, const struct control_report *report,
			  struct strbuf *path)
{
	const char *suffix = request_device(report->format)->name;
	size_t length;

	strbuf_addf(path, "%s/%s.VIGPROF", measured->runner->spool.path, measured->step_name);
	length = path->length;
	strbuf_addf(path, ".%s", suffix);
	for (unsigned number = 2; strmap_find(&measured->written, path->text) != UINT32_MAX; number++) {
		strbuf_setlen(path, length);
		strbuf_addf(path, ".%u.%s", number, suffix);
	}
}

/* Returns where a report goes: the data set it names, or the step's VIGPROF in the spool. */
static char *report_path(struct measured *measured, const struct control_report *report,
			 struct error *err)
{
	struct strbuf path = STRBUF_INIT;

	if (is_page(report) && !report->dsname) {
		add_page_path(measured, report, &path);
	} else if (!report || !report->dsname) {
		strbuf_addf(&path, "%s/%s.VIGPROF", measured->runner->spool.path,
			    measured->step_name);
	} else if (report->dsname_quoted) {
		strbuf_addstr(&path, report->dsname);
	} else if (!catalog_name_valid(report->dsname)) {
		error_set(err, "%s is not a data set name", report->dsname);
		return NULL;
	} else if (data_set_path(measured->runner, report->dsname, &path, err) < 0) {
		return NULL;
	}
	return strbuf_detach(&path, NULL);
}

/*
 * Returns how a report is written to its file: anew, or appended if this step has
 * printed to it already.
 */
static struct output_target target_of(const struct measured *measured, const char *path)
{
	bool more = strmap_find(&measured->written, path) != UINT32_MAX;

	return (struct output_target){ .kind = more ? OUTPUT_APPENDED : OUTPUT_ANEW, .path = path };
}

/* Prints one report of a profile, whole or not at all. */
static int print_report(struct measured *measured, struct profile *profile,
			const struct control_report *report, struct error *err)
{
	struct report_options options;
	struct output_target target;
	char *path = report_path(measured, report, err);
	int result;

	RETURN_IF(!path, -1);
	target = target_of(measured, path);
	request_report_options(&options, report);
	profile_show_native(profile, report && report->native);
	if (is_page(report) && target.kind == OUTPUT_APPENDED)
		result = error_set(err, "%s has a report of this step already, and a page of HTML or a PDF cannot be appended", path);
	else
		result = listing_print(profile, &options, &target, err);
	if (result == 0)
		strmap_put(&measured->written, path);
	free(path);
	return result;
}

/* Prints what the deck's REPORT statements ask for; returns their number, -1 on an error. */
static int print_statements(struct measured *measured, struct profile *profile,
			    const struct control_deck *deck, struct error *err)
{
	int printed = 0;

	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next) {
		if (!request_reports_on(one, &measured->subject))
			continue;
		RETURN_IF(print_report(measured, profile, &one->report, err) < 0, -1);
		printed++;
	}
	return printed;
}

/*
 * Logs a data collector that could not be loaded or was switched off; a missing
 * one was logged at the start of the step.
 */
static void log_collector(struct measured *measured, const struct profile *profile,
			   const struct record_collector *collector)
{
	enum collector_state state = collector_facts_state(profile, collector);
	const char *name = profile_text(profile, collector->name);
	struct job_log *log = &measured->runner->log;

	if (strmap_find(&measured->collectors_logged, name) != UINT32_MAX)
		return;
	if (state == COLLECTOR_SWITCHED_OFF)
		job_log_message(log, SEVERITY_WARNING, 3411,
				"step %s: data collector %s was switched off after %" PRIu64
				" calls: %s",
				measured->step_name, name, collector->calls,
				profile_text(profile, collector->problem));
	else if (state == COLLECTOR_NOT_LOADED && *profile_text(profile, collector->path))
		job_log_message(log, SEVERITY_WARNING, 3411,
				"step %s: data collector %s was not loaded: %s",
				measured->step_name, name,
				profile_text(profile, collector->problem));
	else
		return;
	strmap_put(&measured->collectors_logged, name);
}

/* Returns the highest needs among the devices of a deck's REPORTs on the step. */
static enum device_needs needs_of(const struct measured *measured, const struct control_deck *deck)
{
	enum device_needs most = DEVICE_NEEDS_SUMS;

	for (const struct control_statement *one = deck ? deck->statements : NULL; one; one = one->next) {
		if (!request_reports_on(one, &measured->subject))
			continue;
		if (request_device(one->report.format)->needs > most)
			most = request_device(one->report.format)->needs;
	}
	return most;
}

/* Keeps the first finding for the log. */
static void keep_finding(struct measured *measured, const struct profile *profile)
{
	struct strbuf line = STRBUF_INIT;

	if (measured->finding)
		return;
	session_lines_finding(profile, &line);
	if (line.length)
		measured->finding = strbuf_detach(&line, NULL);
	strbuf_release(&line);
}

/* Prints all reports on one sample data set. */
static int print_session(struct measured *measured, const char *path, struct error *err)
{
	enum device_needs own = needs_of(measured, measured->own);
	enum device_needs general = needs_of(measured, measured->runner->options->control);
	struct profile *profile = report_load_for(path, own > general ? own : general, err);
	int printed, more = 0;

	RETURN_IF(!profile, -1);
	for (size_t i = 0; i < profile->collectors.count; i++)
		log_collector(measured, profile, id_table_at(&profile->collectors, i));
	keep_finding(measured, profile);
	if (measured->runner->options->history)
		step_profile_take(&measured->left, profile, measured->finding);
	printed = print_statements(measured, profile, measured->own, err);
	if (printed >= 0)
		more = print_statements(measured, profile, measured->runner->options->control, err);
	if (printed == 0 && more == 0)
		printed = print_report(measured, profile, NULL, err);
	profile_free(profile);
	return printed < 0 || more < 0 ? -1 : 0;
}

/*
 * Prints every session of the step (LIMIT may have caused several), and registers
 * each with its library.
 */
static void print_sessions(struct measured *measured)
{
	struct error err = ERROR_INIT;

	for (unsigned session = 1;; session++) {
		char *path = measure_session_path(measured->output, session);
		bool there = access(path, R_OK) == 0;

		if (there && print_session(measured, path, &err) < 0) {
			job_log_message(&measured->runner->log, SEVERITY_WARNING, 5304,
					"cannot print the profile of step %s: %s",
					measured->step_name, error_text(&err));
			error_release(&err);
		}
		if (there && measured->request.resource)
			resource_written(path);
		free(path);
		if (!there)
			return;
	}
}

/* Appends the names of the files that the step's profile was printed to, for the log. */
static void list_written(const struct measured *measured, struct strbuf *sb)
{
	size_t spool = strlen(measured->runner->spool.path);

	for (uint32_t i = 0; i < measured->written.count; i++) {
		const char *path = strmap_text(&measured->written, i);

		if (strncmp(path, measured->runner->spool.path, spool) == 0 && path[spool] == '/')
			path += spool + 1;
		if (*path) /* number 0 is the empty text, not a path */
			strbuf_addf(sb, "%s%s", sb->length ? ", " : "profile ", path);
	}
	if (sb->length > 0)
		strbuf_addstr(sb, "; ");
}

/*
 * Carries out the functions on resources in the step's own cards, with their lists
 * written to a target.
 */
static int functions_to(struct measured *measured, const struct output_target *target,
			struct diag_list *diags, struct error *err)
{
	const struct resource_place where = { .root = measured->runner->options->root,
					      .option = measured->runner->options->library };
	const struct control_statement *one = measured->own->statements;
	struct output output;

	while (one && !control_is_on_resources(one))
		one = one->next;
	RETURN_IF(!one, 0);
	RETURN_IF(output_begin(&output, target, err) < 0, -1);
	for (; one; one = one->next)
		if (control_is_on_resources(one))
			carry_out_function(one, &where, output.stream, diags);
	RETURN_IF(output_commit(&output, err) < 0, -1);
	strmap_put(&measured->written, target->path);
	return 0;
}

/* Carries out the same functions with lists written to the step's VIGPROF. */
static void carry_out_functions(struct measured *measured)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct error err = ERROR_INIT;
	struct output_target target;
	char *path;

	if (!measured->own)
		return;
	path = report_path(measured, NULL, &err);
	target = target_of(measured, path);
	if (functions_to(measured, &target, &diags, &err) < 0)
		job_log_message(&measured->runner->log, SEVERITY_WARNING, 5304,
				"cannot print the profile of step %s: %s", measured->step_name,
				error_text(&err));
	job_log_diagnostics(&measured->runner->log, &diags);
	diag_list_release(&diags);
	error_release(&err);
	free(path);
}

/* Logs what the session produced: samples, events, or both. */
static void log_measured(const struct measured *measured, const struct sampler_counts *counts,
			 const char *written)
{
	const struct measure_request *request = &measured->request;
	struct strbuf what = STRBUF_INIT;

	if (request->sampled)
		strbuf_addf(&what, "%" PRIu64 " samples, %" PRIu64 " lost", counts->processed,
			    counts->lost);
	if (request->events.wanted)
		strbuf_addf(&what, "%s%" PRIu64 " events", what.length ? ", " : "",
			    measure_events(measured->measure));
	job_log_message(&measured->runner->log, SEVERITY_INFO, 5305,
			"step %s was measured: %s; %ssample data set %s", measured->step_name,
			what.text, written, measured->output);
	if (measured->finding)
		job_log_message(&measured->runner->log, SEVERITY_INFO, 6730,
				"step %s has a finding: %s", measured->step_name, measured->finding);
	strbuf_release(&what);
}

/* Ends a session whose collection was never started: there is nothing to report on. */
static void end_unstarted(struct measured *measured)
{
	unlink(measured->output);
	if (measured->trace)
		unlink(measured->trace);
	job_log_message(&measured->runner->log, SEVERITY_INFO, 5309,
			"step %s was not measured: collecting was paused from its beginning to its "
			"end",
			measured->step_name);
}

/* Reports a recording that is missing or not complete. */
static void log_recording(struct measured *measured)
{
	const char *why = measure_recording_failure(measured->measure);

	if (*why)
		job_log_message(&measured->runner->log, SEVERITY_WARNING, 6621,
				"step %s: the recording %s is not complete: %s", measured->step_name,
				measure_recording(measured->measure), why);
}

/* Ends a trace with the statistics of the session. */
static void end_trace(struct measured *measured)
{
	const char *why = measure_trace_failure(measured->measure);
	struct error err = ERROR_INIT;

	if (!measured->trace)
		return;
	if (!*why && request_print_statistics(measured->output, measured->trace, &err) < 0)
		why = error_text(&err);
	if (*why)
		job_log_message(&measured->runner->log, SEVERITY_WARNING, 3177,
				"step %s: the trace is incomplete: %s", measured->step_name, why);
	strmap_put(&measured->written, measured->trace);
	error_release(&err);
}

/* Closes the session, and prints its results. Returns whether there are any. */
static bool end_session(struct measured *measured, const struct step_outcome *outcome,
			const struct step_usage *usage)
{
	struct strbuf written = STRBUF_INIT;
	struct sampler_counts counts;
	struct error err = ERROR_INIT;

	measure_set_result(measured->measure, (int)outcome->return_code,
			   outcome->abended ? outcome->abend : "", usage->user, usage->system,
			   usage->peak);
	if (measure_finish(measured->measure, &err) < 0) {
		give_up(measured, &err);
	} else if (!measure_was_started(measured->measure)) {
		end_unstarted(measured);
		carry_out_functions(measured);
		return false;
	} else {
		measure_counts(measured->measure, &counts);
		log_recording(measured);
		print_sessions(measured);
		carry_out_functions(measured);
		end_trace(measured);
		list_written(measured, &written);
		log_measured(measured, &counts, written.text);
		strbuf_release(&written);
		return true;
	}
	print_sessions(measured);
	return false;
}

/* Reports to the request store how its request ended. */
static void report_to_store(struct measured *measured, bool good)
{
	struct strbuf why = STRBUF_INIT;

	if (good)
		strbuf_addstr(&why, "was measured");
	else
		strbuf_addf(&why, "was not measured: %s",
			    measured->failure	 ? measured->failure
			    : measured->followed ? "collecting was paused from its beginning to its end"
						 : "it did not start");
	stored_step_end(&measured->stored, good ? measured->output : NULL, why.text);
	strbuf_release(&why);
}

/*
 * Keeps the path of the profile for readers: the first HTML page if there is one,
 * else the listing.
 */
static void keep_page(struct measured *measured)
{
	const char *best = NULL;

	for (uint32_t i = 1; i < measured->written.count; i++) {
		const char *path = strmap_text(&measured->written, i), *suffix = strrchr(path, '.');

		if (!best || (suffix && strcmp(suffix, ".html") == 0))
			best = path;
		if (suffix && strcmp(suffix, ".html") == 0)
			break;
	}
	if (best && measured->left.measured)
		measured->left.page = xstrdup(best);
}

void measured_end(struct measured *measured, const struct step_outcome *outcome,
		  const struct step_usage *usage)
{
	bool good = measured->followed && end_session(measured, outcome, usage);

	keep_page(measured);
	report_to_store(measured, good);
}

void measured_release(struct measured *measured)
{
	measure_free(measured->measure);
	strmap_release(&measured->written);
	strmap_release(&measured->collectors_logged);
	request_settled_release(&measured->settled);
	request_queue_release(&measured->queue);
	stored_step_release(&measured->stored);
	free(measured->failure);
	free(measured->files);
	free(measured->output);
	free(measured->number_text);
	free(measured->command);
	free(measured->library);
	free(measured->trace);
	free(measured->finding);
	history_step_release(&measured->left);
	*measured = (struct measured){ 0 };
}
