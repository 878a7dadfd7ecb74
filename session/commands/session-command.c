/* SPDX-License-Identifier: Apache-2.0 */
/* The session of run and attach: from options and statements to reports. */
#include "common/compat.h"
#include "session/commands/session-command.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "parser/control-values.h"
#include "reports/listing-lines.h"
#include "session/commands/deck.h"
#include "session/commands/terminal.h"
#include "datasets/catalog.h"
#include "session/measure/privilege.h"
#include "session/measure/recording.h"
#include "session/requests/carry-out.h"
#include "session/library/resource.h"
#include "session/requests/pool-size.h"
#include "session/requests/requests.h"

#include <unistd.h>

/* Width of a summary's labels, and the terminal width below which its lines are not wrapped. */
#define SUMMARY_INDENT 11
#define SUMMARY_COLUMNS_MIN 40
#define RATE_MAX 100000
#define SAMPLES_MIN 1000
#define SAMPLES_MAX 150000
#define RECORDING_SIZE_MAX_MB 1000000

static int fill_privilege(struct measure_request *request, const char *name)
{
	enum privilege privilege;

	request->privilege = PRIVILEGE_AUTO;
	if (!name)
		return 0;
	if (privilege_find(name, &privilege) && privilege != PRIVILEGE_AUTO) {
		request->privilege = privilege;
		return 0;
	}
	return command_fail(EXIT_USAGE, "--privilege takes full, user or proc, not '%s'", name);
}

/* Reads --cost, with the same rules as COST. */
static int fill_cost(struct measure_request *request, const char *text)
{
	if (text && (!control_read_percent(text, &request->cost) || request->cost < 1))
		return command_fail(EXIT_USAGE, "--cost takes percent from 1 to 100, not '%s'", text);
	return 0;
}

/* Reads --record and --record-size. */
static int fill_record(struct measure_request *request, const struct session_options *options)
{
	bool size = options->record_size != OPTION_NOT_GIVEN;

	if (size && (options->record_size < 1 || options->record_size > RECORDING_SIZE_MAX_MB))
		return command_fail(EXIT_USAGE, "--record-size takes 1 to %d", RECORDING_SIZE_MAX_MB);
	if (!options->record && (size || options->record_objects || options->record_no_memory))
		return command_fail(EXIT_USAGE, "--record-%s needs --record",
				    size ? "size" : options->record_objects ? "objects" : "no-memory");
	request->record = options->record;
	request->record_objects = options->record_objects;
	request->record_no_memory = options->record_no_memory;
	request->record_limit = (size ? options->record_size : RECORDING_SIZE_MB) << 20;
	return 0;
}

static int fill_options(struct measure_request *request, const struct session_options *options)
{
	bool rate = options->rate != OPTION_NOT_GIVEN;
	bool samples = options->samples != OPTION_NOT_GIVEN;

	if (rate && (options->rate < 1 || options->rate > RATE_MAX))
		return command_fail(EXIT_USAGE, "--rate takes 1 to %d", RATE_MAX);
	if (samples && (options->samples < SAMPLES_MIN || options->samples > SAMPLES_MAX))
		return command_fail(EXIT_USAGE, "--samples takes %d to %d", SAMPLES_MIN,
				    SAMPLES_MAX);
	request->rate = rate ? options->rate : 0;
	request->samples = samples ? options->samples : 0;
	request->progress = !options->quiet;
	if (!pool_size_settle(options->pool, &request->events.pool_kb))
		return command_fail(EXIT_USAGE, POOL_SIZE_EXPECTED,
				    options->pool ? "--pool" : POOL_SIZE_VARIABLE);
	RETURN_IF(fill_cost(request, options->cost) != 0, EXIT_USAGE);
	RETURN_IF(fill_record(request, options) != 0, EXIT_USAGE);
	return fill_privilege(request, options->privilege);
}

/* Warns about operands of a statement that have no meaning here, or that contradict the options. */
static void check_statement(const struct control_statement *statement,
			    const struct measure_request *request,
			    const struct session_options *options, struct diag_list *diags)
{
	const struct control_request *asked = &statement->request;

	if (asked->step && strcmp(asked->step, "*") != 0)
		diag_add(diags, SEVERITY_WARNING, 17, request_place_of(statement, "STEP", NULL),
			 "STEP is ignored: there is no job step here");
	if (asked->program && request->program && !control_match(asked->program, request->program))
		diag_add(diags, SEVERITY_ERROR, 18, request_place_of(statement, "PROGRAM", NULL),
			 "PROGRAM %s does not match the program %s", asked->program,
			 request->program);
	if (asked->samples && options->samples != OPTION_NOT_GIVEN)
		diag_add(diags, SEVERITY_ERROR, 22, request_place_of(statement, "SAMPLES", NULL),
			 "SAMPLES and the option --samples exclude each other");
	if (asked->cost > 0 && options->cost)
		diag_add(diags, SEVERITY_ERROR, 22, request_place_of(statement, "COST", NULL),
			 "COST and the option --cost exclude each other");
	if (asked->session_minutes && options->rate != OPTION_NOT_GIVEN)
		diag_add(diags, SEVERITY_ERROR, 22, request_place_of(statement, "SESSION", NULL),
			 "SESSION fixes the rate; it and the option --rate exclude each other");
}

