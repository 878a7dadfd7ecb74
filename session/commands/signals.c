/* SPDX-License-Identifier: Apache-2.0 */
/* Records the signals of a command that observes a process. */
#include "common/compat.h"
#include "session/commands/signals.h"

#include <signal.h>

static const int noted[] = { SIGINT, SIGQUIT, SIGHUP, SIGTERM };
static volatile sig_atomic_t pending[ARRAY_SIZE(noted)]; /* 1: received, 2: from the terminal */
static struct sigaction before[ARRAY_SIZE(noted)];
static struct sigaction before_child, before_pipe;
static volatile sig_atomic_t stop_pending;
static struct sigaction before_stop;
static bool stop_caught;

/* Records a signal; SI_KERNEL means the terminal. */
static void note(int number, siginfo_t *info, void *context UNUSED)
{
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		if (noted[i] == number)
			pending[i] = info->si_code > 0 ? 2 : 1;
}

static void wake(int number UNUSED)
{
}

void signals_catch(void)
{
	struct sigaction action = { .sa_sigaction = note, .sa_flags = SA_SIGINFO };
	struct sigaction child = { .sa_handler = wake, .sa_flags = SA_NOCLDSTOP };

	for (size_t i = 0; i < ARRAY_SIZE(noted); i++) {
		sigaction(noted[i], NULL, &before[i]);
		if (before[i].sa_handler != SIG_IGN)
			sigaction(noted[i], &action, NULL);
	}
	sigaction(SIGCHLD, &child, &before_child);
	sigaction(SIGPIPE, &child, &before_pipe);
}

static void note_stop(int number UNUSED)
{
	stop_pending = 1;
}

void signals_catch_stop(void)
{
	const struct sigaction action = { .sa_handler = note_stop };

	sigaction(SIGTSTP, NULL, &before_stop);
	stop_caught = before_stop.sa_handler != SIG_IGN;
	if (stop_caught)
		sigaction(SIGTSTP, &action, NULL);
}

bool signals_stop_wanted(void)
{
	return stop_pending;
}

void signals_stop(void)
{
	const struct sigaction action = { .sa_handler = note_stop };

	stop_pending = 0;
	sigaction(SIGTSTP, &before_stop, NULL);
	raise(SIGTSTP);
	sigaction(SIGTSTP, &action, NULL);
}

void signals_restore(void)
{
	if (stop_caught)
		sigaction(SIGTSTP, &before_stop, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++)
		sigaction(noted[i], &before[i], NULL);
	sigaction(SIGCHLD, &before_child, NULL);
	sigaction(SIGPIPE, &before_pipe, NULL);
}

int signals_take(bool *from_terminal)
{
	for (size_t i = 0; i < ARRAY_SIZE(noted); i++) {
		if (!pending[i])
			continue;
		*from_terminal = pending[i] == 2;
		pending[i] = 0;
		return noted[i];
	}
	return 0;
}
