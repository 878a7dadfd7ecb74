/* SPDX-License-Identifier: Apache-2.0 */
/* Chooses the event handler of a measured command. */
#include "common/compat.h"
#include "session/commands/run-handler.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "session/commands/command.h"
#include "session/job/run-options.h"
#include "common/paths.h"

/* Adds the options of one source. */
static void take(struct run_options *options, const char *source, const char *text)
{
	struct error err = ERROR_INIT;

	if (run_options_read(options, text, &err) < 0)
		command_message(SEVERITY_WARNING, 6606, "run-time options in %s: %s", source,
				error_text(&err));
	error_release(&err);
}

/* Returns the path of the handler if it exists and may be loaded; NULL with a message. */
static char *find(const char *program)
{
	const char *steplib = getenv("VIGIL_STEPLIB");
	struct strbuf folders = STRBUF_INIT;
	char *refused, *found;

	strbuf_addf(&folders, "%s:", steplib ? steplib : "");
	strbuf_add(&folders, program, (size_t)(path_base(program) - program));
	found = run_options_find(folders.text, &refused);
	if (!found)
		command_message(SEVERITY_WARNING, 6602,
				"PROFILE is in effect, but CEEEVPRF.so is neither in VIGIL_STEPLIB "
				"nor next to %s; it runs without event handler",
				path_base(program));
	if (refused) {
		command_message(SEVERITY_WARNING, 6604, "the event handler %s is not loaded: %s",
				found, refused);
		free(found);
		found = NULL;
	}
	free(refused);
	strbuf_release(&folders);
	return found;
}

/* Returns the path of the handler that the options request; NULL: none. */
static char *choose(const struct run_options *options, const char *program)
{
	if (!options->profile)
		return NULL;
	if (!options->test)
		return find(program);
	command_message(SEVERITY_WARNING, 6601, "PROFILE is ignored, because TEST is in effect");
	return NULL;
}

/* Returns "NAME=value", allocated. */
static char *variable(const char *name, const char *value)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(&text, "%s=%s", name, value);
	return strbuf_detach(&text, NULL);
}

/*
 * Puts the library that calls the handler before those of the measurement, as for
 * the step of a job.
 */
static void add_library(struct run_handler *handler, const char *preload)
{
	struct strbuf libraries = STRBUF_INIT;
	char *library = paths_handler_library();

	if (!library) {
		command_message(SEVERITY_ERROR, 6603,
				"event handler %s cannot be loaded: there is no vigil-handler.so",
				handler->path);
		free(handler->path);
		handler->path = NULL;
	} else {
		strbuf_addf(&libraries, "%s%s%s", library, preload ? ":" : "", preload ? preload : "");
		handler->preload = strbuf_detach(&libraries, NULL);
	}
	free(library);
}

void run_handler_choose(struct run_handler *handler, const struct control_deck *deck,
			const char *program, const char *const *environment, const char *preload)
{
	const char *variables = getenv("_CEE_RUNOPTS");
	struct run_options options = { 0 };
	size_t count = 0;

	*handler = (struct run_handler){ 0 };
	if (variables)
		take(&options, "_CEE_RUNOPTS", variables);
	for (const struct control_statement *one = deck->statements; one; one = one->next)
		if (control_run_options(one))
			take(&options, "RUNOPTS", control_run_options(one));
	handler->path = choose(&options, program);
	if (handler->path)
		add_library(handler, preload);
	if (!handler->preload && preload)
		handler->preload = xstrdup(preload);
	while (environment[count])
		count++;
	handler->environment = xcalloc(count + 3, sizeof(*handler->environment));
	memcpy(handler->environment, environment, count * sizeof(*environment));
	if (!handler->path)
		return;
	handler->environment[count++] = handler->handler = variable("VIGIL_HANDLER", handler->path);
	handler->environment[count] = handler->string =
		variable("VIGIL_HANDLER_STRING", options.string);
}

void run_handler_release(struct run_handler *handler)
{
	free(handler->environment);
	free(handler->handler);
	free(handler->string);
	free(handler->preload);
	free(handler->path);
	*handler = (struct run_handler){ 0 };
}
