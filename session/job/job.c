/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a job: its folder and log, its locks, its steps in order, its end. */
#include "common/compat.h"
#include "session/job/job.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/job/guard.h"
#include "session/job/jes.h"
#include "session/job/job-history.h"
#include "session/job/reserve.h"
#include "session/job/step.h"
#include "session/job/stored-step.h"
#include "session/job/supervise.h"

#include <unistd.h>

#define EXIT_HIGHEST_CODE 98
#define EXIT_CODE_ABOVE 99
#define EXIT_ABEND 100
#define EXIT_JCL_ERROR 101

/* Writes INPUT.jcl, the cards as they were read, with passwords hidden; and JESJCL. */
static int write_cards(struct runner *runner, struct error *err)
{
	const struct plan_job *job = runner->plan;
	struct strbuf input = STRBUF_INIT;
	int result;

	for (unsigned line = job->first_line;
	     job->source && line > 0 && line <= job->last_line && line <= job->source->line_count;
	     line++) {
		const struct source_line *card = &job->source->lines[line - 1];
		size_t start = input.length;

		strbuf_add(&input, card->text, card->length);
		if (card->length > 2 && strncmp(card->text, "//", 2) == 0)
			jes_hide_password(input.text + start);
		strbuf_addch(&input, '\n');
	}
	result = spool_write(&runner->spool, "INPUT.jcl", &input, err);
	if (result == 0)
		result = jes_list_statements(runner, err);
	strbuf_release(&input);
	return result;
}

/* Logs why a step is bypassed. */
static void log_bypass(struct runner *runner, const struct plan_step *step,
		       enum condition_decision decision, const struct plan_cond *test)
{
	char *name = runner_step_name(runner, step), *abended;
	struct strbuf why = STRBUF_INIT;

	switch (decision) {
	case CONDITION_IF:
		strbuf_addstr(&why, "its IF or ELSE clause does not apply");
		break;
	case CONDITION_COND:
	case CONDITION_JOB:
		strbuf_addf(&why, "COND=(%u,%s", test->code, plan_relation_name(test->relation));
		if (test->step)
			strbuf_addf(&why, ",%s%s%s", test->step, test->procstep ? "." : "",
				    test->procstep ? test->procstep : "");
		strbuf_addf(&why, ") of the %s holds", decision == CONDITION_JOB ? "job" : "step");
		break;
	case CONDITION_ABEND:
		abended = runner_step_name(runner, conditions_abend(&runner->conditions)->step);
		strbuf_addf(&why, "step %s abended", abended);
		free(abended);
		break;
	case CONDITION_NO_ABEND:
		strbuf_addstr(&why, "COND=ONLY, and no step abended");
		break;
	case CONDITION_RUN:
		break;
	}
	job_log_message(&runner->log, SEVERITY_INFO, 5013, "step %s not run: %s", name, why.text);
	jes_step_not_run(runner, step, decision);
	strbuf_release(&why);
	free(name);
}

/* Returns whether STEP or STEP.PROCSTEP names this step. */
static bool is_named(const struct plan_step *step, const char *name, const char *procstep)
{
	if (strcmp(name, step->name) != 0)
		return false;
	return !procstep || strcmp(procstep, step->procstep) == 0;
}

/* Returns the step to begin with; NULL if the job has no step that RESTART names. */
static const struct plan_step *first_step(const struct plan_job *job)
{
	const struct plan_step *step = job->steps;

	if (!job->restart_step || strcmp(job->restart_step, "*") == 0)
		return step;
	while (step && !is_named(step, job->restart_step, job->restart_procstep))
		step = step->next;
	return step;
}

/* Runs or bypasses one step; returns whether the job continues. */
static bool next_step(struct runner *runner, const struct plan_step *step,
		      const struct own_cards *cards)
{
	struct step_result result = { .step = step, .end = STEP_NOT_RUN };
	const struct plan_cond *test = NULL;
	enum condition_decision decision =
		conditions_decide(&runner->conditions, runner->plan, step, &test);

	if (decision == CONDITION_RUN)
		step_run(runner, step, cards, &result);
	else
		log_bypass(runner, step, decision, test);
	conditions_add(&runner->conditions, &result);
	return decision != CONDITION_JOB && !runner->failed && !supervise_cancelled(runner, 0);
}

