/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out control statements outside a measured step. */
#include "common/compat.h"
#include "session/requests/carry-out.h"
#include "common/xalloc.h"
#include "engine/dataset.h"
#include "records/record-types.h"
#include "session/listing-print.h"
#include "session/painter-load.h"
#include "session/requests/collections.h"
#include "session/requests/comparing.h"
#include "session/requests/dd-path.h"
#include "session/requests/pool-size.h"
#include "session/requests/queue.h"
#include "session/requests/requests.h"
#include "session/library/resources.h"
#include "session/requests/store-statements.h"

#include <dirent.h>

/*
 * Prints the reports on a sample data set to the statement's destination; path:
 * the path of its DSNAME, or NULL. Returns the profile; NULL: it could not be
 * loaded.
 */
static struct profile *print_report(const struct control_statement *statement, const char *input,
				    const char *path, const struct carry_out_options *options,
				    bool *printed, struct error *err)
{
	struct output_target target = { .kind = OUTPUT_STREAM, .stream = options->listing };
	struct report_options report_options;
	struct profile *profile;
	unsigned number;

	request_report_options(&report_options, &statement->report);
	/* Checked before the slow part. */
	RETURN_IF(painter_give(&report_options, &number, err) < 0, NULL);
	profile = report_load(input, &report_options, err);
	RETURN_IF(!profile, NULL);
	profile_show_native(profile, statement->report.native);
	*printed = (!path || request_dd_target(&target, path, statement->report.dsname_quoted, input,
					       err) == 0) &&
		   listing_print(profile, &report_options, &target, err) == 0;
	return profile;
}

