/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the reports on a synthetic session: "test-listing NAME FORM"; or writes
 * it to a data set: "test-listing NAME dataset FILE".
 */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "reports/device.h"
#include "reports/report.h"

#include <unistd.h>

/* Sets the options of a form by its name; returns false if there is none. */
static bool set_form(struct report_options *options, const char *form)
{
	static const char *const brief[] = { "MSD", "PSU", "MEP", "TLX" };
	static const char *const coverage[] = { "CPS", "CST", "CSL" };
	static const char *const activity[] = { "SAC", "SAM", "SAD", "SAN", "SAP" };
	static const char *const calls[] = { "CTR" };
	static const char *const procedure[] = { "PRC" };
	static const char *const trace[] = { "EVT", "EPT", "ECR", "ESL", "TLX" };

	report_options_init(options);
	if (strcmp(form, "csv") == 0 || strcmp(form, "activity-csv") == 0)
		options->device = &csv_device;
	else if (strcmp(form, "json") == 0 || strcmp(form, "activity-json") == 0 || strcmp(form, "all-json") == 0)
		options->device = &json_device;
	else if (strcmp(form, "html") == 0)
		options->device = &html_device;
	else if (strcmp(form, "asa") == 0)
		options->ansi_control = true;
	else if (strcmp(form, "all") == 0)
		options->all = options->margins = true;
	else if (strcmp(form, "plain") == 0 || strncmp(form, "procedure", 9) == 0 ||
		 strcmp(form, "threads") == 0 || strcmp(form, "brief") == 0 ||
		 strcmp(form, "trace") == 0 || strcmp(form, "coverage") == 0 || strcmp(form, "activity") == 0)
		options->lines = 0;
	else
		return strcmp(form, "text") == 0 || strcmp(form, "summary") == 0;
	if (strcmp(form, "brief") == 0) {
		options->codes = brief;
		options->code_count = ARRAY_SIZE(brief);
	}
	if (strcmp(form, "coverage") == 0) {
		options->codes = coverage;
		options->code_count = ARRAY_SIZE(coverage);
	}
	if (strcmp(form, "activity") == 0 || strncmp(form, "activity-", 9) == 0) {
		options->codes = activity;
		options->code_count = ARRAY_SIZE(activity);
	}
	if (strcmp(form, "all-json") == 0)
		options->all = options->margins = true;
	if (strcmp(form, "threads") == 0) {
		options->margins = true;
		options->by = CALL_TREE_BY_TASK;
		options->codes = calls;
		options->code_count = ARRAY_SIZE(calls);
	}
	if (strncmp(form, "procedure", 9) == 0) {
		options->margins = true;
		options->procedure = "COMPUTE-TAX";
		options->device = strcmp(form, "procedure-csv") == 0 ? &csv_device : &text_device;
		options->codes = procedure;
		options->code_count = ARRAY_SIZE(procedure);
	}
	if (strcmp(form, "trace") == 0) {
		options->events.to = 5 * NSEC_PER_MSEC;
		options->codes = trace;
		options->code_count = ARRAY_SIZE(trace);
	}
	return true;
}

/* A session that was written to a data set and read again, for reports that read the data set. */
static char written[] = "/tmp/vigil-listing-XXXXXX";

static struct profile *load_written(const char *name, struct error *err)
{
	struct profile *profile = NULL;
	int fd = mkstemp(written);

	if (fd >= 0 && close(fd) == 0 && fixture_write(name, written, err) == 0)
		profile = profile_load(written, err);
	return profile;
}

int main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct strbuf sb = STRBUF_INIT;
	struct report_options options;
	struct profile *profile = NULL;

	if (argc == 4 && strcmp(argv[2], "dataset") == 0) {
		if (fixture_write(argv[1], argv[3], &err) == 0)
			return 0;
		fprintf(stderr, "test-listing: %s\n", error_text(&err));
		return 1;
	}
	if (argc == 3 && strcmp(argv[2], "trace") == 0)
		profile = load_written(argv[1], &err);
	else if (argc == 3)
		profile = fixture_profile(argv[1]);
	if (!profile || !set_form(&options, argv[2])) {
		fprintf(stderr,
			"usage: test-listing NAME text|asa|all|plain|brief|csv|json|html|summary|trace|threads|"
			"coverage, "
			"or NAME dataset FILE\n");
		return 2;
	}
	if (strcmp(argv[2], "summary") == 0) {
		report_summary(profile, &sb);
		fwrite(sb.text, 1, sb.length, stdout);
	} else if (report_print(profile, &options, stdout, &err) < 0) {
		fprintf(stderr, "test-listing: %s\n", error_text(&err));
		return 1;
	}
	strbuf_release(&sb);
	profile_free(profile);
	unlink(written);
	return 0;
}
