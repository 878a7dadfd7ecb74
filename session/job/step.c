/* SPDX-License-Identifier: Apache-2.0 */
/* Runs one step of a job. */
#include "common/compat.h"
#include "session/job/step.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "common/xalloc.h"
#include "session/job/abend.h"
#include "session/job/data-sets.h"
#include "session/job/environment.h"
#include "session/job/guard.h"
#include "session/job/jes.h"
#include "session/job/job-history.h"
#include "session/job/launch.h"
#include "session/job/measured.h"
#include "session/job/learned.h"
#include "session/job/parm.h"
#include "session/job/reader.h"
#include "session/job/run-options.h"
#include "session/job/supervise.h"
#include "session/job/update-copies.h"

#include <fcntl.h>
#include <malloc.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* A running step. */
struct running {
	struct runner *runner;
	const struct plan_step *step;
	char *name;
	struct allocation *allocations;
	struct update_copy *copies; /* copies of indexed data sets that the step may change */
	struct program program;
	char *folder;	   /* its current folder */
	char *return_code; /* where the step library writes the full return code */
	char *files;	   /* where the step library lists what the step's programs open */
	char *parm;
	char *handler; /* the event handler; NULL: none */
	struct run_options options;
	const char *input, *output, *error;
	char *made_output, *made_error; /* spool files that no DD asked for */
	uint64_t error_start;
	uint64_t cpu_limit;  /* seconds; 0: none */
	uint64_t start, end; /* ns monotonic */
	uint64_t began;	     /* the same as start, ns since 1970 */
	struct measured measured;
	struct step_usage usage;
	struct step_outcome outcome;
};

/* Returns the value of the first of these DDs that the step has; NULL: none. */
static const char *stream_dd(const struct running *running, const char *const *names, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct allocation *found = allocation_find(running->allocations, names[i]);

		if (found)
			return allocation_value(found);
	}
	return NULL;
}

/* Creates a spool file for output that no DD receives; the caller frees the path. */
static char *spool_stream(struct running *running, const char *suffix, struct error *err)
{
	struct strbuf name = STRBUF_INIT;
	char *path;

	strbuf_addf(&name, "%s.%s", running->name, suffix);
	path = spool_make_file(&running->runner->spool, name.text, err);
	strbuf_release(&name);
	return path;
}

/* Chooses the step's standard streams. */
static int choose_streams(struct running *running, struct error *err)
{
	static const char *const inputs[] = { "SYSIN", "STDIN" };
	static const char *const outputs[] = { "SYSOUT", "SYSPRINT", "STDOUT" };
	static const char *const errors[] = { "SYSERR", "STDERR" };
	struct stat info;

	running->input = stream_dd(running, inputs, ARRAY_SIZE(inputs));
	running->output = stream_dd(running, outputs, ARRAY_SIZE(outputs));
	running->error = stream_dd(running, errors, ARRAY_SIZE(errors));
	if (!running->input)
		running->input = "/dev/null";
	if (!running->output) {
		running->made_output = spool_stream(running, "SYSOUT", err);
		RETURN_IF(!running->made_output, -1);
		running->output = running->made_output;
	} else if (strcmp(running->output, "/dev/null") == 0 && !running->error) {
		/* Output is discarded, but errors are not. */
		running->made_error = spool_stream(running, "SYSERR", err);
		RETURN_IF(!running->made_error, -1);
		running->error = running->made_error;
	}
	if (stat(running->error ? running->error : running->output, &info) == 0 &&
	    S_ISREG(info.st_mode))
		running->error_start = (uint64_t)info.st_size;
	return 0;
}

/* Creates the step's folder. */
static int make_folder(struct running *running, struct error *err)
{
	struct strbuf path = STRBUF_INIT;

	strbuf_addf(&path, "%s/step.%s", running->runner->spool.work, running->name);
	running->folder = strbuf_detach(&path, NULL);
	strbuf_addf(&path, "%s/rc.%s", running->runner->spool.work, running->name);
	running->return_code = strbuf_detach(&path, NULL);
	strbuf_addf(&path, "%s/files.%s", running->runner->spool.work, running->name);
	running->files = strbuf_detach(&path, NULL);
	if (mkdir(running->folder, 0777) < 0)
		return error_errno(err, "cannot create the step's folder %s", running->folder);
	return 0;
}

