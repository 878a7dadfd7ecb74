/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Prints the reports on a synthetic session: "test-listing NAME FORM"; or writes
 * it to a data set: "test-listing NAME dataset FILE".
 */
#include "common/compat.h"
#include "common/clock.h"
#include "profile/fixture.h"
#include "reports/report.h"

#include <unistd.h>

/* Set the options of a form by its name; false when there is none. */
static bool set_form(struct report_options *options, const char *form)
{
	static const char *const brief[] = { "MSD", "PSU", "MEP", "TLX" };
	static const char *const trace[] = { "EVT", "EPT", "ECR", "ESL", "TLX" };

	report_options_init(options);
	if (strcmp(form, "csv") == 0)
		options->device = DEVICE_CSV;
	else if (strcmp(form, "json") == 0)
		options->device = DEVICE_JSON;
	else if (strcmp(form, "asa") == 0)
		options->ansi_control = true;
	else if (strcmp(form, "all") == 0)
		options->all = options->margins = true;
	else if (strcmp(form, "plain") == 0 || strcmp(form, "brief") == 0 ||
		 strcmp(form, "trace") == 0)
		options->lines = 0;
	else
		return strcmp(form, "text") == 0 || strcmp(form, "summary") == 0;
	if (strcmp(form, "brief") == 0) {
		options->codes = brief;
		options->code_count = ARRAY_SIZE(brief);
	}
	if (strcmp(form, "trace") == 0) {
		options->events.to = 5 * NSEC_PER_MSEC;
		options->codes = trace;
		options->code_count = ARRAY_SIZE(trace);
	}
	return true;
}

/* A session that was written to a data set and read again, for reports that go through it. */
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
			"usage: test-listing NAME text|asa|all|plain|brief|csv|json|summary|trace, "
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
