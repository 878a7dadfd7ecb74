/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a REPORT into options of the report printer. */
#include "common/compat.h"
#include "session/requests/requests.h"
#include "reports/device.h"
#include "session/measure/trace-output.h"
#include "common/clock.h"
#include "session/library/resources.h"
#include "session/requests/carry-out.h"

const struct request_place request_place_command = {
	.unknown_code = 10,
	.input = 24,
	.input_text = "INPUT cannot be given here: the report is on this session; vigil report "
		      "prints other sample data sets",
};

const struct request_place request_place_jobs = {
	.unknown_code = 10,
	.function = 50,
	.input = 24,
	.input_text = "INPUT cannot be given here: the report is on the steps of the jobs; vigil "
		      "report prints other sample data sets",
};

#define INPUT_OF_STEP \
	"INPUT cannot be given in DD VIGIL: the report is on the step itself; a step with " \
	"PGM=VIGIL reports on other data sets"

const struct request_place request_place_step = {
	.unknown_code = 5306,
	.input = 5307,
	.input_text = INPUT_OF_STEP,
};

const struct request_place request_place_cards = {
	.unknown_code = 10,
	.input = 5307,
	.input_text = INPUT_OF_STEP,
};

const struct request_place request_place_alone = { .unknown_code = 10,
						       .collections = true,
						       .stored = true };

/* Returns an operand by its keyword or its short form; NULL: not given. */
static const struct control_operand *operand_of(const struct control_statement *statement,
						const char *keyword, const char *other)
{
	for (const struct control_operand *operand = statement->operands; operand;
	     operand = operand->next)
		if (strcmp(operand->keyword, keyword) == 0 ||
		    (other && strcmp(operand->keyword, other) == 0))
			return operand;
	return NULL;
}

const struct location *request_place_of(const struct control_statement *statement,
					const char *keyword, const char *other)
{
	const struct control_operand *operand = operand_of(statement, keyword, other);

	return operand ? &operand->location : &statement->location;
}

static void check_code(const struct control_value *code, const struct request_place *place,
		       struct diag_list *diags)
{
	struct strbuf known = STRBUF_INIT;

	if (report_known(code->text) || strcmp(code->text, "ALL") == 0)
		return;
	report_codes(&known);
	diag_add(diags, SEVERITY_ERROR, place->unknown_code, &code->location,
		 "unknown report code %s; expected one of %s", code->text, known.text);
	strbuf_release(&known);
}

void request_check_reports(const struct control_deck *deck, const struct request_place *place,
			   struct diag_list *diags)
{
	for (const struct control_statement *one = deck->statements; one; one = one->next) {
		const struct control_operand *codes = operand_of(one, "REPORTS", NULL);

		if (place->function && control_is_on_resources(one))
			diag_add(diags, SEVERITY_ERROR, place->function, &one->location,
				 "FUNCTION=%s cannot be given for all jobs; it belongs in DD VIGIL "
				 "of a step, in SYSIN of PGM=VIGIL, or in a file for vigil control",
				 one->name);
		if (!place->collections &&
		    (control_is_collection(one) || control_is_comparison(one)))
			diag_add(diags, SEVERITY_ERROR, 2142, &one->location,
				 "%s cannot be given here; it belongs in SYSIN of PGM=VIGIL, or in "
				 "a file for vigil control",
				 one->name);
		if (!place->stored && control_is_stored(one))
			diag_add(diags, SEVERITY_ERROR, 6810, &one->location,
				 "%s concerns requests in the store here; it belongs in SYSIN of "
				 "PGM=VIGIL, in a file for vigil control, or in vigil request",
				 one->name);
		if (one->verb != CONTROL_REPORT || !one->checked)
			continue;
		for (const struct control_value *code = codes ? codes->values : NULL; code;
		     code = code->next)
			check_code(code, place, diags);
		if (one->report.input && place->input)
			diag_add(diags, SEVERITY_ERROR, place->input,
				 request_place_of(one, "INPUT", NULL), "%s", place->input_text);
	}
}

const struct device_class *request_device(enum report_format format)
{
	static const struct device_class *const formats[] = {
		[REPORT_TEXT] = &text_device, [REPORT_CSV] = &csv_device,
		[REPORT_JSON] = &json_device, [REPORT_HTML] = &html_device,
		[REPORT_PDF] = &pdf_device,
	};

	return formats[format];
}

