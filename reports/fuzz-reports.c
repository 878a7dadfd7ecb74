/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the display of sessions: arbitrary bytes as a sample data set
 * (engine/test-blocks.h) are consolidated, and two reports are printed, one of
 * them of coverage; the number of bytes selects the report and the device.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "engine/test-blocks.h"
#include "reports/device.h"
#include "reports/print/painter.h"
#include "reports/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const codes[] = { "MSD", "TDA", "RDD", "DSC", "WTM", "PSU", "PUP",
				     "MEP", "TUS", "TUC", "ACE", "ACW", "TLX" };
static const char *const coverage[] = { "CPS", "CST", "CSL" };

/* Accepts the laid-out sheets without drawing them. */
static const char *paint_nothing(const struct sheets *sheets UNUSED, enum paint_form form UNUSED, double scale UNUSED,
				 int (*write)(void *argument, const void *bytes, size_t length) UNUSED,
				 void *argument UNUSED)
{
	return NULL;
}

static const struct painter painter = { .version = PAINTER_VERSION, .paint = paint_nothing };

static void print(const struct profile *profile, unsigned number, const char *code)
{
	static FILE *nowhere;
	struct report_options options;
	struct strbuf summary = STRBUF_INIT;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	report_options_init(&options);
	options.device = (const struct device_class *const[]){ &text_device, &csv_device, &json_device, &html_device, &pdf_device }[number % 5];
	options.painter = &painter;
	options.codes = &code;
	options.code_count = 1;
	options.all = number % 3 == 0;
	options.margins = number % 7 == 0;
	if (!report_known(code) || report_print(profile, &options, nowhere, NULL) < 0)
		abort();
	if (number % 5 == 0)
		report_summary(profile, &summary);
	strbuf_release(&summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = STRBUF_INIT;
	struct profile *profile;

	test_blocks_put(&file, data, size);
	profile = profile_load_course(test_input(0, file.text, file.length), NULL);
	if (profile) {
		print(profile, (unsigned)size, codes[size / 3 % ARRAY_SIZE(codes)]);
		print(profile, (unsigned)size, coverage[size / 3 % ARRAY_SIZE(coverage)]);
	}
	profile_free(profile);
	strbuf_release(&file);
	return 0;
}
