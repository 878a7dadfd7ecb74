/* SPDX-License-Identifier: Apache-2.0 */
/* vigil submit: runs the jobs of decks. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/commands/control-options.h"
#include "session/commands/deck.h"
#include "datasets/signs.h"
#include "session/history/step-history.h"
#include "session/job/job.h"
#include "session/job/reader.h"
#include "session/output.h"
#include "common/paths.h"
#include "session/requests/pool-size.h"
#include "session/requests/requests.h"
#include "session/store/request-store.h"

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#define EXIT_JCL_ERROR 101
#define EXIT_NOT_MEASURED 102 /* of --require */

static struct deck_options deck_options;
static struct option_list steplibs;
static struct control_options control_options;
static const char *spool, *root, *map, *sign, *elapsed, *remind, *copy, *library, *pool, *requests, *history;
static uint64_t elapsed_limit, remind_after, copy_limit, pool_kb;
static bool require;
static bool unmeasured; /* a step that a request selects was not measured, or a request selects
			 * none */

static const struct command_option *submit_options(void)
{
	static const struct command_option options[] = {
		{ "spool", 0, OPTION_STRING, "DIR",
		  "folder of the jobs' output; default VIGIL_SPOOL, then ./spool", &spool },
		{ "root", 0, OPTION_STRING, "DIR",
		  "folder of the data sets; default VIGIL_ROOT, then ./data", &root },
		{ "map", 0, OPTION_STRING, "FILE",
		  "mapping of data set names to files; default VIGIL_MAP", &map },
		{ "sign", 0, OPTION_STRING, "KIND",
		  "sign of zoned numbers, ASCII or EBCDIC; default VIGIL_SIGN, then ASCII", &sign },
		{ "proclib", 0, OPTION_LIST, "DIR",
		  "folder of procedures and INCLUDE members, searched in the order given",
		  &deck_options.proclibs },
		{ "steplib", 0, OPTION_LIST, "DIR",
		  "folder of programs, searched after STEPLIB and JOBLIB", &steplibs },
		MEASURE_OPTION(control_options),
		CONTROL_OPTIONS(control_options),
		{ "elapsed", 0, OPTION_STRING, "MINUTES",
		  "end a step that takes longer, waiting included; default VIGIL_ELAPSED, then no "
		  "limit",
		  &elapsed },
		{ "remind", 0, OPTION_STRING, "MINUTES",
		  "report in the job log that a step is still running, then after twice the time, "
		  "and so on; default VIGIL_REMIND, then 60",
		  &remind },
		{ "copy", 0, OPTION_STRING, "MB",
		  "copy an indexed data set up to this size for an update; default VIGIL_COPY, "
		  "then 64",
		  &copy },
		{ "library", 0, OPTION_STRING, "DIR",
		  "resource library; default VIGIL_LIBRARY, then profiles in the data set root",
		  &library },
		{ "requests", 0, OPTION_STRING, "DIR",
		  "the request store; default VIGIL_REQUESTS, then ROOT.requests", &requests },
		{ "history", 0, OPTION_STRING, "DIR",
		  "the history of steps, or OFF; default VIGIL_HISTORY, then ROOT.history", &history },
		{ "pool", 0, OPTION_STRING, "KB",
		  "data pool of events, 100 to 2097151; default VIGIL_PDPSIZE, then 16384", &pool },
		{ "require", 0, OPTION_FLAG, NULL,
		  "end with 102 when a step that was to be measured was not", &require },
		{ "strict", 0, OPTION_FLAG, NULL, "treat what a mainframe would reject as an error",
		  &deck_options.strict },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Returns whether the named folders exist. */
static bool folders_exist(const struct option_list *list, const char *option)
{
	struct stat facts;

	for (size_t i = 0; i < list->count; i++)
		if (stat(list->items[i], &facts) < 0 || !S_ISDIR(facts.st_mode)) {
			command_fail(EXIT_USAGE, "--%s %s is not a folder", option, list->items[i]);
			return false;
		}
	return true;
}

/* Sets the rule of zoned signs; false after a message. */
static bool choose_sign(void)
{
	enum sign_kind kind;

	sign = deck_folder(sign, SIGNS_VARIABLE, SIGNS_DEFAULT);
	if (!signs_parse(sign, &kind)) {
		command_fail(EXIT_USAGE, "--sign %s is neither ASCII nor EBCDIC", sign);
		return false;
	}
	sign = signs_name(kind);
	return true;
}

/* Parses a number of minutes into ns; false if text is none. */
static bool read_minutes(const char *text, const char *name, uint64_t *ns)
{
	double minutes;
	char *end;

	if (!text)
		return true;
	minutes = strtod(text, &end);
	if (end == text || *end || !(minutes >= 0.001 && minutes <= 525600)) {
		command_fail(EXIT_USAGE,
			     "%s %s is not a number of minutes; expected 0.001 to 525600 (a year)",
			     name, text);
		return false;
	}
	*ns = (uint64_t)(minutes * 60 * NSEC_PER_SEC);
	return true;
}

/*
 * Reads the limit of elapsed time, and the time after which a message says that a
 * step is still running.
 */
static bool read_times(void)
{
	return read_minutes(deck_folder(elapsed, "VIGIL_ELAPSED", NULL),
			    elapsed ? "--elapsed" : "VIGIL_ELAPSED", &elapsed_limit) &&
	       read_minutes(deck_folder(remind, "VIGIL_REMIND", "60"),
			    remind ? "--remind" : "VIGIL_REMIND", &remind_after);
}

/* Reads the size up to which indexed data sets are copied; false if it is none. */
static bool read_copy(void)
{
	const char *text = deck_folder(copy, "VIGIL_COPY", "64");
	char *end;
	double size = strtod(text, &end);

	if (end == text || *end || !(size >= 0 && size <= 1e9)) {
		command_fail(EXIT_USAGE, "%s %s is not a number of megabytes; expected 0 to 1e9",
			     copy ? "--copy" : "VIGIL_COPY", text);
		return false;
	}
	copy_limit = (uint64_t)(size * 1024 * 1024);
	return true;
}

/* Does nothing: unlike SIG_IGN, a handler is not inherited by the steps. */
static void ignore(int number UNUSED)
{
}

/* Returns whether a job that failed the check has a valid name for its folder in the spool. */
static bool has_name(const struct plan_job *job)
{
	size_t length = strlen(job->name);

	return length > 0 && length <= 8 &&
	       job->name[strspn(job->name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@#$")] == '\0';
}

/*
 * Runs the jobs of a deck; returns the highest exit status. After an error in any
 * deck (not good) no job runs, and those with errors only leave their listings in
 * the spool.
 */
static int run_deck(const struct deck *deck, const struct job_options *options, bool good)
{
	struct job_options of_deck = *options;
	int worst = good ? 0 : EXIT_JCL_ERROR;

	of_deck.cards = deck->checked;
	for (const struct plan_job *job = deck->jobs; job && !*options->cancelled;
	     job = job->next) {
		struct error err = ERROR_INIT;
		int status;

		if (!good && (!job->failed || !has_name(job)))
			continue;
		status = job_run(job, &of_deck, &err);
		if (error_text(&err)[0])
			command_message(SEVERITY_ERROR, 37, "job %s: %s", job->name,
					error_text(&err));
		if (status < 0)
			status = EXIT_JCL_ERROR;
		worst = status > worst ? status : worst;
		error_release(&err);
	}
	return worst;
}

/* Runs the jobs of a deck that a job submitted; a deck with an error runs nothing. */
static int run_submitted(struct deck_list *decks, const struct submitted *submitted,
			 struct job_options options)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct source *source =
		source_new(submitted->name, submitted->cards.text, submitted->cards.length);
	const struct deck *deck = deck_list_add(decks, source, &deck_options, &diags);
	bool good = deck_diagnose(&diags, SEVERITY_WARNING);
	int status;

	options.diags = &diags;
	options.submitter = submitted->by;
	if (!good)
		command_message(SEVERITY_ERROR, 5253, "the deck that %s submitted is not run",
				submitted->by);
	status = run_deck(deck, &options, good);
	diag_list_release(&diags);
	return status;
}

/* Returns the absolute path of a folder, because steps have another current folder; NULL: none. */
static char *absolute(const char *folder)
{
	struct strbuf path = STRBUF_INIT;
	char current[PATH_MAX];

	if (!folder)
		return NULL;
	if (folder[0] != '/' && getcwd(current, sizeof(current)))
		strbuf_addf(&path, "%s/", current);
	strbuf_addstr(&path, folder);
	return strbuf_detach(&path, NULL);
}

/* Runs all jobs in order, then those that they submit; returns the highest exit status. */
static int run_jobs(struct deck_list *decks, const struct statements *statements,
		    const struct diag_list *diags, bool good)
{
	char *utilities = paths_utilities(), *preload = paths_step_library();
	char *resources = absolute(deck_folder(library, "VIGIL_LIBRARY", NULL));
	char *store = request_store_folder(requests, deck_folder(root, "VIGIL_ROOT", "data"));
	char *stored = absolute(store);
	char *named = history_folder(history, deck_folder(root, "VIGIL_ROOT", "data"));
	char *kept = history_is_off(named) ? NULL : absolute(named);
	char *handler = paths_handler_library();
	bool cancelled = false; /* set when a signal cancels all jobs */
	struct reader reader = { 0 };
	const struct job_options options = {
		.spool = deck_folder(spool, "VIGIL_SPOOL", "spool"),
		.root = deck_folder(root, "VIGIL_ROOT", "data"),
		.map = deck_folder(map, "VIGIL_MAP", NULL),
		.sign = sign,
		.program_path = steplibs.items,
		.program_path_count = steplibs.count,
		.utilities = utilities,
		.preload = preload,
		.library = resources,
		.requests = stored,
		.history = kept,
		.submitted = clock_wall_ns(),
		.pool_kb = pool_kb,
		.handler = handler,
		.control = statements->deck->statements ? statements->deck : NULL,
		.diags = diags,
		.log = stdout,
		.elapsed_limit = elapsed_limit,
		.remind_after = remind_after,
		.copy_limit = copy_limit,
		.progress = true,
		.reader = &reader,
		.unmeasured = &unmeasured,
		.cancelled = &cancelled,
	};
	int worst = good ? 0 : EXIT_JCL_ERROR, status;

	for (size_t i = 0, count = decks->count; i < count; i++) {
		status = run_deck(&decks->items[i], &options, good);
		worst = status > worst ? status : worst;
	}
	for (size_t i = 0; i < reader.count && !cancelled; i++) {
		/* The queue may be reallocated while the deck runs, its texts are not. */
		struct submitted submitted = reader.items[i];

		status = run_submitted(decks, &submitted, options);
		worst = status > worst ? status : worst;
	}
	if (reader.refused && worst < EXIT_JCL_ERROR)
		worst = EXIT_JCL_ERROR;
	reader_release(&reader);
	free(utilities);
	free(preload);
	free(resources);
	free(store);
	free(stored);
	free(named);
	free(kept);
	free(handler);
	return worst;
}

/* Returns the exit status under --require: 102 after jobs that ended normally. */
static int required_status(int status, const struct diag_list *diags)
{
	for (size_t i = 0; i < diags->count; i++)
		unmeasured |= diags->items[i].number == DECK_SELECTS_NO_STEP;
	RETURN_IF(!require || !unmeasured, status);
	command_message(SEVERITY_ERROR, 54,
			"not everything was measured as --require demands; without it the exit status would be %d", status);
	return status < 100 ? EXIT_NOT_MEASURED : status;
}

/*
 * Reports that the copy of the job log on standard output is incomplete, unless
 * its reader closed it.
 */
static void check_log_copy(void)
{
	const struct output output = { .stream = stdout };

	if (ferror(stdout) && !output_reader_gone(&output))
		command_message(SEVERITY_WARNING, 39,
				"cannot write to standard output; the job log is in the spool");
}

static int submit_main(int argc, char **argv)
{
	struct diag_list diags = DIAG_LIST_INIT;
	struct statements statements;
	struct deck_list decks;
	bool good;
	int status;

	if (argc == 0)
		return command_fail(EXIT_USAGE, "submit needs a deck");
	deck_default_list(&deck_options.proclibs, "VIGIL_PROCLIB");
	deck_default_list(&steplibs, "VIGIL_STEPLIB");
	if (!folders_exist(&deck_options.proclibs, "proclib") ||
	    !folders_exist(&steplibs, "steplib") || !choose_sign() || !read_times() ||
	    !read_copy())
		return EXIT_USAGE;
	if (!pool_size_settle(pool, &pool_kb))
		return command_fail(EXIT_USAGE, POOL_SIZE_EXPECTED,
				    pool ? "--pool" : POOL_SIZE_VARIABLE);
	statements_init(&statements);
	status = control_options_read(&control_options, &statements, &diags);
	if (status == EXIT_USAGE)
		return status;
	good = status == EXIT_OK;
	request_check_reports(statements.deck, &request_place_jobs, &diags);
	deck_options.root = deck_folder(root, "VIGIL_ROOT", "data");
	deck_options.map = deck_folder(map, "VIGIL_MAP", NULL);
	deck_list_read(&decks, argc, argv, &deck_options, &diags);
	deck_list_warn_unmatched(&decks, statements.deck, &diags);
	good = deck_diagnose(&diags, SEVERITY_WARNING) && good && !decks.unreadable;
	signal(SIGPIPE, ignore);
	status = run_jobs(&decks, &statements, &diags, good);
	check_log_copy();
	status = required_status(status, &diags);
	diag_list_release(&diags);
	deck_list_release(&decks);
	statements_release(&statements);
	free(deck_options.proclibs.items);
	free(steplibs.items);
	control_options_release(&control_options);
	return status;
}

const struct command submit_command = {
	.name = "submit",
	.arguments = "DECK...",
	.summary = "Runs the jobs of decks, step by step",
	.options = submit_options,
	.run = submit_main,
};
