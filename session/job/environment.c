/* SPDX-License-Identifier: Apache-2.0 */
/* Builds the environment of a step. */
#include "common/compat.h"
#include "session/job/environment.h"
#include "common/xalloc.h"
#include "datasets/signs.h"
#include "session/job/learned.h"

#include <ctype.h>
#include <unistd.h>

#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

static const char *const taken_over[] = {
	"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TZ", "LANG"
};

static void add(struct environment *environment, char *item)
{
	GROW(environment->items, environment->count + 2, environment->alloc);
	environment->items[environment->count++] = item;
	environment->items[environment->count] = NULL;
}

static void add_value(struct environment *environment, const char *name, const char *value)
{
	struct strbuf item = STRBUF_INIT;

	strbuf_addf(&item, "%s=%s", name, value);
	add(environment, strbuf_detach(&item, NULL));
}

/* Returns whether a variable of vigil's environment is passed on. */
static bool is_taken_over(const char *item)
{
	size_t length = strcspn(item, "=");

	if (strncmp(item, "LC_", 3) == 0)
		return true;
	if (strncmp(item, "COB_", 4) == 0)
		return strncmp(item, "COB_LIBRARY_PATH=", 17) != 0;
	for (size_t i = 0; i < ARRAY_SIZE(taken_over); i++)
		if (strlen(taken_over[i]) == length && strncmp(item, taken_over[i], length) == 0)
			return true;
	return false;
}

static void add_own(struct environment *environment)
{
	for (char **item = environ; *item; item++)
		if (is_taken_over(*item))
			add(environment, xstrdup(*item));
	if (!getenv("PATH"))
		add_value(environment, "PATH", DEFAULT_PATH);
}

/* Adds DD_NAME, DD_name, dd_NAME and dd_name. */
static void add_dd(struct environment *environment, const struct allocation *allocation)
{
	const char *name = allocation->dd->name;
	const char *value = allocation_value(allocation);
	struct strbuf item = STRBUF_INIT;
	bool lower_differs = false;

	for (const char *at = name; *at; at++)
		lower_differs |= isupper((unsigned char)*at) != 0;
	for (int form = 0; form < 4; form++) {
		if (form & 1 && !lower_differs)
			continue;
		strbuf_addstr(&item, form & 2 ? "dd_" : "DD_");
		for (const char *at = name; *at; at++)
			strbuf_addch(&item, form & 1 ? (char)tolower((unsigned char)*at) : *at);
		strbuf_addf(&item, "=%s", value);
		add(environment, strbuf_detach(&item, NULL));
	}
}

/*
 * Adds VIGIL_DCB_NAME, a line as in attributes.h: the record attributes of a DD,
 * for the utilities.
 */
static void add_dcb(struct environment *environment, const struct allocation *allocation)
{
	struct strbuf item = STRBUF_INIT;

	if (attributes_empty(&allocation->attributes))
		return;
	strbuf_addf(&item, "VIGIL_DCB_%s=", allocation->dd->name);
	attributes_format(&item, &allocation->attributes);
	add(environment, strbuf_detach(&item, NULL));
}

/*
 * Adds VIGIL_DSN_NAME: the data set of a DD as the deck names it, for IDCAMS,
 * because a path (of an alternate index) is more than its file.
 */
static void add_dsn(struct environment *environment, const struct allocation *allocation)
{
	const struct plan_dd *dd = allocation->dd;
	const char *dsn = dd->dsn && !dd->generation_given ? dd->dsn : allocation->dsn;
	struct strbuf item = STRBUF_INIT;

	if (!dsn || !*dsn || *dsn == '&')
		return;
	strbuf_addf(&item, "VIGIL_DSN_%s=%s", dd->name, dsn);
	add(environment, strbuf_detach(&item, NULL));
}

/* Adds a search path with the step's libraries in front. */
static void add_library_path(struct environment *environment, const char *name,
			     const struct environment_facts *facts, bool program_path)
{
	const struct job_options *options = facts->runner->options;
	const char *own = getenv(name);
	struct strbuf value = STRBUF_INIT;

	program_libraries(facts->allocations, &value);
	for (size_t i = 0; program_path && i < options->program_path_count; i++)
		strbuf_addf(&value, "%s:", facts->runner->program_path[i]);
	if (own)
		strbuf_addstr(&value, own);
	else if (value.length > 0)
		strbuf_setlen(&value, value.length - 1);
	if (value.length > 0)
		add_value(environment, name, value.text);
	strbuf_release(&value);
}

/* Adds, for a utility, its name and the folders where its step's programs are searched. */
static void add_program_path(struct environment *environment, const struct environment_facts *facts)
{
	const struct job_options *options = facts->runner->options;
	struct strbuf value = STRBUF_INIT;

	if (facts->program->kind != PROGRAM_UTILITY)
		return;
	add_value(environment, SEARCH_NAME_VARIABLE, facts->step->program);
	program_libraries(facts->allocations, &value);
	for (size_t i = 0; i < options->program_path_count; i++)
		strbuf_addf(&value, "%s:", facts->runner->program_path[i]);
	if (value.length > 0)
		add_value(environment, SEARCH_VARIABLE, value.text);
	strbuf_release(&value);
}