static void run_steps(struct runner *runner, const struct own_cards *cards)
{
	const struct plan_step *first = first_step(runner->plan);
	bool reached = false, on = true;
	size_t index = 0;

	if (runner->plan->steps && !first) {
		job_log_message(&runner->log, SEVERITY_ERROR, 5053,
				"RESTART names step %s, which the job does not have",
				runner->plan->restart_step);
		runner->failed = true;
		return;
	}
	for (const struct plan_step *step = runner->plan->steps; step && on;
	     step = step->next, index++) {
		reached |= step == first;
		if (reached)
			on = next_step(runner, step, cards);
		else
			conditions_add(&runner->conditions, &(struct step_result){ .step = step });
		job_history_gives_back(runner, index);
		lock_list_step_ended(&runner->locks, index);
	}
}

/* Returns the job's return code; JOBRC may ask for that of the last step, or of a named one. */
static unsigned job_code(const struct runner *runner)
{
	const struct plan_job *job = runner->plan;
	const struct conditions *ends = &runner->conditions;
	unsigned code = 0;

	if (job->code_source == JOBRC_MAXIMUM)
		return conditions_highest(ends);
	for (size_t i = 0; i < ends->count; i++) {
		const struct step_result *result = &ends->results[i];

		if (result->end == STEP_ENDED &&
		    (job->code_source == JOBRC_LAST ||
		     is_named(result->step, job->code_step, job->code_procstep)))
			code = result->return_code;
	}
	return code;
}

/* Records in STATE and in the history how the job ended. */
static void end_state(struct runner *runner, const char *state)
{
	spool_set_state(&runner->spool, state, "", 0);
	job_history_end(runner, state);
}

/* Records how the job ended: STATE and the last lines of the log. Returns the exit status. */
static int finish(struct runner *runner, uint64_t start)
{
	const struct step_result *abend = conditions_abend(&runner->conditions);
	unsigned code = job_code(runner);
	double elapsed = (double)(clock_monotonic_ns() - start) / NSEC_PER_SEC;
	double cpu = (double)runner->cpu_used / NSEC_PER_SEC;
	const char *name = runner->plan->name;

	if (runner->cancelled) {
		end_state(runner, "CANCELED");
		job_log_message(&runner->log, SEVERITY_ERROR, 5004,
				"job %s ended: cancelled by signal %s, CPU %.2f s, elapsed %.2f s",
				name, sigabbrev_np(runner->cancelled), cpu, elapsed);
		return EXIT_ABEND;
	}
	if (runner->failed) {
		end_state(runner, "JCLERROR");
		job_log_message(&runner->log, SEVERITY_ERROR, 5003,
				"job %s ended: JCL error, CPU %.2f s, elapsed %.2f s", name, cpu,
				elapsed);
		return EXIT_JCL_ERROR;
	}
	if (abend) {
		end_state(runner, "ABENDED");
		job_log_message(&runner->log, SEVERITY_ERROR, 5005,
				"job %s ended: ABEND %s, CPU %.2f s, elapsed %.2f s", name,
				abend->abend, cpu, elapsed);
		return EXIT_ABEND;
	}
	end_state(runner, "ENDED");
	job_log_message(&runner->log, SEVERITY_INFO, 5002,
			"job %s ended: %s %04u, CPU %.2f s, elapsed %.2f s", name,
			runner->plan->code_source == JOBRC_MAXIMUM ? "highest return code"
								   : "return code by JOBRC",
			code, cpu, elapsed);
	return code > EXIT_HIGHEST_CODE ? EXIT_CODE_ABOVE : (int)code;
}

/* Logs that TYPRUN keeps the job from running; returns whether it does. */
static bool type_run(struct runner *runner)
{
	const struct plan_job *job = runner->plan;

	if (!job->scan && !job->hold && !job->copy)
		return false;
	job_log_message(&runner->log, SEVERITY_INFO, 5006, "job %s is not run: TYPRUN=%s%s",
			job->name,
			job->scan   ? "SCAN"
			: job->copy ? "COPY"
				    : "HOLD",
			job->copy ? ", its cards are in JESJCL" : "");
	spool_set_state(&runner->spool, "NOTRUN", "", 0);
	return true;
}

