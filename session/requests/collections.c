/* SPDX-License-Identifier: Apache-2.0 */
/* Carries out COLLECT and EXTRACT. */
#include "common/compat.h"
#include "session/requests/collections.h"
#include "common/clock.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "metrics/outputs.h"
#include "session/collection/collection.h"
#include "session/collection/extraction.h"
#include "session/collection/when.h"
#include "session/requests/dd-path.h"

#include <unistd.h>

/* Returns the text of an operand with one value; NULL: not given. */
static const char *text_of(const struct control_operand *operand)
{
	return operand ? operand->values->text : NULL;
}

/* Returns the texts of an operand with several values, borrowed; the caller frees the list. */
static const char **texts_of(const struct control_operand *operand, size_t *count)
{
	const struct control_value *value;
	const char **texts;

	*count = 0;
	for (value = operand ? operand->values : NULL; value; value = value->next)
		++*count;
	texts = xcalloc(*count + 1, sizeof(*texts));
	*count = 0;
	for (value = operand ? operand->values : NULL; value; value = value->next)
		texts[(*count)++] = value->text;
	return texts;
}

/* Reads a time of a statement; false after a message. */
static bool read_time(const struct control_operand *operand, uint64_t base, uint64_t *time,
		      struct diag_list *diags)
{
	if (!operand || when_parse(text_of(operand), base, time))
		return true;
	diag_add(diags, SEVERITY_ERROR, 2144, &operand->location, WHEN_WRONG, text_of(operand));
	return false;
}

/* Reads when a COLLECT takes place; false after a message. */
static bool read_times(const struct control_statement *statement, struct collect_request *request,
		       struct diag_list *diags)
{
	const struct control_collection *collection = &statement->collection;
	uint64_t now = clock_wall_ns();

	if (collection->interval &&
	    !collect_parse_interval(text_of(collection->interval), &request->interval)) {
		diag_add(diags, SEVERITY_ERROR, 2143, &collection->interval->location,
			 "'%s' is not an interval: 0.01 to 86400 seconds",
			 text_of(collection->interval));
		return false;
	}
	if (!read_time(collection->from, now, &request->start, diags) ||
	    !read_time(collection->to, request->start ? request->start : now, &request->end, diags))
		return false;
	if (collection->to && request->end <= (request->start ? request->start : now)) {
		diag_add(diags, SEVERITY_ERROR, 2145, &collection->to->location,
			 "the collection would end before it begins");
		return false;
	}
	return true;
}

/* Reads how a COLLECT splits its data set into files; false after a message. */
static bool read_files(const struct control_collection *collection, struct collect_request *request,
		       struct diag_list *diags)
{
	if (collection->size && !rotation_parse_size(text_of(collection->size), &request->size)) {
		diag_add(diags, SEVERITY_ERROR, 3720, &collection->size->location,
			 "'%s' is not a size: 4096 or more, optionally followed by K, M, G or T",
			 text_of(collection->size));
		return false;
	}
	if (collection->rotate &&
	    !rotation_parse(text_of(collection->rotate), &request->rotation)) {
		diag_add(diags, SEVERITY_ERROR, 3721, &collection->rotate->location,
			 "ROTATE=%s is not known; expected HOURLY, DAILY or seconds",
			 text_of(collection->rotate));
		return false;
	}
	request->keep = (size_t)collection->keep;
	return true;
}

/* Reads how long a call to a third-party module may take; false after a message. */
static bool read_patience(const struct control_collection *collection, struct guest_request *guests,
			  struct diag_list *diags)
{
	if (!collection->patience ||
	    collect_parse_interval(text_of(collection->patience), &guests->patience))
		return true;
	diag_add(diags, SEVERITY_ERROR, 3724, &collection->patience->location,
		 "'%s' is not a time for a call: 0.01 to 86400 seconds",
		 text_of(collection->patience));
	return false;
}

/*
 * Reads the third-party modules that a statement names; false after a message. The
 * caller frees the list in *libraries.
 */