int step_cpu_limit(const struct plan_job *job, const struct plan_step *step, uint64_t used_ns,
		   uint64_t *limit)
{
	uint64_t used = used_ns / NSEC_PER_SEC;

	*limit = 0;
	if (job->time_given && job->cpu_limit == 0)
		return 0; /* TIME=1440 of the job: no step has a limit */
	if (step->time_given)
		*limit = step->cpu_limit;
	if (!job->time_given)
		return 0;
	RETURN_IF(used >= job->cpu_limit, -1);
	if (*limit == 0 || job->cpu_limit - used < *limit)
		*limit = job->cpu_limit - used;
	assert(*limit > 0);
	return 0;
}

/* Appends where a program was searched, for the message that it was not found. */
static void list_searched(const struct running *running, struct strbuf *sb)
{
	const struct job_options *options = running->runner->options;

	program_libraries(running->allocations, sb);
	for (size_t i = 0; i < options->program_path_count; i++)
		strbuf_addf(sb, "%s:", running->runner->program_path[i]);
	strbuf_addstr(sb, "utilities");
}

/* Sets the abend of a program that cannot even be started; returns whether there is one. */
static bool judge_program(struct running *running)
{
	const char *name = running->step->program ? running->step->program : "";
	struct strbuf searched = STRBUF_INIT;

	if (running->program.kind == PROGRAM_MISSING) {
		list_searched(running, &searched);
		outcome_abend(&running->outcome, "S806", "program %s was not found in %s", name,
			      searched.text);
		strbuf_release(&searched);
		return true;
	}
	if (running->program.kind == PROGRAM_NOT_EXECUTABLE) {
		outcome_abend(&running->outcome, "S306",
			      "program %s was found in %s, but may not be executed", name,
			      running->program.path);
		return true;
	}
	return false;
}

/* Sets the abend of a process that failed before or at its exec. */
static void judge_launch(struct running *running, const struct launch *launch)
{
	bool at_exec = strcmp(launch->failed ? launch->failed : "exec", "exec") == 0;

	outcome_abend(&running->outcome, at_exec ? "S306" : "S013",
		      at_exec ? "cannot execute %s: %s"
			      : "cannot start the step: its %s: %s",
		      at_exec ? running->program.path : launch->failed, strerror(launch->failure));
}

/* Fills in the program's arguments: its path and PARM; a module is an argument of its driver. */
static void fill_arguments(const struct running *running, const char *arguments[4])
{
	size_t count = 0;

	if (running->program.driver)
		arguments[count++] = running->program.driver;
	arguments[count++] = running->program.path;
	if (running->parm && *running->parm)
		arguments[count++] = running->parm;
	arguments[count] = NULL;
}

/*
 * Determines the outcome of a process that ended by itself, by a signal or with a
 * message of the run time.
 */
static void judge_end(struct running *running)
{
	struct outcome_facts facts = {
		.status = running->usage.status,
		.cancelled = running->runner->cancelled,
		.cpu_limit = running->cpu_limit,
		.cpu_used = running->usage.user + running->usage.system,
		.elapsed_limit = running->usage.elapsed_reached ?
					 running->runner->options->elapsed_limit :
					 0,
		.limit_reached = running->usage.limit_reached,
		.error_output = running->error ? running->error : running->output,
		.error_start = running->error_start,
		.full_code = running->return_code,
	};

	outcome_judge(&running->outcome, &facts);
}

/* Starts the process and waits until it and all processes it started are over. */
static void execute(struct running *running, struct launch *launch, bool measured)
{
	struct supervise_service service = { measured_serve, measured_owns,
					     &running->measured };
	struct error err = ERROR_INIT;

	if (launch_start(launch, &err) < 0) {
		outcome_abend(&running->outcome, "S306", "%s", error_text(&err));
		error_release(&err);
		return;
	}
	guard_step(running->runner, launch->pid);
	spool_set_state(&running->runner->spool, "RUNNING", running->name, launch->pid);
	if (measured) {
		measured_follow(&running->measured, launch->pid);
		launch_release(launch);
	}
	supervise_step(running->runner, launch->pid, running->name, running->cpu_limit,
		       measured ? &service : NULL, &running->usage);
	running->end = clock_monotonic_ns();
	measured_clear_progress(&running->measured);
	guard_step(running->runner, 0);
	launch_finish(launch);
	if (launch->failure)
		judge_launch(running, launch);
	else
		judge_end(running);
}

