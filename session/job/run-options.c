/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the run-time options of a step, and finds the event handler that PROFILE asks for. */
#include "common/compat.h"
#include "session/job/run-options.h"
#include "common/trust.h"
#include "common/xalloc.h"

#include <unistd.h>

#define HANDLER "CEEEVPRF.so"

/* Reads the options of one source, and logs errors in them. */
static void take(struct runner *runner, const char *step_name, const char *source,
		 struct run_options *options, const char *text)
{
	struct error err = ERROR_INIT;

	if (run_options_read(options, text, &err) < 0)
		job_log_message(&runner->log, SEVERITY_WARNING, 6606,
				"step %s: run-time options in %s: %s", step_name, source,
				error_text(&err));
	error_release(&err);
}

/* Reads the records of DD CEEOPTS; those that begin with '*' are comments. */
static void take_dd(struct runner *runner, const struct allocation *allocations,
		    const char *step_name, struct run_options *options)
{
	const struct allocation *dd = allocation_find(allocations, "CEEOPTS");
	struct strbuf file = STRBUF_INIT, text = STRBUF_INIT;

	if (!dd)
		return;
	if (strbuf_read_file(&file, allocation_value(dd)) < 0)
		job_log_message(&runner->log, SEVERITY_WARNING, 6606,
				"step %s: run-time options in DD CEEOPTS: %s", step_name,
				strerror(errno));
	for (char *rest, *line = strtok_r(file.text, "\n", &rest); line;
	     line = strtok_r(NULL, "\n", &rest))
		if (*line != '*')
			strbuf_addf(&text, "%.72s ", line);
	take(runner, step_name, "DD CEEOPTS", options, text.length ? text.text : "");
	strbuf_release(&file);
	strbuf_release(&text);
}

/* Returns the real path of the handler in a folder; NULL: none. */
static char *handler_in(const char *folder, size_t length)
{
	struct strbuf path = STRBUF_INIT;
	char *real;

	strbuf_addf(&path, "%.*s/" HANDLER, (int)length, folder);
	real = access(path.text, F_OK) == 0 ? realpath(path.text, NULL) : NULL;
	strbuf_release(&path);
	return real;
}

char *run_options_find(const char *folders, char **refused)
{
	char *found = NULL;

	*refused = NULL;
	while (*folders && !found) {
		size_t length = strcspn(folders, ":");

		if (length)
			found = handler_in(folders, length);
		folders += length;
		folders += *folders == ':';
	}
	if (found)
		*refused = trust_refuse(found);
	return found;
}

/* Returns the first handler in the folders where the step's program is searched. */
static char *find(const struct runner *runner, const struct allocation *allocations, char **refused)
{
	struct strbuf folders = STRBUF_INIT;
	char *found;

	program_libraries(allocations, &folders);
	for (size_t i = 0; i < runner->options->program_path_count; i++)
		strbuf_addf(&folders, "%s:", runner->program_path[i]);
	found = run_options_find(folders.text, refused);
	strbuf_release(&folders);
	return found;
}

/* Reads the cards RUNOPTS of a deck (NULL: none), which were checked before. */
static void take_cards(struct runner *runner, const char *step_name, struct run_options *options,
		       const struct control_deck *deck)
{
	for (const struct control_statement *one = deck ? deck->statements : NULL; one;
	     one = one->next)
		if (control_run_options(one))
			take(runner, step_name, "RUNOPTS", options, control_run_options(one));
}

/* Returns the handler if it may be loaded; else NULL, with a message. */
static char *choose(struct runner *runner, const struct allocation *allocations,
		    const char *step_name)
{
	char *why, *found = find(runner, allocations, &why);

	if (!found)
		job_log_message(&runner->log, SEVERITY_WARNING, 6602,
				"step %s: PROFILE is in effect, but " HANDLER
				" is in no library of the step; the step runs without event "
				"handler",
				step_name);
	if (!why)
		return found;
	job_log_message(&runner->log, SEVERITY_WARNING, 6604,
			"step %s: the event handler %s is not loaded: %s", step_name, found, why);
	free(why);
	free(found);
	return NULL;
}

char *run_options_handler(struct runner *runner, const struct allocation *allocations,
			  const char *step_name, const struct control_deck *own, char *parm,
			  struct run_options *options)
{
	const char *variable = getenv("_CEE_RUNOPTS");
	struct error err = ERROR_INIT;

	*options = (struct run_options){ 0 };
	if (variable)
		take(runner, step_name, "_CEE_RUNOPTS", options, variable);
	take_dd(runner, allocations, step_name, options);
	take_cards(runner, step_name, options, runner->options->control);
	take_cards(runner, step_name, options, own);
	if (run_options_parm(options, parm, &err) < 0)
		job_log_message(&runner->log, SEVERITY_WARNING, 6606,
				"step %s: run-time options in PARM: %s", step_name,
				error_text(&err));
	error_release(&err);
	if (!options->profile)
		return NULL;
	if (!options->test)
		return choose(runner, allocations, step_name);
	job_log_message(&runner->log, SEVERITY_WARNING, 6601,
			"step %s: PROFILE is ignored, because TEST is in effect", step_name);
	return NULL;
}