static bool find_guests(const struct control_collection *collection, struct guest_request *guests,
			const char ***libraries, struct diag_list *diags)
{
	*libraries = texts_of(collection->libraries, &guests->count);
	guests->libraries = *libraries;
	guests->folders = text_of(collection->folders);
	return read_patience(collection, guests, diags);
}

/* Returns whether monitor data would go where only text can go. */
static bool mixes_monitor_data(const struct control_statement *one)
{
	const struct control_collection *collection = &one->collection;

	return collection->format && strcasecmp(text_of(collection->format), "MONWRITE") == 0 &&
	       (one->verb == CONTROL_COLLECT || !collection->dsname);
}

void request_check_collections(const struct control_deck *deck, struct diag_list *diags)
{
	for (const struct control_statement *one = deck->statements; one; one = one->next) {
		const struct control_collection *collection = &one->collection;
		struct collect_request request = { 0 };
		uint64_t time;

		if (!control_is_collection(one))
			continue;
		read_patience(collection, &request.guests, diags);
		if (one->verb == CONTROL_COLLECT) {
			read_times(one, &request, diags);
			read_files(collection, &request, diags);
		} else {
			read_time(collection->from, 0, &time, diags);
			read_time(collection->to, 0, &time, diags);
		}
		if (collection->format && !text_form_known(text_of(collection->format)))
			diag_add(diags, SEVERITY_ERROR, 2146, &collection->format->location,
				 "FORMAT=%s is not known; expected " TEXT_FORMS,
				 text_of(collection->format));
		else if (mixes_monitor_data(one))
			diag_add(diags, SEVERITY_ERROR, 3665, &collection->format->location,
				 "FORMAT=MONWRITE is not text; EXTRACT with DSNAME writes it to a "
				 "file");
	}
}

/* Destination of a statement's messages. */
struct statement_messages {
	struct diag_list *diags;
	const struct location *location;
	FILE *listing, *stream;
};

/* Prints a message at once, after flushing the listing. */
static void say(void *argument, enum severity severity, unsigned number, const char *text)
{
	const struct statement_messages *messages = argument;

	diag_add(messages->diags, severity, number, messages->location, "%s", text);
	fflush(messages->listing);
	diag_print_new(messages->diags, messages->stream);
	fflush(messages->stream);
}

/*
 * Returns the file that an operand names; NULL: none, or an error after a message,
 * which also sets *failed.
 */
static const char *file_of(const struct control_value *value, const struct location *location,
			   struct diag_list *diags, bool *failed)
{
	const char *path;

	if (!value)
		return NULL;
	path = request_dd_path(value->text, value->quoted, location, diags);
	*failed = *failed || !path;
	return path;
}

/* Finds the data set of a COLLECT; false after a message. A DD may always be overwritten. */
static bool find_data_set(const struct control_statement *statement,
			  struct collect_request *request, struct diag_list *diags)
{
	const struct control_operand *dsname = statement->collection.dsname;
	bool failed = false, rotates = request->size || request->rotation.kind != ROTATE_NEVER;

	if (!dsname)
		return true;
	request->data_set = file_of(dsname->values, &dsname->location, diags, &failed);
	request->replace = statement->collection.replace || !dsname->values->quoted;
	if (!failed && !request->replace && !rotates && access(request->data_set, F_OK) == 0) {
		diag_add(diags, SEVERITY_ERROR, 2147, &dsname->location,
			 "%s exists already; REPLACE=ON replaces it", request->data_set);
		failed = true;
	}
	return !failed;
}

/* Finds the OpenMetrics file of a COLLECT, for its newest snapshot; false after a message. */
static bool find_openmetrics(const struct control_collection *collection,
			     struct collect_request *request, struct diag_list *diags)
{
	const struct control_operand *file = collection->openmetrics;
	bool failed = false;

	if (file)
		request->openmetrics = file_of(file->values, &file->location, diags, &failed);
	request->has_port = collection->has_port;
	request->port = (uint16_t)collection->port;
	return !failed;
}