/* The reports if only a procedure is asked for. */
static const char *const procedure_codes[] = { "PRC" };

void request_report_options(struct report_options *options, const struct control_report *report)
{
	report_options_init(options);
	if (!report)
		return;
	options->codes = (const char *const *)report->codes;
	options->code_count = report->code_count;
	options->lines = report->lines;
	options->ansi_control = report->ansi_control;
	options->margins = report->margins;
	options->all = report->all;
	options->by = report->by_thread	       ? CALL_TREE_BY_TASK
		      : report->by_transaction ? CALL_TREE_BY_TRANSACTION
					       : CALL_TREE_BY_NONE;
	options->title = report->title;
	options->procedure = report->procedure;
	if (report->procedure && !report->code_count) {
		options->codes = procedure_codes;
		options->code_count = ARRAY_SIZE(procedure_codes);
	}
	options->device = request_device(report->format);
	if (report->letter) {
		options->width = REPORT_LETTER_WIDTH;
		options->height = REPORT_LETTER_HEIGHT;
	}
	if (report->baseline_given)
		options->baseline = report->baseline;
	if (report->resolution)
		options->resolution = report->resolution;
}

void request_read_options(struct report_options *options, const struct control_operation *operation)
{
	const struct control_filter *filter = &operation->filter;
	static const enum report_sort sorts[] = {
		[CONTROL_SORT_NOT_GIVEN] = REPORT_SORT_DEFAULT,
		[CONTROL_SORT_NAME] = REPORT_SORT_NAME,
		[CONTROL_SORT_HITS] = REPORT_SORT_HITS,
		[CONTROL_SORT_CPU] = REPORT_SORT_CPU,
		[CONTROL_SORT_ELAPSED] = REPORT_SORT_ELAPSED,
		[CONTROL_SORT_DATABASE] = REPORT_SORT_DATABASE,
		[CONTROL_SORT_PERCENT] = REPORT_SORT_PERCENT,
	};

	report_options_init(options);
	options->codes = operation->report_count ? (const char *const *)operation->reports
						: resource_usual_reports;
	options->code_count =
		operation->report_count ? operation->report_count : resource_usual_report_count;
	options->usual = !operation->report_count;
	options->device = request_device(operation->format);
	options->sort = sorts[operation->sort];
	options->coverage.missed = operation->missed;
	options->coverage.below = operation->below;
	options->events.program = filter->program;
	options->events.types = request_event_types(filter->events, filter->event_count);
	options->events.from = filter->time.from * NSEC_PER_SEC;
	options->events.to = filter->time.to * NSEC_PER_SEC;
}

/* Prints the statistics to a target. */
static int print_statistics(const char *data_set, const struct output_target *target,
			    struct error *err)
{
	static const char *const codes[] = { "PRO" };
	struct profile *profile = profile_load(data_set, err);
	struct report_options options;
	int result;

	RETURN_IF(!profile, -1);
	report_options_init(&options);
	options.codes = codes;
	options.code_count = ARRAY_SIZE(codes);
	options.lines = 0;
	result = listing_print(profile, &options, target, err);
	profile_free(profile);
	return result;
}

/*
 * Writes a text to standard output, but does not wait for a slow reader: a trace
 * must never block for long.
 */
static int show(const char *text, struct error *err)
{
	struct trace_output output;
	int result = 0;

	trace_output_init(&output, true, NULL);
	for (const char *end; (end = strchr(text, '\n')); text = end + 1)
		trace_output_line(&output, text, (size_t)(end + 1 - text));
	trace_output_flush(&output, true);
	if (*trace_output_failure(&output))
		result = error_set(err, "%s", trace_output_failure(&output));
	trace_output_release(&output);
	return result;
}

int request_print_statistics(const char *data_set, const char *path, struct error *err)
{
	char *text = NULL;
	size_t size;
	FILE *stream;
	int result;

	RETURN_IF(path, print_statistics(data_set,
					 &(struct output_target){ .kind = OUTPUT_APPENDED,
								  .path = path },
					 err));
	stream = open_memstream(&text, &size);
	RETURN_IF(!stream, error_errno(err, "cannot open a text"));
	result = print_statistics(
		data_set, &(struct output_target){ .kind = OUTPUT_STREAM, .stream = stream }, err);
	if (fclose(stream) != 0 && result == 0)
		result = error_errno(err, "cannot write the statistics");
	if (result == 0)
		result = show(text, err);
	free(text);
	return result;
}
