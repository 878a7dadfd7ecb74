/* SPDX-License-Identifier: Apache-2.0 */
/* Starts or pauses the session for vigil start and vigil pause. */
#include "common/compat.h"
#include "session/commands/switch-collecting.h"
#include "agent/transaction-write.h"
#include "session/commands/find-session.h"

#include <unistd.h>

/* Switches the session of an area; returns the exit status. */
static int switch_area(const char *path, bool start, const char *subject)
{
	struct transaction_area *area = transaction_map(path);

	if (!area)
		return command_message(SEVERITY_ERROR, 41, "cannot %s the session of %s: %s",
				       start ? "start" : "pause", subject,
				       find_session_ended(path) ? "it has ended meanwhile"
				       : access(path, R_OK | W_OK) < 0
					       ? strerror(errno)
					       : "it cannot be switched");
	if (!transaction_switch(area, start, (uint32_t)getpid(), (uint32_t)getpid()))
		return command_message(SEVERITY_INFO, 42, "the session of %s is %s already",
				       subject, start ? "started" : "paused");
	return EXIT_OK;
}

/* Switches the step that this process is part of, if there is no operand. */
static int switch_own(bool start)
{
	const char *path = find_own_session_area();

	if (path)
		return switch_area(path, start, "this step");
	return command_message(SEVERITY_INFO, 40, "nothing is measured here, so nothing is %s",
			       start ? "started" : "paused");
}

int switch_collecting(bool start, const char *spool, int argc, char **argv)
{
	char *area = NULL;
	int status;

	if (argc > 1)
		return command_fail(EXIT_USAGE, "%s takes one job or process, not also %s",
				    start ? "start" : "pause", argv[1]);
	if (!argc)
		return switch_own(start);
	status = find_session(argv[0], spool, &area);
	if (area)
		status = switch_area(area, start, argv[0]);
	free(area);
	return status;
}
