/* SPDX-License-Identifier: Apache-2.0 */
/* vigil collectors: shows data collectors, installed ones and those of a session. */
#include "common/compat.h"
#include "session/commands/collectors.h"
#include "records/record-types.h"
#include "reports/device.h"
#include "reports/report.h"
#include "session/commands/command.h"
#include "session/output.h"

#include <signal.h>

static struct option_list libraries;
static const char *program, *format = "text";

static const struct command_option *collectors_options(void)
{
	static const struct command_option options[] = {
		{ "library", 'L', OPTION_LIST, "DIR", "search this folder before all others",
		  &libraries },
		{ "program", 'p', OPTION_STRING, "NAME",
		  "which are called for a program of this name, and why the others are not",
		  &program },
		{ "format", 'f', OPTION_STRING, "FORMAT", "text, csv or json; text is the default",
		  &format },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Returns the device of the format; NULL: unknown format. */
static const struct device_class *find_device(void)
{
	const struct device_class *class = device_find(format);

	return class && !class->alone ? class : NULL;
}

/* Prints a document; returns the exit status. */
static int print(const struct document *document, const struct device_class *class,
		 const struct listing *listing)
{
	struct output output = { .stream = stdout };
	struct strbuf out = STRBUF_INIT;
	struct report_options options;
	struct device *device;
	int status = EXIT_OK;

	report_options_init(&options);
	options.lines = 0;
	device = device_new(class, &options, listing, &out);
	class->begin(device);
	class->print(device, document);
	class->end(device);
	device_free(device);
	signal(SIGPIPE, SIG_IGN);
	if (fwrite(out.text, 1, out.length, stdout) != out.length || fflush(stdout) != 0) {
		status = EXIT_ERROR;
		if (!output_reader_gone(&output))
			command_message(SEVERITY_ERROR, 31, "cannot write to standard output: %s",
					strerror(errno));
	}
	strbuf_release(&out);
	return status;
}

/* Shows the installed collectors, or those a program would get; returns the exit status. */
static int show_installed(struct document *document, const struct device_class *class)
{
	const struct collector_request request = { .libraries = libraries.items,
						   .library_count = libraries.count };
	const struct listing listing = { .version = PACKAGE_VERSION,
					 .heading = "DATA COLLECTORS",
					 .title = "",
					 .job = "",
					 .job_number = "",
					 .step = "",
					 .procstep = "",
					 .program = program ? program : "",
					 .date = "",
					 .warning = "" };
	struct diag_list diags = DIAG_LIST_INIT; /* the document contains them all as notes */
	struct collectors *collectors = collectors_new(&request, program, &diags);
	struct installed_list list;
	size_t problems = 0;
	int status;

	installed_load(&list, collectors);
	if (program)
		problems = collectors_show_program(document, collectors, &list, program);
	else
		problems = collectors_show_installed(document, collectors, &list);
	status = print(document, class, &listing);
	if (status == EXIT_OK && problems)
		status = EXIT_WARNING;
	installed_release(&list);
	collectors_free(collectors);
	diag_list_release(&diags);
	return status;
}

/* Shows the collectors of a session; returns the exit status. */
static int show_session(struct document *document, const struct device_class *class,
			const char *path)
{
	struct error err = ERROR_INIT;
	struct profile *profile = profile_load(path, &err);
	struct listing listing = { .version = PACKAGE_VERSION, .warning = "", .date = "" };
	int status;

	if (!profile) {
		status = command_message(SEVERITY_ERROR, 30, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	listing.heading = "DATA COLLECTORS";
	listing.title = profile_attribute(profile, ATTR_PROGRAM);
	listing.job = profile_attribute(profile, ATTR_JOB);
	listing.job_number = profile_attribute(profile, ATTR_JOB_NUMBER);
	listing.step = profile_attribute(profile, ATTR_STEP);
	listing.procstep = profile_attribute(profile, ATTR_PROCSTEP);
	listing.program = listing.title;
	collectors_show_session(document, profile);
	status = print(document, class, &listing);
	if (profile_damage(profile)[0]) {
		command_message(SEVERITY_WARNING, 14, "%s is damaged: %s", path,
				profile_damage(profile));
		status = status ? status : EXIT_WARNING;
	}
	profile_free(profile);
	return status;
}

static int collectors_main(int argc, char **argv)
{
	const struct device_class *class = find_device();
	struct document document;
	struct tokens tokens;
	int status;

	if (!class)
		return command_fail(EXIT_USAGE, "unknown format '%s'; expected text, csv or json",
				    format);
	if (argc > 1)
		return command_fail(EXIT_USAGE, "collectors takes one sample data set");
	if (argc == 1 && (program || libraries.count))
		return command_fail(EXIT_USAGE, "--%s has no meaning with a sample data set",
				    program ? "program" : "library");
	if (program && (!*program || strchr(program, '/')))
		return command_fail(EXIT_USAGE, "--program takes the name of a program's file");
	tokens_init(&tokens);
	document_init(&document, "COL", "Data Collectors", &tokens);
	status = argc == 1 ? show_session(&document, class, argv[0])
			   : show_installed(&document, class);
	document_release(&document);
	tokens_release(&tokens);
	free(libraries.items);
	return status;
}

const struct command collectors_command = {
	.name = "collectors",
	.arguments = "[FILE]",
	.summary = "Shows data collectors: which are installed, or what those of a session did",
	.options = collectors_options,
	.run = collectors_main,
};