/*
 * Opens the lock file for a utility, which may access data sets that no DD names:
 * it gets the root, and inherits the job's locks, so that only those of other jobs
 * conflict. Returns whether there are locks.
 */
static bool open_locks(struct running *running)
{
	struct runner *runner = running->runner;

	if (running->program.kind != PROGRAM_UTILITY || !running->step->dds ||
	    !data_set_catalog(runner, NULL))
		return false;
	return lock_list_open(&runner->locks, runner->catalog.root, NULL) == 0;
}

/* Runs the step's program after it was found. */
static void run_program(struct running *running, const struct own_cards *cards)
{
	struct environment environment;
	const char *arguments[4], *more[2] = { NULL, NULL };
	char locks[32];
	bool joins = open_locks(running);
	struct environment_facts facts = {
		.runner = running->runner,
		.step = running->step,
		.step_name = running->name,
		.allocations = running->allocations,
		.program = &running->program,
		.folder = running->folder,
		.return_code = running->return_code,
		.handler = running->handler,
		.string = running->options.string,
		.files = running->files,
		.more = more,
	};
	bool measured =
		measured_begin(&running->measured, running->runner, running->step, running->name,
			       cards, running->allocations, running->program.path);

	snprintf(locks, sizeof(locks), LOCK_ENVIRONMENT "=%d", running->runner->locks.fd);
	if (joins)
		more[0] = locks;
	if (measured) {
		facts.measured = measure_environment(running->measured.measure);
		facts.preload = measure_preload(running->measured.measure);
	}
	environment_init(&environment, &facts);
	fill_arguments(running, arguments);
	execute(running,
		&(struct launch){ .program = arguments[0],
				  .arguments = (char *const *)arguments,
				  .environment = environment.items,
				  .pid_digits = environment.pid_digits,
				  .folder = running->folder,
				  .input = running->input,
				  .output = running->output,
				  .error = running->error,
				  .cpu_limit = running->cpu_limit,
				  .inherited = joins ? running->runner->locks.fd : 0,
				  .gated = measured },
		measured);
	environment_release(&environment);
}

/* Runs everything between allocation and disposition. */
static void run_allocated(struct running *running, const struct own_cards *cards)
{
	struct error err = ERROR_INIT;

	program_find(running->runner, running->step, running->allocations, &running->program);
	if (judge_program(running))
		return;
	running->copies = update_copies_make(running->runner, running->name, running->allocations,
					     &running->program);
	running->parm = parm_text(running->step, running->allocations, &err);
	if (step_cpu_limit(running->runner->plan, running->step, running->runner->cpu_used,
			   &running->cpu_limit) < 0)
		outcome_abend(&running->outcome, "S322", "the job's CPU time is used up");
	else if (!running->parm || choose_streams(running, &err) < 0 ||
		 make_folder(running, &err) < 0)
		outcome_abend(&running->outcome, "S013", "%s", error_text(&err));
	else {
		running->handler = run_options_handler(running->runner, running->allocations,
						       running->name,
						       own_cards_of(cards, running->step),
						       running->parm, &running->options);
		run_program(running, cards);
	}
	error_release(&err);
}

/*
 * Fills in how the step ended and what it used. The system counts the size of a
 * process from its fork, so that a peak below vigil's own is unknown.
 */
static void fill_result(const struct running *running, struct step_result *result)
{
	uint64_t end = running->end ? running->end : clock_monotonic_ns(), floor = 0;
	struct rusage own;

	if (getrusage(RUSAGE_SELF, &own) == 0)
		floor = (uint64_t)own.ru_maxrss * 1024;
	result->end = running->outcome.abended ? STEP_ABENDED : STEP_ENDED;
	result->return_code = running->outcome.return_code;
	snprintf(result->abend, sizeof(result->abend), "%s", running->outcome.abend);
	result->user = running->usage.user;
	result->system = running->usage.system;
	result->elapsed = end - running->start;
	result->peak = running->usage.peak;
	result->peak_below = result->peak && result->peak <= floor;
}

/*
 * Appends the REGION of the step or the job, the mainframe's limit, for comparison
 * with the peak.
 */
static void add_region(struct strbuf *peak, const struct running *running)
{
	uint64_t region = running->runner->plan->region;

	if (running->step->region)
		region = running->step->region;
	if (region)
		strbuf_addf(peak, " (REGION %.1f MB)", (double)region / (1024 * 1024));
}