/* Reports blocks that request no events without an ADD: nothing would be measured. */
static void check_lacking(struct session_command *command, struct diag_list *diags)
{
	bool active = strcmp(command->request.request_type, "ACTIVE") == 0;

	if (!command->settled.no_events)
		return;
	diag_add(diags, active ? SEVERITY_ERROR : SEVERITY_WARNING, 57, NULL,
		 "%s %s: the PROFILER blocks have no FUNCTION=INIT, and there is no ADD",
		 command->request.program, active ? "is not measured" : "runs unmeasured");
	command->unmeasured = true;
}

/* Without --output, names the sample data set with the suffix of a resource of its kind. */
static void choose_output(struct session_command *command)
{
	struct strbuf output = STRBUF_INIT;

	if (command->options->output)
		return;
	strbuf_addf(&output, "%s%s", command->name,
		    resource_suffix(request_resource_kind(&command->settled.events.request)));
	command->output = strbuf_detach(&output, NULL);
	command->request.output = command->output;
}

/* Sets the file of a resource that INIT names. */
static void fill_resource(struct session_command *command, struct diag_list *diags)
{
	const struct session_options *options = command->options;
	const struct request_events *events = &command->settled.events;
	struct error err = ERROR_INIT;
	char *path;

	if (!request_names_resource(events))
		return;
	if (options->output) {
		diag_add(diags, SEVERITY_ERROR, 22, NULL,
			 "RESOURCE and the option --output exclude each other");
		return;
	}
	path = request_resource(events, &(struct resource_place){ .option = options->library }, "",
				0, &err);
	if (path) {
		free(command->output);
		command->output = path;
		command->request.output = path;
		command->request.keep_old = false; /* REPLACE decides about an existing one */
		command->request.resource = events->resource->name;
	} else if (strcmp(command->request.request_type, "ACTIVE") == 0) {
		diag_add(diags, SEVERITY_ERROR, 49, NULL, "%s", error_text(&err));
	} else {
		/* As in a job, running the program matters more than measuring it. */
		diag_add(diags, SEVERITY_WARNING, 49, NULL, "%s runs unmeasured: %s",
			 command->request.program, error_text(&err));
		command->unmeasured = true;
	}
	error_release(&err);
}

/* A running process has already loaded its libraries. */
static void check_run_options(const struct session_command *command, struct diag_list *diags)
{
	const struct control_statement *one = command->statements.deck->statements;

	for (; one && strcmp(command->request.request_type, "ACTIVE") == 0; one = one->next)
		if (control_run_options(one))
			diag_add(diags, SEVERITY_ERROR, 2172, &one->location,
				 "a process that is already running cannot load an event handler; "
				 "RUNOPTS has no meaning for it");
}

/* Checks what the statements request and puts it into the request. */
static void fill_statements(struct session_command *command, struct diag_list *diags)
{
	const struct session_options *options = command->options;
	const struct control_statement *last;

	if (statements_requests(&command->statements, &last) > 1)
		diag_add(diags, SEVERITY_ERROR, 16, &last->location,
			 "expected one request, not several: one command is one session");
	request_check_reports(command->statements.deck, &request_place_command, diags);
	check_run_options(command, diags);
	request_resolve(&command->settled,
		       &(struct request_inputs){ .own = command->statements.deck,
						 .general_kb = command->request.events.pool_kb },
		       diags);
	check_lacking(command, diags);
	if (last)
		check_statement(last, &command->request, options, diags);
	command->library = last ? request_shell_library(last->request.collector_library) : NULL;
	request_settled_fill(&command->settled, &command->request, &command->library);
	choose_output(command);
	fill_resource(command, diags);
	if (command->request.record && (strcmp(command->request.record, command->request.output) == 0 ||
					destination_same(command->request.record, command->request.output)))
		diag_add(diags, SEVERITY_ERROR, 22, NULL, "--record and --output name the same file, %s",
			 command->request.output);
	if ((command->request.record || command->request.record_beside) && command->request.events.wanted)
		diag_add(diags, SEVERITY_ERROR, 6620, NULL,
			 "a recording holds samples and waits, not events: FUNCTION=INIT excludes "
			 "--record and RECORD=ON");
}

int session_command_init(struct session_command *command, struct session_options *options,
			 const char *program, const char *name, const char *line, const char *type)
{
	struct diag_list diags = DIAG_LIST_INIT;
	int status;

	*command = (struct session_command){ .options = options, .name = name };
	command->request = (struct measure_request){
		.output = options->output,
		.keep_old = true,
		.trace = options->trace,
		.job = "",
		.job_number = "",
		.step = "",
		.procstep = "",
		.program = program,
		.command = line,
		.request_type = type,
		.whole_process = true,
	};
	statements_init(&command->statements);
	status = fill_options(&command->request, options);
	if (status == 0)
		status = control_options_read(&options->control, &command->statements, &diags);
	if (status == 0) {
		fill_statements(command, &diags);
		diag_sort(&diags);
		diag_print(&diags, stderr);
		if (diag_max_severity(&diags) >= SEVERITY_ERROR)
			status = (int)diag_max_severity(&diags);
	}
	diag_list_release(&diags);
	return status;
}