/* Logs what the check of the deck said about the job's cards. */
static void log_card_messages(struct runner *runner)
{
	const struct diag_list *diags = runner->options->diags;
	const struct plan_job *job = runner->plan;

	for (size_t i = 0; diags && i < diags->count; i++)
		if (jes_is_about(job, &diags->items[i]))
			job_log_diagnostic(&runner->log, &diags->items[i]);
}

/* Runs the job from the first message to the last, once folder and log exist. */
static int run_logged(struct runner *runner)
{
	struct own_cards *cards = NULL;
	struct strbuf date = STRBUF_INIT;
	uint64_t start = clock_monotonic_ns();
	int status;

	clock_format_wall(&date, clock_wall_ns());
	if (runner->plan->failed)
		job_log_message(&runner->log, SEVERITY_INFO, 5205, "job %s read %s, spool %s",
				runner->plan->name, date.text, runner->spool.path);
	else
		job_log_message(&runner->log, SEVERITY_INFO, 5001, "job %s started %s, spool %s",
				runner->plan->name, date.text, runner->spool.path);
	strbuf_release(&date);
	jes_job_started(runner);
	job_history_begin(runner);
	if (runner->options->submitter)
		job_log_message(&runner->log, SEVERITY_INFO, 5254, "job %s was submitted by %s",
				runner->plan->name, runner->options->submitter);
	log_card_messages(runner);
	if (runner->plan->failed || own_cards_check(runner, &cards) < 0) {
		runner->failed = true;
	} else if (type_run(runner)) {
		own_cards_free(cards);
		return 0;
	} else if (reserve_data_sets(runner, cards) == 0) {
		run_steps(runner, cards);
	}
	stored_step_job_ends(runner);
	dispose_job(runner);
	jes_job_ended(runner, job_code(runner));
	status = finish(runner, start);
	own_cards_free(cards);
	return status;
}

/* Returns the absolute form of a folder's path; unchanged if it does not exist. */
static char *absolute(const char *path)
{
	char *found = path ? realpath(path, NULL) : NULL;

	return found || !path ? found : xstrdup(path);
}

/* Makes the folders where programs are searched absolute. */
static void fix_paths(struct runner *runner)
{
	const struct job_options *options = runner->options;

	runner->utilities = absolute(options->utilities);
	runner->program_path =
		xcalloc(options->program_path_count + 1, sizeof(*runner->program_path));
	for (size_t i = 0; i < options->program_path_count; i++)
		runner->program_path[i] = absolute(options->program_path[i]);
}

/* Creates the job's folder and files, and starts the guard. */
static int begin(struct runner *runner, struct error *err)
{
	fix_paths(runner);
	RETURN_IF(spool_open(&runner->spool, runner->options->spool, runner->plan->name, err) < 0,
		  -1);
	RETURN_IF(job_log_open(&runner->log, runner->spool.folder, runner->spool.number,
			       runner->options->log, err) < 0,
		  -1);
	RETURN_IF(write_cards(runner, err) < 0, -1);
	guard_start(runner);
	return supervise_begin(runner, err);
}

/* Releases everything. Signals are unblocked last: nothing of the job is left by then. */
static void end(struct runner *runner)
{
	lock_list_release(&runner->locks);
	job_history_release(&runner->history);
	conditions_release(&runner->conditions);
	for (size_t i = 0; runner->program_path && i < runner->options->program_path_count; i++)
		free(runner->program_path[i]);
	free(runner->program_path);
	free(runner->utilities);
	catalog_release(&runner->catalog);
	spool_close(&runner->spool);
	guard_end(runner);
	job_log_close(&runner->log);
	supervise_end(runner);
}

int job_run(const struct plan_job *job, const struct job_options *options, struct error *err)
{
	struct runner runner = { .plan = job,
				 .options = options,
				 .log = { .messages = -1, .system = -1 },
				 .signals = -1,
				 .guard = -1 };
	int status = -1;

	lock_list_init(&runner.locks);
	conditions_init(&runner.conditions);
	if (begin(&runner, err) == 0) {
		status = run_logged(&runner);
		if (runner.log.failed) {
			errno = runner.log.failure;
			status = error_errno(err, "%u lines of the log in %s could not be written",
					     runner.log.failed, runner.spool.path);
		}
	}
	if (options->cancelled && runner.cancelled)
		*options->cancelled = true;
	end(&runner);
	return status;
}
