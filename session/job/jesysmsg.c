/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Writes what JESYSMSG and JESMSGLG say about a job, its steps and data sets, in
 * the wording of z/OS.
 */
#include "common/compat.h"
#include "session/job/jes.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/xalloc.h"
#include "session/job/restart.h"
#include "session/library/resource.h"

#include <ctype.h>
#include <unistd.h>

#define MINUTE (60 * NSEC_PER_SEC)

/* Returns "JOB STEP" or "JOB PROCSTEP STEP", as messages name a step; the caller frees it. */
static char *full_name(const struct runner *runner, const struct plan_step *step)
{
	struct strbuf sb = STRBUF_INIT;
	char *name = *step->name ? xstrdup(step->name) : runner_step_name(runner, step);

	if (!*step->name)
		name[strcspn(name, ".")] = '\0';
	strbuf_addstr(&sb, runner->plan->name);
	if (*step->procstep)
		strbuf_addf(&sb, " %s", step->procstep);
	strbuf_addf(&sb, " %s", name);
	free(name);
	return strbuf_detach(&sb, NULL);
}

/* Returns the name of a step in IEF373I and IEF374I: that of the EXEC that runs the program. */
static const char *short_name(const struct plan_step *step)
{
	return *step->procstep ? step->procstep : step->name;
}

/* Returns the unit on which a DD is allocated. */
static const char *unit_name(const struct plan_dd *dd)
{
	switch (dd->kind) {
	case DD_DUMMY:
		return "DMY";
	case DD_SYSOUT:
	case DD_INSTREAM:
		return "JES2";
	case DD_PATH:
		return "PATH";
	case DD_DATASET:
		break;
	}
	return "DISK";
}

void jes_allocated(struct runner *runner, const struct plan_step *step,
		   const struct allocation *list)
{
	char *name = full_name(runner, step);

	job_log_system_line(&runner->log, "IEF236I ALLOC. FOR %s", name);
	free(name);
	for (; list; list = list->next)
		for (const struct allocation *one = list; one; one = one->next_concat)
			job_log_system_line(&runner->log, "IEF237I %-4s ALLOCATED TO %s",
					    unit_name(one->dd), one == list ? one->dd->name : "");
}

void jes_disposed(struct runner *runner, const char *dsn, enum disp_action asked, const char *what)
{
	bool catalogued = strcmp(what, "kept") == 0 && asked == DISP_CATLG;
	char word[16];
	size_t length = 0;

	if (strcmp(what, "extended") == 0)
		return; /* no z/OS message for this; the next line says what was then done with
			 * the data set */
	for (; what[length] && length + 1 < sizeof(word); length++)
		word[length] = (char)toupper((unsigned char)what[length]);
	word[length] = '\0';
	job_log_system_line(&runner->log, "IEF285I   %-44s %s", dsn,
			    catalogued ? "CATALOGED" : word);
}

void jes_sysout(struct runner *runner, const struct allocation *allocation)
{
	job_log_system_line(&runner->log, "IEF285I   %-44s SYSOUT", path_base(allocation->path));
}

/* Formats a date and time of day as in IEF373I: 2026325.0612. */
static void format_moment(char text[16], uint64_t wall_ns)
{
	time_t seconds = (time_t)(wall_ns / NSEC_PER_SEC);
	struct tm when;

	text[0] = '\0';
	if (localtime_r(&seconds, &when))
		strftime(text, 16, "%Y%j.%H%M", &when);
}

/* Appends the current time, "06:12:01". */
static void format_time(struct strbuf *sb)
{
	clock_format_wall_time(sb, clock_wall_ns());
}

/* Logs the codes of a step's abend in both logs. */
static void abend_lines(struct runner *runner, const char *name, const char *code)
{
	bool user = code[0] == 'U';
	struct strbuf time = STRBUF_INIT;

	format_time(&time);
	job_log_line(&runner->log, false, "IEF450I %s - ABEND=%s %s REASON=00000000 TIME=%s", name,
		     user ? "S000" : code, user ? code : "U0000", time.text);
	job_log_system_line(&runner->log,
			    "IEF472I %s - COMPLETION CODE - SYSTEM=%s USER=%s REASON=00000000",
			    name, user ? "000" : code + 1, user ? code + 1 : "0000");
	strbuf_release(&time);
}

