/* SPDX-License-Identifier: Apache-2.0 */
/* vigil attach: measures a running process. */
#include "common/compat.h"
#include "common/clock.h"
#include "common/procfs.h"
#include "session/commands/session-command.h"
#include "session/commands/signals.h"
#include "session/measure/running.h"

#include <unistd.h>

#define STEP_MS 100

static struct session_options session_options = SESSION_OPTIONS_INIT;
static uint64_t duration = OPTION_NOT_GIVEN;

static const struct command_option *attach_options(void)
{
	static const struct command_option options[] = {
		SESSION_OPTIONS(session_options),
		{ "duration", 'd', OPTION_NUMBER, "SECONDS", "end after this many seconds",
		  &duration },
		{ NULL, 0, OPTION_FLAG, NULL, NULL, NULL },
	};

	return options;
}

/* Returns the process number in an operand; -1 if it is none. */
static pid_t read_pid(const char *text)
{
	uint64_t number = 0;

	if (!*text || strlen(text) > 9)
		return -1;
	for (; *text; text++) {
		if (*text < '0' || *text > '9')
			return -1;
		number = number * 10 + (uint64_t)(*text - '0');
	}
	return number > 0 ? (pid_t)number : -1;
}

/* Returns whether the process exists and may be observed; prints the reason if not. */
static bool may_measure(pid_t pid)
{
	struct error why = ERROR_INIT;
	const bool may = running_check(pid, &why) == 0;

	if (!may)
		command_message(SEVERITY_ERROR, 34, "%s", error_text(&why));
	error_release(&why);
	return may;
}

/* Measures until the process ends, the time is over, or a signal arrives; -1 on an error. */
static int observe(struct measure *measure, struct error *err)
{
	uint64_t start = clock_monotonic_ns();
	bool from_terminal;

	while (measure_alive(measure)) {
		uint64_t passed = clock_monotonic_ns() - start;

		if (signals_take(&from_terminal))
			break;
		if (passed / NSEC_PER_SEC >= duration)
			break;
		RETURN_IF(measure_step(measure, STEP_MS, err) < 0, -1);
	}
	return 0;
}

/* Runs the whole session; returns the exit status. */
static int measure_process(const struct session_command *command, pid_t pid)
{
	struct error err = ERROR_INIT;
	struct measure *measure = session_command_begin(command);
	struct strbuf subject = STRBUF_INIT;
	bool lacking = false;
	int status = EXIT_OK;

	signals_catch();
	strbuf_addf(&subject, "process %d", pid);
	if (measure_attach(measure, pid, &err) < 0) {
		status = command_message(SEVERITY_ERROR, 32, "cannot measure %s: %s", subject.text,
					 error_text(&err));
	} else {
		if (observe(measure, &err) < 0)
			status = command_message(SEVERITY_ERROR, 33,
						 "the session of %s ended prematurely: "
						 "%s", subject.text,
						 error_text(&err));
		if (!session_command_finish(command, measure, subject.text, &lacking))
			status = EXIT_ERROR;
		else if (status == EXIT_OK)
			status = session_command_report(command);
		if (lacking && command->options->require && status < EXIT_ERROR)
			status = EXIT_ERROR;
	}
	measure_free(measure);
	strbuf_release(&subject);
	error_release(&err);
	return status;
}

static int attach_main(int argc, char **argv)
{
	struct session_command session;
	char path[PROCFS_PATH_SIZE];
	char *program, *line;
	pid_t pid;
	int status;

	if (argc != 1)
		return command_fail(EXIT_USAGE, "attach needs one process number");
	if (duration == 0)
		return command_fail(EXIT_USAGE, "--duration takes at least 1");
	pid = read_pid(argv[0]);
	if (pid < 0)
		return command_fail(EXIT_USAGE, "'%s' is not a process number", argv[0]);
	if (pid == getpid())
		return command_fail(EXIT_USAGE, "process %d is vigil itself", pid);
	if (!may_measure(pid))
		return EXIT_ERROR;
	program = running_program(pid);
	line = running_command(pid);
	status = session_command_init(&session, &session_options, program, program, line, "ACTIVE");
	if (status == 0)
		status = session_command_spare(&session, procfs_living_process(path, pid, "exe"));
	if (status == 0)
		status = measure_process(&session, pid);
	session_command_release(&session);
	free(program);
	free(line);
	return status;
}

const struct command attach_command = {
	.name = "attach",
	.arguments = "PID",
	.summary = "Measures a running process until it ends or ^C",
	.options = attach_options,
	.run = attach_main,
};
