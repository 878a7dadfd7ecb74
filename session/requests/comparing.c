/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the data sets of a comparison, compares them and writes the result. */
#include "common/compat.h"
#include "session/requests/comparing.h"
#include "common/destination.h"
#include "common/xalloc.h"
#include "profile/comparison-stacks.h"
#include "reports/device.h"
#include "reports/report-compare.h"
#include "session/requests/dd-path.h"

/* The loaded runs of both sides. */
struct loaded {
	struct profile **runs[COMPARISON_SIDES];
	size_t counts[COMPARISON_SIDES];
	int status;
};

/* Returns whether the same side has this data set already, after a warning. */
static bool is_twice(const struct comparing *comparing, int side, size_t number)
{
	const char *path = comparing->paths[side][number];

	for (size_t i = 0; i < number; i++)
		if (destination_same(path, comparing->paths[side][i])) {
			message_sink_emit(comparing->sink, SEVERITY_WARNING, 6666,
					 "%s is given twice on one side; it counts once", path);
			return true;
		}
	return false;
}

static void worse(struct loaded *loaded, int status)
{
	loaded->status = status > loaded->status ? status : loaded->status;
}

static void load_one(const struct comparing *comparing, int side, size_t number,
		     struct loaded *loaded)
{
	const char *path = comparing->paths[side][number];
	struct error err = ERROR_INIT;
	struct profile *profile;

	if (is_twice(comparing, side, number)) {
		worse(loaded, SEVERITY_WARNING);
		return;
	}
	profile = profile_load(path, &err);
	if (!profile) {
		worse(loaded, message_sink_emit(comparing->sink, SEVERITY_ERROR, 30, "%s",
					       error_text(&err)));
	} else {
		profile_show_native(profile, comparing->native);
		if (profile_damage(profile)[0])
			worse(loaded, message_sink_emit(comparing->sink, SEVERITY_WARNING, 14,
						       "%s is damaged: %s", path,
						       profile_damage(profile)));
		loaded->runs[side][loaded->counts[side]++] = profile;
	}
	error_release(&err);
}

static void release(struct loaded *loaded)
{
	for (int side = 0; side < COMPARISON_SIDES; side++) {
		for (size_t i = 0; i < loaded->counts[side]; i++)
			profile_free(loaded->runs[side][i]);
		free(loaded->runs[side]);
	}
}

/* Writes the comparison; returns the severity of the errors. */
static int write_all(const struct comparing *comparing, const struct comparison *comparison,
		     const struct comparison_request *request, struct output *output)
{
	struct strbuf text = STRBUF_INIT;
	struct error err = ERROR_INIT;
	int result = 0;

	if (comparing->folded) {
		comparison_stacks(request, &text);
		if (fwrite(text.text, 1, text.length, output->stream) != text.length ||
		    fflush(output->stream) != 0)
			result = error_errno(&err, "the stacks cannot be written");
	} else {
		result = report_compare_print(comparison, request, &comparing->options,
					      output->stream, &err);
	}
	if (result < 0) {
		result = SEVERITY_ERROR;
		if (!output_reader_gone(output))
			message_sink_emit(comparing->sink, SEVERITY_ERROR, 31, "%s",
					 error_text(&err));
	}
	strbuf_release(&text);
	error_release(&err);
	return result;
}

/* Compares the loaded data sets; returns the severity of the errors. */
static int compare_loaded(const struct comparing *comparing, struct loaded *loaded,
			  struct output *output)
{
	struct comparison_request request = { .work = comparing->work,
					      .resolution = comparing->options.resolution,
					      .any_program = comparing->any_program };
	struct error err = ERROR_INIT;
	struct comparison *comparison;
	int status;

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		request.runs[side] = (const struct profile *const *)loaded->runs[side];
		request.run_counts[side] = loaded->counts[side];
	}
	comparison = comparison_new(&request, &err);
	if (!comparison)
		status = message_sink_emit(comparing->sink, SEVERITY_ERROR, 6660,
					  "the sessions cannot be compared: %s", error_text(&err));
	else
		status = write_all(comparing, comparison, &request, output);
	if (comparison && comparing->work && !*comparison->work.name &&
	    strcasecmp(comparing->work, "none") != 0)
		worse(loaded, message_sink_emit(comparing->sink, SEVERITY_WARNING, 6661,
					       "the amount of work of %s is not known in all runs: "
					       "times are not scaled to it",
					       comparing->work));
	comparison_free(comparison);
	error_release(&err);
	return status;
}