void carry_out_report(const struct control_statement *statement, const char *input,
		      const struct carry_out_options *options, struct diag_list *diags)
{
	const struct control_report *report = &statement->report;
	const char *path = NULL;
	struct error err = ERROR_INIT;
	struct profile *profile;
	bool printed = false;

	if (report->dsname) {
		path = request_dd_path(report->dsname, report->dsname_quoted,
				       request_place_of(statement, "DSNAME", "DSN"), diags);
		if (!path)
			return;
	}
	profile = print_report(statement, input, path, options, &printed, &err);
	if (!printed)
		diag_add(diags, SEVERITY_ERROR, 13, &statement->location,
			 "cannot print the report on %s: %s", input, error_text(&err));
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

/* The step that a sample data set is about, from its first snapshot. */
struct data_set_subject {
	char *job, *step, *procstep; /* NULL: not found */
};

/* Takes the subject from the attributes of a snapshot; nonzero once it is complete. */
static int take_subject(void *argument, const struct snapshot *snapshot,
			const struct strmap *strings)
{
	struct data_set_subject *subject = argument;
	const struct recordset *set = snapshot_records(snapshot, RECORD_ATTRIBUTE);
	const struct {
		const char *key;
		char **text;
	} wanted[] = {
		{ ATTR_JOB, &subject->job },
		{ ATTR_STEP, &subject->step },
		{ ATTR_PROCSTEP, &subject->procstep },
	};

	for (size_t i = 0; i < set->count; i++) {
		const struct record_attribute *attribute = recordset_get(set, i);
		const char *key = strmap_text(strings, (uint32_t)attribute->key);

		for (size_t j = 0; j < ARRAY_SIZE(wanted); j++)
			if (strcmp(key, wanted[j].key) == 0 && !*wanted[j].text)
				*wanted[j].text =
					xstrdup(strmap_text(strings, (uint32_t)attribute->value));
	}
	return subject->job && subject->step && subject->procstep;
}

/*
 * Returns whether a sample data set is of the job and step that a REPORT names.
 * Reads only its beginning.
 */
static bool is_named(const struct control_report *report, const char *path)
{
	struct data_set_subject found = { 0 };
	struct strmap strings;
	struct dataset_status status;
	struct error err = ERROR_INIT;
	bool match;

	strmap_init(&strings);
	match = dataset_read(path, &session_records, &strings, take_subject, &found, &status, &err) >= 0 &&
		request_report_names(report,
				     &(struct request_subject){
					     .job = found.job ? found.job : "",
					     .step = found.step ? found.step : "",
					     .procstep = found.procstep ? found.procstep : "",
				     });
	free(found.job);
	free(found.step);
	free(found.procstep);
	strmap_release(&strings);
	error_release(&err);
	return match;
}

static int is_sample_data_set(const struct dirent *entry)
{
	return resource_is_file(entry->d_name);
}

/* Reports on all sample data sets in the spool that the statement selects. */
static void report_from_spool(const struct control_statement *statement,
			      const struct carry_out_options *options, struct diag_list *diags)
{
	struct dirent **entries = NULL;
	int count = scandir(options->spool, &entries, is_sample_data_set, alphasort);
	bool any = false;

	for (int i = 0; i < count; i++) {
		struct strbuf path = STRBUF_INIT;

		strbuf_addf(&path, "%s/%s", options->spool, entries[i]->d_name);
		if (is_named(&statement->report, path.text)) {
			carry_out_report(statement, path.text, options, diags);
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

static void one_report(const struct control_statement *statement,
		       const struct carry_out_options *options, struct diag_list *diags)
{
	const struct control_report *report = &statement->report;
	const char *input;

	if (report->input) {
		input = request_dd_path(report->input, report->input_quoted,
					request_place_of(statement, "INPUT", NULL), diags);
		if (input)
			carry_out_report(statement, input, options, diags);
	} else if (options->spool) {
		report_from_spool(statement, options, diags);
	} else {
		diag_add(diags, SEVERITY_ERROR, 15, &statement->location,
			 "outside a job REPORT needs INPUT='FILE', the sample data set");
	}
}

/* Returns whether a statement is about a later step. */
static bool is_request(const struct control_statement *statement)
{
	return ((statement->verb == CONTROL_ADD || statement->verb == CONTROL_CHANGE) &&
		!control_is_stored(statement)) ||
	       control_collects(statement);
}

/* Ends the queued statements, which form one input. */
static void end_queue(const struct control_deck *deck, const struct carry_out_options *options,
		      struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	bool any = false;

	for (const struct control_statement *one = deck->statements; one; one = one->next)
		any = any || is_request(one);
	if (options->spool && any && request_queue_end(options->spool, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 2935, NULL, "cannot queue the request: %s",
			 error_text(&err));
	error_release(&err);
}

/* Queues a request of a step with PGM=VIGIL for the steps after it. */
static void queue_request(const struct control_statement *statement,
			  const struct carry_out_options *options, struct diag_list *diags)
{
	struct error err = ERROR_INIT;

	if (request_queue_add(options->spool, statement, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 2935, &statement->location,
			 "cannot queue the request: %s", error_text(&err));
	else if (statement->verb == CONTROL_FUNCTION)
		diag_add(diags, SEVERITY_INFO, 2936, &statement->location,
			 "FUNCTION=%s applies to the steps of the job after this one",
			 statement->name);
	else if (statement->verb != CONTROL_FILTER)
		diag_add(diags, SEVERITY_INFO, 2933, &statement->location,
			 "the request is %s for the steps of the job after this one",
			 statement->verb == CONTROL_CHANGE ? "changed" : "queued");
	error_release(&err);
}

/* Prints the reports of a resource to EXPORT, or to the listing. */
static void read_resource(const struct resource_selection *selection,
			  const struct control_operation *operation, FILE *listing,
			  struct diag_list *diags)
{
	const struct output_target target = {
		.kind = operation->export ? OUTPUT_WHOLE : OUTPUT_STREAM,
		.path = operation->export,
		.stream = listing,
	};
	struct report_options options;

	request_read_options(&options, operation);
	library_print(selection, &options, &target, diags);
}

void carry_out_function(const struct control_statement *statement,
			const struct resource_place *where, FILE *listing, struct diag_list *diags)
{
	const struct control_operation *operation = &statement->operation;
	const struct resource_selection selection = { .where = *where,
						      .library = operation->resource.library,
						      .pattern = operation->resource.name,
						      .older = operation->older,
						      .location = &statement->location };

	assert(control_is_on_resources(statement));
	if (statement->function == CONTROL_LIST_RESOURCES)
		library_list(&selection, listing, diags);
	else if (statement->function == CONTROL_DELETE_RESOURCES)
		library_delete(&selection, diags);
	else if (statement->function == CONTROL_READ_RESOURCE)
		read_resource(&selection, operation, listing, diags);
	else
		library_consolidate(&selection, operation->resource.replace, diags);
}

/*
 * Returns whether a statement is about the request store: outside a deck there is
 * no other step it could select.
 */
static bool is_stored(const struct control_statement *statement,
		      const struct carry_out_options *options)
{
	return control_is_stored(statement) ||
	       (!options->spool && statement->checked &&
		(statement->verb == CONTROL_ADD || statement->verb == CONTROL_CHANGE));
}

/* Carries out one statement without errors. */
static void one_statement(const struct control_statement *statement,
			  const struct carry_out_options *options, struct diag_list *diags)
{
	if (is_stored(statement, options))
		carry_out_stored(statement, options, diags);
	else if (options->spool && is_request(statement))
		queue_request(statement, options, diags);
	else if (control_collects(statement))
		diag_add(
			diags, SEVERITY_ERROR, 11, &statement->location,
			"no step starts here that could be measured; a PROFILER block belongs in "
			"DD VIGIL of its step, in a file for --control of vigil submit, or in -c "
			"of vigil run");
	else if (control_run_options(statement))
		diag_add(diags, SEVERITY_ERROR, 2171, &statement->location,
			 "no step starts here; RUNOPTS belongs in DD VIGIL of its step, in a file "
			 "for --control of vigil submit, or in -c of vigil run");
	else if (statement->verb == CONTROL_REPORT)
		one_report(statement, options, diags);
	else if (control_is_comparison(statement))
		carry_out_comparison(statement, options->listing, diags);
	else if (control_is_collection(statement))
		carry_out_collection(statement, options->listing, options->messages, diags);
	else if (control_is_on_resources(statement))
		carry_out_function(statement, &(struct resource_place){ 0 }, options->listing,
				   diags);
}

/* Queues the size of the data pool from the step's PARM. */
static void queue_pool(const struct carry_out_options *options, struct diag_list *diags)
{
	struct error err = ERROR_INIT;
	uint64_t kb;

	if (!options->parm || !options->spool)
		return;
	if (!pool_size_parm(options->parm, &kb))
		diag_add(diags, SEVERITY_ERROR, 2937, NULL,
			 "PARM %s is not known; expected PDPSIZE=n, 100 to 2097151, the kilobytes "
			 "of the data pool",
			 options->parm);
	else if (kb && request_queue_add_pool(options->spool, kb, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 2935, NULL, "cannot queue the request: %s",
			 error_text(&err));
	error_release(&err);
}

int carry_out(const struct source *source, const struct carry_out_options *options)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct control_deck *deck = control_parse(source, options->cards, &diags);
	struct request_queue queue = { 0 };
	struct error err = ERROR_INIT;
	int status;

	if (options->spool && request_queue_read(&queue, options->spool, &err) < 0)
		diag_add(&diags, SEVERITY_ERROR, 2935, NULL, "cannot read the queued requests: %s",
			 error_text(&err));
	deck->earlier = queue.deck;
	deck->queue = !options->spool; /* a CHANGE refers to the store */
	control_check(deck, &diags);
	request_check_reports(deck, &request_place_alone, &diags);
	request_check_collections(deck, &diags);
	if (diag_max_severity(&diags) < SEVERITY_ERROR)
		queue_pool(options, &diags);
	if (!deck->statements && !diags.count)
		diag_add(&diags, SEVERITY_WARNING, 20, NULL, "%s contains no statements",
			 source->name);
	if (diag_max_severity(&diags) < SEVERITY_ERROR) {
		for (const struct control_statement *statement = deck->statements; statement;
		     statement = statement->next)
			one_statement(statement, options, &diags);
		end_queue(deck, options, &diags);
	} else {
		diag_sort(&diags);
	}
	diag_print_new(&diags, options->messages);
	fflush(options->messages);
	status = (int)diag_max_severity(&diags);
	diag_list_release(&diags);
	request_queue_release(&queue);
	error_release(&err);
	control_free(deck);
	return status;
}
