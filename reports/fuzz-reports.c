/* SPDX-License-Identifier: Apache-2.0 */
/* Fuzzes what shows a session: any bytes as a sample data set (engine/test-blocks.h) are
   consolidated and one report is printed: which and on what device the number of bytes says. */
#include "common/compat.h"
#include "common/test-input.h"
#include "engine/test-blocks.h"
#include "reports/report.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const codes[] = { "MSD", "TDA", "RDD", "DSC", "WTM", "PSU", "PUP",
				     "MEP", "TUS", "TUC", "ACE", "ACW", "TLX" };

static void print(const struct profile *profile, unsigned number)
{
	const char *code = codes[number / 3 % ARRAY_SIZE(codes)];
	static FILE *nowhere;
	struct report_options options;
	struct strbuf summary = STRBUF_INIT;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	report_options_init(&options);
	options.device = number % 3 == 0 ? DEVICE_TEXT : number % 3 == 1 ? DEVICE_CSV : DEVICE_JSON;
	options.codes = &code;
	options.code_count = 1;
	options.all = number % 5 == 0;
	options.margins = number % 7 == 0;
	if (!report_known(code) || report_print(profile, &options, nowhere, NULL) < 0)
		abort();
	if (number % 4 == 0)
		report_summary(profile, &summary);
	strbuf_release(&summary);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct strbuf file = STRBUF_INIT;
	struct profile *profile;

	test_blocks_put(&file, data, size);
	profile = profile_load(test_input(0, file.text, file.length), NULL);
	if (profile)
		print(profile, (unsigned)size);
	profile_free(profile);
	strbuf_release(&file);
	return 0;
}
