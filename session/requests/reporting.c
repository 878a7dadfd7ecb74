/* SPDX-License-Identifier: Apache-2.0 */
/* Turns a REPORT into what the report printer is asked to do. */
#include "common/compat.h"
#include "session/requests/requests.h"
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

const struct request_place request_place_alone = { .unknown_code = 10 };

/* An operand by its keyword or its short form; NULL. */
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

		if (place->function && request_is_function(one))
			diag_add(diags, SEVERITY_ERROR, place->function, &one->location,
				 "FUNCTION=%s cannot be given for all jobs; it stands in DD VIGIL of "
				 "a step, in SYSIN of PGM=VIGIL, or in a file for vigil control",
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
