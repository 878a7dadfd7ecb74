/* SPDX-License-Identifier: Apache-2.0 */
/* vigil export: writes the results of sessions in the format of another tool. */
#include "common/compat.h"
#include "common/destination.h"
#include "exports/export.h"
#include "profile/profile.h"
#include "records/record-types.h"
#include "session/commands/command.h"
#include "session/output.h"

#include <signal.h>

static const char *output_path, *program, *to, *task, *transaction;
static double below;
static bool quiet, native;

static const struct command_option *export_options(void)
{
	static const struct command_option options[] = {
		{ "to", 't', OPTION_STRING, "FORM", "the form, if it does not precede FILE",
		  &to },
		{ "output", 'o', OPTION_STRING, "FILE", "write to FILE instead of standard output",
		  &output_path },
		{ "program", 0, OPTION_STRING, "PATTERN",
		  "only programs whose names match; * and ? are wildcards", &program },
		{ "below", 0, OPTION_PERCENT, "PCT",
		  "only sources with less than this percentage executed", &below },
		{ "task", 0, OPTION_STRING, "PATTERN",
		  "only tasks whose names match, with or without their number", &task },
		{ "transaction", 0, OPTION_STRING, "PATTERN",
		  "only transactions whose names match; .NOTRAN is none", &transaction },
		{ "native", 0, OPTION_FLAG, NULL,
		  "the step's own instructions and stacks, without names from data collectors",
		  &native },
		{ "quiet", 'q', OPTION_FLAG, NULL, "do not report what was done", &quiet },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Sum of all data sets. */
struct gathered {
	struct strmap strings;
	struct coverage_sums coverage;
	char *name;
	uint64_t start;
};

/* Adds one data set; returns the exit status. */
static int gather_one(struct gathered *gathered, const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	int status = EXIT_OK;

	if (!profile) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	if (profile_damage(profile)[0])
		status = command_message(SEVERITY_WARNING, 14, "%s is damaged: %s", path,
					 profile_damage(profile));
	if (!coverage_any(&profile->coverage))
		status =
			command_message(SEVERITY_WARNING, 6530,
					"%s has no coverage; COVERAGE=ON of FUNCTION=INIT asks for "
					"it",
					path);
	coverage_sums_add(&gathered->coverage, &profile->coverage);
	if (!gathered->name)
		gathered->name = strdup(profile_program(profile));
	if (!gathered->start)
		gathered->start = profile_attribute_number(profile, ATTR_START_WALL);
	profile_free(profile);
	return status;
}

/* Reports what was written. */
static void report_written(const char *form, const struct export_result *result)
{
	if (export_needs(form) == EXPORT_COVERAGE)
		command_message(SEVERITY_INFO, 6531,
				"%s: %" PRIu64 " of %" PRIu64 " lines of %zu sources were executed",
				output_path, result->counts.lines_executed, result->counts.lines,
				result->files);
	else
		command_message(SEVERITY_INFO, 6541,
				"%s: %" PRIu64 " CPU samples, %.3f s of CPU time; %" PRIu64
				" waits, %.3f s charged",
				output_path, result->samples, (double)result->cpu_time / 1e9,
				result->waits, (double)result->charged / 1e9);
}

/* Writes the export and moves it to its final name; returns the exit status. */
static int write_all(const char *form, const struct export_request *request)
{
	struct export_result result;
	struct error err = ERROR_INIT;
	struct output output;
	int status = EXIT_OK;

	signal(SIGPIPE, SIG_IGN);
	if (output_open(&output, output_path, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
	} else if (export_write(form, request, output.stream, &result, &err) < 0) {
		status = output_reader_gone(&output)
				 ? EXIT_ERROR
				 : command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
		output_abandon(&output);
	} else if (output_commit(&output, &err) < 0) {
		status = output_reader_gone(&output)
				 ? EXIT_ERROR
				 : command_message(SEVERITY_ERROR, 31, "%s", error_text(&err));
	} else {
		if (request->profile && !result.samples && !result.waits)
			status = command_message(SEVERITY_WARNING, 6542,
						 "nothing was selected: the export has no samples");
		if (output_path && !quiet)
			report_written(form, &result);
	}
	error_release(&err);
	return status;
}

/* Exports the merged coverage of the data sets; returns the exit status. */
static int export_coverage(const char *form, int count, char **paths)
{
	struct gathered gathered = { 0 };
	int worst = EXIT_OK;

	strmap_init(&gathered.strings);
	strmap_put(&gathered.strings, "");
	coverage_sums_init(&gathered.coverage, &gathered.strings);
	for (int i = 0; i < count; i++) {
		int status = gather_one(&gathered, paths[i]);

		worst = status > worst ? status : worst;
	}
	if (worst < EXIT_ERROR && !coverage_any(&gathered.coverage))
		worst = command_message(SEVERITY_ERROR, 6532, "there is no coverage to export");
	if (worst < EXIT_ERROR) {
		const struct export_request request = {
			.coverage = &gathered.coverage,
			.selection = { .program = program, .below = below },
			.name = gathered.name,
			.start = gathered.start,
		};
		int status = write_all(form, &request);

		worst = status > worst ? status : worst;
	}
	coverage_sums_release(&gathered.coverage);
	strmap_release(&gathered.strings);
	free(gathered.name);
	return worst;
}

/* Exports the profile of a data set; returns the exit status. */
static int export_profile(const char *form, const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	int status = EXIT_OK, written;

	if (!profile) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	profile_show_native(profile, native);
	if (profile_damage(profile)[0])
		status = command_message(SEVERITY_WARNING, 14, "%s is damaged: %s", path,
					 profile_damage(profile));
	if (profile->cpu_count || profile->wait_count) {
		const struct export_request request = {
			.profile = profile,
			.stacks = { .task = task, .transaction = transaction },
			.name = profile_program(profile),
			.start = profile_attribute_number(profile, ATTR_START_WALL),
		};

		written = write_all(form, &request);
	} else {
		written = command_message(SEVERITY_ERROR, 6540,
					  "%s has no samples and no waits: there is nothing to "
					  "export",
					  path);
	}
	profile_free(profile);
	return written > status ? written : status;
}

/* Lists the formats, after the message about the error. */
static int wrong_form(const char *form)
{
	struct strbuf known = STRBUF_INIT;

	if (form)
		command_fail(EXIT_USAGE, "unknown form '%s'; the forms are", form);
	else
		command_fail(EXIT_USAGE, "export needs a form and a data set (FILE.vprf, of "
					 "coverage FILE.vcvf); the forms are");
	export_list(&known);
	fwrite(known.text, 1, known.length, stderr);
	strbuf_release(&known);
	return EXIT_USAGE;
}

/* Executes a command line with a format and count files; returns the exit status. */
static int export_files(const char *form, int count, char **paths)
{
	bool coverage = export_needs(form) == EXPORT_COVERAGE;

	for (int i = 0; output_path && i < count; i++)
		if (destination_same(output_path, paths[i]))
			return command_fail(EXIT_USAGE,
					    "--output would overwrite %s, which is an input",
					    paths[i]);
	if (coverage && (task || transaction || native))
		return command_fail(EXIT_USAGE,
				    "--task, --transaction and --native select samples; %s has "
				    "coverage",
				    form);
	if (!coverage && (program || below > 0))
		return command_fail(EXIT_USAGE,
				    "--program and --below select coverage; %s has samples", form);
	if (coverage)
		return export_coverage(form, count, paths);
	if (count > 1)
		return command_fail(EXIT_USAGE, "%s has one data set, not %d", form, count);
	return export_profile(form, paths[0]);
}

static int export_main(int argc, char **argv)
{
	const char *form = to ? to : argc > 0 ? argv[0] : NULL;
	int files = to ? 0 : 1;

	if (form && !export_exists(form))
		return wrong_form(form);
	if (argc <= files)
		return wrong_form(NULL);
	return export_files(form, argc - files, argv + files);
}

const struct command export_command = {
	.name = "export",
	.arguments = "[FORM] FILE...",
	.summary = "Writes a profile or coverage in the form of another tool",
	.options = export_options,
	.run = export_main,
};