/* Logs the line that every step ends with. */
static void log_end(struct running *running, const struct step_result *result)
{
	struct job_log *log = &running->runner->log;
	double cpu = (double)(result->user + result->system) / NSEC_PER_SEC;
	double elapsed = (double)result->elapsed / NSEC_PER_SEC;
	struct strbuf peak = STRBUF_INIT;

	jes_format_peak(&peak, result);
	add_region(&peak, running);
	if (result->end == STEP_ABENDED)
		job_log_message(log, SEVERITY_ERROR, 5012,
				"step %s ended: ABEND %s, CPU %.2f s, elapsed %.2f s, peak storage "
				"%s - %s",
				running->name, result->abend, cpu, elapsed, peak.text,
				running->outcome.reason.text);
	else
		job_log_message(log, SEVERITY_INFO, 5011,
				"step %s ended: return code %04u, CPU %.2f s, elapsed %.2f s, peak "
				"storage %s",
				running->name, result->return_code, cpu, elapsed, peak.text);
	strbuf_release(&peak);
}

/*
 * Resets this process's own peak size. A measurement leaves vigil larger than
 * necessary, and the system counts a process from its fork, so that the peaks of
 * the next steps would be hidden.
 */
static void forget_own_peak(void)
{
	char path[PROCFS_PATH_SIZE];
	int fd = open(procfs_process(path, PROCFS_SELF, "clear_refs"), O_WRONLY | O_CLOEXEC);

	malloc_trim(0);
	if (fd < 0)
		return;
	if (write(fd, "5", 1) != 1)
		errno = 0; /* the peak of small steps stays unknown */
	close(fd);
}

/* Closes the session of a measured step, and adds the step to the history. */
static void end_measured(struct running *running, const struct step_result *result)
{
	bool wanted = running->measured.output != NULL;

	if (running->measured.runner)
		measured_end(&running->measured, &running->outcome, &running->usage);
	job_history_step(running->runner, result, running->name, running->began,
			 &running->measured.left);
	if (running->measured.runner)
		measured_release(&running->measured);
	if (wanted)
		forget_own_peak();
}

static void remove_if_empty(const char *path)
{
	struct stat info;

	if (path && stat(path, &info) == 0 && info.st_size == 0)
		unlink(path);
}

/* Removes what was needed only while the step ran. */
static void clean_up(struct running *running)
{
	remove_if_empty(running->made_output);
	remove_if_empty(running->made_error);
	if (running->return_code)
		unlink(running->return_code);
	if (running->files)
		unlink(running->files);
	if (running->folder)
		folders_remove(running->folder);
	allocation_free(running->allocations);
	program_release(&running->program);
	strbuf_release(&running->outcome.reason);
	free(running->name);
	free(running->folder);
	free(running->return_code);
	free(running->files);
	free(running->parm);
	free(running->handler);
	free(running->made_output);
	free(running->made_error);
}

void step_run(struct runner *runner, const struct plan_step *step, const struct own_cards *cards,
	      struct step_result *result)
{
	struct running running = { .runner = runner,
				   .step = step,
				   .name = runner_step_name(runner, step),
				   .start = clock_monotonic_ns(),
				   .began = clock_wall_ns(),
				   .outcome = { .reason = STRBUF_INIT } };

	*result = (struct step_result){ .step = step, .end = STEP_NOT_RUN };
	job_log_message(&runner->log, SEVERITY_INFO, 5010, "step %s started: PGM=%s%s%s",
			running.name, step->program ? step->program : "*",
			*step->procedure ? ", procedure " : "", step->procedure);
	if (allocate_step(runner, step, running.name, &running.allocations) < 0) {
		runner->failed = true;
		job_log_message(&runner->log, SEVERITY_ERROR, 5014,
				"step %s not run: JCL error, its data sets could not be allocated",
				running.name);
		jes_step_not_run(runner, step, CONDITION_RUN);
		clean_up(&running);
		return;
	}
	run_allocated(&running, cards);
	fill_result(&running, result);
	log_end(&running, result);
	end_measured(&running, result);
	learned_take(runner, running.name, running.allocations, running.files);
	update_copies_end(runner, running.copies, running.allocations, conditions_abnormal(result),
			  running.files);
	jes_step_code(runner, result);
	dispose_step(runner, running.allocations, conditions_abnormal(result));
	jes_step_ended(runner, result);
	runner_use_cpu(runner, result);
	reader_take(runner, running.name, running.allocations, running.outcome.abended);
	clean_up(&running);
}
