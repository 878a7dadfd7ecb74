/* SPDX-License-Identifier: Apache-2.0 */
/* vigil run: measures one command. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/path.h"
#include "common/procfs.h"
#include "session/commands/run-handler.h"
#include "session/commands/script-name.h"
#include "session/commands/session-command.h"
#include "session/commands/signals.h"
#include "session/commands/start-command.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* Longest sleep of the loop before it checks the child again. */
#define STEP_MS 50
/* Time that descendants may outlive the command before a message says that vigil waits for them. */
#define NOTICE_AFTER NSEC_PER_SEC
/*
 * How long, and for how many rounds of the session, ^Z waits for looks at the
 * command that it has stopped; and how long for the command to stop.
 */
#define STOP_AFTER (200 * NSEC_PER_MSEC)
#define STOP_ROUNDS 16
#define STOP_PATIENCE NSEC_PER_SEC
/*
 * Exit status of --require, whatever the status of the command: no shell and
 * hardly any program uses it.
 */
#define EXIT_NOT_MEASURED 125

static struct session_options session_options = SESSION_OPTIONS_INIT;
static bool no_wait, progress;

static const struct command_option *run_options(void)
{
	static const struct command_option options[] = {
		SESSION_OPTIONS(session_options),
		{ "no-wait", 0, OPTION_FLAG, NULL,
		  "end with the command, not with the processes it leaves behind", &no_wait },
		{ "progress", 0, OPTION_FLAG, NULL,
		  "show seconds, CPU time and samples on a terminal, within the command's own output",
		  &progress },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* A command in progress. */
struct run {
	struct session_command command;
	struct measure *measure; /* NULL: not, or no longer, measured */
	struct run_handler handler;
	struct gate gate;
	bool started; /* the child was released from the gate */
	bool end_noticed; /* the command has ended, but was not yet waited for */
	bool ended;   /* the command itself has ended */
	bool stop;    /* a signal arrived after its end */
	bool notice_printed;    /* the notice on descendants was printed */
	bool measured_badly; /* not measured, or not as requested */
	/* While ^Z is pending: when it was noticed, and when the command was found stopped; 0: not yet. */
	uint64_t stop_asked, stopped;
	unsigned stop_rounds; /* rounds served since then */
	uint64_t end; /* time at which the command ended */
	int wait_status;
	struct rusage usage;
};

/* Returns the command line as text; arguments with blanks are in apostrophes. */
static char *command_line(char **argv)
{
	struct strbuf text = STRBUF_INIT;

	for (; *argv; argv++) {
		bool quote = !**argv || strpbrk(*argv, " \t\n'\"\\$*?");

		if (text.length)
			strbuf_addch(&text, ' ');
		strbuf_addf(&text, quote ? "'%s'" : "%s", *argv);
	}
	return strbuf_detach(&text, NULL);
}

/* Reports that the command continues without measurement, and why. */
static void give_up(struct run *run, const struct error *err)
{
	command_message(SEVERITY_ERROR, 32, "%s; %s runs%s unmeasured", error_text(err),
			run->command.request.program, run->started ? " on" : "");
	measure_free(run->measure);
	run->measure = NULL;
	run->measured_badly = true;
}

/* Forwards signals to the command; after the command's end a signal ends the session. */
static void serve_signals(struct run *run)
{
	bool from_terminal;
	int number;

	while ((number = signals_take(&from_terminal))) {
		if (run->ended)
			run->stop = true;
		else if (!from_terminal)
			kill(run->gate.pid, number);
	}
}

/*
 * Returns whether the session has seen the command stopped, or the command does not
 * stop: on a full machine it stops late, and so does the session look.
 */
static bool stop_was_seen(struct run *run)
{
	const uint64_t now = clock_monotonic_ns();

	if (!run->measure || run->ended)
		return true;
	if (!run->stop_asked)
		run->stop_asked = now;
	if (!run->stopped && procfs_state(run->gate.pid, run->gate.pid) == 'T') {
		run->stopped = now;
		run->stop_rounds = 0;
	}
	if (!run->stopped)
		return now - run->stop_asked >= STOP_PATIENCE;
	return ++run->stop_rounds > STOP_ROUNDS && now - run->stopped >= STOP_AFTER;
}

/* Stops vigil on ^Z as the command stops, but not before the session has seen it stopped. */
static void serve_stop(struct run *run)
{
	if (!signals_stop_wanted() || !stop_was_seen(run))
		return;
	run->stop_asked = run->stopped = 0;
	if (run->measure)
		measure_quiet(run->measure);
	signals_stop();
}

/* Checks whether the command has ended. */
static void look_for_end(struct run *run, bool block)
{
	siginfo_t info = { 0 };
	pid_t pid;

	if (run->ended)
		return;
	/*
	 * The session takes a last look at the used resources, which is impossible after
	 * the wait. It may end just now: that is noticed the next time.
	 */
	if (run->measure && !run->end_noticed &&
	    waitid(P_PID, (id_t)run->gate.pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0) {
		run->end_noticed = info.si_pid != 0;
		return;
	}
	pid = wait4(run->gate.pid, &run->wait_status, block ? 0 : WNOHANG, &run->usage);
	/* A task that is held for a data collector also reports a stop. */
	if (pid != run->gate.pid || WIFSTOPPED(run->wait_status))
		return;
	run->ended = true;
	run->end = clock_monotonic_ns();
}

/* Reports that processes left behind by the command are still measured. */
static void give_notice(struct run *run)
{
	if (run->notice_printed || session_options.quiet || clock_monotonic_ns() - run->end < NOTICE_AFTER)
		return;
	run->notice_printed = true;
	command_message(
		SEVERITY_INFO, 38,
		"%s has ended; the processes it left behind are measured until they end or ^C",
		run->command.request.program);
}

/* Returns whether there is nothing more to wait for. */
static bool is_over(const struct run *run)
{
	return run->ended &&
	       (!run->measure || run->stop || no_wait || !measure_alive(run->measure));
}

/* Serves session and command until both are over. */
static void serve_until_over(struct run *run)
{
	struct error err = ERROR_INIT;

	for (;;) {
		serve_signals(run);
		serve_stop(run);
		look_for_end(run, !run->measure);
		if (is_over(run))
			break;
		if (!run->measure)
			continue;
		if (measure_step(run->measure, STEP_MS, &err) < 0)
			give_up(run, &err);
		if (run->ended && run->measure)
			give_notice(run);
	}
	error_release(&err);
}

/* Ends the session with the command's result; false if there is no complete data set. */
static bool finish(struct run *run)
{
	struct strbuf abend = STRBUF_INIT;

	if (WIFSIGNALED(run->wait_status)) {
		const char *name = sigabbrev_np(WTERMSIG(run->wait_status));

		strbuf_addf(&abend, "SIG%s", name ? name : "?");
	}
	measure_set_result(
		run->measure, WIFEXITED(run->wait_status) ? WEXITSTATUS(run->wait_status) : 0,
		abend.text, clock_timeval_ns(&run->usage.ru_utime), clock_timeval_ns(&run->usage.ru_stime),
		(uint64_t)run->usage.ru_maxrss * 1024);
	strbuf_release(&abend);
	return session_command_finish(&run->command, run->measure, run->command.request.program,
				      &run->measured_badly);
}

/* Starts the measurement of the waiting child, and releases the child in any case. */
static void begin(struct run *run)
{
	struct error err = ERROR_INIT;

	if (run->measure && measure_follow(run->measure, run->gate.pid, &err) < 0)
		give_up(run, &err);
	error_release(&err);
	gate_open(&run->gate);
	gate_close(&run->gate, true);
	run->started = true;
}

static int status_of(int wait_status)
{
	return WIFSIGNALED(wait_status) ? 128 + WTERMSIG(wait_status) : WEXITSTATUS(wait_status);
}

/*
 * Returns the exit status of vigil for a command that has ended: the command's,
 * unless --require overrides it.
 */
static int final_status(const struct run *run)
{
	int status = status_of(run->wait_status);

	if (!run->measured_badly || !session_options.require || run->gate.failure)
		return status;
	command_message(SEVERITY_ERROR, 54,
			"%s ended with %d, and was not measured as --require demands",
			run->command.request.program, status);
	return EXIT_NOT_MEASURED;
}

/* Starts the command under measurement and runs it to its end; returns the exit status. */
static int measure_command(struct run *run, const char *path, char **argv)
{
	const char *const nothing[] = { NULL };
	struct error err = ERROR_INIT;

	run->measure = session_command_begin(&run->command);
	run->measured_badly = !run->measure;
	run_handler_choose(&run->handler, run->command.statements.deck, path,
			   run->measure ? measure_environment(run->measure) : nothing,
			   run->measure ? measure_preload(run->measure) : NULL);
	signals_catch();
	signals_catch_stop();
	if (start_command_begin(&run->gate, argv, run->handler.environment, run->handler.preload,
				&err) < 0) {
		command_message(SEVERITY_ERROR, 36, "%s", error_text(&err));
		error_release(&err);
		measure_free(run->measure);
		return EXIT_NOT_EXECUTABLE;
	}
	begin(run);
	serve_until_over(run);
	if (run->gate.failure)
		command_message(SEVERITY_ERROR, 36, "cannot run %s: %s", argv[0],
				strerror(run->gate.failure));
	if (run->measure && finish(run) && !run->gate.failure)
		session_command_report(&run->command);
	measure_free(run->measure);
	error_release(&err);
	return final_status(run);
}

static int run_main(int argc, char **argv)
{
	struct error err = ERROR_INIT;
	struct run run = { 0 };
	char *line, *path;
	int status;

	if (argc == 0)
		return command_fail(EXIT_USAGE, "run needs a program to measure");
	status = start_command_find(argv[0], &path, &err);
	if (status) {
		command_message(SEVERITY_ERROR, 36, "%s", error_text(&err));
		error_release(&err);
		return status;
	}
	line = command_line(argv);
	status = session_command_init(&run.command, &session_options,
				      path_base(argv[0]), script_name(argv), line, "QUEUED");
	run.command.request.executable = path;
	/* The command shares the terminal with vigil, and its output must stay undisturbed. */
	run.command.request.progress = progress && !session_options.quiet;
	if (status == 0)
		status = session_command_spare(&run.command, path);
	if (status == 0)
		status = measure_command(&run, path, argv);
	run_handler_release(&run.handler);
	session_command_release(&run.command);
	free(path);
	free(line);
	return status;
}

const struct command run_command = {
	.name = "run",
	.arguments = "[--] PROGRAM [ARGUMENT]...",
	.summary = "Measures one command and prints a summary of its profile",
	.options = run_options,
	.run = run_main,
	.stop_at_operand = true,
};