void jes_step_code(struct runner *runner, const struct step_result *result)
{
	char *name = full_name(runner, result->step);

	if (result->end == STEP_ABENDED)
		abend_lines(runner, name, result->abend);
	else
		job_log_system_line(&runner->log, "IEF142I %s - STEP WAS EXECUTED - COND CODE %04u",
				    name, result->return_code);
	free(name);
}

/* Appends "CPU   0MIN 00.98SEC SRB   0MIN 00.02SEC". */
static void format_times(struct strbuf *sb, uint64_t user, uint64_t system)
{
	strbuf_addf(sb, "CPU %3" PRIu64 "MIN %05.2fSEC SRB %3" PRIu64 "MIN %05.2fSEC",
		    user / MINUTE, (double)(user % MINUTE) / NSEC_PER_SEC, system / MINUTE,
		    (double)(system % MINUTE) / NSEC_PER_SEC);
}

void jes_format_peak(struct strbuf *sb, const struct step_result *result)
{
	strbuf_addf(sb, "%s%.1f MB", result->peak_below ? "below " : "",
		    (double)result->peak / (1024 * 1024));
}

/* Returns whether the step has a file of this kind in the spool. */
static bool in_spool(const struct runner *runner, const char *step_name, const char *suffix)
{
	struct strbuf path = STRBUF_INIT;
	bool there;

	strbuf_addf(&path, "%s/%s.%s", runner->spool.path, step_name, suffix);
	there = access(path.text, F_OK) == 0;
	strbuf_release(&path);
	return there;
}

/* Logs where the profile and the sample data set of a measured step are. */
static void log_profile(struct runner *runner, const struct plan_step *step)
{
	char *name = runner_step_name(runner, step);

	if (in_spool(runner, name, "VIGPROF"))
		job_log_system(&runner->log, SEVERITY_INFO, 5200,
			       "step %s: its Performance Profile is in %s/%s.VIGPROF", name,
			       runner->spool.path, name);
	for (enum resource_kind kind = 0; kind < RESOURCE_KIND_COUNT; kind++)
		if (in_spool(runner, name, resource_suffix(kind) + 1))
			job_log_system(&runner->log, SEVERITY_INFO, 5201,
				       "step %s: its sample data set is %s/%s%s", name,
				       runner->spool.path, name, resource_suffix(kind));
	free(name);
}

void jes_step_ended(struct runner *runner, const struct step_result *result)
{
	uint64_t now = clock_wall_ns();
	struct strbuf times = STRBUF_INIT, peak = STRBUF_INIT;
	char moment[16];

	format_moment(moment, now - result->elapsed);
	job_log_system_line(&runner->log, "IEF373I STEP/%-8s/START %s", short_name(result->step),
			    moment);
	format_moment(moment, now);
	format_times(&times, result->user, result->system);
	job_log_system_line(&runner->log, "IEF374I STEP/%-8s/STOP  %s %s VIRT %6" PRIu64 "K",
			    short_name(result->step), moment, times.text, result->peak / 1024);
	jes_format_peak(&peak, result);
	job_log_system(
		&runner->log, SEVERITY_INFO, 5202,
		"CPU %.2f s (SRB is the system's part of it), elapsed %.2f s, peak storage %s",
		(double)(result->user + result->system) / NSEC_PER_SEC,
		(double)result->elapsed / NSEC_PER_SEC, peak.text);
	log_profile(runner, result->step);
	strbuf_release(&times);
	strbuf_release(&peak);
}

/* Returns whether an IF was evaluated and its clause does not apply. */
static bool refused(const struct conditions *conditions, const struct plan_guard *guard)
{
	for (size_t i = 0; i < conditions->if_count; i++)
		if (conditions->ifs[i].if_number == guard->if_number)
			return conditions->ifs[i].value != guard->wanted;
	return false;
}

/* Returns the statement number of the IF because of which a step was not run. */
static unsigned refusing_if(const struct runner *runner, const struct plan_step *step)
{
	const struct plan_guard *found = step->guard;

	for (const struct plan_guard *at = step->guard; at; at = at->outer)
		if (refused(&runner->conditions, at))
			found = at;
	return found && found->expr ? jes_statement_number(runner->plan, &found->expr->location)
				    : 0;
}

