/* SPDX-License-Identifier: Apache-2.0 */
/* Prints documents about the history. */
#include "common/compat.h"
#include "session/history/history-output.h"
#include "reports/report.h"

int history_output_print(const struct history_output *output, const struct report_options *options,
			 history_fill fill, const void *argument, FILE *stream, struct error *err)
{
	const struct listing listing = {
		.heading = output->heading,
		.version = PACKAGE_VERSION,
		.program = output->program,
		.title = output->title,
		.job = output->job,
		.job_number = "",
		.step = output->step,
		.procstep = "",
		.date = output->date,
		.warning = "",
		.trend = options->device == &html_device ? output->trend : NULL,
	};
	struct strbuf out = STRBUF_INIT;
	struct document document;
	struct tokens tokens;
	struct device *device;
	int result = 0;

	tokens_init(&tokens);
	document_init(&document, output->code, output->name, &tokens);
	device = device_new(options->device, options, &listing, &out);
	device->class->begin(device);
	fill(&document, argument);
	device->class->print(device, &document);
	device->class->end(device);
	if (fwrite(out.text, 1, out.length, stream) != out.length || fflush(stream) != 0)
		result = error_errno(err, "the report cannot be written");
	device_free(device);
	document_release(&document);
	tokens_release(&tokens);
	strbuf_release(&out);
	return result;
}
