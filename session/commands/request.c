/* SPDX-License-Identifier: Apache-2.0 */
/* Turns the options and statements of run and attach into a measurement request. */
#include "common/compat.h"
#include "session/commands/request.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "reports/report.h"
#include "session/commands/control-run.h"
#include "session/commands/deck.h"
#include "session/datasets/catalog.h"

#define RATE_MAX 100000
#define SAMPLES_MIN 1000
#define SAMPLES_MAX 150000

static int fill_privilege(struct measure_request *request, const char *name)
{
	static const struct {
		const char *name;
		enum privilege privilege;
	} names[] = {
		{ "full", PRIVILEGE_FULL },
		{ "user", PRIVILEGE_USER },
		{ "proc", PRIVILEGE_PROC },
	};

	request->privilege = PRIVILEGE_AUTO;
	if (!name)
		return 0;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		if (strcasecmp(name, names[i].name) == 0) {
			request->privilege = names[i].privilege;
			return 0;
		}
	return command_fail(EXIT_USAGE, "--privilege takes full, user or proc, not '%s'", name);
}

static int fill_options(struct measure_request *request, const struct request_options *options)
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
	return fill_privilege(request, options->privilege);
}

/* The first value's place of an operand, otherwise the statement's. */
static const struct location *place_of(const struct control_statement *statement,
				       const char *keyword)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next)
		if (strcmp(operand->keyword, keyword) == 0)
			return &operand->location;
	return &statement->location;
}

/* What the statement says that has no meaning here, or another than the options have. */
static void check_statement(const struct control_statement *statement,
			    const struct measure_request *request,
			    const struct request_options *options, struct diag_list *diags)
{
	const struct control_request *asked = &statement->request;

	if (asked->step && strcmp(asked->step, "*") != 0)
		diag_add(diags, SEVERITY_WARNING, 17, place_of(statement, "STEP"),
			 "there is no job step here; STEP is not looked at");
	if (asked->program && request->program && !control_match(asked->program, request->program))
		diag_add(diags, SEVERITY_ERROR, 18, place_of(statement, "PROGRAM"),
			 "PROGRAM %s does not match the program %s", asked->program,
			 request->program);
	if (asked->samples && options->samples != OPTION_NOT_GIVEN)
		diag_add(diags, SEVERITY_ERROR, 22, place_of(statement, "SAMPLES"),
			 "SAMPLES and the option --samples exclude each other");
	if ((asked->session_minutes || asked->interval) && options->rate != OPTION_NOT_GIVEN)
		diag_add(diags, SEVERITY_ERROR, 22,
			 place_of(statement, asked->interval ? "INTERVAL" : "SESSION"),
			 "%s fixes the rate; it and the option --rate exclude each other",
			 asked->interval ? "INTERVAL" : "SESSION");
}

static void fill_statement(struct measure_request *request,
			   const struct control_statement *statement)
{
	const struct control_request *asked = &statement->request;

	if (asked->samples)
		request->samples = asked->samples;
	if (asked->interval)
		request->rate = 1000000 / asked->interval;
	request->session_minutes = asked->session_minutes;
	request->limit_given = asked->limit_given;
	request->no_limit = asked->no_limit;
	request->limit = asked->limit;
	request->limit_stops = asked->action == CONTROL_STOP;
}

/*
 * The folder that DCCLIB names: a path when it has a slash or is a folder here,
 * otherwise a data set of the root. The caller frees it.
 */
static char *find_library(const char *name)
{
	const char *root = deck_folder(NULL, "VIGIL_ROOT", "data"), *map = getenv("VIGIL_MAP");
	struct strbuf path = STRBUF_INIT, target = STRBUF_INIT;
	struct catalog catalog;
	unsigned key;

	if (!name || strchr(name, '/') || catalog_is_folder(name) || !catalog_name_valid(name) ||
	    !catalog_is_folder(root) || catalog_open(&catalog, root, map, NULL) < 0)
		return name ? xstrdup(name) : NULL;
	catalog_resolve(&catalog, name, &target, &key);
	catalog_file(&catalog, target.text, &path);
	catalog_release(&catalog);
	strbuf_release(&target);
	return strbuf_detach(&path, NULL);
}

/* Statements that neither run nor attach can carry out. */
static void check_all(const struct controls *controls, struct diag_list *diags)
{
	const struct control_statement *last;

	if (controls_requests(controls, &last) > 1)
		diag_add(diags, SEVERITY_ERROR, 16, &last->location,
			 "one command is one session; expected one request, not several");
	for (const struct control_statement *statement = controls->deck->statements; statement;
	     statement = statement->next)
		if (statement->verb == CONTROL_REPORT && statement->report.input)
			diag_add(diags, SEVERITY_ERROR, 24, place_of(statement, "INPUT"),
				 "INPUT has no place here: the report is on this session; vigil "
				 "report prints other sample data sets");
	control_check_codes(controls->deck, diags);
}

int request_fill(struct measure_request *request, const struct request_options *options,
		 struct controls *controls)
{
	struct diag_list diags = DIAG_LIST_INIT;
	const struct control_statement *last;
	struct error err = ERROR_INIT;
	int status = fill_options(request, options);

	for (size_t i = 0; status == 0 && i < options->files.count; i++)
		if (controls_add_file(controls, options->files.items[i], &diags, &err) < 0)
			status = command_message(SEVERITY_ERROR, 35, "%s", error_text(&err));
	if (status == 0) {
		controls_add_lines(controls, &options->statements, &diags);
		check_all(controls, &diags);
		controls_requests(controls, &last);
		if (last) {
			check_statement(last, request, options, &diags);
			fill_statement(request, last);
			controls->library = find_library(last->request.collector_library);
			collectors_ask(&request->collectors, &last->request, &controls->library);
		}
		diag_sort(&diags);
		diag_print(&diags, stderr);
		if (diag_worst(&diags) >= SEVERITY_ERROR)
			status = (int)diag_worst(&diags);
	}
	diag_list_release(&diags);
	error_release(&err);
	return status;
}

struct measure *request_begin(const struct measure_request *request, struct error *err)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct measure *measure = measure_new(request, &diags, err);

	diag_print(&diags, stderr);
	diag_list_release(&diags);
	return measure;
}

char *request_output(const char *program)
{
	struct strbuf name = STRBUF_INIT;

	strbuf_addf(&name, "%s.vprf", path_base(program));
	return strbuf_detach(&name, NULL);
}

/* About ten lines on the session, on standard error. */
static int print_summary(const struct measure_request *request)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(request->output, &err);
	struct strbuf text = STRBUF_INIT;
	int status = EXIT_OK;

	if (profile) {
		report_summary(profile, &text);
		fwrite(text.text, 1, text.length, stderr);
	} else {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
	}
	profile_free(profile);
	strbuf_release(&text);
	error_release(&err);
	return status;
}

int request_report(const struct measure_request *request, const struct request_options *options,
		   const struct controls *controls)
{
	const struct control_run_options run_options = { .messages = stderr, .listing = stdout };
	struct diag_list diags = DIAG_LIST_INIT;
	int status = options->quiet ? EXIT_OK : print_summary(request);

	for (const struct control_statement *statement = controls->deck->statements; statement;
	     statement = statement->next)
		if (statement->verb == CONTROL_REPORT)
			control_report(statement, request->output, &run_options, &diags);
	for (size_t i = 0; i < diags.count; i++)
		if (diags.items[i].severity > SEVERITY_INFO) {
			diag_print(&diags, stderr);
			break;
		}
	if ((int)diag_worst(&diags) > status)
		status = (int)diag_worst(&diags);
	diag_list_release(&diags);
	return status;
}
