/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a job and its steps to the history, and logs how tonight differs from earlier nights. */
#include "common/compat.h"
#include "session/job/job-history.h"
#include "common/clock.h"
#include "common/xalloc.h"
#include "session/history/last-nights.h"
#include "session/job/runner.h"

#include <math.h>
#include <unistd.h>

#define BRIEF_PATIENCE 20

/* Returns whether the history is to be written. */
static bool is_wanted(const struct runner *runner)
{
	return runner->options->history && !runner->history.failed;
}

void job_history_begin(struct runner *runner)
{
	struct history_job *job = &runner->history.job;
	struct strbuf sb = STRBUF_INIT;
	char host[65] = "";

	if (!runner->options->history)
		return;
	gethostname(host, sizeof(host) - 1);
	job->name = xstrdup(runner->plan->name);
	job->host = xstrdup(host);
	job->spool = xstrdup(runner->spool.path);
	job->ending = xstrdup("");
	job->started = clock_wall_ns();
	strbuf_addf(&sb, "JOB%05u", runner->spool.number);
	job->number = strbuf_detach(&sb, NULL);
	strbuf_addf(&sb, "%s %ld %" PRIu64, host, (long)getpid(), runner->options->submitted);
	job->submit = strbuf_detach(&sb, NULL);
}

/* Ends the current wait for a data set. */
static void end_delay(struct job_history *history)
{
	if (history->waiting)
		history->job.delays[history->job.delay_count - 1].ended = clock_wall_ns();
	history->waiting = false;
}

void job_history_waits(struct runner *runner, const char *dsn)
{
	struct history_job *job = &runner->history.job;

	end_delay(&runner->history);
	GROW(job->delays, job->delay_count + 1, job->delay_alloc);
	job->delays[job->delay_count++] =
		(struct history_delay){ xstrdup(dsn), clock_wall_ns(), 0 };
	runner->history.waiting = true;
}

void job_history_reserved(struct runner *runner)
{
	end_delay(&runner->history);
}

/* Records that a lock is released now. */
static void add_hold(struct history_job *job, const struct lock *lock, uint64_t now)
{
	GROW(job->holds, job->hold_count + 1, job->hold_alloc);
	job->holds[job->hold_count++] =
		(struct history_hold){ xstrdup(lock->dsn), lock->exclusive, now };
}

void job_history_gives_back(struct runner *runner, size_t index)
{
	const uint64_t now = clock_wall_ns();

	if (!is_wanted(runner))
		return;
	for (size_t i = 0; i < runner->locks.count; i++)
		if (runner->locks.items[i].held && runner->locks.items[i].last_step == index)
			add_hold(&runner->history.job, &runner->locks.items[i], now);
}

/* Logs that the history cannot be written; the job continues without it. */
static void log_failure(struct runner *runner, const struct error *err)
{
	job_log_message(&runner->log, SEVERITY_WARNING, 6850,
			"the history cannot be written, so %s not in it: %s",
			runner->history.job.id ? "all of this job is" : "this job is",
			error_text(err));
	runner->history.failed = true;
	history_steps_release(&runner->history.pending);
}

/* Logs how a measured step differs from its last nights. */
static void log_difference(struct runner *runner, const char *name, const struct history_step *step)
{
	if (step->differs > 0)
		job_log_message(&runner->log, SEVERITY_WARNING, 6851,
				"step %s took more than on its last %u nights: %s", name,
				step->nights, step->difference);
	else if (step->differs < 0)
		job_log_message(&runner->log, SEVERITY_INFO, 6852,
				"step %s took less than on its last %u nights: %s", name,
				step->nights, step->difference);
}

/* Compares the pending steps with their last nights, and writes them. */
static int write_pending(struct runner *runner, struct history *history, bool *locked,
			 struct error *err)
{
	struct job_history *own = &runner->history;

	for (size_t i = 0; i < own->pending.count; i++)
		RETURN_IF(last_nights_compare(history, &own->pending.items[i], err) < 0, -1);
	RETURN_IF(history_save(history, &own->job, own->pending.items, own->pending.count, locked,
			       err) < 0,
		  -1);
	for (size_t i = 0; i < own->pending.count; i++)
		if (own->pending.items[i].measured)
			log_difference(runner, own->pending.items[i].label,
				       &own->pending.items[i]);
	history_steps_release(&own->pending);
	return 0;
}

/* Writes the pending steps to the history; final: there is no later attempt. */
static void write_history(struct runner *runner, int patience, bool final)
{
	struct job_history *own = &runner->history;
	struct error err = ERROR_INIT;
	bool locked = false;
	struct history *history = history_open(runner->options->history, own->measured, patience,
					       &locked, &err);

	if (history)
		write_pending(runner, history, &locked, &err);
	history_close(history);
	own->was_locked = locked;
	if (*error_text(&err) && (final || !locked))
		log_failure(runner, &err);
	error_release(&err);
}

/* Returns the peak of a step, HISTORY_UNKNOWN if it is not known exactly. */
static uint64_t peak_of(const struct step_result *result)
{
	return result->peak && !result->peak_below ? result->peak : HISTORY_UNKNOWN;
}

void job_history_step(struct runner *runner, const struct step_result *result, const char *name,
		      uint64_t started, struct history_step *left)
{
	struct job_history *own = &runner->history;
	struct history_step *step;

	if (!is_wanted(runner)) {
		history_step_release(left);
		return;
	}
	GROW(own->pending.items, own->pending.count + 1, own->pending.alloc);
	step = &own->pending.items[own->pending.count++];
	*step = *left;
	*left = (struct history_step){ 0 };
	if (!step->measured) {
		for (int i = 0; i < HISTORY_FIGURES; i++)
			step->figures[i] = HISTORY_UNKNOWN;
		step->margin = NAN;
		step->finding = xstrdup("");
		step->data_set = xstrdup("");
	}
	step->job = xstrdup(runner->plan->name);
	step->label = xstrdup(name);
	step->step = xstrdup(result->step->name);
	step->procstep = xstrdup(result->step->procstep);
	step->program = xstrdup(result->step->program ? result->step->program : "*");
	step->abend = xstrdup(result->end == STEP_ABENDED ? result->abend : "");
	step->code = result->return_code;
	step->started = started;
	step->ended = started + result->elapsed;
	step->figures[HISTORY_ELAPSED] = result->elapsed;
	step->figures[HISTORY_CPU] = result->user + result->system;
	step->figures[HISTORY_PEAK] = peak_of(result);
	step->difference = xstrdup("");
	if (!step->page)
		step->page = xstrdup("");
	own->measured |= step->measured;
	if (step->measured)
		write_history(runner, own->was_locked ? BRIEF_PATIENCE : HISTORY_STEP_PATIENCE, false);
}

void job_history_end(struct runner *runner, const char *ending)
{
	struct history_job *job = &runner->history.job;

	if (!is_wanted(runner))
		return;
	end_delay(&runner->history);
	job->ended = clock_wall_ns();
	free(job->ending);
	job->ending = xstrdup(ending);
	/* What is still held is released when the job is over: now. */
	for (size_t i = 0; i < runner->locks.count; i++)
		if (runner->locks.items[i].held)
			add_hold(job, &runner->locks.items[i], job->ended);
	write_history(runner, HISTORY_JOB_PATIENCE, true);
}

void job_history_release(struct job_history *history)
{
	history_job_release(&history->job);
	history_steps_release(&history->pending);
}
