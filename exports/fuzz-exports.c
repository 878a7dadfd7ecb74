/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Fuzzes the exports: any bytes, read as a sample data set (engine/test-blocks.h),
 * are written in each form.
 */
#include "common/compat.h"
#include "common/test-input.h"
#include "engine/test-blocks.h"
#include "exports/export.h"
#include "profile/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_one(const char *form, const struct profile *profile)
{
	const struct export_request request = { .coverage = &profile->coverage,
						.profile = profile,
						.name = profile_program(profile) };
	struct export_result result;
	static FILE *nowhere;

	if (!nowhere)
		nowhere = fopen("/dev/null", "w");
	if (export_write(form, &request, nowhere, &result, NULL) < 0)
		abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const char *const forms[] = { "lcov",	"cobertura",   "folded",    "folded-waits",
					     "pprof",	"speedscope",  "callgrind", "chrome",
					     "firefox", "perf-script", "otlp" };
	struct strbuf file = STRBUF_INIT;
	struct profile *profile;

	test_blocks_put(&file, data, size);
	profile = profile_load(test_input(0, file.text, file.length), NULL);
	if (profile) {
		for (size_t i = 0; i < ARRAY_SIZE(forms); i++)
			if (export_exists(forms[i]))
				write_one(forms[i], profile);
	}
	profile_free(profile);
	strbuf_release(&file);
	return 0;
}