static void collect(const struct control_statement *statement, FILE *listing,
		    const struct message_sink *sink, struct diag_list *diags)
{
	const struct control_collection *collection = &statement->collection;
	struct collect_request request = { .count = collection->count,
					   .text = text_of(collection->format),
					   .stream = listing };
	const char **modules = texts_of(collection->names, &request.module_count), **libraries;

	request.modules = modules;
	if (find_guests(collection, &request.guests, &libraries, diags) &&
	    read_times(statement, &request, diags) && read_files(collection, &request, diags) &&
	    find_data_set(statement, &request, diags) &&
	    find_openmetrics(collection, &request, diags)) {
		request.live = !request.text && !request.data_set && !request.openmetrics &&
			       !request.has_port;
		collect_run(&request, sink);
		fflush(listing);
	}
	free(libraries);
	free(modules);
}

/* Extracts to DSNAME; returns the worst severity of the messages. */
static int extract_to(struct extract_request *request, const struct control_operand *dsname,
		      const char *path, const struct message_sink *sink)
{
	struct error err = ERROR_INIT;
	struct output_target target;
	struct output output;
	int status;

	for (size_t i = 1; i < request->path_count; i++)
		if (destination_same(path, request->paths[i]))
			return message_sink_emit(sink, SEVERITY_ERROR, 31,
						"%s is an input and would be overwritten",
						path);
	if (request_dd_target(&target, path, dsname->values->quoted, request->paths[0], &err) < 0 ||
	    output_begin(&output, &target, &err) < 0) {
		status = message_sink_emit(sink, SEVERITY_ERROR, 31, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	request->stream = output.stream;
	status = extract_run(request, sink);
	if (status == EXTRACT_WRONG || status >= (int)SEVERITY_ERROR)
		output_abandon(&output);
	else if (output_commit(&output, &err) < 0)
		status = message_sink_emit(sink, SEVERITY_ERROR, 31, "%s", error_text(&err));
	error_release(&err);
	return status;
}

/* Returns the sample data sets of an EXTRACT, borrowed; NULL after a message. */
static const char **find_inputs(const struct control_operand *input, size_t *count,
				struct diag_list *diags)
{
	const char **paths = texts_of(input, count);
	const struct control_value *value = input->values;
	bool failed = false;

	for (size_t i = 0; i < *count; i++, value = value->next)
		paths[i] = file_of(value, &value->location, diags, &failed);
	if (!failed)
		return paths;
	free(paths);
	return NULL;
}

static void extract(const struct control_statement *statement, FILE *listing,
		    const struct message_sink *sink, struct diag_list *diags)
{
	const struct control_collection *collection = &statement->collection;
	const struct control_operand *dsname = collection->dsname;
	struct extract_request request = { .from = text_of(collection->from),
					   .to = text_of(collection->to),
					   .text = text_of(collection->format),
					   .leap_seconds = (int)collection->leap_seconds,
					   .stream = listing };
	bool failed = false;
	const char **paths = find_inputs(collection->input, &request.path_count, diags);
	const char **records = texts_of(collection->names, &request.record_count);
	const char *path =
		dsname ? file_of(dsname->values, &dsname->location, diags, &failed) : NULL;
	const char **libraries;
	int status;

	if (!find_guests(collection, &request.guests, &libraries, diags))
		failed = true;
	request.paths = paths;
	request.records = records;
	if (paths && !failed) {
		status = path ? extract_to(&request, dsname, path, sink)
			      : extract_run(&request, sink);
		if (status != EXTRACT_WRONG && status < (int)SEVERITY_ERROR)
			message_sink_emit(sink, SEVERITY_INFO, 2148,
					 "the records of %s are extracted%s%s", paths[0],
					 path ? " to " : "", path ? path : "");
	}
	free(libraries);
	free(paths);
	free(records);
}

void carry_out_collection(const struct control_statement *statement, FILE *listing, FILE *messages,
			  struct diag_list *diags)
{
	struct statement_messages all = { diags, &statement->location, listing, messages };
	const struct message_sink sink = { say, &all };

	if (statement->verb == CONTROL_COLLECT)
		collect(statement, listing, &sink, diags);
	else
		extract(statement, listing, &sink, diags);
}