int session_command_spare(const struct session_command *command, const char *program)
{
	const char *output = command->request.output;

	if (command->request.record && destination_same(command->request.record, program))
		return command_fail(EXIT_USAGE, "--record would overwrite %s, the program to be measured",
				    command->request.record);
	if (!destination_same(output, program))
		return EXIT_OK;
	return command_fail(EXIT_USAGE, "--output would overwrite %s, the program to be measured",
			    output);
}

struct measure *session_command_begin(const struct session_command *command)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct measure *measure;

	RETURN_IF(command->unmeasured, NULL);
	measure = measure_new(&command->request, &diags);
	diag_print(&diags, stderr);
	diag_list_release(&diags);
	return measure;
}

/* Registers every session in the library: LIMIT may have created several. */
static void sessions_written(const char *output)
{
	bool there = true;

	for (unsigned session = 1; there; session++) {
		char *path = measure_session_path(output, session);

		there = access(path, R_OK) == 0;
		if (there)
			resource_written(path);
		free(path);
	}
}

bool session_command_finish(const struct session_command *command, struct measure *measure,
			    const char *subject, bool *lacking)
{
	struct error err = ERROR_INIT;
	bool whole = measure_finish(measure, &err) == 0;

	*lacking = !whole || !measure_was_started(measure) || measure_lacks_privilege(measure);
	/* Otherwise the summary says so. */
	if (measure_lacks_privilege(measure) && command->options->quiet)
		command_message(SEVERITY_WARNING, 53, "%s was measured with less privilege than %s",
				subject, command->options->privilege);

	if (command->request.resource)
		sessions_written(command->request.output);
	if (!whole)
		command_message(SEVERITY_ERROR, 33, "the profile of %s is incomplete: %s", subject,
				error_text(&err));
	else if (!measure_was_started(measure))
		command_message(SEVERITY_WARNING, 52,
				"nothing was recorded of %s: collecting was paused from the "
				"beginning to the end",
				subject);
	if (*measure_recording_failure(measure))
		command_message(SEVERITY_WARNING, 6621, "the recording %s is not complete: %s",
				measure_recording(measure), measure_recording_failure(measure));
	if (*measure_trace_failure(measure))
		command_message(SEVERITY_WARNING, 3177, "the trace is incomplete: %s",
				measure_trace_failure(measure));
	error_release(&err);
	return whole;
}

/* A listing_put. */
static void put_line(void *argument, const char *line)
{
	fprintf(argument, "%s\n", line);
}

/*
 * Prints lines to standard error, wrapped at the width of a terminal (columns not
 * 0) and indented behind their labels.
 */
static void print_wrapped(char *lines, unsigned columns)
{
	for (char *end; (end = strchr(lines, '\n')); lines = end + 1) {
		*end = '\0';
		if (columns >= SUMMARY_COLUMNS_MIN)
			listing_paragraph(lines, SUMMARY_INDENT, columns, put_line, stderr);
		else
			put_line(stderr, lines);
	}
}

/* Prints a summary of the session, about ten lines, to standard error. */
static int print_summary(const char *output)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(output, &err);
	struct strbuf text = STRBUF_INIT;
	int status = EXIT_OK;

	if (profile) {
		report_summary(profile, &text);
		print_wrapped(text.text, terminal_columns(STDERR_FILENO));
	} else {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
	}
	profile_free(profile);
	strbuf_release(&text);
	error_release(&err);
	return status;
}

/* Ends a trace with the statistics of the session. */
static void end_trace(const struct session_command *command)
{
	struct error err = ERROR_INIT;

	if (command->request.events.trace &&
	    request_print_statistics(command->request.output, command->options->trace, &err) < 0)
		command_message(SEVERITY_WARNING, 3177, "the trace is incomplete: %s",
				error_text(&err));
	error_release(&err);
}

int session_command_report(const struct session_command *command)
{
	const struct carry_out_options options = { .messages = stderr, .listing = stdout };
	const char *output = command->request.output;
	struct diag_list diags = DIAG_LIST_INIT;
	int status = command->options->quiet ? EXIT_OK : print_summary(output);

	end_trace(command);
	for (const struct control_statement *statement = command->statements.deck->statements;
	     statement; statement = statement->next)
		if (statement->verb == CONTROL_REPORT)
			carry_out_report(statement, output, &options, &diags);
		else if (control_is_on_resources(statement))
			carry_out_function(
				statement,
				&(struct resource_place){ .option = command->options->library },
				stdout, &diags);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.items[i].severity > SEVERITY_INFO) {
			diag_print(&diags, stderr);
			break;
		}
	if ((int)diag_max_severity(&diags) > status)
		status = (int)diag_max_severity(&diags);
	diag_list_release(&diags);
	return status;
}

void session_command_release(struct session_command *command)
{
	statements_release(&command->statements);
	free(command->output);
	free(command->library);
	request_settled_release(&command->settled);
	control_options_release(&command->options->control);
}