void jes_step_not_run(struct runner *runner, const struct plan_step *step,
		      enum condition_decision decision)
{
	char *name = full_name(runner, step);

	if (decision == CONDITION_JOB)
		job_log_system_line(&runner->log,
				    "IEF201I %s - JOB TERMINATED BECAUSE OF CONDITION CODES", name);
	else if (decision == CONDITION_COND)
		job_log_system_line(&runner->log,
				    "IEF202I %s - STEP WAS NOT RUN BECAUSE OF CONDITION CODES",
				    name);
	else if (decision == CONDITION_IF)
		job_log_system_line(&runner->log,
				    "IEF206I %s - STEP WAS NOT RUN BECAUSE OF CONDITIONAL "
				    "EXPRESSION ON STATEMENT %u",
				    name, refusing_if(runner, step));
	job_log_system_line(&runner->log, "IEF272I %s - STEP WAS NOT EXECUTED", name);
	free(name);
}

void jes_job_started(struct runner *runner)
{
	struct strbuf time = STRBUF_INIT;

	runner->started = clock_wall_ns();
	if (runner->plan->failed)
		return;
	format_time(&time);
	job_log_line(&runner->log, false, "IEF403I %s - STARTED - TIME=%s", runner->plan->name,
		     time.text);
	strbuf_release(&time);
}

/* Formats how a step ended, for the table. */
static void format_end(const struct runner *runner, const struct step_result *result, char text[8])
{
	bool last = runner->conditions.count > 0 &&
		    result == &runner->conditions.results[runner->conditions.count - 1];

	if (result && result->end == STEP_ENDED)
		snprintf(text, 8, "%04u", result->return_code % 10000);
	else if (result && result->end == STEP_ABENDED)
		snprintf(text, 8, "%s", result->abend);
	else
		snprintf(text, 8, "%s", last && runner->failed ? "JCLERR" : "FLUSH");
}

/* Logs one row of the table. */
static void table_row(struct runner *runner, const struct plan_step *step,
		      const struct step_result *result)
{
	bool ran = result && result->end != STEP_NOT_RUN;
	struct strbuf sb = STRBUF_INIT, peak = STRBUF_INIT;
	char *name = runner_step_name(runner, step);
	char end[8];

	format_end(runner, result, end);
	strbuf_addf(&sb, "-%-8.*s %-8s %-8s %6s",
		    (int)(*step->name ? strlen(step->name) : strcspn(name, ".")),
		    *step->name ? step->name : name, step->procstep, step->program, end);
	if (ran) {
		jes_format_peak(&peak, result);
		strbuf_addf(&sb, " %10.2f %10.2f %15s",
			    (double)(result->user + result->system) / NSEC_PER_SEC,
			    (double)result->elapsed / NSEC_PER_SEC, peak.text);
	}
	if (ran && in_spool(runner, name, "VIGPROF"))
		strbuf_addf(&sb, "  %s.VIGPROF", name);
	job_log_line(&runner->log, true, "%s", sb.text);
	free(name);
	strbuf_release(&sb);
	strbuf_release(&peak);
}

/* Logs the table of all steps of the job, including those not reached. */
static void step_table(struct runner *runner)
{
	const struct plan_step *step = runner->plan->steps;

	if (runner->conditions.count == 0)
		return;
	job_log_line(&runner->log, true, "-%-8s %-8s %-8s %6s %10s %10s %15s  %s", "STEPNAME",
		     "PROCSTEP", "PROGRAM", "RC", "CPU S", "ELAPSED S", "PEAK STORAGE", "PROFILE");
	for (size_t i = 0; step; step = step->next, i++)
		table_row(runner, step,
			  i < runner->conditions.count ? &runner->conditions.results[i] : NULL);
}

