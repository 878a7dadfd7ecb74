/* SPDX-License-Identifier: Apache-2.0 */
/* vigil consolidate: makes consolidated data sets from data sets with events. */
#include "common/compat.h"
#include "events/coverage-merge.h"
#include "events/event-data-set.h"
#include "profile/session-attributes.h"
#include "session/commands/command.h"

static bool replace, quiet;
static const char *output_path;

static const struct command_option *consolidate_options(void)
{
	static const struct command_option options[] = {
		{ "output", 'o', OPTION_STRING, "FILE",
		  "write to FILE instead of the same name with .vprc; merge coverage there",
		  &output_path },
		{ "replace", 0, OPTION_FLAG, NULL, "replace an existing file", &replace },
		{ "quiet", 'q', OPTION_FLAG, NULL, "do not report what was done", &quiet },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Reports what became of the events. */
static void report(const char *to, const struct consolidation_result *result)
{
	double part = result->bytes_from
			      ? 100 * (double)result->bytes_to / (double)result->bytes_from
			      : 0;

	command_message(SEVERITY_INFO, 6510,
			"%s: %" PRIu64 " events in %" PRIu64 " records, %" PRIu64
			" bytes, %.1f %% of the data set",
			to, result->events, result->sums, result->bytes_to, part);
}

/* Consolidates one data set; returns the exit status. */
static int consolidate_one(const char *from)
{
	struct consolidation_result result;
	struct error err = ERROR_INIT;
	struct strbuf to = STRBUF_INIT;
	int status = EXIT_OK;

	if (output_path)
		strbuf_addstr(&to, output_path);
	else
		event_data_set_name(&to, from);
	if (event_data_set_consolidate(from, to.text, replace, &result, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 6511, "cannot consolidate %s: %s", from,
					 error_text(&err));
	} else {
		if (!quiet)
			report(to.text, &result);
		if (result.damage.length)
			status = command_message(SEVERITY_WARNING, 14, "%s is damaged: %s", from,
						 result.damage.text);
		strbuf_release(&result.damage);
	}
	strbuf_release(&to);
	error_release(&err);
	return status;
}

/* Returns whether a file name is that of a data set with coverage. */
static bool is_named_coverage(const char *path)
{
	size_t length = strlen(path), suffix = strlen(COVERAGE_DATA_SET_SUFFIX);

	return length > suffix && strcmp(path + length - suffix, COVERAGE_DATA_SET_SUFFIX) == 0;
}

/* Returns whether a data set has coverage and no events. */
static bool holds_coverage(const char *path)
{
	struct session_attributes attributes;
	struct error err = ERROR_INIT;
	bool coverage = false;

	if (session_attributes_read(path, &attributes, &err) == 0) {
		coverage = attributes.coverage && !attributes.events && !attributes.sums;
		session_attributes_release(&attributes);
	}
	error_release(&err);
	return coverage;
}

/*
 * Returns whether all are data sets with coverage: judged by name, and if several
 * have other names, by content.
 */
static bool are_coverage(int argc, char **argv)
{
	for (int i = 0; i < argc; i++)
		if (!is_named_coverage(argv[i]) && (argc == 1 || !output_path || !holds_coverage(argv[i])))
			return false;
	return true;
}

/* Merges data sets with coverage into one; returns the exit status. */
static int merge_coverage(int argc, char **argv)
{
	struct coverage_merge_result result;
	struct error err = ERROR_INIT;
	int status = EXIT_OK;

	if (coverage_merge((const char *const *)argv, (size_t)argc, output_path, replace, &result,
			   &err) < 0) {
		status = command_message(SEVERITY_ERROR, 2151, "cannot merge coverage: %s",
					 error_text(&err));
		error_release(&err);
		return status;
	}
	if (!quiet)
		command_message(SEVERITY_INFO, 2150,
				"%s: %" PRIu64 " of %" PRIu64 " statements executed in %" PRIu64
				" runs",
				output_path, result.executed, result.statements, result.runs);
	if (result.damage.length)
		status = command_message(SEVERITY_WARNING, 14, "a data set is damaged: %s",
					 result.damage.text);
	strbuf_release(&result.damage);
	error_release(&err);
	return status;
}

static int consolidate_main(int argc, char **argv)
{
	int worst = EXIT_OK;

	if (argc == 0)
		return command_fail(EXIT_USAGE, "consolidate needs a data set (FILE.vprf)");
	if (are_coverage(argc, argv)) {
		if (!output_path)
			return command_fail(EXIT_USAGE,
					    "coverage is consolidated already; --output FILE merges "
					    "several data sets");
		return merge_coverage(argc, argv);
	}
	if (output_path && argc > 1)
		return command_fail(EXIT_USAGE, "--output takes one data set");
	for (int i = 0; i < argc; i++) {
		int status = consolidate_one(argv[i]);

		worst = status > worst ? status : worst;
	}
	return worst;
}

const struct command consolidate_command = {
	.name = "consolidate",
	.arguments = "FILE...",
	.summary = "Sums up the events of data sets",
	.options = consolidate_options,
	.run = consolidate_main,
};