/* Adds what the step library needs to know about the step's files. */
static void add_files(struct environment *environment, const struct environment_facts *facts)
{
	struct strbuf lines = STRBUF_INIT, perhaps = STRBUF_INIT;

	learned_list_lines(facts->allocations, &lines, &perhaps);
	if (lines.length > 0)
		add_value(environment, "VIGIL_STEP_LINES", lines.text);
	if (perhaps.length > 0)
		add_value(environment, "VIGIL_STEP_PERHAPS", perhaps.text);
	add_value(environment, "VIGIL_STEP_FILES", facts->files);
	strbuf_release(&lines);
	strbuf_release(&perhaps);
}

/*
 * Returns the library that calls the event handler; NULL: no handler. vigil's
 * driver of COBOL modules has it preloaded like other programs.
 */
static const char *handler_library(const struct environment_facts *facts)
{
	return facts->handler ? facts->runner->options->handler : NULL;
}

/* Adds the event handler, which the step's programs load themselves. */
static void add_handler(struct environment *environment, const struct environment_facts *facts)
{
	if (!handler_library(facts))
		return;
	add_value(environment, "VIGIL_HANDLER", facts->handler);
	add_value(environment, "VIGIL_HANDLER_STRING", facts->string);
}

/*
 * Preloads what reports return codes above 255. vigil's own programs are not
 * preloaded; those that run other programs' code (BPXBATCH, cobol-step) pass the
 * library on.
 */
static void add_preload(struct environment *environment, const struct environment_facts *facts)
{
	const char *library = facts->runner->options->preload;
	const char *own = getenv("LD_PRELOAD"), *handler = handler_library(facts);
	struct strbuf value = STRBUF_INIT;

	/*
	 * Events come before return codes: a call that both intercept passes from the
	 * first to the second. The event handler comes before all others: the program
	 * itself calls its hooks.
	 */
	if (handler && facts->program->kind != PROGRAM_MODULE)
		strbuf_addf(&value, "%s:", handler);
	if (facts->preload)
		strbuf_addf(&value, "%s%s", facts->preload, library ? ":" : "");
	if (library)
		strbuf_addstr(&value, library);
	if (facts->program->kind != PROGRAM_FILE && value.length > 0) {
		add_value(environment, "VIGIL_PRELOAD", value.text);
		strbuf_setlen(&value, 0);
	}
	if (handler && facts->program->kind == PROGRAM_MODULE)
		strbuf_addstr(&value, handler);
	if (own && *own)
		strbuf_addf(&value, "%s%s", value.length ? ":" : "", own);
	if (value.length > 0)
		add_value(environment, "LD_PRELOAD", value.text);
	strbuf_release(&value);
	if (!library)
		return;
	add_files(environment, facts);
	add_value(environment, "VIGIL_STEP_RC", facts->return_code);
	add(environment, xstrdup(ENVIRONMENT_PID "0000000000"));
	environment->pid_digits =
		environment->items[environment->count - 1] + strlen(ENVIRONMENT_PID);
}

void environment_init(struct environment *environment, const struct environment_facts *facts)
{
	*environment = (struct environment){ 0 };
	add_own(environment);
	/* abend.c reads the error messages of the COBOL run time, so they must be in English. */
	add_value(environment, "LANGUAGE", "C");
	add_value(environment, "TMPDIR", facts->folder);
	add_value(environment, "PWD", facts->folder);
	add_value(environment, "VIGIL_JOB", facts->runner->plan->name);
	add_value(environment, "VIGIL_STEP", facts->step_name);
	add_value(environment, "VIGIL_JOB_SPOOL", facts->runner->spool.path);
	if (facts->runner->catalog.root)
		add_value(environment, "VIGIL_ROOT", facts->runner->catalog.root);
	if (facts->runner->catalog.map)
		add_value(environment, "VIGIL_MAP", facts->runner->catalog.map);
	if (facts->runner->options->library)
		add_value(environment, "VIGIL_LIBRARY", facts->runner->options->library);
	if (facts->runner->options->requests)
		add_value(environment, "VIGIL_REQUESTS", facts->runner->options->requests);
	add_value(environment, SIGNS_VARIABLE,
		  facts->runner->options->sign ? facts->runner->options->sign : SIGNS_DEFAULT);
	add_library_path(environment, "COB_LIBRARY_PATH", facts, true);
	add_library_path(environment, "LD_LIBRARY_PATH", facts, false);
	add_program_path(environment, facts);
	add_preload(environment, facts);
	add_handler(environment, facts);
	for (const struct allocation *one = facts->allocations; one; one = one->next) {
		if (allocation_find(facts->allocations, one->dd->name) != one)
			continue; /* of two DDs with the same name the first is used */
		add_dd(environment, one);
		add_dcb(environment, one);
		add_dsn(environment, one);
	}
	for (const char *const *item = facts->more; item && *item; item++)
		add(environment, xstrdup(*item));
	for (const char *const *item = facts->measured; item && *item; item++)
		add(environment, xstrdup(*item));
}

void environment_release(struct environment *environment)
{
	for (size_t i = 0; i < environment->count; i++)
		free(environment->items[i]);
	free(environment->items);
	*environment = (struct environment){ 0 };
}