/* Logs the closing lines of the job in mainframe format. */
static void job_lines(struct runner *runner, unsigned code)
{
	const struct step_result *abend = conditions_abend(&runner->conditions);
	const char *name = runner->plan->name;
	struct strbuf time = STRBUF_INIT, times = STRBUF_INIT;
	uint64_t user = 0, system = 0;
	char moment[16];

	for (size_t i = 0; i < runner->conditions.count; i++) {
		user += runner->conditions.results[i].user;
		system += runner->conditions.results[i].system;
	}
	format_moment(moment, runner->started);
	job_log_system_line(&runner->log, "IEF375I  JOB/%-8s/START %s", name, moment);
	format_moment(moment, clock_wall_ns());
	format_times(&times, user, system);
	job_log_system_line(&runner->log, "IEF376I  JOB/%-8s/STOP  %s %s", name, moment,
			    times.text);
	format_time(&time);
	if (runner->failed)
		job_log_line(&runner->log, false, "IEF453I %s - JOB FAILED - JCL ERROR - TIME=%s",
			     name, time.text);
	else
		job_log_line(&runner->log, false, "IEF404I %s - ENDED - TIME=%s", name, time.text);
	if (runner->failed)
		job_log_line(&runner->log, false, "$HASP395 %-8s ENDED - JCL ERROR", name);
	else if (abend || runner->cancelled)
		job_log_line(&runner->log, false, "$HASP395 %-8s ENDED - ABEND=%s", name,
			     abend ? abend->abend : "S222");
	else
		job_log_line(&runner->log, false, "$HASP395 %-8s ENDED - RC=%04u", name, code);
	strbuf_release(&time);
	strbuf_release(&times);
}

/* Returns the step that failed; NULL if none did. */
static const struct plan_step *failed_step(const struct runner *runner)
{
	const struct conditions *ends = &runner->conditions;

	if (runner->failed && ends->count > 0)
		return ends->results[ends->count - 1].step;
	for (size_t i = 0; i < ends->count; i++)
		if (ends->results[i].end == STEP_ABENDED)
			return ends->results[i].step;
	return NULL;
}

/* Returns the first step that ran after the failed one; NULL if none did. */
static const struct plan_step *first_run_after(const struct runner *runner,
					  const struct plan_step *failed)
{
	const struct conditions *ends = &runner->conditions;
	bool behind = false;

	for (size_t i = 0; i < ends->count; i++) {
		if (behind && ends->results[i].end != STEP_NOT_RUN)
			return ends->results[i].step;
		behind = behind || ends->results[i].step == failed;
	}
	return NULL;
}

/* Logs a remark about a step; step NULL: nothing. more: further lines follow. */
static void step_line(struct runner *runner, const struct plan_step *step, const char *what,
		      bool more)
{
	char *name = step ? runner_step_name(runner, step) : NULL;

	if (step)
		job_log_line(&runner->log, true, "step %s %s%s", name, what, more ? ";" : "");
	free(name);
}

/* Logs how to restart a job after a step failed. */
static void advise_restart(struct runner *runner, const struct plan_step *failed)
{
	const struct plan_step *begin = restart_step(runner->plan, failed);
	const struct plan_step *behind = first_run_after(runner, failed);
	const struct plan_step *maker = begin != failed ? begin : NULL;
	const char *end = maker || behind ? ";" : "";

	if (!*begin->name || (maker && begin == runner->plan->steps))
		job_log_line(&runner->log, true,
			     "once the cause is fixed, submit the whole job again%s", end);
	else
		job_log_line(&runner->log, true,
			     "once the cause is fixed, RESTART=%s%s%s on the JOB statement begins "
			     "with %s step%s",
			     begin->name, *begin->procstep ? "." : "", begin->procstep,
			     maker ? "that" : "this", end);
	step_line(runner, maker, "creates temporary data sets that this step or a later one needs",
		  behind != NULL);
	step_line(runner, behind, "ran after it: first see what it changed", false);
}

/* Logs what to do next after a job failed. */
static void log_next_actions(struct runner *runner)
{
	const struct plan_step *step = failed_step(runner);

	if (runner->plan->failed) {
		job_log_message(&runner->log, SEVERITY_INFO, 5203,
				"nothing was run: see %s/JESJCL and JESYSMSG, correct the cards "
				"and submit the job again",
				runner->spool.path);
	} else if (step) {
		char *name = runner_step_name(runner, step);

		job_log_message(&runner->log, SEVERITY_INFO, 5204, "see JESYSMSG and %s.* in %s;",
				name, runner->spool.path);
		advise_restart(runner, step);
		free(name);
	}
}

void jes_job_ended(struct runner *runner, unsigned code)
{
	step_table(runner);
	job_lines(runner, code);
	log_next_actions(runner);
}