int comparing_carry_out(const struct comparing *comparing, struct output *output)
{
	struct loaded loaded = { 0 };

	for (int side = 0; side < COMPARISON_SIDES; side++) {
		loaded.runs[side] = xcalloc(comparing->counts[side] + 1, sizeof(struct profile *));
		for (size_t i = 0; i < comparing->counts[side]; i++)
			load_one(comparing, side, i, &loaded);
	}
	if (loaded.status < SEVERITY_ERROR)
		worse(&loaded, compare_loaded(comparing, &loaded, output));
	release(&loaded);
	return loaded.status;
}

bool comparing_reads(const struct comparing *comparing, const char *path)
{
	for (int side = 0; side < COMPARISON_SIDES; side++)
		for (size_t i = 0; i < comparing->counts[side]; i++)
			if (destination_same(path, comparing->paths[side][i]))
				return true;
	return false;
}

/*
 * Returns the texts of an operand's values as paths; NULL after a message. The
 * caller frees the list.
 */
static const char **paths_of(const struct control_operand *operand, size_t *count,
			     struct diag_list *diags)
{
	const char **paths;
	size_t number = 0;

	for (const struct control_value *one = operand->values; one; one = one->next)
		number++;
	paths = xcalloc(number + 1, sizeof(*paths));
	*count = 0;
	for (const struct control_value *one = operand->values; one; one = one->next)
		if ((paths[*count] = request_dd_path(one->text, one->quoted, &one->location, diags)))
			++*count;
	if (*count == number)
		return paths;
	free(paths);
	return NULL;
}

/* Destination of a statement's messages. */
struct queueing {
	struct diag_list *diags;
	const struct location *location;
};

static void queue_message(void *argument, enum severity severity, unsigned number, const char *text)
{
	struct queueing *queueing = argument;

	diag_add(queueing->diags, severity, number, queueing->location, "%s", text);
}

/* Returns the text of an operand with one value; NULL: not given. */
static const char *text_of(const struct control_operand *operand)
{
	return operand ? operand->values->text : NULL;
}

/* Fills in what a statement asks for. */
static void fill_request(struct comparing *comparing, const struct control_comparison *comparison)
{
	const char *format = text_of(comparison->format);

	report_options_init(&comparing->options);
	comparing->folded = format && strcmp(format, "FOLDED") == 0;
	if (format && !comparing->folded)
		comparing->options.device = device_find(format); /* the parser has checked it */
	comparing->options.lines = comparison->lines;
	comparing->options.all = comparison->all;
	comparing->options.ansi_control = comparison->ansi_control;
	comparing->options.title = text_of(comparison->title);
	comparing->native = comparison->native;
	comparing->work = text_of(comparison->work);
}

/* Compares, and writes to DSNAME. */
static void compare_to_file(const struct comparing *comparing,
			    const struct control_statement *statement, struct diag_list *diags)
{
	const struct control_operand *dsname = statement->comparison.dsname;
	bool quoted = dsname->values->quoted;
	const char *path = request_dd_path(text_of(dsname), quoted, &dsname->location, diags);
	struct error err = ERROR_INIT;
	struct output_target target;
	struct output output;

	if (!path)
		return;
	if (comparing_reads(comparing, path))
		diag_add(diags, SEVERITY_ERROR, 6668, &dsname->location,
			 "DSNAME would overwrite %s, which is an input", path);
	else if (request_dd_target(&target, path, quoted, NULL, &err) < 0 ||
		 output_begin(&output, &target, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 31, &dsname->location, "%s", error_text(&err));
	else if (comparing_carry_out(comparing, &output) >= SEVERITY_ERROR)
		output_abandon(&output);
	else if (output_commit(&output, &err) < 0)
		diag_add(diags, SEVERITY_ERROR, 31, &dsname->location, "%s", error_text(&err));
	error_release(&err);
}

void carry_out_comparison(const struct control_statement *statement, FILE *listing,
			  struct diag_list *diags)
{
	const struct control_comparison *comparison = &statement->comparison;
	struct queueing queueing = { diags, &statement->location };
	const struct message_sink sink = { queue_message, &queueing };
	struct comparing comparing = { .sink = &sink };
	struct output output = { .stream = listing };
	const char **base = paths_of(comparison->base, &comparing.counts[COMPARISON_BASE], diags);
	const char **other =
		paths_of(comparison->input, &comparing.counts[COMPARISON_OTHER], diags);

	comparing.paths[COMPARISON_BASE] = base;
	comparing.paths[COMPARISON_OTHER] = other;
	fill_request(&comparing, comparison);
	if (base && other && comparison->dsname)
		compare_to_file(&comparing, statement, diags);
	else if (base && other)
		comparing_carry_out(&comparing, &output);
	free(base);
	free(other);
}
